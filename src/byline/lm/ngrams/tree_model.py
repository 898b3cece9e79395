"""`NgramTreeLM`: the checks and the storage that all n-gram models share."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.inputs import is_whole, json_value
from byline.lm.ngrams.smoothing import SmoothedProbabilities, Smoothing
from byline.lm.ngrams.tree import NgramTree

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
    _switches: ClassVar[tuple[str, ...]] = ("sentence_start", "sentence_end")

    @property
    def context_window(self) -> tuple[int, int]:
        """The ``order - 1`` tokens before the predicted one."""
        return self.order - 1, 0

    def _check_params(self, vocabulary_size: Any) -> None:
        if not is_whole(self.order, 1) or self.order > MAX_ORDER:
            raise UsageError(
                f"order={self.order!r}: it must be a whole number from 1 to {MAX_ORDER}"
            )
        if not is_whole(vocabulary_size, 1):
            raise UsageError(f"vocabulary_size={vocabulary_size!r}: it must be 1 or more")
        for name in self._switches:
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")

    def _check_sentences(self, sentences: Sequence[Sentence]) -> None:
        if not any(map(len, sentences)):
            raise TrainingError(
                f"there is no token to train an {self._name} on; add text to the training texts"
            )

    def _log_fallback(self, smoothing: Smoothing, smoothed: SmoothedProbabilities) -> None:
        if smoothed.fallback_orders:
            _LOGGER.debug(smoothing.describe_fallback(smoothed.fallback_orders))

    def _tree_state(self) -> ModelState:
        """Return the parameters, the size of the vocabulary and the arrays of the tree."""
        params = {name: json_value(value) for name, value in self.get_params(deep=False).items()}
        params["vocabulary_size"] = self.vocabulary_size_
        return ModelState(params, {name: getattr(self.tree_, name) for name in _TREE_ARRAYS})

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
