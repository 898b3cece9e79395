"""Estimate n-gram probabilities: count, smooth, and remove rare n-grams."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Ids
from byline.constraints import BOOLEAN, Constraints, check_parameters, whole
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.base import UNK, LanguageModel, Sentence
from byline.lm.inputs import check_vocabulary_size, is_whole, json_value
from byline.lm.model_state import ModelState
from byline.lm.ngrams.counts import Level, count_ngrams, select_ngrams, without_event
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.tree import NgramTree

MinCounts = Mapping[int, int] | Sequence[int]


def count_for_vocabulary(
    stream: Ids,
    order: int,
    vocabulary_size: int,
    *,
    sentence_start: bool,
    open_vocabulary: bool,
) -> list[Level]:
    """Count n-grams; in a closed vocabulary, ``<unk>`` is not an event and has no counts.

    N-grams with ``<unk>`` in their context are counted in both cases, because they contribute to
    the counts of counts, as in SRILM. `smooth_counts` removes them at the end.

    Raises
    ------
    TrainingError
        The vocabulary is closed and the text contains no event.
    """
    levels = count_ngrams(stream, order, vocabulary_size, sentence_start=sentence_start)
    if open_vocabulary:
        return levels
    levels = [without_event(level, UNK) for level in levels]
    if not _n_observed_events(levels[0]):
        raise TrainingError(
            "every token is <unk>, which is excluded from a closed vocabulary; add text, or set "
            "open_vocabulary=True"
        )
    return levels


def smooth_counts(
    levels: list[Level],
    smoothing: Smoothing,
    min_counts: Sequence[int],
    *,
    n_events: int | None,
) -> tuple[list[Level], SmoothedProbabilities]:
    """Smooth counts, and remove n-grams below the minimum count of their order.

    Parameters
    ----------
    levels : list of Level
    smoothing : Smoothing
    min_counts : sequence of int
        One per order.
    n_events : int or None
        Number of events of an open vocabulary. None for a closed vocabulary, whose events are those
        of the text.

    Returns
    -------
    levels : list of Level
        The n-grams that remain.
    smoothed : SmoothedProbabilities
        Their probabilities.
    """
    smoothed = smoothing(levels, n_events or _n_observed_events(levels[0]), min_counts)
    if n_events is None:
        smoothed.backoffs[0][:] = 0
    if n_events is None or max(min_counts) > 1:
        return _without_rare_ngrams(levels, smoothed, min_counts)
    return levels, smoothed


def resolve_min_counts(given: MinCounts | None, order: int) -> list[int]:
    """Return one minimum count per order; an order without a value has that of the order below.

    Raises
    ------
    UsageError
        The counts are not whole numbers from 1, or they decrease from one order to the next.

    Examples
    --------
    >>> resolve_min_counts({3: 2}, order=4)
    [1, 1, 2, 2]
    """
    by_order = given if isinstance(given, Mapping) else dict(enumerate(given or (), start=1))
    if not all(is_whole(number, 1) for pair in by_order.items() for number in pair):
        raise UsageError(
            f"min_counts={given!r}: orders and counts must be whole numbers, 1 or more"
        )
    counts = [1]
    for n in range(1, order + 1):
        counts.append(int(by_order.get(n, counts[-1])))
    if counts != sorted(counts):
        raise UsageError(
            f"min_counts={given!r}: they must not decrease from one order to the next, because "
            "n-grams whose beginnings are removed cannot be kept"
        )
    return counts[1:]


def _n_observed_events(unigrams: Level) -> int:
    return int(np.count_nonzero(unigrams.counts)) - unigrams.n_initial


def _without_rare_ngrams(
    levels: Sequence[Level], smoothed: SmoothedProbabilities, min_counts: Sequence[int]
) -> tuple[list[Level], SmoothedProbabilities]:
    """Remove n-grams below the minimum count, and n-grams with a word that is not an event.

    Unigrams of events are kept: below the minimum count, they have the probability of unobserved
    words.
    """
    keep, kept = [], np.ones(1, dtype=np.bool_)
    for level, min_count in zip(levels, [1, *min_counts[1:]], strict=True):
        kept = (level.counts >= min_count) & kept[level.parents]
        keep.append(kept)
    probs = [smoothed.probs[0], *_select(smoothed.probs[1:], keep)]
    backoffs = [smoothed.backoffs[0], *_select(smoothed.backoffs[1:], keep[:-1])]
    return (
        select_ngrams(levels, keep),
        SmoothedProbabilities(probs, backoffs, smoothed.fallback_orders),
    )


def _select(arrays: Sequence[Floats], keep: Sequence[Booleans]) -> list[Floats]:
    return [array[kept] for array, kept in zip(arrays, keep, strict=True)]


MAX_ORDER = 1000
_TREE_ARRAYS = ("keys", "log_probs", "backoffs")
_LOGGER = logging.getLogger(__name__)


class NgramTreeLM(LanguageModel):
    """Base class of the language models that store their n-grams in an `NgramTree`.

    Attributes
    ----------
    order : int
        Length of the longest n-grams.
    vocabulary_size_ : int
    tree_ : NgramTree
    """

    order: int
    tree_: NgramTree
    _name: ClassVar[str]  # in error messages
    _parameter_constraints: ClassVar[Constraints] = {
        "order": [whole(1, MAX_ORDER)],
        "sentence_start": [BOOLEAN],
        "sentence_end": [BOOLEAN],
    }

    @property
    def context_window(self) -> tuple[int, int]:
        """The ``order - 1`` tokens before the predicted one."""
        return self.order - 1, 0

    def _check_params(self, vocabulary_size: Any) -> None:
        check_parameters(self)
        check_vocabulary_size(vocabulary_size)

    def _check_sentences(self, sentences: Sequence[Sentence]) -> None:
        if not any(map(len, sentences)):
            raise TrainingError(
                f"there is no token to train an {self._name} on; add text to the training texts"
            )

    def _log_fallback(self, smoothing: Smoothing, smoothed: SmoothedProbabilities) -> None:
        if smoothed.fallback_orders:
            _LOGGER.debug(smoothing.describe_fallback(smoothed.fallback_orders))

    def state_params(self) -> dict[str, Any]:
        """Return the parameters and the size of the vocabulary, as in the state of a model."""
        params = {name: json_value(value) for name, value in self.get_params(deep=False).items()}
        return params | {"vocabulary_size": self.vocabulary_size_}

    def _tree_state(self) -> ModelState:
        """Return the parameters, the size of the vocabulary and the arrays of the tree."""
        arrays = {name: getattr(self.tree_, name) for name in _TREE_ARRAYS}
        return ModelState(self.state_params(), arrays)

    @classmethod
    def _from_params(cls, params: Mapping[str, Any]) -> Self:
        """Make a model without n-grams from the parameters of `_tree_state`."""
        params = dict(params)
        vocabulary_size = params.pop("vocabulary_size")
        model = cls(**params)
        model._check_params(vocabulary_size)
        model.vocabulary_size_ = vocabulary_size
        return model

    def _set_tree(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the n-grams from the arrays of `_tree_state`."""
        keys, log_probs, backoffs = (arrays[name] for name in _TREE_ARRAYS)
        self.tree_ = NgramTree(keys, log_probs, backoffs, self.vocabulary_size_)
        if defect := self.tree_.find_defect(self.order, self.n_events):
            raise ModelFileError(f"the {self._name} is damaged: {defect}; train it again")

    @classmethod
    @contextmanager
    def _rejecting_invalid_states(cls) -> Iterator[None]:
        """Raise ModelFileError if a state is incomplete or contradicts itself."""
        try:
            yield
        except KeyError as error:
            raise ModelFileError(f"the {cls._name} has no {error}; train it again") from None
        except (TypeError, UsageError) as error:
            raise ModelFileError(
                f"the {cls._name} cannot be rebuilt: {error}; train it again"
            ) from None
