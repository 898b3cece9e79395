"""Page headers, footers and numbers that stand among the lines of a text.

What tells them from titles, names of speakers and refrains, which recur too: a page ends anywhere,
also within a sentence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

import regex

from byline.corpus.checking.edits import Edit, TextLine, leave_out, split_lines
from byline.corpus.document import Document

_LONGEST = 80  # characters of a header
_FEWEST = 3  # pages
_FEWEST_WITHIN = 2  # headers that stand within a sentence
_MIN_SHARE_WITHIN = 0.15
_LINES_BETWEEN = 6  # at the middle of all; the smallest page has more
_MIN_SHARE_RISING = 0.8
_SMALL_WORD = 4  # letters, which need no capital in a title
_MOST_IN_A_ROW = 3  # a footer and the next page's header
_NUMBER = regex.compile(r"\d+|(?<!\w)(?=[ivxlc])(?:x[lc]|l?x{0,3})(?:i[xv]|v?i{0,3})(?!\w)")
_DIGITS = regex.compile(r"\d{1,9}")
_WORD = regex.compile(r"\p{L}+")
_NOISE = regex.compile(r"\W*[\[(][^\])]*\p{L}{2}[^\])]*[\])]\W*")  # [MUSIC], in transcripts
_ENDS_SENTENCE = regex.compile(r"[.?!…:;؟۔।॥。！？][\"'”’»)\]」』]*$")
_BEGINS_WITHIN = regex.compile(r"[\"'“‘«(\[]*\p{Ll}")


def find_page_headers(document: Document) -> list[Edit]:
    """Find headers, footers and numbers of pages: code ``page-header``.

    They are short lines that recur, but for the number, at least every few lines; a number among
    them rises; and they part sentences.
    """
    lines = split_lines(document.text)
    recurring = _recurring(lines)
    places = {place for group in recurring for place in group}
    headers = {place for group in recurring if _is_header(group, lines, places) for place in group}
    return list(_edits(document.text, lines, headers))


def _recurring(lines: Sequence[TextLine]) -> list[list[int]]:
    """Group the lines that are alike but for the number."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        if len(line.text) <= _LONGEST and not _NOISE.fullmatch(line.text):
            groups[_key(line.text)].append(place)
    return [group for group in groups.values() if len(group) >= _FEWEST]


def _key(line: str) -> str:
    return str(_NUMBER.sub("#", " ".join(line.casefold().split())))


def _is_header(group: Sequence[int], lines: Sequence[TextLine], recurring: Set[int]) -> bool:
    gaps = sorted(after - before for before, after in pairwise(group))
    texts = [lines[place].text for place in group]
    if gaps[len(gaps) // 2] < _LINES_BETWEEN or not (_rise(texts) or _are_titles(texts)):
        return False
    within = sum(_parts_sentence(place, place, lines, recurring) for place in group)
    return within >= max(_FEWEST_WITHIN, _MIN_SHARE_WITHIN * len(group))


def _rise(texts: Sequence[str]) -> bool:
    """Whether each line has a number, and it rises from line to line."""
    found = [_DIGITS.findall(text) for text in texts]
    if len(set(map(len, found))) != 1 or not found[0]:
        return False
    columns = ([int(digits) for digits in column] for column in zip(*found, strict=True))
    return any(
        sum(after > before for before, after in pairwise(column))
        >= _MIN_SHARE_RISING * (len(column) - 1)
        for column in columns
    )


def _are_titles(texts: Sequence[str]) -> bool:
    return all(text.isupper() or _is_title(_WORD.findall(text)) for text in texts)


def _is_title(words: Sequence[str]) -> bool:
    return (
        len(words) > 1
        and words[0][0].isupper()
        and all(word[0].isupper() or len(word) <= _SMALL_WORD for word in words)
    )


def _parts_sentence(first: int, last: int, lines: Sequence[TextLine], recurring: Set[int]) -> bool:
    """Whether the lines around ``first`` to ``last`` are one sentence; they may recur too."""
    before, after = first - 1, last + 1
    while before in recurring and first - before < _MOST_IN_A_ROW:
        before -= 1
    while after in recurring and after - last < _MOST_IN_A_ROW:
        after += 1
    if before < 0 or after >= len(lines) or _ENDS_SENTENCE.search(lines[before].text):
        return False
    return _BEGINS_WITHIN.match(lines[after].text) is not None


def _edits(text: str, lines: Sequence[TextLine], headers: Set[int]) -> Iterator[Edit]:
    """Leave the headers out, with the blank lines around those that part a sentence."""
    for place in sorted(headers):
        if place - 1 in headers:
            continue
        last = place
        while last + 1 in headers:
            last += 1
        if _parts_sentence(place, last, lines, frozenset()):
            yield Edit(lines[place - 1].end, lines[last + 1].start, "\n", "page-header")
        else:
            yield leave_out(text, lines[place].start, lines[last].end, "page-header")
