"""Answers about questioned texts, some of them by none of the candidates, at several rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from byline.attribution import Attribution, OpenSetDecision, StackedAttributor
from byline.attribution.open_set import EVEN_ODDS, Criterion
from byline.corpus import Corpus
from byline.errors import UsageError


@dataclass(frozen=True, slots=True)
class RateAnswers:
    """Whether each text was attributed to its first candidate, by one criterion.

    Attributes
    ----------
    rate : float, "even-odds" or None
        The requested false-attribution rate, or even odds; None for a method that has a rule of its
        own.
    accepted : tuple of bool, (n_texts,)
        Whether the text was attributed to its first candidate.
    withheld : tuple of bool, (n_texts,)
        Whether there was no answer: the text was declined, or a rejection would say too little. The
        other texts that were not accepted were attributed to none of the candidates.
    false_rates, missed_rates : tuple of float or None, (n_texts,)
        The false-attribution and missed-attribution rates that the decision stated; None where none
        was stated.
    """

    rate: Criterion | None
    accepted: tuple[bool, ...]
    withheld: tuple[bool, ...]
    false_rates: tuple[float | None, ...]
    missed_rates: tuple[float | None, ...]

    @classmethod
    def of_attributions(cls, rate: Criterion, answers: Sequence[Attribution]) -> Self:
        """Collect what the decisions of a stack say.

        Parameters
        ----------
        rate : float or "even-odds"
        answers : sequence of Attribution
            By this criterion. A text that was declined has no decision.
        """
        decisions = [answer.open_set for answer in answers]
        return cls(
            rate,
            tuple(each is not None and each.accepted for each in decisions),
            tuple(each is None or each.is_undecided for each in decisions),
            tuple(None if each is None else each.false_attributions.rate for each in decisions),
            tuple(None if each is None else each.missed_attributions.rate for each in decisions),
        )


@dataclass(frozen=True, slots=True)
class OpenSetAnswers:
    """Answers by one classifier about texts by candidates and by unknown authors.

    Attributes
    ----------
    candidates : tuple of str
    paths : tuple of str, (n_texts,)
    authors : tuple of str or None, (n_texts,)
        The true authors; None for an unknown author without a name.
    first : tuple of str, (n_texts,)
        The first candidate, whether the text was attributed or not.
    statistics : tuple of float or None, (n_texts,)
        The larger, the more the text resembles its first candidate; None if it was declined.
    by_rate : tuple of RateAnswers
        One per criterion; without false-attribution rates that could not be set.
    unavailable : tuple of (float, str)
        The other rates, and why they could not be set.

    Examples
    --------
    >>> answers = OpenSetAnswers(
    ...     candidates=("Ann", "Bob", "Cyd"), paths=("1.txt", "2.txt"), authors=("Ann", "Eve"),
    ...     first=("Ann", "Bob"), statistics=(3.5, 0.5),
    ...     by_rate=(RateAnswers(0.05, (True, False), (False, False), (0.1, 0.1), (0.4, 0.4)),),
    ...     unavailable=(),
    ... )
    >>> answers.is_known
    (True, False)
    >>> OpenSetAnswers.from_dict(answers.to_dict()) == answers
    True
    """

    candidates: tuple[str, ...]
    paths: tuple[str, ...]
    authors: tuple[str | None, ...]
    first: tuple[str, ...]
    statistics: tuple[float | None, ...]
    by_rate: tuple[RateAnswers, ...]
    unavailable: tuple[tuple[float, str], ...]

    @property
    def is_known(self) -> tuple[bool, ...]:
        """Whether each text was written by a candidate."""
        candidates = set(self.candidates)
        return tuple(author in candidates for author in self.authors)

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Return the answers that `to_dict` wrote, also after JSON made lists of tuples.

        Raises
        ------
        KeyError, TypeError, ValueError
            They are something else.
        """
        columns = {name: tuple(values[name]) for name in _COLUMNS}
        by_rate = [
            RateAnswers(
                each["rate"] if each["rate"] in (None, EVEN_ODDS) else float(each["rate"]),
                *(tuple(each[name]) for name in _OF_RATES),
            )
            for each in values["by_rate"]
        ]
        of_texts = [columns[name] for name in _COLUMNS[1:]]
        of_texts += [own for each in by_rate for own in (each.accepted, each.withheld)]
        of_texts += [rates for each in by_rate for rates in (each.false_rates, each.missed_rates)]
        if len(set(map(len, of_texts))) != 1:
            raise ValueError("columns of different lengths")
        unavailable = tuple((float(rate), str(reason)) for rate, reason in values["unavailable"])
        return cls(**columns, by_rate=tuple(by_rate), unavailable=unavailable)


_OF_RATES = ("accepted", "withheld", "false_rates", "missed_rates")
_COLUMNS = ("candidates", "paths", "authors", "first", "statistics")


def answer_open_set(
    stack: StackedAttributor, questioned: Corpus, rates: Sequence[Criterion], *, unnamed: str = ""
) -> OpenSetAnswers:
    """Attribute texts at several false-attribution rates, as `byline attribute --open-set` does.

    Parameters
    ----------
    stack : StackedAttributor
        Fitted with ``open_set``.
    questioned : Corpus
        With the true authors.
    rates : sequence of float or "even-odds"
        False-attribution rates, or even odds; one or more.
    unnamed : str
        The author's name of texts by unknown authors without a name, if there are such texts.

    Raises
    ------
    UsageError
        None of the rates can be set with the known texts.
    """
    paths = questioned.paths
    scores = stack.score_texts(questioned.texts)
    by_rate: list[RateAnswers] = []
    unavailable: list[tuple[float, str]] = []
    decisions: list[OpenSetDecision | None] = []
    for rate in rates:
        try:
            answers = stack.attribute_scored(scores, paths, false_attribution_rate=rate)
        except UsageError as error:
            if rate == EVEN_ODDS or len(unavailable) + 1 == len(rates):
                raise
            unavailable.append((rate, str(error)))
            continue
        decisions = [answer.open_set for answer in answers]
        by_rate.append(RateAnswers.of_attributions(rate, answers))
    first = stack.classes_[scores.log_odds.argmax(axis=1)]
    return OpenSetAnswers(
        candidates=tuple(map(str, stack.classes_)),
        paths=tuple(paths),
        authors=tuple(None if author == unnamed else author for author in questioned.authors),
        first=tuple(map(str, first)),
        statistics=tuple(None if each is None else each.statistic for each in decisions),
        by_rate=tuple(by_rate),
        unavailable=tuple(unavailable),
    )
