"""The lines on a page of a PDF, in the order in which the file draws them, with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median_low
from typing import Any

import regex

from byline.corpus.readers.pdf.letters import LEFTWARD, Box, Letters

# PDFium puts this for a hyphen that ends a line, in place of it and of the line break.
HYPHEN = "\ufffe"
_LINE = regex.compile(rf"[^\r\n{HYPHEN}]+(?:{HYPHEN}(?=[\r\n]|$)|{HYPHEN})?")
_HYPHEN_AT_END = regex.compile(r"(?<=\p{L})[-‐¬\u00ad]$")
_SPACE = regex.compile(r"(?<=\S)[ \t\u00a0]+(?=\S)")
_ENDS_WITH_MARK = regex.compile(r"[\p{P}\p{S}]$")
_MARK = regex.compile(r"\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2}")
_NOTE_MARK = regex.compile(rf"(?<=[\p{{L}}\p{{P}}])\s?({_MARK.pattern})(?=\s|$)")
# In heights of a line.
_MAX_MARK_SIZE = 0.85
_MIN_SPACE, _COLUMN_GAP = 0.12, 2.0
_MIN_OF_USUAL_GAP = 2.5
_LONGEST_NUMBER = 4
_MAX_DEPTH_OF_PICTURES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; places in points from the lower left corner of the page.

    What is written from right to left has its places mirrored: it begins at its ``left``.

    Attributes
    ----------
    text : str
        Without the hyphen that ends it.
    left, right, bottom, top : float
    is_divided : bool
        Whether it ends with a hyphen.
    marks : tuple of str
        Raised marks of notes that were taken out of it.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    is_divided: bool = False
    marks: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """The height of its letters, descenders and ascenders included."""
        return max(self.top - self.bottom, 0.1)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its number from 0, its height, its lines in the order in which they are drawn."""

    number: int
    height: float
    lines: tuple[Line, ...]


def read_lines(document: Any, number: int, most: int) -> tuple[Page | None, bool]:
    """Return a page, and whether it is a picture without text; no page if it is over ``most``.

    Raises
    ------
    pypdfium2.PdfiumError
        The page is damaged.
    """
    page = document[number]
    try:
        text_page = page.get_textpage()
        try:
            if text_page.count_chars() > most:
                return None, False
            lines = tuple(_joined(_lines(Letters(text_page))))
        finally:
            text_page.close()
        return Page(number, page.get_height(), lines), not lines and _has_picture(page)
    finally:
        page.close()


def _lines(letters: Letters) -> Iterator[Line]:
    for match in _LINE.finditer(letters.text):
        for start, end in _parts(letters, match.start(), match.end()):
            text = letters.text[start:end].rstrip(HYPHEN)
            if stripped := text.strip():
                begin = start + len(text) - len(text.lstrip())
                has_lost_hyphen = letters.text[end - 1] == HYPHEN
                yield _line(letters, begin, stripped, has_lost_hyphen=has_lost_hyphen)


def _parts(letters: Letters, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Divide a line where a gap is as wide as one between columns: PDFium does not.

    After a number or dot there is one too, and in a justified line all are wide.
    """
    leftward = LEFTWARD.search(letters.text, start, end)
    spaces = [] if leftward else list(_SPACE.finditer(letters.text, start, end))
    gaps = [_gap(letters, space) for space in spaces]
    usual = min(median_low(gaps), _COLUMN_GAP) if gaps else 0.0
    for space, gap in zip(spaces, gaps, strict=True):
        is_number = space.start() - start < _LONGEST_NUMBER
        if gap > _COLUMN_GAP and gap > _MIN_OF_USUAL_GAP * usual and not is_number:
            yield start, space.start()
            start = space.end()
    yield start, end


def _gap(letters: Letters, space: regex.Match[str]) -> float:
    """Return the width of a space, in heights of the letters beside it."""
    before, after = letters.box(space.start() - 1), letters.box(space.end())
    return (after[0] - before[2]) / max(before[3] - before[1], after[3] - after[1], 0.1)


def _line(letters: Letters, begin: int, text: str, *, has_lost_hyphen: bool) -> Line:
    left, right, bottom, top = _place(
        [letters.box(begin + i) for i in _ends(text) if not text[i].isspace()]
    )
    marks = [
        mark
        for mark in _NOTE_MARK.finditer(text)
        if _is_raised(letters.box(begin + mark.start(1)), letters.box(begin + mark.start() - 1))
    ]
    for mark in reversed(marks):
        text = text[: mark.start()] + text[mark.end() :]
    whole, is_divided = _without_hyphen(text, has_lost_hyphen)
    return Line(whole, left, right, bottom, top, is_divided, tuple(mark[1] for mark in marks))


def _ends(text: str) -> Iterable[int]:
    """Return the places that tell where a line is: all of one that is written leftwards."""
    return range(len(text)) if LEFTWARD.search(text) else (0, len(text) - 1)


def _without_hyphen(text: str, has_lost_hyphen: bool) -> tuple[str, bool]:
    """Return a line without the hyphen that ends it, and whether it had one: a dash is none."""
    if has_lost_hyphen:
        return (f"{text}-", False) if _ENDS_WITH_MARK.search(text) else (text, True)
    whole = _HYPHEN_AT_END.sub("", text)
    return whole, whole != text


def _is_raised(mark: Box, before: Box) -> bool:
    """Whether a character is smaller than one before it, and not lower, as marks of notes are."""
    return mark[3] - mark[1] < _MAX_MARK_SIZE * (before[3] - before[1]) and mark[1] > before[1]


def _joined(lines: Iterable[Line]) -> Iterator[Line]:
    """Join what stands side by side: a raised mark, or another font, ends a line for PDFium."""
    before: Line | None = None
    for line in lines:
        if before is None:
            before = line
        elif _is_beside(before, line):
            before = _with(before, line)
        else:
            yield before
            before = line
    if before is not None:
        yield before


def _with(before: Line, line: Line) -> Line:
    """Return a line that goes on with another; one that is a raised mark alone is a mark of it."""
    is_smaller = line.size < _MAX_MARK_SIZE * before.size and line.bottom > before.bottom
    if is_smaller and _MARK.fullmatch(line.text):
        return replace(before, right=line.right, marks=(*before.marks, line.text))
    gap = " " if line.left - before.right > _MIN_SPACE * before.size else ""
    return replace(
        before,
        text=f"{before.text}{gap}{line.text}",
        right=line.right,
        is_divided=line.is_divided,
        marks=before.marks + line.marks,
    )


def _is_beside(before: Line, line: Line) -> bool:
    size = max(before.size, line.size)
    overlap = min(before.top, line.top) - max(before.bottom, line.bottom)
    is_near = -_MIN_SPACE * size < line.left - before.right < _COLUMN_GAP * size
    return is_near and not before.is_divided and overlap > min(before.size, line.size) / 2


def _place(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """Return where the line of these characters begins and ends, its bottom and its top.

    What is written from right to left is told as its mirror image would be. Its letters may be
    there in any order, and not all tell their full height.
    """
    first, last = boxes[0], boxes[-1]
    if first[0] <= last[0]:
        return first[0], last[2], first[1], first[3]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return -max(rights), -min(lefts), min(bottoms), max(tops)


def _has_picture(page: Any) -> bool:
    from pypdfium2 import raw

    pictures = page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=_MAX_DEPTH_OF_PICTURES)
    return any(True for _ in pictures)
