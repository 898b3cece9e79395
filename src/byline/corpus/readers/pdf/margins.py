"""What stands above or below the text on page after page: headers, footers, page numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import regex

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers.pdf.geometry import same_size, usual_pitch
from byline.corpus.readers.pdf.lines import Line, Page

_DEPTH = 3  # lines from the edge
_FEW_PAGES = 4
_MIN_REPEATS, _MIN_REPEATS_OF_FEW = 3, 2
# Of the page's height: how far apart a header may stand from page to page.
_MAX_DRIFT = 0.02
# Of the usual distance of lines: how far a header is from the text.
_MIN_GAP = 1.25
_DIGITS = regex.compile(r"\p{Nd}+")
_NUMBER = regex.compile(
    r"\W*(?:(?:page|p\.|seite|s\.)\s*)?(\d{1,5})(?:\s*(?:/|of|von)\s*\d+)?\W*", regex.I
)
_ROMAN = regex.compile(r"\W*[ivxlc]{1,8}\W*", regex.I)
_AT_END = regex.compile(r"(?:^|(?<=\s))(\d{1,5})(?=$|(?<=^\d{1,5})\s)")
_ADDRESS = regex.compile(r"\w{3,8}://\S*\s+1/1")
_DATE = regex.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b")

# A page's number, and the place of a line among its lines.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _AtEdge:
    """A line near the upper or lower edge of a page, and the place of the page among all."""

    page: int
    index: int
    line: Line
    height: float

    @property
    def place(self) -> Place:
        return self.page, self.index


def without_margins(pages: Sequence[Page], excluded: ExclusionCounter) -> list[Page]:
    """Return the pages without their headers, footers and numbers, which are counted.

    A line is one if its words, whatever its figures, stand at the same height on several pages,
    and nothing but such lines is farther out.
    """
    dropped: dict[Place, str] = {}
    for edge, what in (("top", "page headers"), ("bottom", "page footers")):
        _find(pages, edge, what, dropped)
    if len(pages) == 1:
        dropped |= _printed_by_browser(pages[0])
    for (page, index), what in sorted(dropped.items()):
        excluded.add(what, pages[page].lines[index].text)
    return [
        replace(
            page, lines=tuple(line for i, line in enumerate(page.lines) if (n, i) not in dropped)
        )
        for n, page in enumerate(pages)
    ]


def _find(pages: Sequence[Page], edge: str, what: str, dropped: dict[Place, str]) -> None:
    rows = [_from_edge(page, n, edge) for n, page in enumerate(pages)]
    near = [each for row in rows for each in _near(row)]
    repeated = _repeated(near, len(pages))
    repeated |= _numbered_alike(near, repeated)
    for page, row in zip(pages, rows, strict=True):
        pitch = usual_pitch(page.lines)
        outer = list(takewhile(lambda each: each.place in repeated, _near(row)))
        while outer and not _is_apart(outer[-1].line, row[len(outer) : len(outer) + 1], pitch):
            outer.pop()
        for each in outer:
            is_number = _form(each.line.text).startswith("#n")
            dropped[each.place] = "page numbers" if is_number else what


def _printed_by_browser(page: Page) -> dict[Place, str]:
    """Return what a browser prints around its only page: date and title, address and number."""
    head, foot = (_outermost(page, edge) for edge in ("top", "bottom"))
    if not _ADDRESS.fullmatch(_said(foot)):
        return {}
    dropped = {each.place: "page footers" for each in foot}
    if _DATE.match(_said(head)):
        dropped |= {each.place: "page headers" for each in head}
    return dropped


def _outermost(page: Page, edge: str) -> list[_AtEdge]:
    """Return the lines at the height of the outermost one, from the left."""
    lines = _from_edge(page, 0, edge)
    row = [x for x in lines if abs(x.line.bottom - lines[0].line.bottom) < lines[0].line.size / 2]
    return sorted(row, key=lambda each: each.line.left)


def _said(row: Sequence[_AtEdge]) -> str:
    return " ".join(each.line.text for each in row)


def _numbered_alike(near: Sequence[_AtEdge], repeated: set[Place]) -> set[Place]:
    """Return lines that come once, but stand and count pages as those do that are repeated."""
    ahead = Counter(n for each in near if each.place in repeated for n in _numbers_ahead(each))
    usual, n_pages = ahead.most_common(1)[0] if ahead else (0, 0)
    if n_pages < _MIN_REPEATS:
        return set()
    counting = [each for each in near if usual in _numbers_ahead(each)]
    heights = [each.line.bottom for each in counting if each.place in repeated]
    return {
        each.place
        for each in counting
        if any(abs(each.line.bottom - height) < 1 for height in heights)
    }


def _numbers_ahead(each: _AtEdge) -> set[int]:
    """Return how far the numbers at a line's start and end are ahead of its page's place."""
    return {int(found[1]) - each.page for found in _AT_END.finditer(each.line.text)}


def _is_apart(line: Line, inner: Sequence[_AtEdge], pitch: float) -> bool:
    """Whether a line is a number, or is set apart from the next one inwards by space or size."""
    return _form(line.text).startswith("#n") or all(
        abs(each.line.bottom - line.bottom) > _MIN_GAP * pitch * max(line.size, each.line.size)
        or not same_size(each.line.size, line.size)
        for each in inner
    )


def _from_edge(page: Page, n: int, edge: str) -> list[_AtEdge]:
    """Return the lines of a page from the edge inwards."""
    sign = -1 if edge == "top" else 1
    order = sorted(range(len(page.lines)), key=lambda i: (sign * page.lines[i].bottom, i))
    return [_AtEdge(n, index, page.lines[index], page.height) for index in order]


def _near(row: Sequence[_AtEdge]) -> Iterator[_AtEdge]:
    """Yield the outermost lines, also several at one height."""
    heights: list[float] = []
    for each in row:
        if not heights or abs(each.line.bottom - heights[-1]) > each.line.size / 2:
            heights.append(each.line.bottom)
        if len(heights) > _DEPTH:
            return
        yield each


def _repeated(lines: Sequence[_AtEdge], n_pages: int) -> set[Place]:
    least = _MIN_REPEATS if n_pages > _FEW_PAGES else _MIN_REPEATS_OF_FEW
    groups: dict[str, list[_AtEdge]] = defaultdict(list)
    for each in lines:
        groups[_form(each.line.text)].append(each)
    found: set[Place] = set()
    for form, group in groups.items():
        for level in _levels(group):
            counting = _counting(level) if form == "#n" else level
            if len({each.page for each in counting}) >= least or _is_only_page(counting, n_pages):
                found.update(each.place for each in counting)
    return found


def _form(text: str) -> str:
    """Return a line without its figures; ``#n`` is a page number."""
    if _NUMBER.fullmatch(text):
        return "#n"
    if _ROMAN.fullmatch(text):
        return "#n roman"
    return str(_DIGITS.sub("#", " ".join(text.casefold().split())))


def _levels(group: Sequence[_AtEdge]) -> Iterator[list[_AtEdge]]:
    """Divide lines of one form by the height at which they stand."""
    level: list[_AtEdge] = []
    for each in sorted(group, key=lambda each: each.line.bottom):
        if level and each.line.bottom - level[-1].line.bottom > _MAX_DRIFT * each.height:
            yield level
            level = []
        level.append(each)
    if level:
        yield level


def _counting(numbers: Sequence[_AtEdge]) -> list[_AtEdge]:
    """Return the numbers that go up with the pages: the most that are as far ahead of them."""
    ahead: dict[int, list[_AtEdge]] = defaultdict(list)
    for each in numbers:
        match = _NUMBER.fullmatch(each.line.text)
        ahead[int(match[1]) - each.page if match else 0].append(each)
    return max(ahead.values(), key=len)


def _is_only_page(numbers: Sequence[_AtEdge], n_pages: int) -> bool:
    """Whether it is the 1 on the only page there is."""
    return n_pages == 1 and [each.line.text.strip("-–— ") for each in numbers] == ["1"]
