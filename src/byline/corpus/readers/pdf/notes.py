"""Find footnotes and entries of tables of contents on the pages of a PDF by their appearance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile
from statistics import median

import regex

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.pdf.lines import PdfLine, PdfPage

_MAX_NOTE_SIZE = 0.95  # of the size of the text
_MARK = regex.compile(r"[(\[]?(\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2})[)\].:]?\s*(?=\p{L}|\p{P})")
# A row of dots is tried from its first dot only; otherwise the time would grow with the square of
# its length.
_LEADERS = regex.compile(
    r"(?<![.·…]\s?)(?:[.·…]\s?){4,}+\s*+(?:\d{1,5}|[ivxlc]{1,8})$", regex.IGNORECASE
)


def separate_notes(
    pages: Sequence[PdfPage], excluded: ExclusionCounter
) -> tuple[list[PdfPage], list[list[PdfLine]]]:
    """Separate footnotes from the text of the pages, and exclude entries of tables of contents.

    Footnotes are the lines in smaller letters at the foot of a page, if the first of them begins
    with a mark that occurs as a superscript on the page. An entry of a table of contents has
    leaders (a row of dots) and a number.

    Returns
    -------
    list of PdfPage, list of list of PdfLine
        The pages without notes and entries, and the lines of each note.
    """
    sizes = [line.size for page in pages for line in page.lines for _ in range(len(line.text))]
    usual = median(sizes) if sizes else 0.0
    kept: list[PdfPage] = []
    notes: list[list[PdfLine]] = []
    for page in pages:
        foot = _foot(page.lines, usual)
        notes += _divide(foot)
        kept.append(replace(page, lines=tuple(_text_lines(page, set(foot), excluded))))
    return kept, notes


def _text_lines(page: PdfPage, foot: set[PdfLine], excluded: ExclusionCounter) -> Iterator[PdfLine]:
    for line in page.lines:
        if line in foot:
            continue
        if line.marks:
            excluded.add("note marks", "", len(line.marks))
        if _LEADERS.search(line.text):
            excluded.add("entries of contents", line.text)
        else:
            yield line


def _foot(lines: Sequence[PdfLine], usual: float) -> list[PdfLine]:
    """Return the lines of a page's footnotes, from top to bottom."""
    superscripts = {mark for line in lines for mark in line.marks}
    small = takewhile(
        lambda line: line.size < _MAX_NOTE_SIZE * usual,
        sorted(lines, key=lambda line: line.bottom),
    )
    return list(dropwhile(lambda line: _mark(line) not in superscripts, reversed(list(small))))


def _mark(line: PdfLine) -> str:
    match = _MARK.match(line.text)
    return str(match[1]) if match else ""


def _divide(foot: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Return the lines of each note; a number begins a note only if it is the next number."""
    notes: list[list[PdfLine]] = []
    number = ""
    for line in foot:
        mark = _mark(line)
        if not notes or (mark and (not mark.isdigit() or mark == str(int(number or 0) + 1))):
            notes.append([])
            number = mark if mark.isdigit() else number
        notes[-1].append(line)
    return notes
