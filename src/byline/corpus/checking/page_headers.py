"""Find page headers, footers and page numbers between the lines of a text.

Titles, names of speakers and refrains recur too. Page headers differ from them because a page can
end anywhere, even inside a sentence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

import regex

from byline.corpus.checking.edits import Edit, remove_lines
from byline.corpus.dialogue.chats import message_prefix
from byline.corpus.document import Document
from byline.corpus.text_lines import TextLine, split_lines

_MAX_CHARACTERS = 80  # of a header
_MIN_PAGES = 3
# How many, and what share, of the recurring lines must interrupt a sentence.
_MIN_INTERRUPTIONS = 2
_MIN_SHARE_INTERRUPTING = 0.15
_MIN_LINES_BETWEEN = 6  # in the median; even the smallest page has more
_MIN_SHARE_INCREASING = 0.8
_MAX_SMALL_WORD = 4  # letters; words up to this length need no capital in a title
_MAX_CONSECUTIVE = 3  # a footer and the header of the next page
_NUMBER = regex.compile(r"\d+|(?<!\w)(?=[ivxlc])(?:x[lc]|l?x{0,3})(?:i[xv]|v?i{0,3})(?!\w)")
_DIGITS = regex.compile(r"\d{1,9}")
_WORD = regex.compile(r"\p{L}+")
# [MUSIC], in transcripts
_ANNOTATION = regex.compile(r"[^\w\[(]*+[\[(](?=[^\])]*?\p{L}{2})[^\])]*+[\])]\W*+")
_ENDS_SENTENCE = regex.compile(r"[.?!…:;؟۔।॥。！？][\"'”’»)\]」』]*$")
_CONTINUES_SENTENCE = regex.compile(r"[\"'“‘«(\[]*\p{Ll}")


def find_page_headers(document: Document) -> list[Edit]:
    """Find page headers, footers and page numbers (code ``page-header``).

    They are short lines that are equal apart from numbers, recur at least a few lines apart, have
    increasing numbers or are titles, and interrupt sentences.
    """
    lines = split_lines(document.text)
    recurring = _recurring(lines)
    indices = {index for group in recurring for index in group}
    headers = {index for group in recurring if _is_header(group, lines, indices) for index in group}
    return list(_edits(document.text, lines, headers))


def _recurring(lines: Sequence[TextLine]) -> list[list[int]]:
    """Group the lines that are equal apart from numbers."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if len(line.text) > _MAX_CHARACTERS or _ANNOTATION.fullmatch(line.text):
            continue
        if not message_prefix(line.text):  # the messages of a chat also have dates
            groups[_key(line.text)].append(index)
    return [group for group in groups.values() if len(group) >= _MIN_PAGES]


def _key(line: str) -> str:
    return str(_NUMBER.sub("#", " ".join(line.casefold().split())))


def _is_header(group: Sequence[int], lines: Sequence[TextLine], recurring: Set[int]) -> bool:
    gaps = sorted(after - before for before, after in pairwise(group))
    texts = [lines[index].text for index in group]
    if gaps[len(gaps) // 2] < _MIN_LINES_BETWEEN:
        return False
    if not (_numbers_increase(texts) or _are_titles(texts)):
        return False
    n_interrupting = sum(_interrupts_sentence(index, index, lines, recurring) for index in group)
    return n_interrupting >= max(_MIN_INTERRUPTIONS, _MIN_SHARE_INTERRUPTING * len(group))


def _numbers_increase(texts: Sequence[str]) -> bool:
    """Return whether every line has a number that increases from line to line."""
    found = [_DIGITS.findall(text) for text in texts]
    if len(set(map(len, found))) != 1 or not found[0]:
        return False
    columns = ([int(digits) for digits in column] for column in zip(*found, strict=True))
    return any(
        sum(after > before for before, after in pairwise(column))
        >= _MIN_SHARE_INCREASING * (len(column) - 1)
        for column in columns
    )


def _are_titles(texts: Sequence[str]) -> bool:
    return all(text.isupper() or _is_title(_WORD.findall(text)) for text in texts)


def _is_title(words: Sequence[str]) -> bool:
    return (
        len(words) > 1
        and words[0][0].isupper()
        and all(word[0].isupper() or len(word) <= _MAX_SMALL_WORD for word in words)
    )


def _interrupts_sentence(
    first: int, last: int, lines: Sequence[TextLine], recurring: Set[int]
) -> bool:
    """Return whether one sentence continues across lines ``first`` to ``last``.

    Recurring lines next to them are skipped.
    """
    before, after = first - 1, last + 1
    while before in recurring and first - before < _MAX_CONSECUTIVE:
        before -= 1
    while after in recurring and after - last < _MAX_CONSECUTIVE:
        after += 1
    if before < 0 or after >= len(lines) or _ENDS_SENTENCE.search(lines[before].text):
        return False
    return _CONTINUES_SENTENCE.match(lines[after].text) is not None


def _edits(text: str, lines: Sequence[TextLine], headers: Set[int]) -> Iterator[Edit]:
    """Yield edits that remove the headers, and blank lines around those inside a sentence."""
    for index in sorted(headers):
        if index - 1 in headers:
            continue
        last = index
        while last + 1 in headers:
            last += 1
        if _interrupts_sentence(index, last, lines, frozenset()):
            yield Edit(lines[index - 1].end, lines[last + 1].start, "\n", "page-header")
        else:
            yield remove_lines(text, lines[index].start, lines[last].end, "page-header")
