"""`JointNgramIndex`: many n-gram models in one index, so that a text is looked up only once.

The log-probability of a back-off model is a sum. Let ``H`` be the n-grams of a model that end at a
token, from the unigram to the longest one in the model. Let ``C`` be the n-grams that end at the
previous token, which are the contexts of the token. Then

    log p(token) = unobserved + sum of gain(h) over H + sum of backoff(c) over C,

where ``unobserved`` is the log-probability of a word without a unigram, and ``gain(h)`` is the
difference between the log-probability of the n-gram and the result of backing off from its context.
One look-up of a text in the n-grams of all models finds H and C of every model. Then only entries
have to be added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats, Ids, Integers
from byline.errors import UsageError
from byline.lm.base import Sentence
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries
from byline.lm.ngrams.merged_tree import (
    EntryMatrix,
    EntryMatrixBuilder,
    ScoreTerms,
    merge_trees,
    zero_if_impossible,
)
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import ROOT, NgramTree

_CELLS_AT_ONCE = 1 << 22
_SENTENCES_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class JointNgramIndex:
    """The distinct n-grams of many models, with an entry for every model that contains them.

    Use `from_models` to make an index.

    Attributes
    ----------
    tree : NgramTree
        The distinct n-grams, without probabilities.
    order : int
        Length of the longest n-grams of all models.
    sentence_start, sentence_end : bool
        As in all models.
    unobserved : (n_models,) float64
        Log-probability (nats) of a word without a unigram; minus infinity in a closed vocabulary.
    weights : EntryMatrix, (n_nodes, n_models)
        Gain plus back-off weight: the contribution of an n-gram that is followed by another token.
    backoffs : EntryMatrix, (n_nodes, n_models)
        Back-off weight only; 0 for n-grams that end in ``</s>``, which nothing follows.
    shortest : EntryMatrix, (n_nodes, n_models)
        1 for n-grams of closed vocabularies that do not end in a shorter n-gram of the model, 0 for
        all others. A token has one such n-gram, or the probability zero.

    See Also
    --------
    NgramLM.batch_log_probs : The same scores under one model.

    Notes
    -----
    Memory grows with the number of entries (the n-grams of all models) and with the number of
    distinct n-grams, but not with the product of distinct n-grams and models. It takes 12 bytes per
    entry in the highest order, 24 bytes per entry in lower orders, and 24 bytes per distinct
    n-gram. N-grams that more than a quarter of the models contain take 8 bytes per model instead of
    12 per entry, thus at most 32 bytes per entry. Making the index takes another 4 bytes per entry.

    Examples
    --------
    >>> import numpy as np
    >>> texts = [[np.array([1, 2, 1], dtype=np.int32)], [np.array([2, 2, 3], dtype=np.int32)]]
    >>> models = [NgramLM(order=2).fit(text, vocabulary_size=4) for text in texts]
    >>> scores = JointNgramIndex.from_models(models).score_sentences(texts[0])
    >>> scores.shape, int(scores[0].argmax())
    ((1, 2), 0)
    """

    tree: NgramTree
    order: int
    sentence_start: bool
    sentence_end: bool
    unobserved: Floats
    weights: EntryMatrix
    backoffs: EntryMatrix
    shortest: EntryMatrix

    @classmethod
    def from_models(cls, models: Sequence[NgramLM]) -> Self:
        """Join fitted models with the same vocabulary; their orders and smoothing may differ.

        Parameters
        ----------
        models : sequence of NgramLM

        Raises
        ------
        UsageError
            There is no model, or the vocabularies or sentence boundaries of the models differ.
        """
        _check_compatible(models)
        trees = [model.tree_ for model in models]
        unobserved = np.array([tree.backoffs[ROOT] + tree.log_probs[ROOT] for tree in trees])
        is_closed = np.isneginf(unobserved)
        keys, nodes = merge_trees(trees)
        ngrams = [known[1:] for known in nodes]  # all except the empty context
        contexts = [known[1 : len(tree.backoffs)] for known, tree in zip(nodes, trees, strict=True)]
        closed = [known if is_closed[i] else known[:0] for i, known in enumerate(ngrams)]
        weights = EntryMatrixBuilder(len(keys), ngrams)
        backoffs = EntryMatrixBuilder(len(keys), contexts)
        shortest = EntryMatrixBuilder(len(keys) if is_closed.any() else 0, closed)
        for model, tree in enumerate(trees):
            terms = ScoreTerms.from_tree(tree)
            weights.fill(model, ngrams[model], terms.gains + terms.backoffs)
            backoffs.fill(model, contexts[model], terms.backoffs[: len(contexts[model])])
            shortest.fill(model, closed[model], terms.is_shortest[: len(closed[model])])
        return cls(
            tree=NgramTree(keys, np.empty(0), np.empty(0), trees[0].vocabulary_size),
            order=max(model.order for model in models),
            sentence_start=models[0].sentence_start,
            sentence_end=models[0].sentence_end,
            unobserved=unobserved,
            weights=weights.finish(),
            backoffs=backoffs.finish(),
            shortest=shortest.finish(),
        )

    @property
    def n_models(self) -> int:
        """Number of models, which are the columns of all results."""
        return len(self.unobserved)

    @property
    def n_entries(self) -> int:
        """Number of n-grams of all models."""
        return self.weights.n_entries

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences under every model.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (n_scored, n_models) float64
            Each column is ``batch_log_probs`` of one model, except for rounding errors (1e-12 per
            token).

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
        """Compute the log-probability (nats) of every sentence under every model.

        The memory in addition to the result is limited: some thousands of sentences are looked up
        at a time, and no matrix of tokens by models is made.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (n_sentences, n_models) float64
            The sum of ``batch_log_probs`` for each sentence, except for rounding errors.

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
        if not self.sentence_end:  # the last token of a sentence is not a context
            scores -= self.backoffs.sums(*found.ngrams_at(bounds[1:] - 1))
        return scores

    def _look_up(self, sentences: Sequence[Sentence]) -> _Matches:
        stream = add_sentence_boundaries(
            sentences, self.tree.vocabulary_size, sentence_end=self.sentence_end
        )
        nodes = np.full((len(stream), self.order), NOT_FOUND, dtype=np.int32)
        matches = self.tree.ngrams_ending_at_each(
            stream, self.order, sentence_start=self.sentence_start
        )
        for n, (positions, _, found) in enumerate(matches):
            nodes[positions, n] = found
        is_known = nodes != NOT_FOUND
        bounds = np.concatenate([[0], np.cumsum(np.count_nonzero(is_known, axis=1))])
        return _Matches(nodes[is_known], bounds, stream == self.tree.start)

    def _sums(self, nodes: Ids, bounds: Integers, n_tokens: Integers) -> Floats:
        """Sum the groups of n-grams that score ``n_tokens`` tokens each, (n_groups, n_models)."""
        sums = self.weights.sums(nodes, bounds)
        sums += np.outer(n_tokens, zero_if_impossible(self.unobserved))
        if self.shortest.n_entries:
            is_scored = self.shortest.sums(nodes, bounds) == n_tokens[:, None]
            sums[~is_scored & np.isneginf(self.unobserved)] = -np.inf
        return sums


