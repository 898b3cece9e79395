"""`SentenceScorer`: log-probabilities of sentences under every author's models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.lm import NgramLM
from byline.lm.base import LanguageModel, Sentence
from byline.lm.ngrams.joint_index import JointNgramIndex
from byline.lm.ngrams.shared_counts import shared_counts
from byline.plugins import LANGUAGE_MODELS, naming_package

Number = TypeVar("Number", np.float64, np.int64)

# Building the index takes as long as it saves on 0.7 (many short texts) to 4 (few long ones)
# scored tokens per n-gram; measured with 16 to 2,048 authors.
_TOKENS_PER_NGRAM = 2
_SENTENCES_AT_ONCE = 1 << 14


def segment_sums(values: NDArray[Number], sizes: Integers) -> NDArray[Number]:
    """Sum consecutive segments of the last axis; the sum of an empty segment is 0.

    Parameters
    ----------
    values : (..., sizes.sum()) float64 or int64
    sizes : (n_segments,) int64

    Returns
    -------
    (..., n_segments), dtype of ``values``
    """
    sums = np.zeros((*values.shape[:-1], len(sizes)), dtype=values.dtype)
    starts = np.cumsum(sizes) - sizes
    if values.shape[-1]:
        sums[..., sizes > 0] = np.add.reduceat(values, starts[sizes > 0], axis=-1)
    return sums


def token_log_probs(models: Sequence[LanguageModel], sentences: Sequence[Sentence]) -> Floats:
    """Return the log-probabilities (nats) of all scored tokens under each sample's model.

    Returns
    -------
    (n_samples, n_scored) float64
    """
    with naming_package(LANGUAGE_MODELS, models[0]):
        return np.stack([model.batch_log_probs(sentences) for model in models])


class SentenceScorer:
    """Score sentences under every author's models, all at once if that is faster.

    For a call with enough tokens to pay for it, n-gram models over one vocabulary are joined in a
    `JointNgramIndex`, which takes about as much memory as the models. Only the size of the call
    decides, not earlier calls, so the same texts always have the same scores to the last bit.

    Parameters
    ----------
    models : mapping of author to sequence of LanguageModel
        Fitted.
    """

    def __init__(self, models: Mapping[str, Sequence[LanguageModel]]) -> None:
        self.models = models
        self._index: JointNgramIndex | None = None
        self._joins_always = False

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the index, because rebuilding it is faster than sending it."""
        return {**vars(self), "_index": None}

    def join(self) -> None:
        """Use the index in every later call, which pays off for many calls with short texts.

        Models that cannot be joined are still evaluated one by one.
        """
        self._joins_always = True

    def log_probs(self, views: Sequence[Sequence[Sentence]], lengths: Integers) -> list[Floats]:
        """Score sentences under the models of every author.

        Parameters
        ----------
        views : (n_authors,) sequence of sequences of (n_tokens,) int32
            The sentences as encoded by each author's vocabulary; the same object for all authors
            if the vocabulary is shared.
        lengths : (n_sentences,) int64
            Number of scored tokens per sentence.

        Returns
        -------
        list of (n_samples, n_sentences) float64, one per author
            In nats. The two ways of scoring give the same values except for rounding.
        """
        index = self._index_for(int(lengths.sum())) if _all_same(views) else None
        if index is not None:
            ends = np.cumsum([len(samples) for samples in self.models.values()])
            return np.split(index.score_sentences(views[0]).T, ends[:-1])
        models = self._all_models()
        if _all_same(views) and len(set(map(type, models))) == 1:
            ends = np.cumsum([len(samples) for samples in self.models.values()])
            return np.split(_log_probs_of_all(models, views[0], lengths), ends[:-1])
        return [
            segment_sums(token_log_probs(samples, view), lengths)
            for samples, view in zip(self.models.values(), views, strict=True)
        ]

    def _all_models(self) -> list[LanguageModel]:
        return list(chain.from_iterable(self.models.values()))

    def _index_for(self, n_scored: int) -> JointNgramIndex | None:
        """Return the index if the models can be joined and ``n_scored`` tokens pay for it."""
        models = self._all_models()
        if not _joinable(models):
            return None
        joint = shared_counts(models)
        n_ngrams = joint.n_nodes if joint else sum(len(model.tree_.keys) for model in models)
        if not self._joins_always and n_scored * len(models) < _TOKENS_PER_NGRAM * n_ngrams:
            return None
        if self._index is None:
            self._index = JointNgramIndex.from_models(models)
        return self._index


def _all_same(views: Sequence[Sequence[Sentence]]) -> bool:
    return all(view is views[0] for view in views)


def _log_probs_of_all(
    models: Sequence[LanguageModel], sentences: Sequence[Sentence], lengths: Integers
) -> Floats:
    """Score sentences under models of one class, which may share work, (n_models, n)."""
    log_probs = np.empty((len(models), len(sentences)))
    for first in range(0, len(sentences), _SENTENCES_AT_ONCE):
        block = slice(first, first + _SENTENCES_AT_ONCE)
        with naming_package(LANGUAGE_MODELS, models[0]):
            scored = type(models[0]).log_probs_of_all(models, sentences[block])
            for row, tokens in enumerate(scored):
                log_probs[row, block] = segment_sums(tokens, lengths[block])
    return log_probs


def _joinable(models: Sequence[LanguageModel]) -> TypeGuard[Sequence[NgramLM]]:
    kinds = {
        (type(model), model.vocabulary_size_, model.sentence_start, model.sentence_end)
        for model in models
    }
    return len(kinds) == 1 and all(isinstance(model, NgramLM) for model in models)
