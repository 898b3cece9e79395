"""Paragraphs again, out of the lines of a PDF's pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from byline.corpus.lines import join_lines
from byline.corpus.readers.pdf.geometry import (
    is_below,
    same_size,
    stands_beside,
    usual_pitch,
    usual_size,
)
from byline.corpus.readers.pdf.hyphens import Hyphens
from byline.corpus.readers.pdf.lines import HYPHEN, Line, Page

# In heights of a line: what the distance of two lines, and an indentation, is more than.
_MIN_GAP = 1.3
_MIN_INDENT = 0.7
_SPARE = 1.2  # letters differ in width, and spaces stretch
_NEAR = 5  # lines before and after that show where a column ends
_ENDS_SENTENCE = regex.compile(r"[.?!…:。！？؟۔।][\"'”’»)\]」』]*$")
_BULLET = regex.compile(r"[•▪◦‣●■□\p{Co}]\s+")
_BEGINS_SMALL = regex.compile(r"\W{0,2}\p{Ll}")
_DASH_AT_BREAK = regex.compile(r"(?<=\S(?:--|[—―]))\n(?=\S)")


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is usual on a page: the distance of lines in their heights, and these heights."""

    pitch: float
    size: float


def paragraphs_of(pages: Sequence[Page]) -> list[str]:
    """Return the paragraphs, each in one line, in the order in which the pages draw them."""
    blocks = _blocks(pages)
    texts = ["\n".join(line.text + HYPHEN * line.is_divided for line in block) for block in blocks]
    hyphens = Hyphens(texts)
    return [_in_one_line(hyphens.decide(text)) for text in texts]


def _in_one_line(text: str) -> str:
    """Join the lines of a paragraph, and take away the dot that marks it as one of a list."""
    if bullet := _BULLET.match(text):
        text = text[bullet.end() :]
    return join_lines(_DASH_AT_BREAK.sub("", text))


def _blocks(pages: Sequence[Page]) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph; one may go on over columns and pages."""
    block: list[Line] = []
    room = 0.0
    for page in pages:
        shape = _Shape(usual_pitch(page.lines), usual_size(page.lines))
        rooms = _rooms(page.lines)
        for i, line in enumerate(page.lines):
            if block and not _goes_on(block[-1], line):
                had_room = room > len(line.text.split(maxsplit=1)[0]) + 1
                if _begins(block[-1], page.lines, i, had_room=had_room, shape=shape):
                    yield block
                    block = []
            block.append(line)
            room = rooms[i]
    if block:
        yield block


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a sentence goes on, whatever stands between the two lines."""
    return before.is_divided or bool(
        same_size(before.size, line.size)
        and not _ENDS_SENTENCE.search(before.text)
        and _BEGINS_SMALL.match(line.text)
    )


def _begins(before: Line, lines: Sequence[Line], i: int, *, had_room: bool, shape: _Shape) -> bool:
    """Whether a paragraph begins with a line.

    Parameters
    ----------
    before : Line
        The one drawn before it, maybe on another page.
    lines : sequence of Line
        Those of its page.
    i : int
        Its place among them.
    had_room : bool
        Whether its first word would have gone into the line before.
    shape : _Shape
        What is usual on its page.
    """
    line = lines[i]
    if i and is_below(before, line):
        distance = (before.bottom - line.bottom) / before.size
        indent = (line.left - before.left) / line.size
        return (
            had_room
            or _BULLET.match(line.text) is not None
            or not same_size(before.size, line.size)
            or distance > _MIN_GAP * shape.pitch
            or (indent > _MIN_INDENT and _ENDS_SENTENCE.search(before.text) is not None)
        )
    if i and stands_beside(before, line):
        return True  # as cells do
    if had_room and _ENDS_SENTENCE.search(before.text):
        return True
    return _is_indented(line, lines[i + 1 : i + 2]) or not same_size(line.size, shape.size)


def _rooms(lines: Sequence[Line]) -> list[float]:
    """Return how many letters more would go into each line, by the longest near it."""
    found = []
    for i, line in enumerate(lines):
        near = lines[max(0, i - _NEAR) : i + _NEAR + 1]
        edge = max(each.right for each in near if abs(each.left - line.left) < 4 * line.size)
        width = (line.right - line.left) / len(line.text)
        found.append((edge - line.right) / max(_SPARE * width, 0.1))
    return found


def _is_indented(line: Line, following: Sequence[Line]) -> bool:
    return any(
        is_below(line, after) and (line.left - after.left) / line.size > _MIN_INDENT
        for after in following
    )
