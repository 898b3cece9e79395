"""Footnotes and tables of contents on the pages of a PDF, as far as their looks tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import regex

from byline.corpus.extraction import LeftOutTally
from byline.corpus.readers.pdf_lines import Line, Page

_MAX_SIZE = 0.95  # of that of the text
_MARK = regex.compile(r"[(\[]?(?:\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2})[)\].:]?\s*(?=\p{L}|\p{P})")
_LEADERS = regex.compile(r"(?:[.·…]\s?){4,}\s*(?:\d{1,5}|[ivxlc]{1,8})$", regex.IGNORECASE)


def without_notes(
    pages: Sequence[Page], left_out: LeftOutTally
) -> tuple[list[Page], list[list[Line]]]:
    """Return the pages without footnotes and entries of contents, which are counted; the notes.

    Footnotes are the lines at the foot of a page in smaller letters, if the first of them begins
    with a mark. An entry of a table of contents has leaders, a row of dots, and a number.
    """
    sizes = [line.size for page in pages for line in page.lines for _ in range(len(line.text))]
    usual = median(sizes) if sizes else 0.0
    kept: list[Page] = []
    notes: list[list[Line]] = []
    for page in pages:
        foot = _foot(page.lines, usual)
        notes += _divided(foot)
        lines = [line for line in page.lines if line not in foot]
        for line in lines:
            if line.n_marks:
                left_out.add("marks of notes", "", line.n_marks)
            if _LEADERS.search(line.text):
                left_out.add("entries of contents", line.text)
        kept.append(replace(page, lines=tuple(x for x in lines if not _LEADERS.search(x.text))))
    return kept, notes


def _foot(lines: Sequence[Line], usual: float) -> list[Line]:
    """Return the lines of a page's footnotes, from the top."""
    found: list[Line] = []
    for line in sorted(lines, key=lambda line: line.bottom):
        if line.size > _MAX_SIZE * usual:
            break
        found.append(line)
    found.reverse()
    while found and not _MARK.match(found[0].text):
        del found[0]
    return found


def _divided(foot: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each note."""
    notes: list[list[Line]] = []
    for line in foot:
        if _MARK.match(line.text):
            notes.append([])
        notes[-1].append(line)
    return notes
