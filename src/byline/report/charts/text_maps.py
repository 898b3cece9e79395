"""Maps and networks of texts: points with labels, and lines between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.formatting import percent
from byline.report.charts.axes import WIDE, scale
from byline.report.charts.text_points import (
    PlacedLabel,
    TextPoint,
    TextStyle,
    place_labels_apart,
    text_labels,
    text_points,
    unlabelled,
)

_MARGIN = 26.0
_HEIGHTS = {True: 600.0, False: 420.0}  # of wide and of narrow figures
_STRONGEST = 5.0  # width of the line of the strongest connection


@dataclass(frozen=True, slots=True)
class Connection:
    """A line between two texts."""

    path: str
    width: float
    title: str


@dataclass(frozen=True, slots=True)
class TextMapChart:
    """Texts in the plane.

    Attributes
    ----------
    width, height : float
    points : tuple of TextPoint
    labels : tuple of PlacedLabel
    connections : tuple of Connection
        Empty for a map.
    axes : tuple of float or None
        The x and y of the two lines through the origin; None for a network.
    x_label, y_label : str
        Empty for a network.
    """

    width: float
    height: float
    points: tuple[TextPoint, ...]
    labels: tuple[PlacedLabel, ...]
    connections: tuple[Connection, ...]
    axes: tuple[float, float] | None
    x_label: str
    y_label: str

    @property
    def unlabelled(self) -> str:
        """A sentence with the names of texts without a label; empty if all have one."""
        return unlabelled(self.points, self.labels)


def text_map_chart(
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
    found: Mapping[str, Any],
    width: float,
) -> TextMapChart:
    """Lay out a map with the same scale on both axes.

    Parameters
    ----------
    texts : sequence of mapping
        "name" and "author" of each text.
    styles : mapping
        As `text_styles` returns it.
    found : mapping
        "method", "coordinates" and "shares" of a map.
    width : float
    """
    height = _HEIGHTS[width >= WIDE]
    places, origin = _scaled(found["coordinates"], width, height)
    points = text_points(texts, places, styles)
    names = text_labels([text["name"] for text in texts], width)
    axis = "dimension" if found["method"] != "PCA" else "component"
    shares = [f" ({percent(share, 1)})" for share in found["shares"]] or ["", ""]
    return TextMapChart(
        width=width,
        height=height,
        points=tuple(points),
        labels=place_labels_apart(points, names, width, height - 20),
        connections=(),
        axes=origin,
        x_label=f"{axis} 1{shares[0]}",
        y_label=f"{axis} 2{shares[1]}",
    )


def network_chart(
    texts: Sequence[Mapping[str, Any]],
    styles: Mapping[str, TextStyle],
    positions: Sequence[Sequence[float]],
    edges: Sequence[Mapping[str, Any]],
    width: float,
) -> TextMapChart:
    """Lay out a network; stronger connections have wider lines."""
    height = _HEIGHTS[width >= WIDE]
    places, _ = _scaled(positions, width, height, same_scale=False)
    points = text_points(texts, places, styles)
    index = {text["name"]: number for number, text in enumerate(texts)}
    strongest = max((edge["weight"] for edge in edges), default=1)
    return TextMapChart(
        width=width,
        height=height,
        points=tuple(points),
        labels=place_labels_apart(
            points, text_labels([text["name"] for text in texts], width), width, height
        ),
        connections=tuple(
            Connection(
                path=_line(places[index[edge["first"]]], places[index[edge["second"]]]),
                width=round(max(_STRONGEST * edge["weight"] / strongest, 0.4), 2),
                title=f"{edge['first']} and {edge['second']}: {edge['weight']}",
            )
            for edge in edges
        ),
        axes=None,
        x_label="",
        y_label="",
    )


def _scaled(
    coordinates: Sequence[Sequence[float]], width: float, height: float, same_scale: bool = True
) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Return the places of points in a figure, and that of the origin."""
    xs, ys = ([point[axis] for point in coordinates] for axis in (0, 1))
    spans = [max(values) - min(values) or 1.0 for values in (xs, ys)]
    sizes = [width - 2 * _MARGIN, height - 2 * _MARGIN - 20]
    if same_scale:
        unit = min(size / span for size, span in zip(sizes, spans, strict=True))
        sizes = [unit * span for span in spans]
    left = (width - sizes[0]) / 2
    top = (height - 20 - sizes[1]) / 2
    across = scale(min(xs), min(xs) + spans[0], left, left + sizes[0])
    down = scale(min(ys), min(ys) + spans[1], top + sizes[1], top)
    return [(across(x), down(y)) for x, y in zip(xs, ys, strict=True)], (across(0.0), down(0.0))


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
