"""Find paragraphs in texts whose lines were wrapped at a limited width.

A line was wrapped if the first word of the next line would have made it too wide. Any other line
break was made on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from byline.typography.salutations import is_salutation

_TAIL = 12  # characters at the end of a line in which a sentence may end
_SENTENCE_ENDS = tuple(".?!…؟۔।॥።፧։。！？｡។៕")
_PARAGRAPH_ENDS = (*_SENTENCE_ENDS, ":", "—", "--")
_CLOSING = "\"'”’»)]」』"
_BEGINS_IN_SENTENCE = regex.compile(r"\p{Ll}")
_NUMBERED_HEADING = regex.compile(
    r"(?:chapter|book|volume|part|letter|act|scene|canto|section)\s+[\divxlc]+\b", regex.IGNORECASE
)
_NUMBERED_LINE = regex.compile(
    r"(?:CHAPTER|Chapter|BOOK|VOLUME|PART|LETTER|ACT|SCENE)\s(?:\d{1,2}\.)?(?:\d{1,3}|[IVXLCivxlc]++)"
    r"\.?+(?:\s?[-\u2013\u2014:.]++\s?[^.?!]*+)?+"
)
_MAX_HEADING = 60  # characters

_WINDOW = 200  # lines; the width may change within a file
# The width is that of all lines but the longest, because a few lines can be too long.
_WIDTH_QUANTILE = 0.95
# Captions are narrower. The narrowest of 21 wrapped novels is 67 characters wide.
_MIN_WIDTH = 50
# In 21 wrapped novels, nine in ten lines that end inside a sentence are full: with the next word,
# they are at least as wide as 0.97 of the width. In 100 plays in verse, where lines are of similar
# length, nine in ten are at least as wide as 0.75 to 0.87 of it.
_FULL_QUANTILE, _MIN_FULL = 0.1, 0.9
_MIN_BREAKS = 5
_MAX_SHARE_INDENTED = 0.5


@dataclass(frozen=True, slots=True)
class WrappedLines:
    """Where paragraphs end in a text whose lines belong to longer paragraphs.

    Attributes
    ----------
    is_wrapped : bool
        Whether the lines were wrapped at a limited width.
    ends : frozenset of int
        The lines, by their index, that end a paragraph although no blank line follows.
    """

    is_wrapped: bool
    ends: frozenset[int]


def ends_sentence(line: str) -> bool:
    """Return whether a line, without white space at its end, ends with a sentence."""
    return line[-_TAIL:].rstrip(_CLOSING).endswith(_SENTENCE_ENDS)


def find_paragraphs(lines: Sequence[str]) -> WrappedLines:
    r"""Find out whether lines were wrapped, and which of them end a paragraph.

    A paragraph ends at a line that ends a sentence and was not wrapped. It also ends before an
    indented line, after a salutation, and around a heading.

    Parameters
    ----------
    lines : sequence of str
        With their indentation.

    Examples
    --------
    >>> lines = ["She came home late.", "    Nobody had waited.", "The lamp was", "out."]
    >>> sorted(find_paragraphs(lines).ends)
    [0]
    """
    stripped = [line.strip() for line in lines]
    breaks = [i for i in range(len(lines) - 1) if stripped[i] and stripped[i + 1]]
    widths = _widths(stripped)
    fullness = {i: _reach(stripped[i], stripped[i + 1]) / widths[i] for i in breaks}
    in_sentence = sorted(fullness[i] for i in breaks if not ends_sentence(stripped[i]))
    limit = in_sentence[int(_FULL_QUANTILE * len(in_sentence))] if in_sentence else 0.0
    is_wrapped = (
        len(in_sentence) >= _MIN_BREAKS
        and limit >= _MIN_FULL
        and sorted(widths)[len(widths) // 2] >= _MIN_WIDTH
    )
    ends = set(_before_indentation(lines, stripped, breaks))
    begins = [i for i in breaks if i == 0 or not stripped[i - 1]]
    ends.update(i for i in begins if is_salutation(stripped[i]))
    if is_wrapped:
        # A full line before a heading does not show that the heading belongs to its paragraph.
        headed = [i for i in breaks if _NUMBERED_LINE.fullmatch(stripped[i + 1])]
        ends.update(i for i in headed if _ends_paragraph(stripped[i]) or stripped[i].isupper())
        not_full = [i for i in breaks if fullness[i] < limit]
        ends.update(i for i in not_full if _is_paragraph_end(stripped[i], stripped[i + 1]))
    return WrappedLines(is_wrapped, frozenset(ends))


def _reach(line: str, next_line: str) -> int:
    """Return the width that a line would have with the first word of the next line."""
    return len(line) + 1 + len(next_line.split(None, 1)[0])


def _widths(stripped: Sequence[str]) -> list[int]:
    """Return the width of the lines around each line."""
    n_windows = max(1, len(stripped) // _WINDOW)
    limits = [number * len(stripped) // n_windows for number in range(n_windows + 1)]
    widths: list[int] = []
    for start, end in pairwise(limits):
        lengths = sorted(len(line) for line in stripped[start:end] if line) or [1]
        width = lengths[int(_WIDTH_QUANTILE * (len(lengths) - 1))]
        widths += [width] * (end - start)
    return widths


def _is_paragraph_end(line: str, next_line: str) -> bool:
    """Return whether a line that was not wrapped ends a paragraph."""
    if _BEGINS_IN_SENTENCE.match(next_line):
        return False
    return _ends_paragraph(line) or _is_heading(line) or _is_heading(next_line)


def _ends_paragraph(line: str) -> bool:
    return line[-_TAIL:].rstrip(_CLOSING).endswith(_PARAGRAPH_ENDS)


def _is_heading(line: str) -> bool:
    return len(line) <= _MAX_HEADING and (
        line.isupper() or _NUMBERED_HEADING.match(line) is not None
    )


def _before_indentation(
    lines: Sequence[str], stripped: Sequence[str], breaks: Sequence[int]
) -> Iterator[int]:
    """Yield the lines that end a paragraph because the next line is indented."""
    depths = [_depth(line) for line in lines]
    counts = Counter(depth for depth, line in zip(depths, stripped, strict=True) if line)
    if len(counts) < 2:
        return
    usual = min(depth for depth, n in counts.items() if n == max(counts.values()))
    n_indented = sum(n for depth, n in counts.items() if depth > usual)
    if n_indented > _MAX_SHARE_INDENTED * counts.total():
        return
    for i in breaks:
        is_indented = depths[i + 1] > usual
        if is_indented and _ends_paragraph(stripped[i]):
            yield i


def _depth(line: str) -> int:
    """Return the indentation in columns; a single space is an accident."""
    if not line[:1].isspace():
        return 0
    white_space = line[: len(line) - len(line.lstrip())].expandtabs(4)
    columns = len(white_space) + white_space.count("\u3000")
    return columns if columns > 1 else 0
