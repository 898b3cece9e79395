"""Paragraphs again, out of the lines of a PDF's pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median_low

import regex

from byline.corpus.lines import join_lines
from byline.corpus.readers.pdf.lines import HYPHEN, Line, Page

# In heights of a line: what the distance of two lines, and an indentation, is more than.
_MIN_GAP = 1.3
_MIN_INDENT = 0.7
_MAX_SIZE_RATIO = 1.15
_SPARE = 1.2  # letters differ in width, and spaces stretch
_NEAR = 5  # lines before and after that show where a column ends
_ENDS_SENTENCE = regex.compile(r"[.?!…:。！？؟۔।][\"'”’»)\]」』]*$")
_BEGINS_SMALL = regex.compile(r"\W{0,2}\p{Ll}")
_MIN_DIVIDED = 0.01  # of the lines, where a program divides words
_DASH_AT_BREAK = regex.compile(r"(?<=\S(?:--|[—―]))\n(?=\S)")
_WORD = regex.compile(r"\p{L}+(?:[-‐]\p{L}+)*")
_DIVIDED = regex.compile(rf"(?<!\p{{L}})(\p{{L}}*+){HYPHEN}\n?(\p{{L}}*+)")


def paragraphs_of(pages: Sequence[Page]) -> list[str]:
    """Return the paragraphs, each in one line, in the order in which the pages draw them."""
    blocks = list(_blocks(pages))
    texts = ["\n".join(line.text + HYPHEN * line.is_divided for line in block) for block in blocks]
    join = _Hyphens(texts)
    return [join_lines(_DASH_AT_BREAK.sub("", join.decide(text))) for text in texts]


def _blocks(pages: Sequence[Page]) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph; one may go on over columns and pages."""
    block: list[Line] = []
    room = 0.0
    for page in pages:
        pitch, rooms = _pitch(page.lines), _rooms(page.lines)
        for i, line in enumerate(page.lines):
            if block and not _goes_on(block[-1], line):
                had_room = room > len(line.text.split(maxsplit=1)[0]) + 1
                if _begins(block[-1], page.lines, i, had_room=had_room, pitch=pitch):
                    yield block
                    block = []
            block.append(line)
            room = rooms[i]
    if block:
        yield block


def _goes_on(before: Line, line: Line) -> bool:
    """Whether a sentence goes on, whatever stands between the two lines."""
    return before.is_divided or bool(
        _same_size(before, line)
        and not _ENDS_SENTENCE.search(before.text)
        and _BEGINS_SMALL.match(line.text)
    )


def _begins(before: Line, lines: Sequence[Line], i: int, *, had_room: bool, pitch: float) -> bool:
    """Whether a paragraph begins with a line.

    Parameters
    ----------
    before : Line
        The one drawn before it, maybe on another page.
    lines : sequence of Line
        Those of its page.
    i : int
        Its place among them.
    had_room : bool
        Whether its first word would have gone into the line before.
    pitch : float
        The usual distance of lines on its page.
    """
    line = lines[i]
    if i and _is_below(before, line):
        distance = (before.bottom - line.bottom) / before.size
        indent = (line.left - before.left) / line.size
        return (
            had_room
            or not _same_size(before, line)
            or distance > _MIN_GAP * pitch
            or (indent > _MIN_INDENT and _ENDS_SENTENCE.search(before.text) is not None)
        )
    if i and abs(before.bottom - line.bottom) < line.size / 2 and line.left > before.right:
        return True  # a cell beside another
    if had_room and _ENDS_SENTENCE.search(before.text):
        return True
    return _is_indented(line, lines[i + 1 : i + 2]) or not _same_size(line, _usual(lines))


def _pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of one line to the next, in the line's heights."""
    distances = [
        (a.bottom - b.bottom) / a.size
        for a, b in pairwise(lines)
        if _is_below(a, b) and _same_size(a, b)
    ]
    return median_low(distances) if distances else 1.2


def _is_below(before: Line, line: Line) -> bool:
    """Whether a line stands under another in the same column, and near to it."""
    return (
        0 < before.bottom - line.bottom < 6 * max(before.size, line.size)
        and line.left < before.right
        and before.left < line.right
    )


def _rooms(lines: Sequence[Line]) -> list[float]:
    """Return how many letters more would go into each line, by the longest near it."""
    found = []
    for i, line in enumerate(lines):
        near = lines[max(0, i - _NEAR) : i + _NEAR + 1]
        edge = max(each.right for each in near if abs(each.left - line.left) < 4 * line.size)
        width = (line.right - line.left) / len(line.text)
        found.append((edge - line.right) / max(_SPARE * width, 0.1))
    return found


def _is_indented(line: Line, following: Sequence[Line]) -> bool:
    return any(
        _is_below(line, after) and (line.left - after.left) / line.size > _MIN_INDENT
        for after in following
    )


def _usual(lines: Sequence[Line]) -> Line:
    return sorted(lines, key=lambda line: line.size)[len(lines) // 2]


def _same_size(a: Line, b: Line) -> bool:
    small, large = sorted((a.size, b.size))
    return large / small < _MAX_SIZE_RATIO


class _Hyphens:
    """Tells the hyphens of words from those that only divide a word at the end of a line.

    How the document writes a word elsewhere tells more than a dictionary does; where it does not,
    the others of its divided words do, and how many there are.

    Parameters
    ----------
    texts : sequence of str
        All paragraphs of the document.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._words: Counter[str] = Counter()
        divided: list[tuple[str, str]] = []
        for text in texts:
            rest = text
            if HYPHEN in text:
                divided += ((match[1], match[2]) for match in _DIVIDED.finditer(text))
                rest = _DIVIDED.sub(" ", text)
            self._words.update(word.casefold() for word in _WORD.findall(rest))
        n_lines = sum(text.count("\n") + 1 for text in texts)
        self._divides = self._divides_words(divided, n_lines)

    def decide(self, text: str) -> str:
        """Return a paragraph whose divided words are whole."""
        return _DIVIDED.sub(self._join, text) if HYPHEN in text else text

    def _divides_words(self, divided: Sequence[tuple[str, str]], n_lines: int) -> bool:
        """Whether words are divided at ends of lines at all, beside those that have a hyphen."""
        evidence = [self._written(head, tail) for head, tail in divided]
        surplus = evidence.count(True) - evidence.count(False)
        return surplus > 0 or (surplus == 0 and len(divided) > _MIN_DIVIDED * n_lines)

    def _written(self, head: str, tail: str) -> bool | None:
        """Whether the document writes it as one word elsewhere; None if it does not have it."""
        with_hyphen = self._words[f"{head}-{tail}".casefold()]
        without = self._words[(head + tail).casefold()]
        return without >= with_hyphen if with_hyphen or without else None

    def _join(self, match: regex.Match[str]) -> str:
        head, tail = match[1], match[2]
        return head + tail if self._is_one_word(head, tail) else f"{head}-{tail}"

    def _is_one_word(self, head: str, tail: str) -> bool:
        if not head or not tail or not tail[0].islower():
            return False
        written = self._written(head, tail)
        if written is not None:
            return written
        are_words = self._words[head.casefold()] and self._words[tail.casefold()]
        return self._divides and not are_words
