"""Points that represent texts in the colours of their authors, and labels without overlap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from byline.formatting import isolated, join_names, quantity
from byline.report.charts.axes import WIDE, label_width
from byline.report.charts.colours import author_class, author_colours, author_shape
from byline.report.graphics import LONGEST_LABEL, shorten

QUESTIONED_CLASS = "questioned"
QUESTIONED_SHAPE = "M0-1.5L.4-.5L1.5-.4L.7.3L.9 1.4L0 .8L-.9 1.4L-.7.3L-1.5-.4L-.4-.5Z"  # a star
_LINE = 12.0  # height of a label
_MAX_NAMED = 8  # texts without a label
_GAP = 8.0  # between a point and its label
_POINT_RADIUS = 6.0  # of the space that a point occupies
_RINGS = (0.0, 10.0, 22.0, 36.0, 50.0, 66.0, 84.0)  # how far labels may be from their points


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The colour and the shape of an author's points.

    Attributes
    ----------
    author : str
        Empty for questioned texts.
    colour : str
        The CSS class.
    shape : str
        The path of a point, around (0, 0).
    """

    author: str
    colour: str
    shape: str


@dataclass(frozen=True, slots=True)
class TextPoint:
    """The point of a text, and the text that appears when a reader points at it."""

    x: float
    y: float
    style: TextStyle
    title: str


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label: its anchor, "start", "middle" or "end" of the text, and a line to its point.

    "point" is the index of its point.
    """

    x: float
    y: float
    text: str
    anchor: str
    leader: str = ""
    point: int = 0


Box = tuple[float, float, float, float]


def text_styles(authors: Iterable[str | None]) -> dict[str, TextStyle]:
    """Return the style of each author, in alphabetical order; questioned texts are last.

    Examples
    --------
    >>> list(text_styles(["Ben", None, "Ada"]))
    ['Ada', 'Ben', '']
    """
    named = list(authors)
    colours = author_colours(author for author in named if author)
    styles = {
        author: TextStyle(author, author_class(number), author_shape(number))
        for author, number in colours.items()
    }
    if not all(named):
        styles[""] = TextStyle("", QUESTIONED_CLASS, QUESTIONED_SHAPE)
    return styles


def text_points(
    texts: Sequence[Mapping[str, str | None]],
    places: Sequence[tuple[float, float]],
    styles: Mapping[str, TextStyle],
) -> list[TextPoint]:
    """Make the point of each text from its "name", its "author", and its place."""
    return [
        TextPoint(x, y, styles[text["author"] or ""], isolated(text["name"] or ""))
        for text, (x, y) in zip(texts, places, strict=True)
    ]


def text_labels(names: Sequence[str], width: float) -> list[str]:
    """Return the labels of texts ``Author_Title``.

    In a narrow figure, or if a name is too long, they are only the titles, because colours, shapes
    and the legend state the authors.

    Examples
    --------
    >>> text_labels(["Ada_Letter", "Ben_Poem"], 1000)
    ['Ada_Letter', 'Ben_Poem']
    >>> text_labels(["Ada_Letter", "Ben_Poem"], 380)
    ['Letter', 'Poem']
    """
    if width >= WIDE and all(len(name) <= LONGEST_LABEL for name in names):
        return list(names)
    return [shorten(name.partition("_")[2] or name) for name in names]


def place_labels_apart(
    points: Sequence[TextPoint],
    labels: Sequence[str],
    width: float,
    height: float,
    middle: float = 0.0,
) -> tuple[PlacedLabel, ...]:
    """Place labels so that none covers a point, another label or the edge of the figure.

    A label for which there is no such place is left out (see `unlabelled`). If possible, no line
    from a point to its label touches another point, and the labels of points left of ``middle`` are
    on their left, and others on their right.

    Examples
    --------
    >>> points = [TextPoint(50.0, 50.0, text_styles(["Ada"])["Ada"], "Ada_1")]
    >>> [(label.text, label.anchor) for label in place_labels_apart(points, ["Ada_1"], 200, 100)]
    [('Ada_1', 'start')]
    """
    taken: list[Box] = [(point.x - 6, point.y - 6, point.x + 6, point.y + 6) for point in points]
    placed = []
    for place, (point, text) in enumerate(zip(points, labels, strict=True)):
        free = (
            (label, box)
            for label, box in _candidates(point, text, middle)
            if _inside(box, width, height) and not any(_overlap(box, other) for other in taken)
        )
        chosen = nearest = next(free, None)
        while chosen and _crosses(point, chosen[0], points):
            chosen = next(free, None)
        if chosen := chosen or nearest:
            placed.append(replace(chosen[0], point=place))
            taken.append(chosen[1])
    return tuple(placed)


def unlabelled(points: Sequence[TextPoint], placed: Sequence[PlacedLabel]) -> str:
    """Return a sentence with the names of points that have no label; empty if all have one.

    Parameters
    ----------
    points : sequence of TextPoint
    placed : sequence of PlacedLabel
        As `place_labels_apart` returns them.

    Examples
    --------
    >>> unlabelled([TextPoint(50.0, 50.0, text_styles(["Ada"])["Ada"], "Ada_1")], [])
    'There is no space for the label of 1 text: Ada_1.'
    """
    labelled = {label.point for label in placed}
    missing = [point.title for place, point in enumerate(points) if place not in labelled]
    if not missing:
        return ""
    named = missing[:_MAX_NAMED]
    if len(missing) > _MAX_NAMED:
        named.append(f"{len(missing) - _MAX_NAMED:,} more")
    labels = "the label" if len(missing) == 1 else "the labels"
    n_texts = quantity(len(missing), "text")
    return f"There is no space for {labels} of {n_texts}: {join_names(named, None)}."


def _candidates(point: TextPoint, text: str, middle: float) -> Iterable[tuple[PlacedLabel, Box]]:
    wide = label_width([text]) + 2
    for ring in _RINGS:
        across = _GAP + ring
        sides = [(point.x + across, "start"), (point.x - across, "end")]
        if point.x < middle:
            sides.reverse()
        for x, y, anchor in (
            *((x, point.y + 4, anchor) for x, anchor in sides),
            (point.x, point.y - across, "middle"),
            (point.x, point.y + across + 8, "middle"),
            *((x, point.y + 4 + up, anchor) for x, anchor in sides for up in (-ring, ring)),
        ):
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            leader = f"M{point.x:.1f} {point.y:.1f}L{x:.1f} {y - 4:.1f}" if ring else ""
            box = (left - 1, y - _LINE + 1, left + wide + 1, y + 4)
            yield PlacedLabel(x, y, text, anchor, leader), box


def _inside(box: Box, width: float, height: float) -> bool:
    return box[0] >= 1 and box[1] >= 1 and box[2] <= width - 1 and box[3] <= height - 1


def _crosses(point: TextPoint, label: PlacedLabel, points: Sequence[TextPoint]) -> bool:
    """Whether the leader of a label would touch another point, and so seem to be that point's."""
    if not label.leader:
        return False
    across, down = label.x - point.x, label.y - 4 - point.y
    squared = across * across + down * down
    for other in points:
        right, below = other.x - point.x, other.y - point.y
        share = min(max((right * across + below * down) / squared, 0.0), 1.0)
        near = math.hypot(right - share * across, below - share * down) < _POINT_RADIUS
        if near and other is not point and math.hypot(right, below) >= _POINT_RADIUS:
            return True
    return False


def _overlap(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )
