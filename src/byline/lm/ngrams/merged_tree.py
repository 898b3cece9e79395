"""Merge the trees of many n-gram models, and split their scores into terms per n-gram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from byline.array_types import Floats, Ids, Integers
from byline.errors import UsageError
from byline.lm.ngrams.counts import NOT_FOUND
from byline.lm.ngrams.tree import ROOT, NgramTree

# A row is dense if more than a quarter of the models have an entry in it. With 256 models, this
# halves the time of sums. A dense row takes at most 32 bytes per entry instead of 12.
_DENSE_SHARE = 4


@dataclass(frozen=True, slots=True)
class EntryMatrix:
    """A matrix with one row per n-gram and one column per model; 0 if a model has no entry.

    Attributes
    ----------
    rare : (n_rows, n_models) csr_array of float64
        Rows of n-grams that few models contain; 12 bytes per entry.
    common : (n_common, n_models) float64
        The other rows.
    common_rows : (n_rows,) int32
        Index of each row in ``common``; ``NOT_FOUND`` for a row of ``rare``.
    n_common_entries : int
        Number of entries in ``common``.
    """

    rare: csr_array[np.float64]
    common: Floats
    common_rows: Ids
    n_common_entries: int

    @property
    def n_entries(self) -> int:
        """Number of entries."""
        return int(self.rare.nnz) + self.n_common_entries

    def sums(self, rows: Ids, bounds: Integers) -> Floats:
        """Sum consecutive groups of rows.

        Parameters
        ----------
        rows : (n,) int32
        bounds : (n_groups + 1,) int64
            Start of each group in ``rows``, and the end of the last one.

        Returns
        -------
        (n_groups, n_models) float64
        """
        common_rows = self.common_rows[rows]
        is_common = common_rows != NOT_FOUND
        n_common = np.concatenate([[0], np.cumsum(is_common)])[bounds]  # (n_groups + 1,)
        n_rows, n_common_rows = len(self.common_rows), len(self.common)
        common = _selection(common_rows[is_common], n_common, n_common_rows) @ self.common
        rare = _selection(rows[~is_common], bounds - n_common, n_rows) @ self.rare
        common += rare.toarray()
        return np.asarray(common)


def _selection(rows: NDArray[np.integer], bounds: Integers, n_rows: int) -> csr_array[np.float64]:
    """Return the matrix of groups by rows that sums the rows of each group."""
    shape = len(bounds) - 1, n_rows
    return csr_array((np.ones(len(rows)), rows.astype(np.int32), _narrow(bounds)), shape=shape)


def _narrow(bounds: Integers) -> NDArray[np.integer]:
    """Return 32-bit bounds if possible, because SciPy stores indices in the type of the bounds."""
    return bounds.astype(np.int32 if bounds[-1] <= np.iinfo(np.int32).max else np.int64)


class EntryMatrixBuilder:
    """Fills an `EntryMatrix` in place, one model after another, without sorting.

    Parameters
    ----------
    n_rows : int
    rows : sequence of (n_entries,) int32
        For each model, the distinct rows of its entries.
    """

    def __init__(self, n_rows: int, rows: Sequence[Ids]) -> None:
        sizes = np.zeros(n_rows, dtype=np.int64)
        for model_rows in rows:
            sizes[model_rows] += 1
        is_common = sizes * _DENSE_SHARE > len(rows)
        self._common_rows = np.where(is_common, np.cumsum(is_common) - 1, NOT_FOUND).astype(
            np.int32
        )
        self._common = np.zeros((np.count_nonzero(is_common), len(rows)))
        self._n_common_entries = int(sizes[is_common].sum())
        sizes[is_common] = 0
        # Index of the next entry of each row. When all entries are filled, it is the row's end.
        self._next = np.cumsum(sizes) - sizes
        n_rare = int(sizes.sum())
        self._models = np.zeros(n_rare, dtype=np.int32)
        self._values = np.zeros(n_rare)

    def fill(self, model: int, rows: Ids, values: Floats) -> None:
        """Fill the entries of one model; models must come in ascending order.

        Parameters
        ----------
        model : int
        rows : (n_entries,) int32
        values : (n_entries,) float64
        """
        common_rows = self._common_rows[rows]
        is_common = common_rows != NOT_FOUND
        self._common[common_rows[is_common], model] = values[is_common]
        rare = rows[~is_common]
        entries = self._next[rare]
        self._next[rare] += 1
        self._models[entries] = model
        self._values[entries] = values[~is_common]

    def finish(self) -> EntryMatrix:
        """Return the matrix after all models were filled."""
        ends = np.concatenate([[0], self._next])
        shape = len(self._common_rows), self._common.shape[1]
        rare = csr_array((self._values, self._models, _narrow(ends)), shape=shape)
        return EntryMatrix(rare, self._common, self._common_rows, self._n_common_entries)


_KEYS_AT_ONCE = 1 << 22
_MAX_NGRAMS = int(np.iinfo(np.int32).max)


@dataclass(frozen=True, slots=True)
class ScoreTerms:
    """The terms that each n-gram of a model adds to log-probabilities.

    The empty context is not included.

    Attributes
    ----------
    gains : (n_ngrams,) float64
        Difference between the log-probability (nats) and the result of backing off.
    backoffs : (n_ngrams,) float64
        Logarithm of the back-off weight.
    is_shortest : (n_ngrams,) float64
        1 if the n-gram does not end in a shorter n-gram of the model, else 0.
    """

    gains: Floats
    backoffs: Floats
    is_shortest: Floats

    @classmethod
    def from_tree(cls, tree: NgramTree) -> Self:
        """Split the log-probabilities of a tree into terms."""
        parents, words = np.divmod(tree.keys, tree.n_words)
        backoffs = np.zeros(len(tree.keys))
        backoffs[: len(tree.backoffs)] = tree.backoffs
        backoffs[words == tree.start - 1] = 0.0
        # The log-probability of a word without a unigram:
        backoffs[ROOT] = zero_if_impossible(backoffs[ROOT] + tree.log_probs[ROOT])
        ends, lower = _longest_ends(tree, parents, words, backoffs)
        gains = tree.log_probs - lower
        is_start = tree.keys == tree.start
        gains[is_start] = 0.0
        is_shortest = (ends == ROOT) & ~is_start
        return cls(gains[1:], backoffs[1:], is_shortest[1:].astype(np.float64))


def _longest_ends(
    tree: NgramTree, parents: Integers, words: Integers, backoffs: Floats
) -> tuple[Integers, Floats]:
    """Find the longest shorter n-gram at the end of each n-gram, and the score of backing off.

    Returns
    -------
    ends : (n_nodes,) int64
        Node of the shorter n-gram; ``ROOT`` if there is none.
    scores : (n_nodes,) float64
        Log-probability (nats) of the last word if the model did not contain the n-gram itself.
    """
    ends = np.full(len(parents), ROOT, dtype=np.int64)
    scores = backoffs[np.maximum(parents, ROOT)]
    for level in level_slices(tree)[1:]:
        pending = np.arange(level.start, level.stop)
        contexts = ends[parents[level]]
        while len(pending):
            nodes = tree.find(contexts, words[pending].astype(np.int32))
            is_known = nodes != NOT_FOUND
            ends[pending[is_known]] = nodes[is_known]
            scores[pending[is_known]] += tree.log_probs[nodes[is_known]]
            pending, contexts = pending[~is_known], contexts[~is_known]
            scores[pending] += backoffs[contexts]
            has_shorter = contexts != ROOT
            pending, contexts = pending[has_shorter], ends[contexts[has_shorter]]
    return ends, scores


def level_slices(tree: NgramTree) -> list[slice]:
    """Return the nodes of each order from 1; those of an order are the children of the previous."""
    ends = [1, int(np.searchsorted(tree.keys, tree.n_words))]
    while ends[-1] < len(tree.keys):
        ends.append(int(np.searchsorted(tree.keys, ends[-1] * tree.n_words)))
    return [slice(*pair) for pair in pairwise(ends)]


def merge_trees(trees: Sequence[NgramTree]) -> tuple[Integers, list[Ids]]:
    """Merge trees, one order after the other.

    Returns
    -------
    keys : (n_nodes,) int64
        Keys of the merged tree.
    nodes : list of (n_nodes of a tree,) int32
        For each tree, the nodes of the merged tree that correspond to its own.

    Raises
    ------
    UsageError
        There are 2**31 distinct n-grams or more.
    """
    n_words = trees[0].n_words
    nodes = [np.zeros(len(tree.keys), dtype=np.int32) for tree in trees]
    levels = [level_slices(tree) for tree in trees]
    merged = [np.array([-1], dtype=np.int64)]
    first = 1
    for n in range(max(map(len, levels))):
        parts = [
            (tree.keys[level[n]], known, level[n])
            for tree, known, level in zip(trees, nodes, levels, strict=True)
            if n < len(level)
        ]
        keys = _union(_moved(keys, known, n_words) for keys, known, _ in parts)
        if first + len(keys) > _MAX_NGRAMS:
            raise UsageError(
                f"an index holds at most {_MAX_NGRAMS} distinct n-grams, but these {len(trees)} "
                "models have more; join fewer models, or models of a lower order"
            )
        for own, known, level in parts:
            known[level] = first + np.searchsorted(keys, _moved(own, known, n_words))
        merged.append(keys)
        first += len(keys)
    return np.concatenate(merged), nodes


def _moved(keys: Integers, nodes: Ids, n_words: int) -> Integers:
    """Return the keys of children after their parents were replaced by nodes of the merged tree."""
    parents = keys // n_words
    return keys + (nodes[parents] - parents) * n_words


def _union(parts: Iterable[Integers]) -> Integers:
    """Merge sorted keys, with few duplicates in memory at any time."""
    merged, pending, n_pending = np.empty(0, dtype=np.int64), [], 0
    for part in parts:
        pending.append(part)
        n_pending += len(part)
        if n_pending > len(merged) + _KEYS_AT_ONCE:
            merged, pending, n_pending = _distinct([merged, *pending]), [], 0
    return _distinct([merged, *pending])


def _distinct(parts: Sequence[Integers]) -> Integers:
    """Sort and remove duplicates; ten times as fast as ``np.unique`` for millions of keys."""
    keys = np.sort(np.concatenate(parts))
    is_first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]


def zero_if_impossible(log_probs: Floats) -> Floats:
    """Replace minus infinity by 0, so that the values can be added."""
    return np.where(np.isneginf(log_probs), 0.0, log_probs)
