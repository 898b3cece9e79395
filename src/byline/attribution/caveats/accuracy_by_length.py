"""How often held-out known texts of a length were given to the right author."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

from byline.attribution.caveats.caveat import Caveat
from byline.formatting import percent, percent_range

MIN_IN_BAND = 20
# Whole known texts: of a text that is longer than one in twenty of these, nothing is said.
_SHORT = 0.05
_MUCH = 2.0  # times the longest or shortest held-out text
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class LengthBand:
    """Held-out texts of about one length.

    Attributes
    ----------
    shortest, longest : int
        Of these texts, in characters that are not white space.
    n, n_right : int
        Texts, and those of them given to the right author.
    """

    shortest: int
    longest: int
    n: int
    n_right: int

    @property
    def accuracy(self) -> float:
        """Share of the texts given to the right author."""
        return self.n_right / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval (Wilson 1927) of `accuracy`, texts taken as independent."""
        found = binomtest(self.n_right, self.n).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    @property
    def middle(self) -> float:
        """The length in the middle, by the logarithm."""
        return math.sqrt(max(self.shortest, 1) * max(self.longest, 1))


def accuracy_by_length(sizes: ArrayLike, right: ArrayLike) -> tuple[LengthBand, ...]:
    """Part held-out texts by length; each band is between round numbers 1, 2, 5, 10 ... apart.

    Parameters
    ----------
    sizes : (n_texts,) int
        Characters that are not white space.
    right : (n_texts,) bool
        Whether a text was given to its author.

    Returns
    -------
    tuple of LengthBand
        Shortest first, each of at least `MIN_IN_BAND` texts; one band where texts are fewer, none
        where there is no text.
    """
    lengths, hits = np.asarray(sizes, dtype=np.int64), np.asarray(right, dtype=bool)
    if not lengths.size:
        return ()
    order = np.argsort(lengths, kind="stable")
    lengths, hits = lengths[order], hits[order]
    cuts = _cuts(lengths)
    return tuple(
        LengthBand(
            shortest=int(lengths[start]),
            longest=int(lengths[end - 1]),
            n=end - start,
            n_right=int(hits[start:end].sum()),
        )
        for start, end in pairwise(cuts)
    )


def band_of(bands: Sequence[LengthBand], size: int) -> LengthBand:
    """Return the band a text of ``size`` characters belongs to, or the nearest one."""
    return min(
        bands,
        key=lambda band: max(band.shortest - size, size - band.longest, 0),
    )


def length_caveats(
    size: int, sizes: NDArray[np.int64], right: NDArray[np.bool_], is_whole: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Say whether a text is short for the accuracy of such, or of a length not measured.

    Parameters
    ----------
    size : int
        Of the questioned text, in characters that are not white space.
    sizes, right, is_whole : (n_texts,)
        Of held-out texts: lengths, whether given to the right author, whether no part of a text.
    """
    if not sizes.size:
        return
    if size > _MUCH * sizes.max():
        yield _not_measured(size, int(sizes.max()), "longer-than-measured", "longest")
    elif size * _MUCH < sizes.min():
        yield _not_measured(size, int(sizes.min()), "shorter-than-measured", "shortest")
    whole = is_whole.sum()
    if whole and size < np.quantile(sizes[is_whole], _SHORT):
        all_whole = LengthBand(0, 0, int(whole), int(right[is_whole].sum()))
        band = band_of(accuracy_by_length(sizes, right), size)
        if band.interval[1] < all_whole.interval[0]:
            yield _short(size, band, all_whole)


def _short(size: int, band: LengthBand, whole: LengthBand) -> Caveat:
    return Caveat(
        "short-text",
        f"The text is short: {size:,} characters. Of {band.n:,} known passages of "
        f"{band.shortest:,} to {band.longest:,} that were held out, {percent(band.accuracy)} "
        f"were given to the right author ({percent_range(*band.interval)}); of whole known texts, "
        f"{percent(whole.accuracy)}.",
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


def _not_measured(size: int, bound: int, code: str, which: str) -> Caveat:
    than = "more than twice" if size > bound else "less than half"
    return Caveat(
        code,
        f"The text has {size:,} characters, {than} of the {which} known text that was held out "
        f"({bound:,}): how often answers are right at that length was not measured.",
        {"n_characters": size, which: bound},
    )


def _cuts(lengths: NDArray[np.int64]) -> list[int]:
    """Where bands begin, and where the last one ends; ``lengths`` ascend."""
    highest = max(int(lengths[-1]), 1)
    powers = range(math.floor(math.log10(highest)) + 1)
    rounds = [step * 10**power for power in powers for step in _STEPS]
    cuts = [0]
    for place in np.searchsorted(lengths, rounds).tolist():
        if place - cuts[-1] >= MIN_IN_BAND:
            cuts.append(place)
    if len(cuts) > 1 and len(lengths) - cuts[-1] < MIN_IN_BAND:
        cuts.pop()
    return [*cuts, len(lengths)]
