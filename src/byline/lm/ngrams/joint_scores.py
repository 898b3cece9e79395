"""Score texts under all models of `JointCounts`, from the counts of the text's own n-grams.

A text contains few of the n-grams of the models. Their probabilities are computed in the way in
which a model is fitted, with the same operations in the same order, so that all results are equal
to those of the fitted models to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.array_types import Booleans, Floats, Ids, Integers
from byline.lm.base import Sentence
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries
from byline.lm.ngrams.joint_counts import JointCounts

_CELLS_AT_ONCE = 1 << 21  # of a table of positions by models: 16 MiB
_ENTRIES_AT_ONCE = 1 << 20


def joint_log_probs(
    joint: JointCounts, sentences: Sequence[Sentence], *, sentence_start: bool, sentence_end: bool
) -> Floats:
    """Compute the log-probabilities (nats) of all events of all sentences under every model.

    Parameters
    ----------
    joint : JointCounts
    sentences : sequence of int32 arrays, each (n_tokens,)
    sentence_start, sentence_end : bool
        As when the models were fitted.

    Returns
    -------
    (n_models, n_scored) float64
        Each row is ``batch_log_probs`` of one model, to the last bit.

    Raises
    ------
    UsageError
        A token id is outside the vocabulary.
    """
    stream = add_sentence_boundaries(
        sentences, joint.tree.vocabulary_size, sentence_end=sentence_end
    )
    is_start = stream == joint.tree.start
    amounts, columns = joint.amounts(), joint.columns
    log_probs = np.empty((len(columns), int(np.count_nonzero(~is_start))))
    done = 0
    for block in _blocks(is_start, len(columns)):
        scored = _score(joint, stream[block], sentence_start, amounts, columns)
        log_probs[:, done : done + len(scored)] = scored.T
        done += len(scored)
    return log_probs


def _blocks(is_start: Booleans, n_models: int) -> Iterator[slice]:
    """Split a stream before some of its sentences, so that no block is much too large."""
    starts = np.append(np.flatnonzero(is_start), len(is_start))
    size = max(1, _CELLS_AT_ONCE // n_models)
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + size, side="right")) - 1
        last = max(last, first + 1)
        yield slice(int(starts[first]), int(starts[last]))
        first = last


def _score(
    joint: JointCounts, stream: Ids, sentence_start: bool, amounts: Floats, columns: Integers
) -> Floats:
    """Score a part of a stream, (n_scored, n_models)."""
    is_start = stream == joint.tree.start
    probs = np.full((len(stream), len(columns)), 1.0 / joint.n_events)  # of the longest n-grams
    log_probs = np.log(probs)
    has_context = np.ones(probs.shape, dtype=np.bool_)
    found = joint.tree.ngrams_ending_at_each(stream, joint.order, sentence_start=sentence_start)
    for of_order, (positions, contexts, nodes) in zip(amounts, found, strict=False):
        here = _Ngrams.of(joint, contexts, nodes, of_order, columns)
        known = here.is_known[here.ngram] & has_context[positions]  # (n_positions, n_models)
        extended = here.own_probs[here.ngram]
        extended += here.backoffs[here.context] * probs[positions]
        scores = log_probs[positions]
        scores += np.where(has_context[positions], here.log_backoffs[here.context], 0.0)
        scores[known] = np.log(extended[known])
        log_probs[positions] = scores
        probs[positions] = np.where(known, extended, probs[positions])
        known[is_start[positions]] = sentence_start
        has_ngram = np.zeros(probs.shape, dtype=np.bool_)
        has_ngram[positions] = known
        has_context[1:] = has_ngram[:-1]
        has_context[is_start] = False
    return np.asarray(log_probs[~is_start])


@dataclass(frozen=True, slots=True)
class _Ngrams:
    """The n-grams of one order that a text contains, and their contexts, in all models.

    Attributes
    ----------
    context, ngram : (n_positions,) int64
        Row of the context and of the n-gram at each position.
    backoffs, log_backoffs : (n_contexts, n_models) float64
        Back-off weights, and their natural logarithms.
    own_probs : (n_ngrams, n_models) float64
        Probabilities without the part of the order below.
    is_known : (n_ngrams, n_models) bool
        Whether the model contains the n-gram.
    """

    context: Integers
    ngram: Integers
    backoffs: Floats
    log_backoffs: Floats
    own_probs: Floats
    is_known: Booleans

    @classmethod
    def of(
        cls,
        joint: JointCounts,
        contexts: Integers,
        nodes: Integers,
        amounts: Floats,
        columns: Integers,
    ) -> Self:
        distinct_contexts, context = np.unique(contexts, return_inverse=True)
        distinct, first, ngram = np.unique(nodes, return_index=True, return_inverse=True)
        totals, kept = _sums_after(joint, distinct_contexts, amounts)
        totals, kept = totals[:, columns], kept[:, columns]
        totals[totals == 0] = 1.0  # nothing follows the context
        backoffs = (totals - kept) / totals
        counts = _counts_of(joint, distinct)
        own = _kept(counts, amounts, np.arange(counts.shape[1]))[:, columns]
        own /= totals[context[first]]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_backoffs = np.log(backoffs)
        return cls(context, ngram, backoffs, log_backoffs, own, counts[:, columns] > 0)


def _kept(counts: Ids, amounts: Floats, models: Integers) -> Floats:
    """Discount the counts of the given models; the shapes are broadcast."""
    kept: Floats = counts - amounts[models, np.minimum(counts, amounts.shape[1] - 1)]
    return kept


def _sums_after(joint: JointCounts, contexts: Integers, amounts: Floats) -> tuple[Floats, Floats]:
    """Sum all counts after each context, and the discounted ones.

    Returns
    -------
    totals, kept : (n_contexts, n_groups * n_columns) float64
    """
    keys, n_words = joint.tree.keys, joint.tree.n_words
    firsts = joint.bounds[np.searchsorted(keys, contexts * n_words)]
    sizes = joint.bounds[np.searchsorted(keys, (contexts + 1) * n_words)] - firsts
    totals = np.empty((len(contexts), len(amounts)))
    kept = np.empty_like(totals)
    ends = np.cumsum(sizes)
    first = 0
    while first < len(contexts):
        done = int(ends[first - 1]) if first else 0
        last = int(np.searchsorted(ends, done + _ENTRIES_AT_ONCE, side="right"))
        some = slice(first, max(last, first + 1))
        entries, owner = _ranges(firsts[some], sizes[some])
        counts = joint.counts[joint.codes[entries]]  # (n_entries, n_columns)
        models = joint.groups[entries].astype(np.int64) * joint.n_columns
        models = models[:, np.newaxis] + np.arange(joint.n_columns)
        cells = (owner[:, np.newaxis] * len(amounts) + models).ravel()
        shape = totals[some].shape
        n_cells = shape[0] * shape[1]
        totals[some] = np.bincount(cells, counts.ravel(), n_cells).reshape(shape)
        own = _kept(counts, amounts, models).ravel()
        kept[some] = np.bincount(cells, own, n_cells).reshape(shape)
        first = some.stop
    return totals, kept


def _counts_of(joint: JointCounts, nodes: Integers) -> Ids:
    """Return the counts of n-grams, (n_ngrams, n_groups * n_columns); 0 if not found."""
    found = np.maximum(nodes, 0)
    firsts = joint.bounds[found]
    sizes = np.where(nodes == NOT_FOUND, 0, joint.bounds[found + 1] - firsts)
    entries, owner = _ranges(firsts, sizes)
    counts = np.zeros((len(nodes), len(joint.n_models), joint.n_columns), dtype=np.int32)
    counts[owner, joint.groups[entries]] = joint.counts[joint.codes[entries]]
    return counts.reshape(len(nodes), -1)


def _ranges(firsts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Concatenate ranges of whole numbers; also return the index of the range of each."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    return np.arange(len(owner)) + (firsts - starts)[owner], owner
