"""Kernels of known texts: their values, and the memory that held-out splits need."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from byline.attribution.classifiers import NgramBlock, NgramRidge
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.kernels import (
    BlockProducts,
    HeldOutKernel,
    groups_in_memory,
    solve_ridge,
)
from byline.errors import TrainingError

WORDS = np.array(["tar", "oar", "mast", "rain", "ray", "row", "reed", "mole"])
N_TEXTS = 240


@pytest.fixture(scope="module")
def texts() -> list[str]:
    rng = np.random.default_rng(5)
    return [" ".join(rng.choice(WORDS, 6)) for _ in range(N_TEXTS)]


AUTHORS = ["a", "b", "c", "d"] * (N_TEXTS // 4)


def _splits(texts: list[str], n: int) -> list[HeldOutSplit]:
    places = np.arange(len(texts))
    return [HeldOutSplit(places % n == part, texts[:3]) for part in range(n)]


def _fit(texts: list[str], n_splits: int) -> list[np.ndarray]:
    ridge = NgramRidge((NgramBlock("word", (1, 1)),))
    return ridge.fit_with_held_out_scores(texts, AUTHORS, _splits(texts, n_splits))


def _features(n_texts: int, n_features: int) -> sparse.csr_array:
    rng = np.random.default_rng(n_texts)
    # every text has the first feature, and few have the others
    dense = (rng.random((n_texts, n_features)) < 0.05) * rng.random((n_texts, n_features))
    dense[:, 0] = 1
    return sparse.csr_array(dense.astype(np.float32))


def test_products_of_rare_and_common_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.attribution.classifiers.kernels._TEXTS_AT_ONCE", 16)
    monkeypatch.setattr("byline.attribution.classifiers.kernels._COMMON_COLUMNS", 2)
    features, others = _features(40, 30), _features(7, 30)
    known = BlockProducts(features)
    expected = features.toarray().astype(float) @ others.toarray().T
    np.testing.assert_allclose(known.of(others), expected, rtol=1e-5, atol=1e-6)
    whole = features.toarray().astype(float) @ features.toarray().T
    found = list(known.lower_triangle())
    assert [columns for columns, _ in found] == [slice(0, 16), slice(16, 32), slice(32, 40)]
    for columns, products in found:
        assert products.dtype == np.float32
        np.testing.assert_allclose(products, whole[columns.start :, columns], rtol=1e-5, atol=1e-6)


def test_a_kernel_is_half_stored_and_symmetric() -> None:
    features = _features(1100, 20)
    kernel = HeldOutKernel(HeldOutSplit(np.arange(1100) % 11 == 0, []), min_documents=1)
    kernel.begin_block(features)
    for columns, products in BlockProducts(features).lower_triangle():
        kernel.add(columns, products, 1.0)
    # Of 1,100 texts, 1,000 remain: 465 of the first 512, 466 of the next, 69 of the last. Half of
    # the million products and the other half of two squares of 466 are 2.9 MB, and all are 8 MB.
    stored = kernel._columns
    assert {part.dtype for part in stored} == {np.dtype(np.float32)}
    assert sum(part.nbytes for part in stored) < 3_000_000
    values = kernel.take()
    np.testing.assert_array_equal(values, values.T)
    np.testing.assert_array_equal(values.diagonal(), 1)
    own = features.toarray()[kernel.known].astype(float)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    np.testing.assert_allclose(values, own @ own.T, atol=1e-6)


def test_the_blocks_of_a_kernel_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.attribution.classifiers.kernels._TEXTS_AT_ONCE", 16)
    kernel = HeldOutKernel(HeldOutSplit(np.arange(40) == 3, []), min_documents=1)
    blocks = {0.25: _features(40, 30), 0.75: _features(40, 20)}
    expected = np.zeros((39, 39))
    for share, features in blocks.items():
        kernel.begin_block(features)
        for columns, products in BlockProducts(features).lower_triangle():
            kernel.add(columns, products, share)
        own = features.toarray()[kernel.known].astype(float)
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        expected += share * own @ own.T
    np.testing.assert_allclose(kernel.take(), expected, atol=1e-6)


def test_kernels_are_divided_among_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    # A kernel of 100 texts takes 20,000 bytes. Three fit into 65,000; a larger one is alone.
    small = [HeldOutKernel(HeldOutSplit(np.zeros(100, dtype=bool), []), 1) for _ in range(5)]
    large = HeldOutKernel(HeldOutSplit(np.zeros(400, dtype=bool), []), 1)
    monkeypatch.setattr("byline.attribution.classifiers.kernels._KERNEL_BYTES", 65_000)
    assert groups_in_memory([large, *small]) == [[large], small[:3], small[3:]]
    assert groups_in_memory([]) == []


def test_the_passes_do_not_change_the_scores(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = _fit(texts, 4)
    monkeypatch.setattr("byline.attribution.classifiers.kernels._KERNEL_BYTES", 1)
    for one, other in zip(together, _fit(texts, 4), strict=True):
        np.testing.assert_array_equal(one, other)


def test_memory_does_not_grow_with_the_number_of_splits(
    texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel of 240 texts takes 0.46 MB as float64, and half of it 0.12 MB as float32."""
    monkeypatch.setattr("byline.attribution.classifiers.kernels._KERNEL_BYTES", 200_000)
    monkeypatch.setattr("byline.attribution.classifiers.kernels._TEXTS_AT_ONCE", 32)
    peaks = []
    for n_splits in (3, 12):
        tracemalloc.start()
        _fit(texts, n_splits)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Nine more kernels would take 1.1 MB even as halves; nine more solutions take 70 kB.
    assert peaks[1] - peaks[0] < 400_000


def test_a_ridge_below_the_precision_of_the_kernel_is_rejected() -> None:
    kernel = np.array([[1.0, 1.1], [1.1, 1.0]])  # cannot be products of vectors
    with pytest.raises(TrainingError, match="ridge is too small: with penalties of 1e-09"):
        solve_ridge(kernel, np.eye(2), np.full(2, 1e-9))