@dataclass(frozen=True, slots=True)
class _Matches:
    """The n-grams of all orders and models that occur in a text.

    Attributes
    ----------
    nodes : (n_found,) int32
        Sorted by the position at which they end.
    bounds : (n_positions + 1,) int64
        Index of the first node of each position, and the end of the last one.
    is_start : (n_positions,) bool
        Whether the position has ``<s>``.
    """

    nodes: Ids
    bounds: Integers
    is_start: Booleans

    def ngrams_at(self, positions: Integers) -> tuple[Ids, Integers]:
        """Return the nodes of the given positions, and the bounds between these positions."""
        sizes = self.bounds[positions + 1] - self.bounds[positions]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        shifts = self.bounds[positions] - bounds[:-1]
        return self.nodes[np.arange(bounds[-1]) + np.repeat(shifts, sizes)], bounds


def _check_compatible(models: Sequence[NgramLM]) -> None:
    if not models:
        raise UsageError("there is no model to make an index of; pass one or more models")
    for model in models:
        check_is_fitted(model)
    for name in ("vocabulary_size_", "sentence_start", "sentence_end"):
        values = sorted({getattr(model, name) for model in models})
        if len(values) > 1:
            raise UsageError(
                f"models with {name.rstrip('_')} {values[0]} and {values[-1]} cannot be in one "
                "index; fit all models with the same vocabulary and the same sentence boundaries"
            )
