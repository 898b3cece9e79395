"""Recognise the chapters of a book by its headings: in plain text, or as its format marks them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import regex

from byline.corpus.chapter_numbers import LAST, HeadingLine, read_heading
from byline.corpus.extraction import Heading
from byline.typography.part_names import ACT, BOOK, CHAPTER, SCENE, VOLUME
from byline.typography.scripts import count_words

MIN_CHAPTERS = 3
_MIN_MEDIAN = 300  # words per chapter; if there are fewer, the next larger rank is used
_MIN_BODY = 60  # words; a sequence of headings with less text may be a table of contents
_MIN_FRONT = 100  # words before the first chapter
_MAX_HEADING = 300  # characters, with a title
_MAX_TITLE = 200  # characters of a title on a line of its own
_MAX_TITLE_WORDS = 15
_NAMED = regex.compile(
    r"(?:prologue?|preface|prelude|introduction|epilogue?|conclusion|finale|postscript|afterword|"
    r"prolog|vorwort|einleitung|nachwort|epilog|préface|avant-propos|épilogue|prefazione|epilogo|"
    r"prólogo|epílogo)\.?",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a book, or another numbered part: a letter, an act, a scene.

    Attributes
    ----------
    label : str
        The part and its number as printed (``CHAPTER IV``), or another heading.
    title : str
        The title after the number; may be empty.
    part : str
        The label of the larger part that contains it (``VOLUME II``); may be empty.
    start : int
        The character at which its heading begins.

    See Also
    --------
    find_chapters : Find the chapters of a text.

    Examples
    --------
    >>> Chapter("CHAPTER IV", "The River", "VOLUME II", 5120).name
    'VOLUME II, CHAPTER IV'
    """

    label: str
    title: str
    part: str
    start: int

    @property
    def name(self) -> str:
        """The label, after that of the larger part."""
        return f"{self.part}, {self.label}" if self.part else self.label


@dataclass(frozen=True, slots=True)
class _Found:
    """A heading in a text."""

    heading: HeadingLine
    line: int
    start: int
    n_words: int = 0  # until the next heading
    title: str = ""

    @property
    def key(self) -> tuple[int, int]:
        return self.heading.rank, self.heading.number


