"""Many n-gram models in one index: a text is looked up once, whatever the number of models.

Backing off is a sum. With ``H`` the n-grams of one model that end at a token, from the unigram to
the longest found, and ``C`` those that end at the token before it and are its contexts,

    log p(token) = unseen + sum of gain(h) over H + sum of backoff(c) over C,

where ``unseen`` is what the model gives a word without a unigram, and ``gain(h)`` is by how much
the n-gram's log-probability exceeds what backing off from its context would give. One look-up of a
text in the n-grams of all models finds H and C of every model; what is left is to add up entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Ids, Integers
from byline.errors import UsageError
from byline.lm.base import Sentence
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries
from byline.lm.ngrams.entry_matrix import EntryMatrix, EntryMatrixBuilder
from byline.lm.ngrams.merged_tree import Parts, finite, merge
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import ROOT, NgramTree

_CELLS_AT_ONCE = 1 << 22
_SENTENCES_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class JointNgramIndex:
    """The distinct n-grams of many models, each with the entries of the models that have it.

    Made by `from_models`. Memory grows with the entries (the n-grams of all models together) and
    with the distinct n-grams, not with their number times that of the models: 12 bytes an entry in
    the highest order, 24 below it, and 24 a distinct n-gram. N-grams that more than a quarter of
    the models have take 8 bytes for every model in place of 12 an entry, so at most 32 an entry.
    While it is made, 4 bytes an entry more.

    Attributes
    ----------
    tree : NgramTree
        The distinct n-grams; no probabilities.
    order : int
        Longest n-gram of any model.
    sentence_start, sentence_end : bool
        As in all models.
    unseen : (n_models,) float64
        Log-probability (nats) of a word without a unigram; minus infinity in a closed vocabulary.
    weights : EntryMatrix, (n_nodes, n_models)
        Gain plus back-off weight: what an n-gram adds to a text that goes on after it.
    backoffs : EntryMatrix, (n_nodes, n_models)
        Back-off weight alone; 0 for what ends in ``</s>``, after which no text goes on.
    shortest : EntryMatrix, (n_nodes, n_models)
        1 for those n-grams of closed vocabularies whose end is no shorter n-gram, 0 for all others.
        A token has one such n-gram, or no probability.
    """

    tree: NgramTree
    order: int
    sentence_start: bool
    sentence_end: bool
    unseen: Floats
    weights: EntryMatrix
    backoffs: EntryMatrix
    shortest: EntryMatrix

    @classmethod
    def from_models(cls, models: Sequence[NgramLM]) -> Self:
        """Merge fitted models of one vocabulary; their orders and smoothings may differ.

        Raises
        ------
        UsageError
            No model, or models of different vocabularies or sentence marks.
        """
        _check_alike(models)
        trees = [model.tree_ for model in models]
        unseen = np.array([tree.backoffs[ROOT] + tree.log_probs[ROOT] for tree in trees])
        is_closed = np.isneginf(unseen)
        keys, nodes = merge(trees)
        ngrams = [known[1:] for known in nodes]  # all but the empty context
        contexts = [known[1 : len(tree.backoffs)] for known, tree in zip(nodes, trees, strict=True)]
        judged = [known if is_closed[i] else known[:0] for i, known in enumerate(ngrams)]
        weights = EntryMatrixBuilder(len(keys), ngrams)
        backoffs = EntryMatrixBuilder(len(keys), contexts)
        shortest = EntryMatrixBuilder(len(keys) if is_closed.any() else 0, judged)
        for model, tree in enumerate(trees):
            parts = Parts.of(tree)
            weights.fill(model, ngrams[model], parts.gains + parts.backoffs)
            backoffs.fill(model, contexts[model], parts.backoffs[: len(contexts[model])])
            shortest.fill(model, judged[model], parts.is_shortest[: len(judged[model])])
        return cls(
            tree=NgramTree(keys, np.empty(0), np.empty(0), trees[0].vocabulary_size),
            order=max(model.order for model in models),
            sentence_start=models[0].sentence_start,
            sentence_end=models[0].sentence_end,
            unseen=unseen,
            weights=weights.finish(),
            backoffs=backoffs.finish(),
            shortest=shortest.finish(),
        )

    @property
    def n_models(self) -> int:
        """Number of models, the columns of all results."""
        return len(self.unseen)

    @property
    def n_entries(self) -> int:
        """Number of n-grams of all models together."""
        return self.weights.n_entries

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Log-probabilities (nats) of all tokens of all sentences under every model.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (n_scored, n_models) float64
            Every column is ``batch_log_probs`` of one model, but for rounding (1e-12 a token).

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        found = self._look_up(sentences)
        tokens = np.flatnonzero(~found.is_start)
        here, before = found.ngrams_at(tokens), found.ngrams_at(tokens - 1)
        log_probs = self._sums(*here, np.ones(len(tokens), dtype=np.int64))
        log_probs -= self.backoffs.sums(*here)
        log_probs += self.backoffs.sums(*before)
        return log_probs

    def score_sentences(self, sentences: Sequence[Sentence]) -> Floats:
        """Log-probability (nats) of every sentence under every model.

        Beside the result, memory is bounded: sentences are looked up some thousands at a time, and
        no matrix of tokens by models is made.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (n_sentences, n_models) float64
            The sums of ``batch_log_probs`` over each sentence, but for rounding.

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        scores = np.empty((len(sentences), self.n_models))
        size = max(1, min(_SENTENCES_AT_ONCE, _CELLS_AT_ONCE // self.n_models))
        for first in range(0, len(sentences), size):
            block = slice(first, first + size)
            scores[block] = self._score_block(sentences[block])
        return scores

    def _score_block(self, sentences: Sequence[Sentence]) -> Floats:
        found = self._look_up(sentences)
        bounds = np.append(np.flatnonzero(found.is_start), len(found.is_start))
        scores = self._sums(found.nodes, found.bounds[bounds], np.diff(bounds) - 1)
        if not self.sentence_end:  # the back-off weights of last words wait for a next one
            scores -= self.backoffs.sums(*found.ngrams_at(bounds[1:] - 1))
        return scores

    def _look_up(self, sentences: Sequence[Sentence]) -> _Found:
        stream = add_sentence_boundaries(
            sentences, self.tree.vocabulary_size, sentence_end=self.sentence_end
        )
        nodes = np.full((len(stream), self.order), NOT_FOUND, dtype=np.int32)
        walk = self.tree.ngrams_ending_at_each(
            stream, self.order, sentence_start=self.sentence_start
        )
        for n, (positions, _, found) in enumerate(walk):
            nodes[positions, n] = found
        is_known = nodes != NOT_FOUND
        bounds = np.concatenate([[0], np.cumsum(np.count_nonzero(is_known, axis=1))])
        return _Found(nodes[is_known], bounds, stream == self.tree.start)

    def _sums(self, nodes: Ids, bounds: Integers, n_tokens: Integers) -> Floats:
        """Add up groups of n-grams that score ``n_tokens`` tokens each, (n_groups, n_models)."""
        sums = self.weights.sums(nodes, bounds)
        sums += np.outer(n_tokens, finite(self.unseen))
        if self.shortest.n_entries:
            is_scored = self.shortest.sums(nodes, bounds) == n_tokens[:, None]
            sums[~is_scored & np.isneginf(self.unseen)] = -np.inf
        return sums


@dataclass(frozen=True, slots=True)
class _Found:
    """The n-grams found in a text, of all orders and models.

    Attributes
    ----------
    nodes : (n_found,) int32
        Ordered by the position at which they end.
    bounds : (n_positions + 1,) int64
        Where those of each position start, and where the last ones end.
    is_start : (n_positions,) bool
        Whether ``<s>`` stands there.
    """

    nodes: Ids
    bounds: Integers
    is_start: NDArray[np.bool_]

    def ngrams_at(self, positions: Integers) -> tuple[Ids, Integers]:
        """Return the nodes at some positions, and the bounds between these positions."""
        sizes = self.bounds[positions + 1] - self.bounds[positions]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        shifts = self.bounds[positions] - bounds[:-1]
        return self.nodes[np.arange(bounds[-1]) + np.repeat(shifts, sizes)], bounds


def _check_alike(models: Sequence[NgramLM]) -> None:
    if not models:
        raise UsageError("there is no model to put into an index; give one or more")
    for model in models:
        check_is_fitted(model)
    for name in ("vocabulary_size_", "sentence_start", "sentence_end"):
        values = sorted({getattr(model, name) for model in models})
        if len(values) > 1:
            raise UsageError(
                f"models with {name.rstrip('_')} {values[0]} and {values[-1]} do not go into one "
                "index; fit them all over one vocabulary and with the same sentence marks"
            )
