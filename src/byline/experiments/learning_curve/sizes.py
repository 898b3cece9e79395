"""Choose the amounts of known text, the authors who have them, and the lengths of passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from byline.attribution.inputs import check_number
from byline.errors import TrainingError, UsageError
from byline.formatting import join_names, number, quantity

SMALLEST_KNOWN = 200
SHORTEST_TEXT, LONGEST_TEXT = 50, 5000
_SMALL_SHARE = 0.25  # of the median author's words; authors with less are left out
_NEARLY_ALL = 0.8  # of the largest amount; the largest amount stands for what is closer to it


@dataclass(frozen=True, slots=True)
class KnownSizes:
    """Amounts of known text, and the authors who have the largest of them in every fold.

    Attributes
    ----------
    words : tuple of int
        Known words per author, in ascending order.
    authors : tuple of str
    left_out : mapping of str to int
        Known words of each author who has fewer, in the fold with the least.
    """

    words: tuple[int, ...]
    authors: tuple[str, ...]
    left_out: Mapping[str, int]


def choose_known_sizes(available: Mapping[str, int], requested: Sequence[int] = ()) -> KnownSizes:
    """Choose amounts of known text, the same for all authors.

    By default, the largest amount is all that the author with the least has. Authors with less than
    a quarter of the words of the median author are left out, because all others would be cut down
    to their amount.

    Parameters
    ----------
    available : mapping of author to int
        Known words of each author, in the fold with the least.
    requested : sequence of int
        Amounts to use instead. Authors who do not have the largest one are left out.

    Raises
    ------
    UsageError
        An amount is below one word, or there is only one.
    TrainingError
        Fewer than two authors have enough words.

    Examples
    --------
    >>> choose_known_sizes({"Ann": 1300, "Bob": 2600, "Cyd": 90}).words
    (200, 500, 1000, 1300)
    """
    for words in requested:
        check_number("each amount of known words", words, 1)
    if requested:
        if len(set(requested)) < 2:
            raise UsageError("a learning curve needs two or more amounts of known words; add one")
        least = max(requested)
    else:
        ordered = sorted(available.values())
        median = ordered[(len(ordered) - 1) // 2]
        least = max(SMALLEST_KNOWN, round(_SMALL_SHARE * median))
    authors = tuple(sorted(name for name, words in available.items() if words >= least))
    left_out = {name: words for name, words in sorted(available.items()) if words < least}
    if len(authors) < 2:
        found = [f"{name} ({number(words, 0)})" for name, words in left_out.items()]
        raise TrainingError(
            f"fewer than two authors have {quantity(least, 'known word')} without the texts that "
            f"are held out: {join_names(found)}; add texts, or use smaller amounts of known words"
        )
    if requested:
        return KnownSizes(tuple(sorted(set(requested))), authors, left_out)
    largest = min(available[name] for name in authors)
    smaller = round_numbers(SMALLEST_KNOWN, _NEARLY_ALL * largest) or [largest // 2]
    return KnownSizes((*smaller, largest), authors, left_out)


def choose_text_lengths(held_out: Sequence[int], requested: Sequence[int] = ()) -> tuple[int, ...]:
    """Choose lengths of questioned passages in words.

    By default, the longest is the largest round number up to 5,000 that half of the held-out texts
    reach.

    Parameters
    ----------
    held_out : sequence of int
        Number of words of each held-out text.
    requested : sequence of int
        Lengths to use instead.

    Raises
    ------
    UsageError
        A length is below one word.
    TrainingError
        There is no held-out text, or none has one of the lengths.

    Examples
    --------
    >>> choose_text_lengths([120, 240, 260])
    (50, 100, 200)
    """
    for words in requested:
        check_number("each length of questioned texts in words", words, 1)
    longest = max(held_out, default=0)
    if not longest:
        raise TrainingError(
            "no held-out text is by an author with enough known text; add known texts by the "
            "authors of the questioned texts, or use smaller amounts of known words"
        )
    if requested:
        if max(requested) > longest:
            raise TrainingError(
                f"no held-out text has {quantity(max(requested), 'word')}: the longest has "
                f"{number(longest, 0)}; use smaller lengths"
            )
        return tuple(sorted(set(requested)))
    median = sorted(held_out)[len(held_out) // 2]
    return tuple(round_numbers(SHORTEST_TEXT, min(median, LONGEST_TEXT))) or (longest,)


def round_numbers(low: float, high: float) -> list[int]:
    """Return the numbers from ``low`` to ``high`` that are 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> round_numbers(200, 5000)
    [200, 500, 1000, 2000, 5000]
    """
    steps = (factor * 10**power for power in range(12) for factor in (1, 2, 5))
    return [step for step in steps if low <= step <= high]