def find_chapters(text: str, headings: Sequence[Heading] = ()) -> tuple[Chapter, ...]:
    r"""Find the chapters of a text.

    A heading is a line of its own with the name of a part and its number, such as ``CHAPTER IV``,
    ``Book the First`` or ``Kapitel 3``, or a number alone. At least three headings must have
    consecutive numbers; the numbers may start again in each larger part. Entries of a table of
    contents are not headings, because there is no prose between them. Chapters are the smallest
    parts whose median length is at least 300 words. If the scenes of a play are shorter, its acts
    are used.

    Parameters
    ----------
    text : str
        A text with one paragraph per line, as `byline.corpus.extract_text` returns it.
    headings : sequence of Heading
        The headings that the format of the file marks. They are used if there are at least three.

    Returns
    -------
    tuple of Chapter
        In the order of the text; empty if fewer than three are found. If there are at least 100
        words before the first heading, they form a chapter with an empty label.

    Examples
    --------
    >>> prose = "The river rose in the night, and nobody heard it. " * 40
    >>> text = "\n\n".join(f"CHAPTER {number}\n\n{prose}" for number in ("I", "II", "III"))
    >>> [chapter.label for chapter in find_chapters(text)]
    ['CHAPTER I', 'CHAPTER II', 'CHAPTER III']
    >>> find_chapters("Chapter 1 was lost. Nobody read chapter 2.")
    ()
    """
    lines = _Lines.of(text)
    chapters = _marked(lines, headings) or _printed(lines)
    if len(chapters) < MIN_CHAPTERS:
        return ()
    n_before = count_words(text[: chapters[0].start])
    return (Chapter("", "", "", 0), *chapters) if n_before >= _MIN_FRONT else tuple(chapters)


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines that are not blank, with the place of each and the number of words before it."""

    texts: list[str]
    starts: list[int]
    words: list[int]

    @classmethod
    def of(cls, text: str) -> _Lines:
        texts, starts, words, place, total = [], [], [], 0, 0
        for line in text.split("\n"):
            if stripped := line.strip():
                texts.append(stripped)
                starts.append(place + line.index(stripped[0]))
                words.append(total)
                total += count_words(stripped)
            place += len(line) + 1
        return cls(texts, starts, [*words, total])

    def n_words(self, first: int, end: int) -> int:
        return self.words[end] - self.words[first]


def _printed(lines: _Lines) -> list[Chapter]:
    """Find the chapters whose headings are printed with numbers."""
    found = _measured(lines, _numbered(_candidates(lines)))
    found = _measured(lines, _numbered(_without_contents(found)))
    rank = _unit(found)
    if rank is None:
        return []
    chapters = _in_parts(_without_listed_parts(found, rank), rank)
    return sorted([*chapters, *_named(lines, found)], key=lambda chapter: chapter.start)


def _candidates(lines: _Lines) -> list[_Found]:
    return [
        _Found(heading, number, lines.starts[number])
        for number, line in enumerate(lines.texts)
        if len(line) <= _MAX_HEADING and (heading := read_heading(line))
    ]


def _numbered(found: Sequence[_Found]) -> list[_Found]:
    """Keep the headings whose numbers are consecutive."""
    kept = set[int]()
    for part in _usual_parts(found):
        runs = list(_runs([each for each in found if each.heading.part == part]))
        is_larger = any(run[0].heading.rank not in (CHAPTER, SCENE) for run in runs)
        if is_larger or sum(len(run) for run in runs if len(run) > 1) >= MIN_CHAPTERS:
            chosen = runs if part else [run for run in runs if len(run) >= MIN_CHAPTERS]
            kept.update(each.line for run in chosen for each in run)
    return [each for each in found if each.line in kept]


def _usual_parts(found: Sequence[_Found]) -> list[str]:
    """Return the names of parts without those that are rare for their rank.

    For example, two letters in a novel with two hundred chapters are not chapters.
    """
    counts = Counter((each.heading.rank, each.heading.part) for each in found)
    return [
        part
        for (rank, part), count in counts.items()
        if 2 * count >= max(other for (same, _), other in counts.items() if same == rank)
    ]


def _runs(own: Sequence[_Found]) -> Iterator[list[_Found]]:
    """Divide headings of one kind into runs of consecutive numbers; one or two may be missing."""
    run: list[_Found] = []
    for each in own:
        number = each.heading.number
        if run and number != LAST and not 0 < number - run[-1].heading.number <= 3:
            if number != 1 and not each.heading.part:
                continue  # a year, or the number of a page, between chapters I and II
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _measured(lines: _Lines, found: Sequence[_Found]) -> list[_Found]:
    """Find the title of each heading, and count the words until the next one."""
    ends = [*(each.line for each in found[1:]), len(lines.texts)][: len(found)]
    measured = []
    for each, end in zip(found, ends, strict=True):
        first = each.line + 1
        title = each.heading.title
        if not title and first < end and _is_title(lines.texts[first]):
            title, first = lines.texts[first], first + 1
        measured.append(replace(each, n_words=lines.n_words(first, end), title=title.strip("_ ")))
    return measured


def _is_title(line: str) -> bool:
    if len(line) > _MAX_TITLE or _NAMED.fullmatch(line):
        return False
    if line.isupper() or (line[0] == "_" and line[-1] == "_"):
        return True
    return line[-1] not in ".?!,;:\"'”’" and len(line.split()) <= _MAX_TITLE_WORDS


def _without_contents(found: Sequence[_Found]) -> list[_Found]:
    """Leave out headings without prose after them whose numbers occur again with prose."""
    is_short = [each.n_words < _MIN_BODY for each in found]
    with_prose = Counter(each.key for each, short in zip(found, is_short, strict=True) if not short)
    kept: list[_Found] = []
    for start, end in _blocks(found, is_short):
        block = found[start:end]
        entries = [each for each in block if each.n_words < _MIN_BODY]
        again = sum(with_prose[each.key] > 0 for each in entries)
        is_contents = len(entries) >= MIN_CHAPTERS and 2 * again >= len(entries)
        if not is_contents:
            kept += block
        elif (last := block[-1]).n_words >= _MIN_BODY and not _continues(block, with_prose):
            kept.append(last)
    return kept


def _blocks(found: Sequence[_Found], is_short: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Divide headings into blocks: headings with little text, and the next one with more."""
    start = 0
    for place, short in enumerate(is_short):
        if not short or place + 1 == len(found):
            yield start, place + 1
            start = place + 1


def _continues(block: Sequence[_Found], with_prose: Counter[tuple[int, int]]) -> bool:
    """Return whether the heading after a table of contents is its last entry."""
    last, before = block[-1], block[-2]
    is_next = last.heading.rank == before.heading.rank and (
        last.heading.number == before.heading.number + 1
    )
    return is_next and with_prose[last.key] > 1


def _without_listed_parts(found: Sequence[_Found], rank: int) -> list[_Found]:
    """Leave out the larger parts in a table of contents: they have no chapter and occur again."""
    following = [each.heading.rank for each in found[1:]]
    again = Counter(each.key for each in found)
    return [
        each
        for each, next_rank in zip(found, [*following, rank], strict=True)
        if each.heading.rank >= rank or next_rank > each.heading.rank or again[each.key] < 2
    ]


