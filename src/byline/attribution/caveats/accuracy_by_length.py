"""The accuracy on held-out known texts by their length, and caveats about a text's length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from byline.array_types import Booleans, Integers
from byline.attribution.caveats.caveat import Caveat
from byline.formatting import number, percent, percent_range

MIN_IN_BAND = 20
_SHORT_QUANTILE = 0.05  # of the whole known texts; only a shorter text can be called short
_FEWEST_TO_JUDGE = 5  # held-out texts; with fewer, all may be misattributed by chance
_UNTESTED_FACTOR = 2.0  # times the length of the longest or shortest held-out text
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class LengthBand:
    """Held-out texts of similar length.

    Attributes
    ----------
    shortest, longest : int
        Lengths of the shortest and the longest text, in characters without white space.
    n, n_correct : int
        Number of texts, and how many of them were correctly attributed.

    See Also
    --------
    accuracy_by_length : Divide held-out texts into bands.

    Examples
    --------
    >>> band = LengthBand(shortest=1000, longest=2000, n=50, n_correct=45)
    >>> band.accuracy
    0.9
    """

    shortest: int
    longest: int
    n: int
    n_correct: int

    @property
    def accuracy(self) -> float:
        """Share of the texts that were correctly attributed."""
        return self.n_correct / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the accuracy (Wilson 1927), texts taken as independent."""
        found = binomtest(self.n_correct, self.n).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    @property
    def middle(self) -> float:
        """Geometric mean of the shortest and the longest length."""
        return math.sqrt(max(self.shortest, 1) * max(self.longest, 1))


def accuracy_by_length(sizes: ArrayLike, is_correct: ArrayLike) -> tuple[LengthBand, ...]:
    """Divide held-out texts into bands of length; the limits are 1, 2, 5, 10, 20, 50 and so on.

    Parameters
    ----------
    sizes : (n_texts,) int
        Lengths in characters without white space.
    is_correct : (n_texts,) bool
        Whether each text was correctly attributed.

    Returns
    -------
    tuple of LengthBand
        In ascending order of length, with at least `MIN_IN_BAND` texts each. One band if there are
        fewer texts, none if there is no text.

    Examples
    --------
    >>> bands = accuracy_by_length([90] * 40 + [900] * 40, [True] * 60 + [False] * 20)
    >>> [(band.shortest, band.accuracy) for band in bands]
    [(90, 1.0), (900, 0.5)]
    """
    lengths, hits = np.asarray(sizes, dtype=np.int64), np.asarray(is_correct, dtype=bool)
    if not lengths.size:
        return ()
    order = np.argsort(lengths, kind="stable")
    lengths, hits = lengths[order], hits[order]
    return tuple(
        LengthBand(
            shortest=int(lengths[start]),
            longest=int(lengths[end - 1]),
            n=end - start,
            n_correct=int(hits[start:end].sum()),
        )
        for start, end in pairwise(_limits(lengths))
    )


def nearest_band(bands: Sequence[LengthBand], size: int) -> LengthBand:
    """Return the band that a text of ``size`` characters belongs to, or else the nearest one.

    Examples
    --------
    >>> bands = [LengthBand(90, 100, 40, 40), LengthBand(900, 1000, 40, 20)]
    >>> nearest_band(bands, 700).shortest
    900
    """
    return min(bands, key=lambda band: max(band.shortest - size, size - band.longest, 0))


def length_caveats(
    size: int, sizes: Integers, is_correct: Booleans, is_whole: Booleans
) -> Iterator[Caveat]:
    """Find out whether a text is short, or of a length for which the accuracy is unknown.

    Parameters
    ----------
    size : int
        Length of the questioned text in characters without white space.
    sizes, is_correct, is_whole : (n_texts,)
        The held-out texts: lengths, whether correctly attributed, and whether a whole text.
    """
    if not sizes.size:
        return
    if size > _UNTESTED_FACTOR * sizes.max():
        yield _untested(size, int(sizes.max()), "longer-than-measured", "longest")
    elif size * _UNTESTED_FACTOR < sizes.min():
        yield _untested(size, int(sizes.min()), "shorter-than-measured", "shortest")
    n_whole = is_whole.sum()
    if n_whole and size < np.quantile(sizes[is_whole], _SHORT_QUANTILE):
        all_whole = LengthBand(0, 0, int(n_whole), int(is_correct[is_whole].sum()))
        band = nearest_band(accuracy_by_length(sizes, is_correct), size)
        if band.interval[1] < all_whole.interval[0]:
            yield _short(size, band, all_whole)


def guessing_caveats(is_correct: Booleans, n_candidates: int) -> Iterator[Caveat]:
    """Find out whether held-out known texts were attributed no better than by guessing.

    Parameters
    ----------
    is_correct : (n_texts,) bool
        Whether each whole held-out text was correctly attributed.
    n_candidates : int
    """
    n, n_correct = len(is_correct), int(is_correct.sum())
    if n < _FEWEST_TO_JUDGE or n_correct > n / n_candidates:
        return
    yield Caveat(
        "no-better-than-guessing",
        f"Of {number(n, 0)} held-out known texts, {number(n_correct, 0)} "
        f"({percent(n_correct / n, 0)}) were correctly attributed; guessing would be right in "
        f"{percent(1 / n_candidates, 0)}. The known texts do not show that the candidates can be "
        "distinguished.",
        {"n": n, "n_correct": n_correct, "accuracy_of_guessing": 1 / n_candidates},
    )


def _short(size: int, band: LengthBand, whole: LengthBand) -> Caveat:
    return Caveat(
        "short-text",
        f"The text is short: {number(size, 0)} characters. Of {number(band.n, 0)} held-out known "
        f"passages of {number(band.shortest, 0)} to {number(band.longest, 0)} characters, "
        f"{percent(band.accuracy)} were correctly attributed (95 % interval "
        f"{percent_range(*band.interval)}); of whole known texts, {percent(whole.accuracy)}.",
        {
            "n_characters": size,
            "shortest": band.shortest,
            "longest": band.longest,
            "n": band.n,
            "accuracy": band.accuracy,
            "accuracy_interval": band.interval,
            "accuracy_of_whole_texts": whole.accuracy,
        },
    )


def _untested(size: int, limit: int, code: str, which: str) -> Caveat:
    relation = "more than twice" if size > limit else "less than half"
    return Caveat(
        code,
        f"The text has {number(size, 0)} characters, {relation} the length of the {which} held-out "
        f"known text ({number(limit, 0)} characters). The accuracy at that length is unknown.",
        {"n_characters": size, which: limit},
    )


def _limits(lengths: Integers) -> list[int]:
    """Return where bands begin in ascending lengths, and where the last one ends."""
    highest = max(int(lengths[-1]), 1)
    powers = range(math.floor(math.log10(highest)) + 1)
    round_lengths = [step * 10**power for power in powers for step in _STEPS]
    limits = [0]
    for place in np.searchsorted(lengths, round_lengths).tolist():
        if place - limits[-1] >= MIN_IN_BAND:
            limits.append(place)
    if len(limits) > 1 and len(lengths) - limits[-1] < MIN_IN_BAND:
        limits.pop()
    return [*limits, len(lengths)]
