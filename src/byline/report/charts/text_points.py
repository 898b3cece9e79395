"""Points that represent texts in the colours of their authors, and labels without overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from byline.formatting import isolated
from byline.report.charts.axes import WIDE, label_width
from byline.report.charts.colours import author_class, author_colours, author_shape
from byline.report.graphics import shorten

QUESTIONED_CLASS = "questioned"
QUESTIONED_SHAPE = "M0-1.5L.4-.5L1.5-.4L.7.3L.9 1.4L0 .8L-.9 1.4L-.7.3L-1.5-.4L-.4-.5Z"  # a star
_LINE = 12.0  # height of a label
_GAP = 8.0  # between a point and its label
_RINGS = (0.0, 10.0, 22.0, 36.0)  # how far labels may be from their points


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
    """A label: its anchor, "start", "middle" or "end" of the text, and a line to its point."""

    x: float
    y: float
    text: str
    anchor: str
    leader: str = ""


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


def short_name(name: str, width: float) -> str:
    """Return the label of a text ``Author_Title``: in a narrow figure only the title."""
    title = name.partition("_")[2]
    return shorten(title if width < WIDE and title else name)


def place_labels_apart(
    points: Sequence[TextPoint],
    labels: Sequence[str],
    width: float,
    height: float,
    middle: float = 0.0,
) -> tuple[PlacedLabel, ...]:
    """Place labels so that none covers a point, another label or the edge of the figure.

    A label for which there is no such place is left out; the tooltip of the point has the name. If
    possible, the labels of points left of ``middle`` are on their left, and others on their right.

    Examples
    --------
    >>> points = [TextPoint(50.0, 50.0, text_styles(["Ada"])["Ada"], "Ada_1")]
    >>> [(label.text, label.anchor) for label in place_labels_apart(points, ["Ada_1"], 200, 100)]
    [('Ada_1', 'start')]
    """
    taken: list[Box] = [(point.x - 6, point.y - 6, point.x + 6, point.y + 6) for point in points]
    placed = []
    for point, text in zip(points, labels, strict=True):
        for label, box in _candidates(point, text, middle):
            inside = box[0] >= 1 and box[1] >= 1 and box[2] <= width - 1 and box[3] <= height - 1
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                placed.append(label)
                break
    return tuple(placed)


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


def _overlap(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )
