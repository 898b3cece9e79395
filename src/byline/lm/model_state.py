"""`ModelState`: a fitted model as JSON values and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ModelState:
    """Everything that is needed to rebuild a fitted model.

    Attributes
    ----------
    params : mapping of str to JSON value
    arrays : mapping of str to numeric array

    See Also
    --------
    LanguageModel.get_state : Return the state of a model.
    LanguageModel.from_state : Rebuild a model from its state.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.lm import NgramLM
    >>> sentences = [np.array([1, 2, 1], dtype=np.int32)]
    >>> state = NgramLM(order=2).fit(sentences, vocabulary_size=3).get_state()
    >>> state.params["order"], sorted(state.arrays)
    (2, ['backoffs', 'keys', 'log_probs'])
    >>> NgramLM.from_state(state).vocabulary_size_
    3
    """

    params: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
