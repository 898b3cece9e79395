"""Footnotes and tables of contents on the pages of a PDF, as far as their looks tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile
from statistics import median

import regex

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.pdf.lines import Line, Page

_MAX_SIZE = 0.95  # of that of the text
_MARK = regex.compile(r"[(\[]?(\d{1,3}|[ivx]{1,4}|[*†‡§]{1,2})[)\].:]?\s*(?=\p{L}|\p{P})")
# Tried from the first dot of a row alone: from every one, it would take the square of its length.
_LEADERS = regex.compile(
    r"(?<![.·…]\s?)(?:[.·…]\s?){4,}+\s*+(?:\d{1,5}|[ivxlc]{1,8})$", regex.IGNORECASE
)


def without_notes(
    pages: Sequence[Page], excluded: ExclusionCounter
) -> tuple[list[Page], list[list[Line]]]:
    """Return the pages without footnotes and entries of contents, which are counted; the notes.

    Footnotes are the lines at the foot of a page in smaller letters, if the first of them begins
    with a mark that is raised somewhere on the page. An entry of a table of contents has leaders,
    a row of dots, and a number.
    """
    sizes = [line.size for page in pages for line in page.lines for _ in range(len(line.text))]
    usual = median(sizes) if sizes else 0.0
    kept: list[Page] = []
    notes: list[list[Line]] = []
    for page in pages:
        foot = _foot(page.lines, usual)
        notes += _divided(foot)
        kept.append(replace(page, lines=tuple(_text_lines(page, set(foot), excluded))))
    return kept, notes


def _text_lines(page: Page, foot: set[Line], excluded: ExclusionCounter) -> Iterator[Line]:
    for line in page.lines:
        if line in foot:
            continue
        if line.marks:
            excluded.add("note marks", "", len(line.marks))
        if _LEADERS.search(line.text):
            excluded.add("entries of contents", line.text)
        else:
            yield line


def _foot(lines: Sequence[Line], usual: float) -> list[Line]:
    """Return the lines of a page's footnotes, from the top."""
    raised = {mark for line in lines for mark in line.marks}
    below = takewhile(
        lambda line: line.size < _MAX_SIZE * usual, sorted(lines, key=lambda line: line.bottom)
    )
    return list(dropwhile(lambda line: _mark(line) not in raised, reversed(list(below))))


def _mark(line: Line) -> str:
    match = _MARK.match(line.text)
    return str(match[1]) if match else ""


def _divided(foot: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each note; a number begins one if it is the next."""
    notes: list[list[Line]] = []
    number = ""
    for line in foot:
        mark = _mark(line)
        if not notes or (mark and (not mark.isdigit() or mark == str(int(number or 0) + 1))):
            notes.append([])
            number = mark if mark.isdigit() else number
        notes[-1].append(line)
    return notes
