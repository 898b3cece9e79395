"""`JointCounts`: the n-gram counts of many models, from which probabilities are computed on demand.

Models of the same author are trained on overlapping samples, and models of different authors
contain the same frequent n-grams. Each distinct n-gram is therefore stored once. It has one entry
per group of models that contain it, and an entry is a code: the index of the tuple of its counts in
the models of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Ids, Integers
from byline.errors import ModelFileError, UsageError
from byline.lm.ngrams.counts import NOT_FOUND, Level
from byline.lm.ngrams.estimation import smooth_counts
from byline.lm.ngrams.merged_tree import level_slices, merge_trees
from byline.lm.ngrams.smoothing import Smoothing
from byline.lm.ngrams.smoothing.combination import counts_of_counts
from byline.lm.ngrams.tree import ROOT, NgramTree

LARGEST_COUNTED = 4  # of the counts of counts
_NO_FLOATS: Floats = np.empty(0)
_CONTRADICTION = "an n-gram model is damaged: {}; copy the file again, or train the model again"
_ROOTS: Integers = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """The counts of n-gram models with the same vocabulary, order and smoothing, in groups.

    Use `from_trees` to make it. It takes 16 bytes per distinct n-gram, and 2 to 4 per entry.

    Attributes
    ----------
    tree : NgramTree
        The distinct n-grams, without probabilities.
    order : int
    n_events : int
        Number of events of the uniform distribution.
    smoothing : Smoothing
        A subtractive and interpolated method.
    n_models : (n_groups,) int64
        Number of models per group.
    bounds : (n_nodes + 1,) int64
        Index of the first entry of each n-gram, and the end of the last one.
    groups : (n_entries,) unsigned integers
        Group of each entry, in ascending order within an n-gram.
    codes : (n_entries,) unsigned integers
        Row of ``counts`` of each entry.
    counts : (n_codes, largest group) int32
        Distinct tuples of counts; 0 if a model does not contain the n-gram.
    counts_of_counts : (n_groups, largest group, order, 4) int64
        Numbers of n-grams that occur once, twice, three and four times.
    """

    tree: NgramTree
    order: int
    n_events: int
    smoothing: Smoothing
    n_models: Integers
    bounds: Integers
    groups: NDArray[np.unsignedinteger]
    codes: NDArray[np.unsignedinteger]
    counts: Ids
    counts_of_counts: Integers

    @classmethod
    def from_trees(
        cls,
        groups: Sequence[Sequence[NgramTree]],
        order: int,
        n_events: int,
        smoothing: Smoothing,
    ) -> Self:
        """Join trees with counts that were estimated by the same method.

        Parameters
        ----------
        groups : sequence of sequences of NgramTree
            The models of each group.
        order, n_events, smoothing
            Those of all models.

        Raises
        ------
        UsageError
            If a tree has no counts.
        """
        keys, nodes = merge_trees([tree for group in groups for tree in group])
        n_models = np.array([len(group) for group in groups], dtype=np.int64)
        n_columns = int(n_models.max())
        rows, tables, codes, n_counts = [], [], [], []
        first = 0
        for group in groups:
            own = nodes[first : first + len(group)]
            first += len(group)
            distinct = np.unique(np.concatenate(own))[1:]  # without the empty context
            tuples = np.zeros((len(distinct), n_columns), dtype=np.int32)
            for column, (tree, known) in enumerate(zip(group, own, strict=True)):
                tuples[np.searchsorted(distinct, known[1:]), column] = _counts(tree)[1:]
            table, code = _distinct_rows(tuples)
            rows.append(distinct)
            tables.append(table)
            codes.append(code)
            n_counts.append(_counts_of_counts(group, n_columns, order))
        counts, renumbered = _by_frequency(tables, codes)
        all_rows = np.concatenate(rows)
        by_row = np.argsort(all_rows, kind="stable")
        sizes = np.bincount(all_rows, minlength=len(keys))
        group_of = np.repeat(np.arange(len(groups)), list(map(len, rows)))
        return cls(
            tree=NgramTree(keys, _NO_FLOATS, _NO_FLOATS, groups[0][0].vocabulary_size),
            order=order,
            n_events=n_events,
            smoothing=smoothing,
            n_models=n_models,
            bounds=np.concatenate([[0], np.cumsum(sizes)]),
            groups=group_of[by_row].astype(np.min_scalar_type(len(groups))),
            codes=renumbered[by_row].astype(np.min_scalar_type(len(counts))),
            counts=counts,
            counts_of_counts=np.stack(n_counts),
        )

    @property
    def n_columns(self) -> int:
        """Number of models in the largest group."""
        return int(self.counts.shape[1])

    @property
    def columns(self) -> Integers:
        """Column of each model in tables of all groups with ``n_columns`` each, (n_models,)."""
        is_model = np.arange(self.n_columns) < self.n_models[:, np.newaxis]
        return np.flatnonzero(is_model)

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the trees of all models."""
        n_counted = int(np.count_nonzero(self.counts, axis=1)[self.codes].sum())
        n_models = int(self.n_models.sum())  # each has the empty context, and perhaps <s>
        has_start = bool(
            self.tree.find(_ROOTS, np.array([self.tree.start], dtype=np.int32))[0] != NOT_FOUND
        )
        return n_counted + n_models * (1 + has_start)

    def amounts(self) -> Floats:
        """Return what the method subtracts from counts of 0, 1, 2, and 3 or more.

        Returns
        -------
        (order, n_groups * n_columns, 4) float64
        """
        flat = self.counts_of_counts.reshape(-1, self.order, LARGEST_COUNTED)
        by_order = flat.swapaxes(0, 1).tolist()
        return np.array([[self.smoothing.amounts(n)[0] for n in models] for models in by_order])

    def restore_tree(self, group: int, model: int) -> NgramTree:
        """Estimate the probabilities of one model as when it was fitted, to the last bit.

        Parameters
        ----------
        group : int
        model : int
            Its number within the group.

        Raises
        ------
        ModelFileError
            If the counts contradict each other, as only in a file that was altered.
        """
        own, counts = self._own_ngrams(group, model)
        levels = _levels(own, counts, self.order)
        given = [level.counts for level in levels]
        found = [counts_of_counts(each, LARGEST_COUNTED) for each in given]
        if found != self.counts_of_counts[group, model].tolist():
            raise ModelFileError(_CONTRADICTION.format("the counts of counts are wrong"))
        levels, smoothed = smooth_counts(
            levels, self.smoothing, [1] * self.order, n_events=self.n_events
        )
        return NgramTree.from_levels(levels, smoothed, own.vocabulary_size, given)

    def _own_ngrams(self, group: int, model: int) -> tuple[NgramTree, Ids]:
        """Return the n-grams of one model, and their counts, (n_ngrams,)."""
        entries = np.flatnonzero(self.groups == group)
        nodes = np.searchsorted(self.bounds, entries, side="right") - 1
        counts = self.counts[self.codes[entries], model]
        is_own = (counts > 0) | (self.tree.keys[nodes] == self.tree.start)
        nodes, counts = nodes[is_own], counts[is_own]
        ranks = np.full(len(self.tree.keys), NOT_FOUND, dtype=np.int64)
        ranks[ROOT], ranks[nodes] = ROOT, np.arange(1, len(nodes) + 1)
        parents, words = np.divmod(self.tree.keys[nodes], self.tree.n_words)
        if (ranks[parents] == NOT_FOUND).any():
            raise ModelFileError(
                _CONTRADICTION.format("an n-gram has a context that the model lacks")
            )
        keys = np.concatenate([[-1], ranks[parents] * self.tree.n_words + words])
        return NgramTree(keys, _NO_FLOATS, _NO_FLOATS, self.tree.vocabulary_size), counts


