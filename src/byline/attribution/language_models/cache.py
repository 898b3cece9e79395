"""`TextCache`: a cache of the text's own words, mixed with every author's language model.

A language model treats each token as new. In a group chat where everybody says "like" a hundred
times, an author who also writes "like" in letters is credited a hundred times. Mixed with the
relative frequencies of the text so far, a frequent word no longer surprises any model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.lm.base import Sentence

END = -1  # stands for an end mark
# Number of tokens of a text after which the cache has half of its full weight.
_HALF_WEIGHT = 20


@dataclass(frozen=True, slots=True)
class TextCache:
    """A cache language model (Kuhn & De Mori 1990) at every scored token of some documents.

    The probability of token ``i`` of a document is ``(1 - w_i) p + w_i count / i``: a mixture of
    the model's probability and the token's relative frequency among the ``i`` tokens before it,
    with ``w_i = share * i / (i + 20)``. End marks are never in the cache.

    Attributes
    ----------
    weights : (n_scored,) float64
        ``w_i``.
    probs : (n_scored,) float64
        ``count / i``; 0 for end marks and for the first token of a document.
    """

    weights: Floats
    probs: Floats

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], sizes: Integers, share: float, *, end_tokens: bool
    ) -> Self:
        """Compute the cache at every token from the earlier tokens of its document.

        Parameters
        ----------
        sentences : sequence of (n_tokens,) int32
            Of all documents, concatenated.
        sizes : (n_documents,) int64
            Number of sentences per document.
        share : float
            From 0 up to, but not including, 1: the weight in the limit of a long text.
        end_tokens : bool
            Whether an end mark is scored after each sentence.
        """
        tail = [END] if end_tokens else []
        ids = [np.append(sentence, tail).astype(np.int64) for sentence in sentences]
        lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
        documents = np.repeat(np.repeat(np.arange(len(sizes)), sizes), lengths)
        tokens = np.concatenate([*ids, np.zeros(0, dtype=np.int64)])
        is_token = tokens != END
        n_before = _count_earlier(documents, is_token)
        keys = documents * (int(tokens.max(initial=0)) + 1) + tokens
        counts = np.where(is_token, _count_earlier(keys, is_token), 0)
        probs = np.divide(counts, n_before, out=np.zeros(len(tokens)), where=n_before > 0)
        return cls(share * n_before / (n_before + _HALF_WEIGHT), probs)

    def mix(self, log_probs: Floats) -> Floats:
        """Mix a model's log-probabilities (nats) with those of the cache, (..., n_scored)."""
        with np.errstate(divide="ignore"):
            cached = np.log(self.weights * self.probs)
        mixed: Floats = np.logaddexp(np.log1p(-self.weights) + log_probs, cached)
        return mixed


def _count_earlier(groups: Integers, is_counted: Booleans) -> Integers:
    """Return the number of earlier entries of the same group that are counted, (n,)."""
    order = np.argsort(groups, kind="stable")
    before: Integers = np.cumsum(is_counted[order]) - is_counted[order]
    is_first = np.append(True, np.diff(groups[order]) != 0)[: len(groups)]
    at_start = np.maximum.accumulate(np.where(is_first, before, 0))
    earlier = np.empty(len(groups), dtype=np.int64)
    earlier[order] = before - at_start
    return earlier
