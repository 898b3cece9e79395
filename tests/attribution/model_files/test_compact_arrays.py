"""Arrays of language models take fewer bytes in a file, and are restored to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from byline.attribution.model_files.compact_arrays import compact, expand
from byline.errors import ModelFileError
from byline.lm import NgramLM

ARRAYS: dict[str, Any] = {
    "keys": np.concatenate([np.arange(-1, 300), [2**40]]),
    "descending": np.array([3, 2, 1]),
    "below": np.array([-2, 5, 6]),
    "log_probs": np.tile([-0.5, -1.25, -np.inf], 100),
    "distinct": np.linspace(-1, 0, 300),
    "table": np.ones((3, 4)),
    "narrow": np.ones(9, dtype=np.float32),
    "0.keys": np.arange(1000),
    "empty": np.zeros(0),
}


def test_arrays_are_restored_to_the_last_bit() -> None:
    packed = compact(ARRAYS)
    assert {name for name in ARRAYS if name in packed} == {
        *("descending", "below", "distinct", "table", "narrow", "empty")
    }
    back = expand(packed)
    assert set(back) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert back[name].shape == array.shape
        assert back[name].tobytes() == array.tobytes()


def test_a_model_takes_less_than_half_as_many_bytes() -> None:
    rng = np.random.default_rng(0)
    words = np.minimum(rng.zipf(1.3, 3000), 500).astype(np.int32) - 1
    model = NgramLM().fit(np.split(words, 200), vocabulary_size=500)
    arrays = model.get_state().arrays
    packed = compact(arrays)
    assert not {"keys", "log_probs", "backoffs"} & set(packed)
    size = sum(array.nbytes for array in arrays.values())
    assert sum(array.nbytes for array in packed.values()) < size / 2


@pytest.mark.parametrize("lost", sorted(compact(ARRAYS).keys() - ARRAYS.keys()))
def test_incomplete_arrays_are_rejected(lost: str) -> None:
    packed = {name: array for name, array in compact(ARRAYS).items() if name != lost}
    with pytest.raises(ModelFileError, match="missing"):
        expand(packed)