def _levels(tree: NgramTree, counts: Ids, order: int) -> list[Level]:
    """Return the n-grams of one model and their counts, one level per order."""
    parents, words = np.divmod(tree.keys, tree.n_words)
    suffixes = np.full(len(tree.keys), ROOT, dtype=np.int64)
    slices = level_slices(tree)
    slices += [slice(len(tree.keys), len(tree.keys))] * (order - len(slices))
    levels: list[Level] = []
    below, n_initial = slice(0, 1), 0
    for n, nodes in enumerate(slices, start=1):
        if n > 1:
            is_start = parents[nodes] >= below.stop - n_initial
            n_initial = int(np.count_nonzero(is_start))
            contexts = suffixes[parents[nodes]]
            suffixes[nodes] = tree.find(contexts, words[nodes].astype(np.int32))
            if (suffixes[nodes] < below.start).any():
                raise ModelFileError(_CONTRADICTION.format("the end of an n-gram is missing"))
        else:
            n_initial = int(np.count_nonzero(words[nodes] == tree.start))
        own = counts[nodes.start - 1 : nodes.stop - 1]
        levels.append(
            Level(
                parents=(parents[nodes] - below.start).astype(np.int32),
                words=words[nodes].astype(np.int32),
                suffixes=(suffixes[nodes] - below.start).astype(np.int32),
                counts=own,
                continuations=own if n < order else own[:0],
                n_initial=n_initial,
            )
        )
        below = nodes
    return levels


def _counts(tree: NgramTree) -> Ids:
    if tree.counts is None:
        raise UsageError(
            "counts do not determine the probabilities of an n-gram model to be joined"
        )
    return tree.counts.astype(np.int32)


def _distinct_rows(table: Ids) -> tuple[Ids, Integers]:
    """Return the distinct rows of a table, and the index of each row among them."""
    codes = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        values, places = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * len(values) + places, return_inverse=True)
    distinct = np.empty((int(codes.max(initial=-1)) + 1, table.shape[1]), dtype=np.int32)
    distinct[codes] = table
    return distinct, codes


def _by_frequency(tables: Sequence[Ids], codes: Sequence[Integers]) -> tuple[Ids, Integers]:
    """Join the tables of all groups, most frequent rows first, and number the rows anew."""
    joined, renumbered = _distinct_rows(np.concatenate(tables))
    starts = np.cumsum([0, *map(len, tables)])
    shifted = [code + start for code, start in zip(codes, starts, strict=False)]
    all_codes = renumbered[np.concatenate(shifted)]
    order = np.argsort(-np.bincount(all_codes, minlength=len(joined)), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return joined[order], ranks[all_codes]


def _counts_of_counts(group: Sequence[NgramTree], n_columns: int, order: int) -> Integers:
    """Count the counts of each model of a group, (n_columns, order, 4)."""
    table = np.zeros((n_columns, order, LARGEST_COUNTED), dtype=np.int64)
    for model, tree in enumerate(group):
        counts = _counts(tree)
        for n, nodes in enumerate(level_slices(tree)):
            table[model, n] = counts_of_counts(counts[nodes], LARGEST_COUNTED)
    return table
