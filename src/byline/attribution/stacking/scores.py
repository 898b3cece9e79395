"""What is known of texts under all members of a stack, some texts after others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import TextScores
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.combination import Combination


@dataclass(frozen=True, slots=True)
class StackScores:
    """Texts under all members.

    Attributes
    ----------
    by_base_classifier : (n_members, n_documents, n_authors) float64
        Each in its own unit.
    log_odds : (n_documents, n_authors) float64
        Of them together, in nats.
    language_model_scores : Scored or None
    reasons : list of str or None, (n_documents,)
        Why each text is declined; None where it is not.
    """

    by_base_classifier: Floats
    log_odds: Floats
    language_model_scores: TextScores | None
    reasons: list[str | None]

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        members: Mapping[str, BaseClassifier],
        language_models: AuthorshipAttributor | None,
        combination: Combination,
    ) -> Self:
        """Score texts by all members; those that ``language_models``, one of them, declines too.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
        members : mapping of name to fitted member
        language_models : AuthorshipAttributor, or None
        combination : Combination
        """
        of_models: TextScores | None = None
        reasons: list[str | None] = [None] * len(texts)
        if language_models is not None:
            of_models = language_models.score_texts(texts)
            reasons = language_models.reasons_to_decline(of_models)
        by_base_classifier = np.zeros((len(members), len(texts), len(combination.biases)))
        for row, member in zip(by_base_classifier, members.values(), strict=True):
            if of_models is not None and member is language_models:
                row[:] = of_models.scores
            elif texts:
                row[:] = member.decision_function(texts)
        log_odds = combination.combine(by_base_classifier, count_characters(texts))
        return cls(by_base_classifier, log_odds, of_models, reasons)

    @classmethod
    def join(cls, blocks: Sequence[Self]) -> Self:
        """Put scores of texts behind each other; there is at least one block."""
        if len(blocks) == 1:
            return blocks[0]
        of_models = [block.language_model_scores for block in blocks]
        joined = [each for each in of_models if each is not None]
        return cls(
            np.concatenate([block.by_base_classifier for block in blocks], axis=1),
            np.concatenate([block.log_odds for block in blocks]),
            _join_scored(joined) if joined else None,
            [reason for block in blocks for reason in block.reasons],
        )


def text_blocks(texts: Sequence[str], at_most: int) -> list[slice]:
    """Part texts in about equal blocks of about ``at_most`` characters; at least one block."""
    sizes = count_characters(texts)
    total = int(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    blocks = starts * -(-total // at_most) // max(total, 1)  # (n_texts,)
    firsts = np.flatnonzero(np.diff(blocks)) + 1
    return [slice(*pair) for pair in pairwise([0, *firsts.tolist(), len(texts)])]


def _join_scored(blocks: Sequence[TextScores]) -> TextScores:
    return TextScores(
        **{
            field.name: np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(TextScores)
        }
    )


def count_characters(texts: Sequence[str]) -> NDArray[np.int64]:
    """Characters of each text that are not white space."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)
