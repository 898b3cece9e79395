"""The characters of a page of a PDF, as PDFium gives them, with their places."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import regex

# left, bottom, right, top in points from the lower left corner of the page
Box = tuple[float, float, float, float]

LEFTWARD = regex.compile(r"(?V1)[[\p{Arabic}\p{Hebrew}\p{Syriac}\p{M}]--\p{Nd}]{2,}")


class Letters:
    """The text of a page, of whose characters each has a place.

    Letters that are written leftwards are put into the order of reading, where the file has them
    as they are drawn.

    Parameters
    ----------
    text_page : pypdfium2.PdfTextPage
    """

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        text = text_page.get_text_range()
        # PDFium counts characters beyond U+FFFF twice.
        self._wide = [i for i, c in enumerate(text) if c > "\uffff"] if not text.isascii() else []
        self.text: str = LEFTWARD.sub(self._in_reading_order, text)

    def box(self, index: int) -> Box:
        """Return where a character of the text stands, with the height that all of its font have.

        Raises
        ------
        pypdfium2.PdfiumError
            The page is damaged.
        """
        from pypdfium2 import raw

        index += bisect_left(self._wide, index)
        place = raw.FPDFText_GetCharIndexFromTextIndex(self._text_page, index)
        left, bottom, right, top = self._text_page.get_charbox(max(0, place), loose=True)
        return left, bottom, right, top

    def _in_reading_order(self, run: regex.Match[str]) -> str:
        """Return letters from the right to the left; those of a ligature are in the right order."""
        middles = []
        for index in range(run.start(), run.end()):
            left, _, right, _ = self.box(index)
            middles.append(left + right)
        order = sorted(range(len(middles)), key=lambda i: -middles[i])
        return "".join(run[0][i] for i in order)
