"""Decide which single marks are apostrophes.

Often the neighbours of a mark leave no doubt. Otherwise the cheapest reading of all marks of a
paragraph, that is, of a line, is chosen by dynamic programming. The marks are read in the same way
whether an edition prints them as single or double ones; only a double one cannot be an apostrophe.
Texts that differ only in this convention therefore become the same text, apart from rare cases;
and a second application changes nothing, because it chooses among fewer readings, and the cheapest
is still there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from byline.typography.apostrophes import AFTER, BEFORE, OFTEN_AFTER

_BRACKETS = r"(\[{<¿¡"
_DASHES = "\u2014\u2013-"
_STOPS = r",.;:!?)\]}>/、。،؛؟"
# The groups tell where a mark is; marks between letters or digits are not found at all.
_RUN, _OPENING, _BEFORE_WORD, _AFTER_SPACE, _AFTER_WORD, _CLOSING, _BETWEEN = range(1, 8)
_MARKS = re.compile(
    rf"""["'](?:(["']+)|(?<=[\s{_BRACKETS}].)(?:(?<=")(?=[^\W_])()|(?=[^\W_])()|())"""
    rf"""|(?=[\s{_STOPS}{_DASHES}])(?:(?<=[^\W_].)()|())|(?<![^\W_].)())""",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_WORD = 12  # characters of a word that is in a list
_AFTER_INITIAL = frozenset(f".'{_DASHES}")

_IMPOSSIBLE = 1e9
Costs = tuple[float, float, float]  # as an opening mark, as a closing mark, as an apostrophe
_OPENS: Costs = (0.0, _IMPOSSIBLE, _IMPOSSIBLE)
_CLOSES: Costs = (_IMPOSSIBLE, 0.0, _IMPOSSIBLE)
_OPENS_OR_CLOSES: Costs = (0.0, 1.0, _IMPOSSIBLE)
_STAYS: Costs = (_IMPOSSIBLE, _IMPOSSIBLE, 0.0)
# Costs of the readings of a single mark, chosen on development data (see decision 0053). Before
# any other word than these, a mark opens.
_BEFORE_KNOWN: Costs = (2.5, _IMPOSSIBLE, 0.0)
_BEFORE_OFTEN: Costs = (0.8, _IMPOSSIBLE, 0.3)
_BEFORE_LOWER_IN_SENTENCE: Costs = (0.3, _IMPOSSIBLE, 1.2)
_BEFORE_DIGIT: Costs = (0.5, _IMPOSSIBLE, 0.3)
_AFTER_KNOWN: Costs = (_IMPOSSIBLE, 2.0, 0.0)
_AFTER_DROPPED_G: Costs = (_IMPOSSIBLE, 1.5, 0.2)
_AFTER_SIBILANT: Costs = (_IMPOSSIBLE, 0.2, 0.5)
_AFTER_OTHER: Costs = (_IMPOSSIBLE, 0.0, 2.0)
_AFTER_DIGIT: Costs = (_IMPOSSIBLE, 0.2, 1.0)
_BETWEEN_KNOWN: Costs = (0.0, 1.0, 0.0)
# Costs of quotations that are incomplete or long.
_UNMATCHED_OPENING = 2.0
_UNMATCHED_CLOSING = 2.5
_TWO_CLOSED = 0.5
_PER_CHARACTER = 0.003
_LEFT_OPEN = 0.5

# The span of a run of marks, the costs of its readings, and what it becomes as a quotation mark.
# There are many: named tuples take more time.
_Mark = tuple[int, int, Costs, str]
# The number of quotations that were open before a mark, and whether it is an apostrophe.
_Way = tuple[int, bool]
_Step = tuple[_Way, _Way, _Way]
_FROM_NONE, _FROM_ONE, _FROM_TWO = (0, False), (1, False), (2, False)
_STAYS_IN_NONE, _STAYS_IN_ONE, _STAYS_IN_TWO = (0, True), (1, True), (2, True)
_CLOSED: _Step = (_FROM_ONE, _FROM_TWO, _FROM_TWO)
_BOTH_CLOSED: _Step = (_FROM_TWO, _FROM_TWO, _FROM_TWO)
_UNMATCHED: _Step = (_FROM_NONE, _FROM_TWO, _FROM_TWO)


def read_marks(text: str) -> str:
    """Replace runs of quotation marks by ``"``, and keep single marks that are apostrophes.

    Examples
    --------
    >>> print(read_marks("'I can't find 'em,' she said, 'in the boys' room.'"))
    "I can't find 'em," she said, "in the boys' room."
    """
    padded = f"\n{text}\n"
    pieces: list[str] = []
    position = 1
    for paragraph in _paragraphs(padded):
        for (start, end, _, quotation), stays in zip(
            paragraph, _which_stay(paragraph), strict=True
        ):
            if not stays and padded[start:end] != quotation:
                pieces += (padded[position:start], quotation)
                position = end
    return "".join([*pieces, padded[position:-1]])


def _paragraphs(text: str) -> Iterator[list[_Mark]]:
    """Yield the marks of each line that has any, in order."""
    marks: list[_Mark] = []
    line_end = len(text)
    for match in _MARKS.finditer(text):
        start, end = match.span()
        if start > line_end:
            yield marks
            marks = []
        if not marks:
            line_end = text.find("\n", start)
        costs, quotation = _readings(text, start, end, match.lastindex)
        marks.append((start, end, costs, quotation))
    yield marks


def _readings(text: str, start: int, end: int, where: int | None) -> tuple[Costs, str]:
    """Return the costs of the readings of a run of marks, and what it is as a quotation mark."""
    if where == _OPENING:
        return _OPENS, '"'
    if where == _BEFORE_WORD:
        return _before_word(text, start, end), '"'
    if where == _AFTER_WORD:
        return (_CLOSES if text[start] == '"' else _after_word(text, start)), '"'
    if where == _CLOSING:
        return _after_sign(text, start), '"'
    if where == _BETWEEN:
        is_known = text[start] == "'" and _word_after(text, end) in AFTER
        return (_BETWEEN_KNOWN if is_known else _OPENS_OR_CLOSES), '"'
    before, after = text[start - 1], text[end]
    if before.isspace() or before in _BRACKETS:
        return _after_space(text, start, end)
    is_after_word = before.isalnum() or unicodedata.category(before)[0] == "M"
    if after.isspace() or after in _STOPS or after in _DASHES:
        costs = _after_word(text, start) if is_after_word else _CLOSES
        has_apostrophe = text[start] == "'" and costs[2] < costs[1]
        return _CLOSES, "'\"" if has_apostrophe else '"'
    return (_STAYS if is_after_word else _OPENS_OR_CLOSES), '"'


def _after_space(text: str, start: int, end: int) -> tuple[Costs, str]:
    """Return the same of a run, or of a mark that is not before a word, after a space."""
    after = text[end]
    if after.isspace():
        return (_STAYS if text[start:end] == "'" else _OPENS_OR_CLOSES), '"'
    if after in _STOPS and text[end : end + 2] != "..":
        return _CLOSES, '"'
    has_apostrophe = text[end - 1] == "'" and _word_after(text, end) in AFTER
    return _OPENS, "\"'" if has_apostrophe else '"'


def _before_word(text: str, start: int, end: int) -> Costs:
    following = text[end]
    if following.isdigit():
        return _BEFORE_DIGIT
    word = _word_after(text, end)
    if word in AFTER:
        return _BEFORE_KNOWN
    if following.isupper():
        return _OPENS
    if word in OFTEN_AFTER:
        return _BEFORE_OFTEN
    is_in_sentence = text[start - 1] == " " and text[start - 2].isalnum()
    return _BEFORE_LOWER_IN_SENTENCE if is_in_sentence else _OPENS


def _word_after(text: str, end: int) -> str:
    """Return the word after a mark in lower case, or nothing if it is an initial or an elision."""
    word = _WORD.match(text, end, end + _LONGEST_WORD + 1)
    if word is None:
        return ""
    is_initial = word.end() == end + 1 and text[word.end()] in _AFTER_INITIAL
    return "" if is_initial and text[end - 1 : end + 2] != "'n'" else word[0].lower()


def _after_word(text: str, start: int) -> Costs:
    before = text[start - 1]
    if before in "sSxXzZ":
        return _AFTER_SIBILANT
    if before.isdigit():
        return _AFTER_DIGIT
    first = start - 1
    while text[first - 1].isalpha() and start - first <= _LONGEST_WORD:
        first -= 1
    word = text[first:start].lower()
    if word in BEFORE or (len(word) == 1 and before not in "AI"):
        return _AFTER_KNOWN
    return _AFTER_DROPPED_G if word.endswith("in") and len(word) > 4 else _AFTER_OTHER


def _after_sign(text: str, start: int) -> Costs:
    """Return the costs after what is neither a letter nor a digit; perhaps a combining mark."""
    before = text[start - 1]
    is_word = text[start] == "'" and not before.isascii() and unicodedata.category(before)[0] == "M"
    return _AFTER_OTHER if is_word else _CLOSES


def _which_stay(marks: list[_Mark]) -> list[bool]:
    """Return which marks of a paragraph stay as they are, by the cheapest reading of all."""
    if all(costs[2] >= _IMPOSSIBLE or costs is _STAYS for _, _, costs, _ in marks):
        return [costs is _STAYS for _, _, costs, _ in marks]
    steps: list[_Step] = []
    costs: Costs = (0.0, _IMPOSSIBLE, _IMPOSSIBLE)
    position = marks[0][0]
    for start, end, readings, _ in marks:
        inside = _PER_CHARACTER * (start - position)
        position = end
        costs, step = _read(readings, costs[0], costs[1] + inside, costs[2] + 2 * inside)
        steps.append(step)
    n_open = min(range(3), key=lambda number: costs[number] + number * _LEFT_OPEN)
    stay = []
    for step in reversed(steps):
        n_open, stays = step[n_open]
        stay.append(stays)
    return stay[::-1]


def _read(readings: Costs, none: float, one: float, two: float) -> tuple[Costs, _Step]:
    """Read one more mark.

    Parameters
    ----------
    readings : (3,) tuple of float
        The costs of the mark as an opening mark, a closing mark and an apostrophe.
    none, one, two : float
        The least cost of all marks before, if none, one or two quotations are open.

    Returns
    -------
    costs : (3,) tuple of float
        The same after the mark.
    step : (3,) tuple of (int, bool)
        The number of quotations that were open before, and whether the mark is an apostrophe.
        Of equal ways, the one from fewer open quotations is taken.
    """
    if readings is _OPENS:
        one_more, two_more = one + _UNMATCHED_OPENING, two + _UNMATCHED_OPENING
        to_one = _FROM_NONE if none <= one_more else _FROM_ONE
        to_two = _FROM_ONE if one <= two_more else _FROM_TWO
        costs = (none + _UNMATCHED_OPENING, min(none, one_more), min(one, two_more))
        return costs, (_FROM_NONE, to_one, to_two)
    if readings is _CLOSES:
        unmatched, both = none + _UNMATCHED_CLOSING, two + _TWO_CLOSED
        least = min(unmatched, one, both)
        costs = (least, two, _IMPOSSIBLE)
        if least == unmatched:
            return costs, _UNMATCHED
        return costs, _CLOSED if least == one else _BOTH_CLOSED
    opening, closing, apostrophe = readings
    unmatched = opening + _UNMATCHED_OPENING
    from_none = min(
        (none + unmatched, _FROM_NONE),
        (none + closing + _UNMATCHED_CLOSING, _FROM_NONE),
        (none + apostrophe, _STAYS_IN_NONE),
        (one + closing, _FROM_ONE),
        (two + closing + _TWO_CLOSED, _FROM_TWO),
    )
    from_one = min(
        (none + opening, _FROM_NONE),
        (one + unmatched, _FROM_ONE),
        (one + apostrophe, _STAYS_IN_ONE),
        (two + closing, _FROM_TWO),
    )
    from_two = min(
        (one + opening, _FROM_ONE),
        (two + unmatched, _FROM_TWO),
        (two + apostrophe, _STAYS_IN_TWO),
    )
    return (from_none[0], from_one[0], from_two[0]), (from_none[1], from_one[1], from_two[1])
