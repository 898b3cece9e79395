"""How often the texts of simulated cases were correctly attributed, by the size of the case."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.errors import ModelFileError
from byline.formatting import percent, quantity, significant

Range = tuple[int, int]

_CANDIDATES: tuple[Range, ...] = ((2, 2), (3, 4), (5, 7), (8, 21))
# Limits between neighbouring groups, in characters without white space.
_KNOWN_CHARACTERS = (2000, 6000, 20_000)
_TEXT_CHARACTERS = (150, 400, 1500, 6000, 20_000)
# Smaller groups are joined with a neighbour. Texts of one case are not independent of each other.
_RANGES = ("candidates", "known_characters", "text_characters")
_NUMBERS = ("n_cases", "n_texts", "n_correct")
_MIN_CASES, _MIN_TEXTS = 10, 100


@dataclass(frozen=True, slots=True)
class SimilarCases:
    """Simulated cases of similar size, and how often their texts were correctly attributed.

    The rule that answered them had not been fitted to cases of the same corpus.

    Attributes
    ----------
    candidates : (int, int)
        The smallest and largest number of candidates.
    known_characters : (int, int)
        Known text per author (geometric mean), in characters that are not white space: from the
        first number to below the second.
    text_characters : (int, int)
        Length of the questioned text; likewise.
    n_cases, n_texts, n_correct : int
        Numbers of cases, of their questioned texts and of those that were correctly attributed.
    mean_probability : float
        Mean of the stated probabilities of the first candidates.

    See Also
    --------
    Attribution : An answer, with the simulated cases of its size.

    Examples
    --------
    >>> cases = SimilarCases((3, 4), (2000, 6000), (400, 1500), 30, 310, 214, 0.71)
    >>> cases.accuracy
    0.6903225806451613
    """

    candidates: Range
    known_characters: Range
    text_characters: Range
    n_cases: int
    n_texts: int
    n_correct: int
    mean_probability: float

    @classmethod
    def none(cls, n_candidates: int, known_characters: int, text_characters: int) -> SimilarCases:
        """Return that there is no simulated case of this size."""
        sizes = n_candidates, known_characters, text_characters
        candidates, known, text = ((size, size) for size in sizes)
        return cls(candidates, known, text, 0, 0, 0, 0.0)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SimilarCases:
        """Rebuild the cases from what ``asdict`` returned, with lists for tuples.

        Raises
        ------
        ModelFileError
            If a value is missing or invalid.
        """
        candidates, known, text = (_read_range(data, name) for name in _RANGES)
        numbers: list[Any] = [data.get(name) for name in _NUMBERS]
        mean = data.get("mean_probability")
        if not all(type(n) is int and n >= 0 for n in numbers) or type(mean) is not float:
            raise ModelFileError("a number of simulated cases is missing or invalid")
        n_cases, n_texts, n_correct = numbers
        if n_correct > n_texts or not 0 <= mean <= 1:
            raise ModelFileError("the numbers of simulated cases contradict each other")
        return cls(candidates, known, text, n_cases, n_texts, n_correct, mean)

    @property
    def accuracy(self) -> float | None:
        """The share of texts that were correctly attributed; None without texts."""
        return self.n_correct / self.n_texts if self.n_texts else None

    @property
    def sentence(self) -> str:
        """How often such texts were correctly attributed, as a sentence."""
        size = (
            f"{_between(self.candidates)} candidates, {_between(self.known_characters)} characters "
            f"of known text per author, {'texts' if self.n_texts else 'a text'} of "
            f"{_between(self.text_characters)} characters"
        )
        if not self.n_texts:
            return (
                f"No case of this size was simulated ({size}). The probability is therefore based "
                "on simulated cases of other sizes and on the held-out known texts, if there are "
                "any."
            )
        return (
            f"In {quantity(self.n_cases, 'simulated case')} of this size ({size}), "
            f"{self.n_correct:,} of {self.n_texts:,} texts ({percent(self.accuracy, 0)}) were "
            f"correctly attributed, at a mean stated probability of "
            f"{percent(self.mean_probability, 0)}."
        )


@dataclass(frozen=True, slots=True)
class SimulatedOutcomes:
    """Outcomes of the questioned texts of simulated cases.

    Attributes
    ----------
    cases : (n_texts,) int64
        The number of each text's case.
    n_candidates, text_characters : (n_texts,) int64
    known_characters : (n_texts,) float64
        Geometric mean of the authors' known characters.
    is_correct : (n_texts,) bool
    probabilities : (n_texts,) float64
        Of the first candidate.
    """

    cases: Integers
    n_candidates: Integers
    known_characters: Floats
    text_characters: Integers
    is_correct: Booleans
    probabilities: Floats

    def count(self) -> list[SimilarCases]:
        """Count the correct answers by number of candidates, known text and length of the text.

        Groups with few cases or texts are joined with a neighbour.
        """
        return list(self._count())

    def _count(self) -> Iterator[SimilarCases]:
        for candidates in _CANDIDATES:
            least, most = candidates
            is_in = (self.n_candidates >= least) & (self.n_candidates <= most)
            if not is_in.any():
                continue
            known = self.known_characters
            for known_range, own in _groups(known, is_in, _KNOWN_CHARACTERS, self._has_cases):
                sizes = self.text_characters
                for text_range, chosen in _groups(sizes, own, _TEXT_CHARACTERS, _has_texts):
                    yield SimilarCases(
                        (least, int(self.n_candidates[is_in].max())),
                        known_range,
                        text_range,
                        len(np.unique(self.cases[chosen])),
                        int(chosen.sum()),
                        int(self.is_correct[chosen].sum()),
                        round(float(self.probabilities[chosen].mean()), 4),
                    )

    def _has_cases(self, chosen: Booleans) -> bool:
        return len(np.unique(self.cases[chosen])) >= _MIN_CASES


def of_amounts(
    rows: Sequence[SimilarCases], n_candidates: int, known_characters: float
) -> tuple[SimilarCases, ...]:
    """Select the simulated cases with about as many candidates and about as much known text.

    Parameters
    ----------
    rows : sequence of SimilarCases
    n_candidates : int
    known_characters : float
        Geometric mean of the authors' known characters.

    Returns
    -------
    tuple of SimilarCases
        By length of the text, ascending. If there are none, one without texts.
    """
    found = [
        row
        for row in rows
        if row.candidates[0] <= n_candidates <= row.candidates[1]
        and _is_within(known_characters, row.known_characters)
    ]
    return tuple(found) or (SimilarCases.none(n_candidates, round(known_characters), 0),)


def of_length(rows: Sequence[SimilarCases], text_characters: int) -> SimilarCases | None:
    """Select the simulated texts of similar length.

    Parameters
    ----------
    rows : sequence of SimilarCases
        As `of_amounts` returned them; empty if no cases were simulated for the base classifiers.
    text_characters : int

    Returns
    -------
    SimilarCases or None
        Without texts if none has a similar length; None if ``rows`` is empty.
    """
    for row in rows:
        if row.n_texts and _is_within(text_characters, row.text_characters):
            return row
    if not rows:
        return None
    length = text_characters, text_characters
    return replace(
        rows[0], text_characters=length, n_cases=0, n_texts=0, n_correct=0, mean_probability=0.0
    )


def _groups(
    values: NDArray[Any],
    chosen: Booleans,
    limits: Sequence[int],
    is_enough: Callable[[Booleans], bool],
) -> Iterator[tuple[Range, Booleans]]:
    """Divide the chosen values at some of the limits, so that each group is large enough."""
    own = values[chosen]
    lowest, highest = _round_down(own.min()), _round_up(own.max())
    ends = [lowest, *(limit for limit in limits if lowest < limit < highest), highest]
    start, groups = lowest, list[tuple[Range, Booleans]]()
    for end in ends[1:]:
        is_in = chosen & (values >= start) & (values < end)
        if is_enough(is_in):
            groups.append(((start, end), is_in))
            start = end
    if start < highest:  # the rest joins the group before it
        first = groups.pop()[0][0] if groups else start
        groups.append(((first, highest), chosen & (values >= first)))
    yield from groups


def _has_texts(chosen: Booleans) -> bool:
    return int(chosen.sum()) >= _MIN_TEXTS


def _read_range(data: Mapping[str, Any], name: str) -> Range:
    value = data.get(name)
    if not isinstance(value, list | tuple) or [type(each) for each in value] != [int, int]:
        raise ModelFileError(f"{name} is {value!r:.60}, not two numbers")
    return value[0], value[1]


def _is_within(value: float, limits: Range) -> bool:
    return limits[0] <= value < limits[1]


def _round_down(value: float) -> int:
    """Round down to one significant digit."""
    unit = 10 ** math.floor(math.log10(max(value, 1)))
    return int(value // unit * unit)


def _round_up(value: float) -> int:
    """Return the next number with one significant digit, which is above the value."""
    unit = 10 ** math.floor(math.log10(max(value, 1)))
    return int((value // unit + 1) * unit)


def _between(limits: Range) -> str:
    low, high = limits
    return significant(low) if low == high else f"{low:,} to {high:,}"
