"""The scores of texts under a stack's base classifiers, and the rule by which each is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.author_scores import author_scores
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.open_set import Criterion, OpenSetDecision
from byline.attribution.result import (
    LOG_ODDS,
    Attribution,
    CalibratedProbabilities,
    TextCounts,
    TextScores,
    make_attributions,
)
from byline.attribution.similar_cases import SimilarCases, of_length
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.calibrator import log10_likelihood_ratios
from byline.attribution.stacking.combination import count_characters, reasons_to_decline
from byline.attribution.stacking.fallbacks import AnswerRule, RuleChoice, limit_probabilities
from byline.attribution.stacking.plain_texts import PlainTexts

NOT_IN_OPEN_SET = (
    "the text differs from the known texts in letter case, punctuation, paragraphs or accents, so "
    "that only some of the base classifiers can be applied, and open-set attribution needs all of "
    "them; attribute the text without open set"
)


@dataclass(frozen=True, slots=True)
class StackScores:
    """The scores of texts under all base classifiers.

    Attributes
    ----------
    names : tuple of str, (n_base_classifiers,)
    by_base_classifier : (n_base_classifiers, n_documents, n_authors) float64
        In each base classifier's own unit.
    log_odds : (n_documents, n_authors) float64
        Of the combination of each text's answer rule, in nats.
    counts : TextCounts
        With the scores of the language models, if there are any.
    reasons : list of str or None, (n_documents,)
        Why each text is declined; None for a text that is not.
    sizes : (n_documents,) int64
        The characters of each text that are not white space, after normalisation.
    choices : list of RuleChoice, (n_documents,)
        The answer rule of each text.
    """

    names: tuple[str, ...]
    by_base_classifier: Floats
    log_odds: Floats
    counts: TextCounts
    reasons: list[str | None]
    sizes: Integers
    choices: list[RuleChoice]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        base_classifiers: Mapping[str, BaseClassifier],
        reader: AuthorshipAttributor | PlainTexts,
        choices: Sequence[RuleChoice],
    ) -> Self:
        """Score texts with all base classifiers, also those that ``reader`` declines.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        base_classifiers : mapping of name to fitted base classifier
        reader : AuthorshipAttributor or PlainTexts
            The first base classifier with language models, or what takes its place.
        choices : sequence of RuleChoice, (n_documents,)
        """
        counts, reasons = _read(reader, texts)
        n_authors = len(next(iter(base_classifiers.values())).classes_)
        scores = np.zeros((len(base_classifiers), len(texts), n_authors))
        for row, classifier in zip(scores, base_classifiers.values(), strict=True):
            if isinstance(counts, TextScores) and classifier is reader:
                row[:] = counts.scores
            elif texts:
                row[:] = author_scores(classifier, texts)
        sizes = count_characters(texts)
        log_odds = np.zeros(scores.shape[1:])
        without_preference: list[str | None] = [None] * len(texts)
        for rule, places in _by_rule(choices):
            used = [name in rule.base_classifiers for name in base_classifiers]
            own, lengths = scores[used][:, places], sizes[places]
            log_odds[places] = rule.combination.combine(own, lengths)
            found = reasons_to_decline(log_odds[places])
            for place, reason in zip(places.tolist(), found, strict=True):
                without_preference[place] = reason
        reasons = [
            of_text or choice.declined or of_rule
            for of_text, choice, of_rule in zip(reasons, choices, without_preference, strict=True)
        ]
        return cls(
            tuple(base_classifiers),
            scores,
            log_odds,
            counts,
            reasons,
            sizes,
            list(choices),
        )

    @classmethod
    def join(cls, blocks: Sequence[Self]) -> Self:
        """Concatenate the scores of at least one block of texts."""
        if len(blocks) == 1:
            return blocks[0]
        return cls(
            blocks[0].names,
            np.concatenate([block.by_base_classifier for block in blocks], axis=1),
            np.concatenate([block.log_odds for block in blocks]),
            _join_counts([block.counts for block in blocks]),
            [reason for block in blocks for reason in block.reasons],
            np.concatenate([block.sizes for block in blocks]),
            list(chain.from_iterable(block.choices for block in blocks)),
        )

    def reasons_to_decline(self, false_attribution_rate: Criterion | None) -> list[str | None]:
        """Return why each text is declined, (n_documents,); None for a text that is not.

        Parameters
        ----------
        false_attribution_rate : float, "even-odds" or None
            With a rate, a text that some base classifiers cannot be applied to is declined, because
            the rejection rule was calibrated for all of them together.
        """
        is_open = false_attribution_rate is not None
        return [
            reason or (NOT_IN_OPEN_SET if is_open and choice.unused else None)
            for reason, choice in zip(self.reasons, self.choices, strict=True)
        ]

    def attributions(
        self,
        classes: NDArray[Any],
        basis: str,
        open_set: Sequence[OpenSetDecision | None],
        *,
        paths: Sequence[str] | None,
        false_attribution_rate: Criterion | None,
    ) -> list[Attribution]:
        """Rank the candidates for every text, or give the reason why it is declined.

        Parameters
        ----------
        classes : (n_authors,) str
        basis : str
            What the probabilities are calibrated on.
        open_set : (n_documents,)
            Whether one of the candidates wrote each text, if that was asked.
        paths : (n_documents,), optional
        false_attribution_rate : float, "even-odds" or None
        """
        probabilities = np.exp(self.log_probabilities())
        return make_attributions(
            classes,
            self.counts,
            scores=self.log_odds,
            scored_by=LOG_ODDS,
            log_odds=self.log_odds,
            calibrated=CalibratedProbabilities(
                basis, probabilities, self.log10_likelihood_ratios(), self.similar_cases()
            ),
            reasons=self.reasons_to_decline(false_attribution_rate),
            paths=paths,
            open_set=open_set,
            contributions=self.contributions(),
        )

    def contributions(self) -> list[tuple[tuple[str, float], ...]]:
        """Divide the difference of each text's two best candidates among the base classifiers.

        Returns
        -------
        list of tuples of (name, difference of log-odds), (n_documents,)
            The difference of the authors' intercepts is not contained.
        """
        order = np.argsort(-self.log_odds, axis=1, kind="stable")[:, :2].tolist()
        divided: list[tuple[tuple[str, float], ...]] = [()] * len(order)
        for rule, places in _by_rule(self.choices):
            used = [name in rule.base_classifiers for name in self.names]
            scores, sizes = self.by_base_classifier[used][:, places], self.sizes[places]
            parts = rule.combination.factors(scores, sizes)[:, :, np.newaxis] * scores
            parts += rule.combination.corrections(scores, sizes)
            for own, place in enumerate(places.tolist()):
                first, second = order[place]
                differences = (parts[:, own, first] - parts[:, own, second]).tolist()
                divided[place] = tuple(zip(rule.base_classifiers, differences, strict=True))
        return divided

    def similar_cases(self) -> list[SimilarCases | None]:
        """Return the simulated cases of each text's size, (n_documents,).

        None for a text that differs from the known texts in a convention, as no simulated one does.
        """
        return [
            None if choice.deviations else of_length(choice.rule.calibrator.similar_cases, size)
            for choice, size in zip(self.choices, self.sizes.tolist(), strict=True)
        ]

    def factors(self, place: int) -> dict[str, float]:
        """Return what differences of scores of one text are multiplied by.

        Parameters
        ----------
        place : int
            Of the text.

        Returns
        -------
        dict of name to float
            Of the base classifiers that the text's answer rule uses.
        """
        rule, own = self._rule_and_scores(place)
        factors = rule.combination.factors(*own)[:, 0]
        return dict(zip(rule.base_classifiers, factors.tolist(), strict=True))

    def corrections(self, place: int) -> dict[str, Floats]:
        """Return what corrections for shortages of known text add to the log-odds of one text.

        Parameters
        ----------
        place : int
            Of the text.

        Returns
        -------
        dict of name to (n_authors,) float64
            Of the base classifiers that the text's answer rule uses.
        """
        rule, own = self._rule_and_scores(place)
        corrections = rule.combination.corrections(*own)[:, 0]
        return dict(zip(rule.base_classifiers, corrections, strict=True))

    def _rule_and_scores(self, place: int) -> tuple[AnswerRule, tuple[Floats, Integers]]:
        rule, only = self.choices[place].rule, slice(place, place + 1)
        used = [name in rule.base_classifiers for name in self.names]
        return rule, (self.by_base_classifier[used][:, only], self.sizes[only])

    def log_probabilities(self, *, limit: bool = True) -> Floats:
        """Return natural logarithms of the calibrated probabilities, (n_documents, n_authors).

        With ``limit``, those of texts whose `RuleChoice` says so are limited.
        """
        log_probs = self._by_rule(
            lambda rule, places: rule.calibrator.log_probabilities(self.log_odds[places])
        )
        limited = np.array([limit and choice.is_limited for choice in self.choices], dtype=bool)
        log_probs[limited] = limit_probabilities(log_probs[limited])
        return log_probs

    def log10_likelihood_ratios(self) -> Floats:
        """Return the log10 likelihood ratios of the authors, (n_documents, n_authors).

        They are computed from the probabilities that are stated.
        """
        return log10_likelihood_ratios(self.log_probabilities())

    def _by_rule(self, compute: Callable[[AnswerRule, NDArray[np.intp]], Floats]) -> Floats:
        """Compute values by each answer rule for its texts, (n_documents, n_authors)."""
        values = np.zeros(self.log_odds.shape)
        for rule, places in _by_rule(self.choices):
            values[places] = compute(rule, places)
        return values


def text_blocks(texts: Sequence[str], at_most: int) -> list[slice]:
    """Divide texts into at least one block, each of about ``at_most`` characters."""
    sizes = count_characters(texts)
    total = int(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    blocks = starts * -(-total // at_most) // max(total, 1)  # (n_texts,)
    firsts = np.flatnonzero(np.diff(blocks)) + 1
    return [slice(*pair) for pair in pairwise([0, *firsts.tolist(), len(texts)])]


def _read(
    reader: AuthorshipAttributor | PlainTexts, texts: Sequence[str]
) -> tuple[TextCounts, list[str | None]]:
    """Return the counts of texts, and why each is declined."""
    if isinstance(reader, AuthorshipAttributor):
        scores = reader.score_texts(texts)
        return scores, reader.reasons_to_decline(scores, ties=False)
    counts = reader.count(texts)
    return counts, reader.reasons(counts)


def _join_counts(blocks: Sequence[TextCounts]) -> TextCounts:
    kind = type(blocks[0])
    return kind(
        **{
            field.name: np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(kind)
        }
    )


def _by_rule(choices: Sequence[RuleChoice]) -> Iterator[tuple[AnswerRule, NDArray[np.intp]]]:
    """Yield each answer rule with the indices of its texts."""
    rules = {choice.rule.base_classifiers: choice.rule for choice in choices}
    for names, rule in rules.items():
        own = [choice.rule.base_classifiers == names for choice in choices]
        yield rule, np.flatnonzero(own)
