"""The lines on a page of a PDF, in the order in which the file draws them, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import regex

# PDFium puts this for a hyphen that ends a line, in place of it and of the line break.
HYPHEN = "\ufffe"
_LINE = regex.compile(rf"[^\r\n{HYPHEN}]+(?:{HYPHEN}(?=[\r\n]|$)|{HYPHEN})?")
_MAX_DEPTH_OF_PICTURES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; places in points from the lower left corner of the page.

    Attributes
    ----------
    text : str
        Without the hyphen that ends it.
    left, right, bottom, top : float
    is_divided : bool
        Whether it ends with a hyphen.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    is_divided: bool = False

    @property
    def size(self) -> float:
        """The height of its letters, descenders and ascenders included."""
        return self.top - self.bottom


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
            lines = tuple(_lines(text_page))
        finally:
            text_page.close()
        return Page(number, page.get_height(), lines), not lines and _has_picture(page)
    finally:
        page.close()


def _lines(text_page: Any) -> Iterator[Line]:
    text = text_page.get_text_range()
    wide = not text.isascii() and any(character > "\uffff" for character in text)
    for match in _LINE.finditer(text):
        said = match[0].rstrip(HYPHEN)
        stripped = said.strip()
        if not stripped:
            continue
        start = match.start() + len(said) - len(said.lstrip())
        end = match.start() + len(said.rstrip()) - 1
        if wide:  # PDFium counts such characters twice
            start, end = (n + sum(c > "\uffff" for c in text[:n]) for n in (start, end))
        left, bottom, _, top = _box(text_page, start)
        right = _box(text_page, end)[2]
        yield Line(stripped, left, right, bottom, top, match[0].endswith(HYPHEN))


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
