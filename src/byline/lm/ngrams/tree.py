"""N-grams with probabilities and back-off weights, as one tree of contexts in sorted arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.array_types import Floats, Ids
from byline.lm.ngrams.counts import (
    NOT_FOUND,
    Indices,
    Level,
    preceding,
    sentence_start_id,
)
from byline.lm.ngrams.smoothing import SmoothedProbabilities

ROOT = 0
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class NgramTree:
    """One node an n-gram; its parent is the node of all words but the last.

    Node 0 is the empty context, the nodes of order 1 follow, then those of order 2, and so on,
    each order sorted by (parent, last word), so that the keys ascend through all orders and one
    binary search finds a word after a context. 24 bytes an n-gram, 16 in the highest order.

    Attributes
    ----------
    keys : (n_nodes,) int64
        ``parent * (vocabulary_size + 2) + word``; -1 for node 0.
    log_probs : (n_nodes,) float64
        Natural logarithm of each n-gram's probability. Node 0's is that of the uniform
        distribution, that of ``<s>`` is minus infinity.
    backoffs : (n_contexts,) float64
        Natural logarithm of what the order below is multiplied by, for the nodes of all orders but
        the highest. Node 0's is minus infinity where words without a unigram are impossible.
    vocabulary_size : int

    Notes
    -----
    Probabilities are float64 and not float32: sums over the vocabulary are then one to 1e-12, and
    the log-likelihood ratio of two authors over a whole book has no error of its storage.
    """

    keys: Indices
    log_probs: Floats
    backoffs: Floats
    vocabulary_size: int

    @classmethod
    def from_levels(
        cls, levels: Sequence[Level], smoothed: SmoothedProbabilities, vocabulary_size: int
    ) -> Self:
        """Lay the levels end to end; a node's number is its place there."""
        keys = np.full(1 + sum(map(len, levels)), -1, dtype=np.int64)
        first_parent, first = ROOT, 1
        for level in levels:
            nodes = slice(first, first + len(level))
            np.add(level.parents, first_parent, out=keys[nodes])
            keys[nodes] *= vocabulary_size + 2
            keys[nodes] += level.words
            first_parent, first = first, first + len(level)
        log_probs, backoffs = np.concatenate(smoothed.probs), np.concatenate(smoothed.backoffs)
        with np.errstate(divide="ignore"):
            np.log(log_probs, out=log_probs)
            np.log(backoffs, out=backoffs)
        log_probs[keys == sentence_start_id(vocabulary_size)] = -np.inf
        return cls(keys, log_probs, backoffs, vocabulary_size)

    @property
    def start(self) -> int:
        """Id of ``<s>``, and the key of its node."""
        return sentence_start_id(self.vocabulary_size)

    @property
    def n_words(self) -> int:
        """Ids in use: the vocabulary, ``</s>`` and ``<s>``."""
        return self.vocabulary_size + 2

    def find(self, contexts: Indices, words: Ids) -> Indices:
        """Find the nodes of ``words`` after ``contexts``; ``NONE`` where there is none.

        The queries are roughly sorted first, so that neighbours touch neighbouring memory: on
        three million n-grams that makes the search three times as fast.

        Parameters
        ----------
        contexts : (n,) int64
        words : (n,) int32

        Returns
        -------
        (n,) int64
        """
        queries = contexts * self.n_words + words
        nearby = _coarse_order(queries)
        queries = queries[nearby]
        places = np.minimum(np.searchsorted(self.keys, queries), len(self.keys) - 1)
        nodes = np.empty_like(queries)
        nodes[nearby] = np.where(self.keys[places] == queries, places, NOT_FOUND)
        return nodes

    def ngrams_ending_at_each(
        self, stream: Ids, order: int, *, sentence_start: bool = True
    ) -> Iterator[tuple[Indices, Indices, Indices]]:
        """Look up, from order 1 to ``order``, the n-grams that end at each position of a text.

        Parameters
        ----------
        stream : (n_positions,) int32
            As ``add_sentence_boundaries`` returns it.
        order : int
        sentence_start : bool, default True
            Whether ``<s>`` is context; if not, it is no n-gram itself either.

        Yields
        ------
        positions : (n,) int64
            Those whose context of n - 1 words is a node.
        contexts : (n,) int64
            That node.
        nodes : (n,) int64
            The n-gram's own node; ``NONE`` where the word was never seen after the context.
        """
        is_start = stream == self.start
        contexts = np.full(len(stream), ROOT, dtype=np.int64)
        if not sentence_start:
            contexts[is_start] = NOT_FOUND
        for _ in range(order):
            positions = np.flatnonzero(contexts != NOT_FOUND)
            if not len(positions):
                return
            known = contexts[positions]
            nodes = self.find(known, stream[positions])
            yield positions, known, nodes
            contexts[positions] = nodes
            contexts = preceding(contexts, is_start)

    def children(self, node: int) -> tuple[Indices, Indices]:
        """Return the words seen after a context, and their nodes."""
        bounds = np.array([node, node + 1]) * self.n_words
        first, last = np.searchsorted(self.keys, bounds)
        return self.keys[first:last] - bounds[0], np.arange(first, last)

    def flaw(self, order: int, n_events: int) -> str | None:
        """Say what makes this no model of ``order`` over ``n_events``, if anything does."""
        return self._flaw_of_form(order) or self._flaw_of_words(n_events) or self._flaw_of_values()

    def _flaw_of_form(self, order: int) -> str | None:
        for array, dtype in (
            (self.keys, np.int64),
            (self.log_probs, np.float64),
            (self.backoffs, np.float64),
        ):
            if array.ndim != 1 or array.dtype != dtype:
                return f"a {array.ndim}-D array of {array.dtype} should be 1-D {dtype.__name__}"
        if not len(self.keys) or self.keys[0] != -1 or (np.diff(self.keys) <= 0).any():
            return "its n-grams are not sorted"
        ends = [0, 1]
        while ends[-2] < ends[-1] and len(ends) < order + 2:
            ends.append(int(np.searchsorted(self.keys, ends[-1] * self.n_words)))
        if ends[-1] != len(self.keys):
            return f"it has n-grams beyond order {order}"
        if len(self.log_probs) != ends[-1] or len(self.backoffs) != ends[-2]:
            return (
                f"{ends[-1]} n-grams and {ends[-2]} contexts have {len(self.log_probs)} "
                f"probabilities and {len(self.backoffs)} back-off weights"
            )
        return None

    def _flaw_of_words(self, n_events: int) -> str | None:
        words = self.keys[1:][self.keys[1:] != self.start] % self.n_words
        if words.max(initial=0) >= n_events:
            return f"word {words.max()} is outside its {n_events} events"
        return None

    def _flaw_of_values(self) -> str | None:
        log_probs = self.log_probs[self.keys != self.start]
        if not np.isfinite(log_probs).all() or log_probs.max() > _ROUNDING:
            return "a log-probability is not a finite number, or is above zero"
        root = self.backoffs[:1]  # minus infinity where words without a unigram are impossible
        if not np.isfinite(self.backoffs[1:]).all() or not (root < np.inf).all():
            return "a back-off weight is not a finite number"
        return None


def _coarse_order(queries: Indices) -> Indices:
    """Sort by the leading 16 bits in which queries differ: NumPy does that by counting."""
    if not len(queries):
        return np.empty(0, dtype=np.int64)
    low = queries.min()
    spare_bits = max(int(queries.max() - low).bit_length() - 16, 0)
    return np.argsort(((queries - low) >> spare_bits).astype(np.uint16), kind="stable")
