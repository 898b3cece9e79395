"""Merge the trees of many n-gram models, and split their scores into terms per n-gram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from byline.array_types import Floats, Ids, Integers
from byline.errors import UsageError
from byline.lm.ngrams.counts import NOT_FOUND
from byline.lm.ngrams.tree import ROOT, NgramTree

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
    for level in _levels(tree)[1:]:
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


def _levels(tree: NgramTree) -> list[slice]:
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
    levels = [_levels(tree) for tree in trees]
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
