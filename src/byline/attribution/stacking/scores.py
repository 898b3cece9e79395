"""`StackScores`: the scores of texts under all base classifiers, computed in blocks of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Self

import numpy as np

from byline.array_types import Floats, Integers
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import TextScores
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.combination import Combination


@dataclass(frozen=True, slots=True)
class StackScores:
    """The scores of texts under all base classifiers.

    Attributes
    ----------
    by_base_classifier : (n_base_classifiers, n_documents, n_authors) float64
        In each base classifier's own unit.
    log_odds : (n_documents, n_authors) float64
        Of the combination, in nats.
    language_model_scores : TextScores or None
    reasons : list of str or None, (n_documents,)
        Why each text is declined; None for a text that is not.
    """

    by_base_classifier: Floats
    log_odds: Floats
    language_model_scores: TextScores | None
    reasons: list[str | None]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        base_classifiers: Mapping[str, BaseClassifier],
        language_models: AuthorshipAttributor | None,
        combination: Combination,
    ) -> Self:
        """Score texts with all base classifiers, also those that ``language_models`` declines.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        base_classifiers : mapping of name to fitted base classifier
        language_models : AuthorshipAttributor, or None
            One of the base classifiers.
        combination : Combination
        """
        language_model_scores: TextScores | None = None
        reasons: list[str | None] = [None] * len(texts)
        if language_models is not None:
            language_model_scores = language_models.score_texts(texts)
            reasons = language_models.reasons_to_decline(language_model_scores)
        scores = np.zeros((len(base_classifiers), len(texts), len(combination.biases)))
        for row, classifier in zip(scores, base_classifiers.values(), strict=True):
            if language_model_scores is not None and classifier is language_models:
                row[:] = language_model_scores.scores
            elif texts:
                row[:] = classifier.decision_function(texts)
        log_odds = combination.combine(scores, count_characters(texts))
        return cls(scores, log_odds, language_model_scores, reasons)

    @classmethod
    def join(cls, blocks: Sequence[Self]) -> Self:
        """Concatenate the scores of at least one block of texts."""
        if len(blocks) == 1:
            return blocks[0]
        scores = [block.language_model_scores for block in blocks]
        present = [each for each in scores if each is not None]
        return cls(
            np.concatenate([block.by_base_classifier for block in blocks], axis=1),
            np.concatenate([block.log_odds for block in blocks]),
            _join_text_scores(present) if present else None,
            [reason for block in blocks for reason in block.reasons],
        )


def text_blocks(texts: Sequence[str], at_most: int) -> list[slice]:
    """Divide texts into at least one block, each of about ``at_most`` characters."""
    sizes = count_characters(texts)
    total = int(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    blocks = starts * -(-total // at_most) // max(total, 1)  # (n_texts,)
    firsts = np.flatnonzero(np.diff(blocks)) + 1
    return [slice(*pair) for pair in pairwise([0, *firsts.tolist(), len(texts)])]


def count_characters(texts: Sequence[str]) -> Integers:
    """Count the characters of each text that are not white space, (n_texts,)."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)


def _join_text_scores(blocks: Sequence[TextScores]) -> TextScores:
    return TextScores(
        **{
            field.name: np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(TextScores)
        }
    )
