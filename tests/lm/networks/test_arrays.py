"""The array libraries agree with plain NumPy expressions, and with each other."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import MissingExtraError, UsageError
from byline.lm import FeedForwardLM
from byline.lm.networks.arrays import NUMPY, ArrayLibrary, TorchArrays, arrays_for_device
from byline.lm.networks.feedforward_network import FeedForwardNetwork, feedforward_network_shapes
from byline.lm.networks.feedforward_training import FeedForwardTrainer, FeedForwardTraining
from byline.lm.networks.ngram_windows import NgramWindows


def torch_on_cpu() -> ArrayLibrary:
    torch = pytest.importorskip("torch")
    return TorchArrays(torch.device("cpu"))


@pytest.fixture(params=["numpy", pytest.param("torch", marks=pytest.mark.oracles)])
def arrays(request: pytest.FixtureRequest) -> ArrayLibrary:
    return NUMPY if request.param == "numpy" else torch_on_cpu()


def random(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


def same(arrays: ArrayLibrary, ours: Any, expected: Any) -> None:
    np.testing.assert_allclose(arrays.to_numpy(ours), expected, rtol=1e-12, atol=1e-300)


def test_products(arrays: ArrayLibrary) -> None:
    left, right, total = random(3, 4), random(4, 5), random(3, 5)
    a, b, c = (arrays.from_numpy(array.copy()) for array in (left, right, total))
    out = arrays.zeros_like(c)
    same(arrays, arrays.matmul(a, b, out), left @ right)
    same(arrays, out, left @ right)
    arrays.accumulate(c, 0.5, a, b, arrays.zeros_like(c))
    same(arrays, c, 0.5 * total + left @ right)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scaled_sums(arrays: ArrayLibrary, dtype: type[np.floating]) -> None:
    total, array = random(3, 5).astype(dtype), random(3, 5).astype(dtype)
    ours = arrays.from_numpy(total.copy())
    arrays.add_scaled(ours, -0.25, arrays.from_numpy(array))
    same(arrays, ours, total - np.asarray(0.25, dtype) * array)


def test_elements(arrays: ArrayLibrary) -> None:
    z = random(3, 5)
    same(arrays, arrays.exp(arrays.from_numpy(z.copy())), np.exp(z))
    same(arrays, arrays.logistic(arrays.from_numpy(z.copy())), 1 / (1 + np.exp(-z)))
    same(arrays, arrays.log(arrays.from_numpy(z * z)), np.log(z * z))
    same(arrays, arrays.row_sum(arrays.from_numpy(z)), z.sum(axis=1, keepdims=True))


def test_logistic_of_large_values(arrays: ArrayLibrary) -> None:
    z = arrays.from_numpy(np.array([-1000, 0, 1000], dtype=np.float32))
    assert arrays.to_numpy(arrays.logistic(z)).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("top", [-1e4, -60, 0, 30, 49, 51, 88, 1e4, np.inf, np.nan])
def test_rows_whose_exponentials_would_overflow(arrays: ArrayLibrary, top: float) -> None:
    values = np.array([[top, top - 1], [3, -1e4]], dtype=np.float32)
    z = arrays.from_numpy(values.copy())
    with np.errstate(invalid="ignore"):
        arrays.prevent_overflow(z)
        moved = arrays.to_numpy(z).astype(np.float64)
        exponentials = np.exp(moved)
    if not np.isfinite(top):
        assert np.isnan(moved[0, 0])
        return
    np.testing.assert_allclose(moved[:, 0] - moved[:, 1], [1, 3 + 1e4], atol=1e-3)
    total = exponentials.astype(np.float32).sum(axis=1)
    assert (total > 1e-30).all()
    assert np.isfinite(total).all()


def test_copies_are_independent(arrays: ArrayLibrary) -> None:
    first = arrays.from_numpy(random(2, 3).astype(np.float32))
    copy, double = arrays.copy(first), arrays.to_float64(first)
    before = arrays.to_numpy(first).copy()
    first *= 0
    same(arrays, copy, before)
    same(arrays, double, before)
    assert arrays.to_numpy(double).dtype == np.float64
    assert arrays.to_numpy(arrays.ones((1, 2), like=first)).tolist() == [[1, 1]]
    assert arrays.to_numpy(arrays.ones((1, 2), like=first)).dtype == np.float32


@given(st.lists(st.integers(0, 4), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def check_repeated_rows(arrays: ArrayLibrary, rows: list[int]) -> None:
    values, expected = random(len(rows), 3), np.ones((5, 3))
    table = arrays.from_numpy(np.ones((5, 3)))
    ids = arrays.from_numpy(np.array(rows, dtype=np.int32))
    arrays.add_rows(table, ids, 0.5, arrays.from_numpy(values))
    np.add.at(expected, rows, 0.5 * values)
    same(arrays, table, expected)


def test_add_rows_sums_repeated_rows(arrays: ArrayLibrary) -> None:
    check_repeated_rows(arrays)


@pytest.mark.oracles
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(("dropout", "shortcut", "decay"), [(0.0, None, 1.0), (0.2, 2, "linear")])
def test_training_is_the_same_with_either_library(
    shuffle: bool, dropout: float, shortcut: int | None, decay: Any
) -> None:
    """In float64: two hidden layers, momentum, learning rates, and the options beyond the paper."""
    rng = np.random.default_rng(0)
    contexts = rng.integers(7, size=(200, 3)).astype(np.int32)
    data = NgramWindows(contexts, (contexts[:, 2] + 1) % np.int32(7))
    shapes = feedforward_network_shapes(
        n_inputs=7, context=3, embedding_dim=4, hidden_dims=(6, 5), n_outputs=7
    )
    settings = FeedForwardTraining(
        epochs=3,
        patience=1,
        learning_rate=(1.0, 0.5, 0.25),
        learning_rate_decay=decay,
        warm_up=0,
        momentum=(0.5, 0.9, 0.9),
        batch_size=9,
        shuffle=shuffle,
        dropout=dropout,
    )
    runs = [
        FeedForwardTrainer(
            FeedForwardNetwork.random(np.random.default_rng(1), shapes, 0.5, np.float64, shortcut),
            data[:150],
            data[150:],
            settings,
            np.random.default_rng(2),
            arrays,
        )
        for arrays in (NUMPY, torch_on_cpu())
    ]
    for run in runs:
        run.run()
    for a, b in zip(runs[0].weights(), runs[1].weights(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    for mine, other in zip(runs[0].history, runs[1].history, strict=True):
        assert mine.kept == other.kept
        assert mine.training_cost == pytest.approx(other.training_cost, rel=1e-9)
        assert mine.validation_cost == pytest.approx(other.validation_cost, rel=1e-9)


def test_the_cpu_uses_numpy() -> None:
    assert arrays_for_device("cpu") is NUMPY


def test_a_gpu_needs_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    model = FeedForwardLM(training=FeedForwardTraining(device="cuda"))
    with pytest.raises(MissingExtraError, match=r'pip install "byline\[torch\]"'):
        model.fit([np.array([1, 2], dtype=np.int32)] * 9, vocabulary_size=3)


@pytest.mark.oracles
def test_a_gpu_that_does_not_exist() -> None:
    n_gpus = pytest.importorskip("torch").cuda.device_count()
    with pytest.raises(UsageError, match=rf"finds {n_gpus} CUDA GPUs"):
        arrays_for_device(f"cuda:{n_gpus}")


@pytest.mark.parametrize("device", ["gpu", "", "cuda:", "cuda:x", 0, None, "cpu:0"])
def test_invalid_devices(device: Any) -> None:
    with pytest.raises(UsageError, match=r"device must be 'cpu'|'device' parameter"):
        FeedForwardLM(training=FeedForwardTraining(device=device)).fit([], vocabulary_size=3)
