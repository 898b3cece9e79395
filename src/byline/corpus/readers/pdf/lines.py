"""The lines on a page of a PDF, in the order in which the file draws them, with their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import regex

# PDFium puts this for a hyphen that ends a line, in place of it and of the line break.
HYPHEN = "\ufffe"
_LINE = regex.compile(rf"[^\r\n{HYPHEN}]+(?:{HYPHEN}(?=[\r\n]|$)|{HYPHEN})?")
_LEFTWARD = regex.compile(r"(?V1)[[\p{Arabic}\p{Hebrew}\p{Syriac}\p{M}]--\p{Nd}]{2,}")
_HYPHEN_AT_END = regex.compile(r"(?<=\p{L})[-‐¬\u00ad]$")
_ENDS_WITH_MARK = regex.compile(r"[\p{P}\p{S}]$")
_MARK = regex.compile(r"\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2}")
_NOTE_MARK = regex.compile(rf"(?<=[\p{{L}}\p{{P}}])\s?({_MARK.pattern})(?=\s|$)")
# In heights of a line.
_MAX_MARK_SIZE = 0.85
_MIN_SPACE, _MAX_SPACE = 0.12, 1.5
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
            lines = tuple(_joined(_lines(text_page)))
        finally:
            text_page.close()
        return Page(number, page.get_height(), lines), not lines and _has_picture(page)
    finally:
        page.close()


def _lines(text_page: Any) -> Iterator[Line]:
    text = text_page.get_text_range()
    offset = _offsets(text)
    text = _LEFTWARD.sub(lambda run: _in_reading_order(text_page, run, offset), text)
    for match in _LINE.finditer(text):
        said = match[0].rstrip(HYPHEN)
        stripped = said.strip()
        if not stripped:
            continue
        start = match.start() + len(said) - len(said.lstrip())
        places = [offset(start + i) for i, char in enumerate(stripped) if not char.isspace()]
        left, right, bottom, top = _place(text_page, places)
        marks = [
            mark
            for mark in _NOTE_MARK.finditer(stripped)
            if _is_raised(
                text_page, *(offset(start + at) for at in (mark.start(1), mark.start() - 1))
            )
        ]
        for mark in reversed(marks):
            stripped = stripped[: mark.start()] + stripped[mark.end() :]
        whole, is_divided = _without_hyphen(stripped, match[0].endswith(HYPHEN))
        yield Line(whole, left, right, bottom, top, is_divided, tuple(mark[1] for mark in marks))


def _without_hyphen(text: str, has_lost_hyphen: bool) -> tuple[str, bool]:
    """Return a line without the hyphen that ends it, and whether it had one: a dash is none."""
    if has_lost_hyphen:
        return (f"{text}-", False) if _ENDS_WITH_MARK.search(text) else (text, True)
    whole = _HYPHEN_AT_END.sub("", text)
    return whole, whole != text


def _in_reading_order(text_page: Any, run: regex.Match[str], offset: Callable[[int], int]) -> str:
    """Return letters written leftwards from the right, where the file has them as they are drawn.

    Those of a ligature have one place, and are in the right order.
    """
    middles = []
    for index in range(run.start(), run.end()):
        left, _, right, _ = _box(text_page, offset(index))
        middles.append(left + right)
    order = sorted(range(len(middles)), key=lambda i: -middles[i])
    return "".join(run[0][i] for i in order)


def _offsets(text: str) -> Callable[[int], int]:
    """Return what gives PDFium's offset of a character: it counts those beyond U+FFFF twice."""
    wide = [i for i, c in enumerate(text) if c > "\uffff"] if not text.isascii() else []
    return lambda index: index + bisect_left(wide, index)


def _is_raised(text_page: Any, index: int, before: int) -> bool:
    """Whether a character is smaller than one before it, and not lower, as marks of notes are."""
    _, bottom, _, top = _box(text_page, index)
    _, before_bottom, _, before_top = _box(text_page, before)
    is_smaller = top - bottom < _MAX_MARK_SIZE * (before_top - before_bottom)
    return is_smaller and bottom > before_bottom


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
    is_near = -_MIN_SPACE * size < line.left - before.right < _MAX_SPACE * size
    return is_near and not before.is_divided and overlap > min(before.size, line.size) / 2


def _place(text_page: Any, places: Sequence[int]) -> tuple[float, float, float, float]:
    """Return where the line of these characters begins and ends, its bottom and its top.

    What is written from right to left is told as its mirror image would be. Its letters may be
    there in any order, and not all tell their full height.
    """
    left, bottom, _, top = _box(text_page, places[0])
    last_left, _, right, _ = _box(text_page, places[-1])
    if left <= last_left:
        return left, right, bottom, top
    lefts, bottoms, rights, tops = zip(*(_box(text_page, p) for p in places), strict=True)
    return -max(rights), -min(lefts), min(bottoms), max(tops)


def _box(text_page: Any, index: int) -> tuple[float, float, float, float]:
    """Return where a character of the page's text stands: left, bottom, right, top."""
    from pypdfium2 import raw

    place = raw.FPDFText_GetCharIndexFromTextIndex(text_page, index)
    left, bottom, right, top = text_page.get_charbox(max(0, place), loose=True)
    return left, bottom, right, top


def _has_picture(page: Any) -> bool:
    from pypdfium2 import raw

    pictures = page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=_MAX_DEPTH_OF_PICTURES)
    return any(True for _ in pictures)
