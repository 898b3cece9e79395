"""Find headers, footers and page numbers, which recur above or below the text of the pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from statistics import median

import regex

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.pdf.lines import PdfLine, PdfPage, same_size, usual_line_spacing

_DEPTH = 3  # lines from the edge
_FEW_PAGES = 4
_MIN_REPEATS, _MIN_REPEATS_OF_FEW = 3, 2
_MAX_DRIFT = 0.02  # of the page's height, between the headers of two pages
_MIN_GAP = 1.25  # usual line spacings between a header and the text
_DIGITS = regex.compile(r"\p{Nd}+")
_NUMBER = regex.compile(
    r"\W*+(?:(?:page|p\.|seite|s\.)\s*+)?(\d{1,5})(?:\s*+(?:/|of|von)\s*+\d++)?\W*+", regex.I
)
_ROMAN = regex.compile(r"\W*[ivxlc]{1,8}\W*", regex.I)
_NUMBER_AT_END = regex.compile(r"(?:^|(?<=\s))(\d{1,5})(?=$|(?<=^\d{1,5})\s)")
_ADDRESS = regex.compile(r"\w{3,8}://\S*+\s++1/1")
_DATE = regex.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b")
_PAGE_NUMBER, _ROMAN_NUMBER = "#n", "#n roman"  # the patterns of lines that are page numbers

# The index of a page, and the index of a line among its lines.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near the upper or lower edge of a page, with the index of the page."""

    page: int
    index: int
    line: PdfLine
    height: float

    @property
    def place(self) -> Place:
        return self.page, self.index


def without_margins(pages: Sequence[PdfPage], excluded: ExclusionCounter) -> list[PdfPage]:
    """Return the pages without headers, footers and page numbers, which are counted.

    A line is one of these if the same words, with any digits, are at the same height on several
    pages, and if only such lines are farther outside.
    """
    dropped: dict[Place, str] = {}
    for edge, kind in (("top", "page headers"), ("bottom", "page footers")):
        _find(pages, edge, kind, dropped)
    if len(pages) == 1:
        dropped |= _browser_margins(pages[0])
    for (page, index), kind in sorted(dropped.items()):
        excluded.add(kind, pages[page].lines[index].text)
    return [
        replace(
            page, lines=tuple(line for i, line in enumerate(page.lines) if (n, i) not in dropped)
        )
        for n, page in enumerate(pages)
    ]


def _find(pages: Sequence[PdfPage], edge: str, kind: str, dropped: dict[Place, str]) -> None:
    rows = [_from_edge(page, n, edge) for n, page in enumerate(pages)]
    near = [each for row in rows for each in _outermost_lines(row)]
    repeated = _repeated(near, len(pages))
    repeated |= _numbered_alike(near, repeated)
    for page, row in zip(pages, rows, strict=True):
        spacing = usual_line_spacing(page.lines)
        outer = list(takewhile(lambda each: each.place in repeated, _outermost_lines(row)))
        while outer and not _is_apart(outer[-1].line, row[len(outer) : len(outer) + 1], spacing):
            outer.pop()
        for each in outer:
            is_number = _pattern(each.line.text).startswith(_PAGE_NUMBER)
            dropped[each.place] = "page numbers" if is_number else kind


def _browser_margins(page: PdfPage) -> dict[Place, str]:
    """Return what a browser prints around a single page: date and title, address and number."""
    head, foot = (_outermost_row(page, edge) for edge in ("top", "bottom"))
    if not _ADDRESS.fullmatch(_text_of(foot)):
        return {}
    dropped = {each.place: "page footers" for each in foot}
    if _DATE.match(_text_of(head)):
        dropped |= {each.place: "page headers" for each in head}
    return dropped


def _outermost_row(page: PdfPage, edge: str) -> list[_EdgeLine]:
    """Return the lines at the height of the outermost one, from left to right."""
    lines = _from_edge(page, 0, edge)
    row = [x for x in lines if abs(x.line.bottom - lines[0].line.bottom) < lines[0].line.size / 2]
    return sorted(row, key=lambda each: each.line.left)


def _text_of(row: Sequence[_EdgeLine]) -> str:
    return " ".join(each.line.text for each in row)


