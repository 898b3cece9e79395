"""What a text has said before is expected again: a cache beside every author's models.

A language model takes each token for news. In a group's talk where everybody says "like" a hundred
times, an author who says it in letters too is credited with it a hundred times. Mixed with the
text's own frequencies so far, a word that came often surprises nobody any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.lm.base import Sentence

END = -1  # stands for an end mark
# Tokens of a text after which its own frequencies have half of their full share.
_HALF = 20


@dataclass(frozen=True, slots=True)
class TextCache:
    """A cache language model (Kuhn & De Mori 1990) at every scored token of some documents.

    The probability of token ``i`` of a document is mixed of a model's and of the token's share in
    the ``i`` tokens before it, ``(1 - w_i) p + w_i count / i`` with ``w_i = share * i / (i + 20)``.
    No end mark is ever in the cache.

    Attributes
    ----------
    weights : (n_scored,) float64
        ``w_i``.
    probs : (n_scored,) float64
        ``count / i``; 0 of an end mark, and of a document's first token.
    """

    weights: Floats
    probs: Floats

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], sizes: Integers, share: float, *, end_tokens: bool
    ) -> Self:
        """Look back from every token over its document.

        Parameters
        ----------
        sentences : sequence of (n_tokens,) int32
            Of all documents, end to end.
        sizes : (n_documents,) int64
            Sentences of each document.
        share : float
            From 0 up to, not including, 1: the weight that is approached in a long text.
        end_tokens : bool
            Whether an end mark is scored behind each sentence.
        """
        tail = [END] if end_tokens else []
        ids = [np.append(sentence, tail).astype(np.int64) for sentence in sentences]
        lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
        owners = np.repeat(np.repeat(np.arange(len(sizes)), sizes), lengths)
        tokens = np.concatenate([*ids, np.zeros(0, dtype=np.int64)])
        is_token = tokens != END
        n_before = _earlier(owners, is_token)
        keys = owners * (int(tokens.max(initial=0)) + 1) + tokens
        counts = np.where(is_token, _earlier(keys, is_token), 0)
        probs = np.divide(counts, n_before, out=np.zeros(len(tokens)), where=n_before > 0)
        return cls(share * n_before / (n_before + _HALF), probs)

    def mix(self, log_probs: Floats) -> Floats:
        """Mix a model's log-probabilities (nats) with the cache's, (..., n_scored)."""
        with np.errstate(divide="ignore"):
            cached = np.log(self.weights * self.probs)
        mixed: Floats = np.logaddexp(np.log1p(-self.weights) + log_probs, cached)
        return mixed


def _earlier(groups: Integers, counts: NDArray[np.bool_]) -> Integers:
    """Return how many earlier entries of the same group count, (n,)."""
    order = np.argsort(groups, kind="stable")
    before: Integers = np.cumsum(counts[order]) - counts[order]
    is_first = np.append(True, np.diff(groups[order]) != 0)[: len(groups)]
    at_start = np.maximum.accumulate(np.where(is_first, before, 0))
    earlier = np.empty(len(groups), dtype=np.int64)
    earlier[order] = before - at_start
    return earlier