def _unit(found: Sequence[_Found]) -> int | None:
    """Return the smallest rank whose parts are long enough; None if there are too few parts."""
    for rank in (SCENE, CHAPTER, ACT, BOOK, VOLUME):
        sizes = _sizes(found, rank)
        if len(sizes) >= MIN_CHAPTERS and median(sizes) >= _MIN_MEDIAN:
            return rank
    return None


def _sizes(found: Sequence[_Found], rank: int) -> list[int]:
    """Return the words of each part of a rank, with all smaller parts in it."""
    sizes: list[int] = []
    is_open = False
    for each in found:
        if each.heading.rank == rank:
            sizes.append(0)
            is_open = True
        elif each.heading.rank < rank:
            is_open = False
        if is_open:
            sizes[-1] += each.n_words
    return sizes


def _in_parts(found: Sequence[_Found], rank: int) -> list[Chapter]:
    """Return the parts of a rank; a heading directly before one names the larger part."""
    chapters: list[Chapter] = []
    above: dict[int, str] = {}
    begins = None  # the place of larger headings without prose; the next chapter begins there
    for each in found:
        if each.heading.rank < rank:
            above = {key: name for key, name in above.items() if key < each.heading.rank}
            above[each.heading.rank] = each.heading.label
            begins = each.start if begins is None else begins
            if each.n_words >= _MIN_FRONT:
                chapters.append(Chapter(", ".join(above.values()), each.title, "", begins))
                begins = None
        elif each.heading.rank == rank:
            start = each.start if begins is None else begins
            chapters.append(
                Chapter(each.heading.label, each.title, ", ".join(above.values()), start)
            )
            begins = None
    return chapters


def _named(lines: _Lines, found: Sequence[_Found]) -> Iterator[Chapter]:
    """Yield prefaces, epilogues and the like: lines of one word with prose after them."""
    stops = sorted(each.line for each in found)
    places = [i for i, line in enumerate(lines.texts) if _NAMED.fullmatch(line)]
    for place in places:
        following = sorted(each for each in [*stops, *places] if each > place)
        end = following[0] if following else len(lines.texts)
        if lines.n_words(place + 1, end) >= _MIN_FRONT:
            yield Chapter(lines.texts[place].rstrip("."), "", "", lines.starts[place])


def _marked(lines: _Lines, headings: Sequence[Heading]) -> list[Chapter]:
    """Return the parts that the format marks, at the deepest level that is long enough."""
    placed = list(_placed(lines, headings))
    for level in sorted({heading.level for heading, _ in placed}, reverse=True):
        own = [(heading, place) for heading, place in placed if heading.level <= level]
        deepest = [place for heading, place in own if heading.level == level]
        ends = [*(place for _, place in own[1:]), len(lines.texts)]
        sizes = [
            lines.n_words(place, end)
            for (heading, place), end in zip(own, ends, strict=True)
            if heading.level == level
        ]
        if len(deepest) >= MIN_CHAPTERS and median(sizes) >= _MIN_MEDIAN:
            return _nested(lines, own, ends)
    return []


def _placed(lines: _Lines, headings: Sequence[Heading]) -> Iterator[tuple[Heading, int]]:
    """Find the line of each heading, in order."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines.texts):
        places.setdefault(line, []).append(number)
    place = 0
    for heading in headings:
        # The lines of a heading may have been joined.
        found = [_next(places.get(line, []), place) for line in {heading.line, heading.title}]
        near = min((each for each in found if each is not None), default=None)
        if near is not None:
            yield heading, near
            place = near + (lines.texts[near] in heading.title)


def _next(places: Sequence[int], first: int) -> int | None:
    """Return the first of ascending places that is at least ``first``."""
    at = bisect_left(places, first)
    return places[at] if at < len(places) else None


def _nested(
    lines: _Lines, own: Sequence[tuple[Heading, int]], ends: Sequence[int]
) -> list[Chapter]:
    chapters: list[Chapter] = []
    above: dict[int, str] = {}
    begins: int | None = None
    for (heading, place), end in zip(own, ends, strict=True):
        above = {level: name for level, name in above.items() if level < heading.level}
        label, title = _label(heading)
        start = lines.starts[place] if begins is None else begins
        if lines.n_words(place + 1, end) >= _MIN_BODY:
            chapters.append(Chapter(label, title, ", ".join(filter(None, above.values())), start))
            begins = None
        else:
            begins = start
        above[heading.level] = label
    return chapters


def _label(heading: Heading) -> tuple[str, str]:
    """Divide a heading into the part with its number, and the title."""
    read = read_heading(heading.title)
    return (read.label, read.title) if read else (heading.title, "")