def _numbered_alike(near: Sequence[_EdgeLine], repeated: set[Place]) -> set[Place]:
    """Return lines that occur once, but have the position and the numbering of repeated lines."""
    offsets = Counter(n for each in near if each.place in repeated for n in _number_offsets(each))
    usual, n_pages = offsets.most_common(1)[0] if offsets else (0, 0)
    if n_pages < _MIN_REPEATS:
        return set()
    counting = [each for each in near if usual in _number_offsets(each)]
    heights = [each.line.bottom for each in counting if each.place in repeated]
    return {
        each.place
        for each in counting
        if any(abs(each.line.bottom - height) < 1 for height in heights)
    }


def _number_offsets(each: _EdgeLine) -> set[int]:
    """Return the numbers at either end of a line, minus the index of the page."""
    return {int(found[1]) - each.page for found in _NUMBER_AT_END.finditer(each.line.text)}


def _is_apart(line: PdfLine, inner: Sequence[_EdgeLine], spacing: float) -> bool:
    """Return whether a line is a number, or differs from the next one inwards by gap or size."""
    return _pattern(line.text).startswith(_PAGE_NUMBER) or all(
        abs(each.line.bottom - line.bottom) > _MIN_GAP * spacing * max(line.size, each.line.size)
        or not same_size(each.line.size, line.size)
        for each in inner
    )


def _from_edge(page: PdfPage, n: int, edge: str) -> list[_EdgeLine]:
    """Return the lines of a page from the edge inwards."""
    sign = -1 if edge == "top" else 1
    order = sorted(range(len(page.lines)), key=lambda i: (sign * page.lines[i].bottom, i))
    return [_EdgeLine(n, index, page.lines[index], page.height) for index in order]


def _outermost_lines(row: Sequence[_EdgeLine]) -> Iterator[_EdgeLine]:
    """Yield the lines at the outermost heights; several lines may have the same height."""
    heights: list[float] = []
    for each in row:
        if not heights or abs(each.line.bottom - heights[-1]) > each.line.size / 2:
            heights.append(each.line.bottom)
        if len(heights) > _DEPTH:
            return
        yield each


def _repeated(lines: Sequence[_EdgeLine], n_pages: int) -> set[Place]:
    min_repeats = _MIN_REPEATS if n_pages > _FEW_PAGES else _MIN_REPEATS_OF_FEW
    groups: dict[str, list[_EdgeLine]] = defaultdict(list)
    for each in lines:
        groups[_pattern(each.line.text)].append(each)
    found: set[Place] = set()
    for pattern, group in groups.items():
        for level in _levels(group):
            alike = _consecutive(level) if pattern == _PAGE_NUMBER else level
            if len({each.page for each in alike}) >= min_repeats or _is_only_page(alike, n_pages):
                found.update(each.place for each in alike)
    return found


def _pattern(text: str) -> str:
    """Return a line without its digits, or the pattern of page numbers."""
    if _NUMBER.fullmatch(text):
        return _PAGE_NUMBER
    if _ROMAN.fullmatch(text):
        return _ROMAN_NUMBER
    return str(_DIGITS.sub("#", " ".join(text.casefold().split())))


def _levels(group: Sequence[_EdgeLine]) -> Iterator[list[_EdgeLine]]:
    """Divide lines of one pattern by their height on the page."""
    level: list[_EdgeLine] = []
    for each in sorted(group, key=lambda each: each.line.bottom):
        if level and each.line.bottom - level[-1].line.bottom > _MAX_DRIFT * each.height:
            yield level
            level = []
        level.append(each)
    if level:
        yield level


def _consecutive(numbers: Sequence[_EdgeLine]) -> list[_EdgeLine]:
    """Return the largest group of numbers that rise with the pages."""
    by_offset: dict[int, list[_EdgeLine]] = defaultdict(list)
    for each in numbers:
        match = _NUMBER.fullmatch(each.line.text)
        by_offset[int(match[1]) - each.page if match else 0].append(each)
    return max(by_offset.values(), key=len)


def _is_only_page(numbers: Sequence[_EdgeLine], n_pages: int) -> bool:
    """Return whether the line is the number 1 on the only page."""
    return n_pages == 1 and [each.line.text.strip("-–— ") for each in numbers] == ["1"]


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
