"""The answers about a text in all variations, and the verdict: whether the answer changes."""

from __future__ import annotations

from dataclasses import dataclass

from byline.answering.variations import Variation
from byline.attribution import Attribution
from byline.formatting import bounded_percent, isolated, join_names, quantity

_SHOWN = 3  # changes that the verdict names


@dataclass(frozen=True, slots=True)
class VariedAnswer:
    """The answer about one text in one variation.

    Attributes
    ----------
    variation : Variation
    first : str or None
        The first candidate; None if the text was declined or training failed.
    first_probability : float or None
        Of this candidate; None without calibration.
    probability, log10_lr : float or None
        Of the first candidate of the model's own answer.
    reason : str or None
        Why there is no answer, as a clause.

    See Also
    --------
    Sensitivity : The answers in all variations.

    Examples
    --------
    >>> variation = Variation("known-texts", "without the text ada/1.txt", (1, 2, 3), (0,))
    >>> VariedAnswer(variation, "Ben", 0.7, 0.2, -0.5, None).first
    'Ben'
    """

    variation: Variation
    first: str | None
    first_probability: float | None
    probability: float | None
    log10_lr: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How the answer about one text changes in all variations.

    Attributes
    ----------
    answer : Attribution
        Of the model, in a closed set.
    varied : tuple of VariedAnswer
        In the order of the plan; fewer than ``n_planned`` after an interruption.
    n_planned : int
        Number of variations that apply to the text; 0 if it was declined.
    notes : tuple of str
        What was not varied, in sentences.

    See Also
    --------
    plan_sensitivity, run_variations : Make it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> [answer] = model.fit(known, ["Ann", "Bob"]).attribute(["The cat sat."])
    >>> names = ["without the text 1.txt", "without the text 2.txt"]
    >>> varied = [
    ...     VariedAnswer(Variation("known-texts", name, (0,), (0,)), first, *[None] * 4)
    ...     for name, first in zip(names, ["Ann", "Bob"])
    ... ]
    >>> found = Sensitivity(answer, tuple(varied), n_planned=2, notes=())
    >>> print(found.verdict)  # doctest: +NORMALIZE_WHITESPACE
    The answer changes to Bob without the text 2.txt. In the other variation the first
    candidate is Ann.
    """

    answer: Attribution
    varied: tuple[VariedAnswer, ...]
    n_planned: int
    notes: tuple[str, ...]

    @property
    def answered(self) -> list[VariedAnswer]:
        """The variations in which there is a first candidate."""
        return [each for each in self.varied if each.first is not None]

    @property
    def changed(self) -> list[VariedAnswer]:
        """The variations in which another candidate is the first."""
        first = self.answer.ranking[0].author if self.answer.ranking else None
        return [each for each in self.answered if each.first != first]

    @property
    def comparable_probabilities(self) -> list[float]:
        """Of the first candidate of the model's answer, with its candidates and unmasked words."""
        return [
            each.probability
            for each in self.answered
            if each.probability is not None and each.variation.is_comparable
        ]

    @property
    def probability_range(self) -> tuple[float, float] | None:
        """Lowest and highest of `comparable_probabilities`; None if there are none."""
        found = self.comparable_probabilities
        return (min(found), max(found)) if found else None

    @property
    def verdict(self) -> str:
        """Whether the answer changes, in sentences."""
        if not self.answer.ranking:
            return f"The text was declined ({self.answer.declined}), so no answer was varied."
        sentences = [self._change()] if self.answered else []
        if self.comparable_probabilities:
            sentences.append(self._range(self.comparable_probabilities))
        n_without = len(self.varied) - len(self.answered)
        if n_without:
            sentences.append(f"In {quantity(n_without, 'variation')} there is no answer.")
        if len(self.varied) < self.n_planned:
            sentences.append(
                f"Only {len(self.varied):,} of {quantity(self.n_planned, 'variation')} were "
                "computed before the interruption."
            )
        return " ".join(sentences)

    def _change(self) -> str:
        first, n = isolated(self.answer.ranking[0].author), len(self.answered)
        if not self.changed:
            where = f"all {n:,} variations" if n > 1 else "the one variation"
            return f"The first candidate is {first} in {where}."
        changes = [f"to {isolated(str(each.first))} {each.variation.name}" for each in self.changed]
        if len(changes) == 1:
            told = f"The answer changes {changes[0]}"
        else:
            more = changes[:_SHOWN]
            if len(changes) > _SHOWN:
                more.append(f"{len(changes) - _SHOWN:,} more")
            told = f"The answer changes in {len(changes):,} of {n:,} variations: {join_names(more)}"
        rest = n - len(changes)
        if not rest:
            return f"{told}."
        others = f"the other {rest:,} variations" if rest > 1 else "the other variation"
        return f"{told}. In {others} the first candidate is {first}."

    def _range(self, found: list[float]) -> str:
        first, n = isolated(self.answer.ranking[0].author), len(found)
        low, high = bounded_percent(min(found)), bounded_percent(max(found))
        value = f"is {low}" if low == high else f"lies between {low} and {high}"
        where = f"the {n:,} variations" if n > 1 else "the one variation"
        return (
            f"In {where} with the same candidates and unmasked words, the probability of {first} "
            f"{value}."
        )
