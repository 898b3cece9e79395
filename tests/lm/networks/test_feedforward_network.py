"""The feed-forward network: values by hand, gradients from two other methods, and laws."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.lm.networks.arrays import NUMPY
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    backward,
    feedforward_network_shapes,
    forward,
    training_step,
    update,
)
from byline.lm.networks.layers import check_weights, softmax_costs
from byline.lm.networks.ngram_windows import NgramWindows, ngram_windows

N_WORDS = 6
PAPER = [(position, dims, None, False) for position, dims in product([1, 2, 3, 4], [(5,), (5, 4)])]
BEYOND = [(4, (3,), 2, False), (4, (5, 3), 2, True), (2, (2,), 0, True), (4, (5, 4), None, True)]
CASES = PAPER + BEYOND  # target position, hidden layers, shortcut, dropout


def small_network() -> FeedForwardNetwork:
    """Two context words, one number in an embedding, one hidden unit, two outputs."""
    return FeedForwardNetwork(
        np.array([[0.5], [-1.0], [2.0]]),
        (np.array([[1.0], [-4.0], [0.0]]), np.array([[2 * log(3), 0.0], [0.0, 0.0]])),
    )


def ngrams_of_random_text(target_position: int) -> NgramWindows:
    rng = np.random.default_rng(3)
    sentences = [rng.integers(N_WORDS, size=n).astype(np.int32) for n in (7, 1, 4)]
    return ngram_windows(
        sentences, context=3, target_position=target_position, end=N_WORDS, predict_end=True
    )


def random_network(hidden_dims: tuple[int, ...], shortcut: int | None = None) -> FeedForwardNetwork:
    shapes = feedforward_network_shapes(
        n_inputs=N_WORDS + 2,
        context=3,
        embedding_dim=3,
        hidden_dims=hidden_dims,
        n_outputs=N_WORDS + 1,
    )
    network = FeedForwardNetwork.random(np.random.default_rng(1), shapes, 1.0, np.float64, shortcut)
    for layer in network.layers:
        layer[-1] = np.random.default_rng(2).standard_normal(layer.shape[1])
    return network


def workspace(network: FeedForwardNetwork, data: NgramWindows, *, dropout: bool) -> Workspace:
    work = Workspace(network, len(data))
    if dropout:
        work.draw_masks(np.random.default_rng(4), 0.4)
    return work


def gradient(
    network: FeedForwardNetwork, data: NgramWindows, *, dropout: bool = False
) -> FeedForwardNetwork:
    work, delta = workspace(network, data, dropout=dropout), network.map(np.zeros_like)
    softmax_costs(forward(network, data.contexts, work), data.targets)
    backward(network, data.contexts, data.targets, work, delta, 0.0)
    return delta


def mean_cost(network: FeedForwardNetwork, data: NgramWindows, *, dropout: bool) -> float:
    work = workspace(network, data, dropout=dropout)
    return float(softmax_costs(forward(network, data.contexts, work), data.targets).mean())


def test_forward_pass_by_hand() -> None:
    network = small_network()
    work = Workspace(network, 1)
    z_out = forward(network, np.array([[2, 0]]), work)
    # y_emb = [2, 0.5]; z_hid = 2 * 1 + 0.5 * -4 + 0 = 0; y_hid = 1 / (1 + 1) = 0.5
    np.testing.assert_allclose(work.inputs[0], [[2.0, 0.5, 1.0]])
    np.testing.assert_allclose(work.inputs[1], [[0.5, 1.0]])
    # z_out = 0.5 * [2 ln 3, 0] + [0, 0] = [ln 3, 0]
    np.testing.assert_allclose(z_out, [[log(3), 0.0]])
    # exp(z_out) = [3, 1], so y_out = [3/4, 1/4]; the cost of target 1 is -ln 1/4
    costs = softmax_costs(z_out, np.array([1]))
    np.testing.assert_allclose(work.out, [[0.75, 0.25]])
    np.testing.assert_allclose(costs, [log(4)])


def test_forward_pass_with_a_shortcut_and_dropout_by_hand() -> None:
    network = replace(small_network(), shortcut=1)
    work = Workspace(network, 1)
    z_out = forward(network, np.array([[2, 0]]), work)
    # y_hid = 0.5 as above, and the second word's embedding, 0.5, is added to it
    np.testing.assert_allclose(work.inputs[1], [[1.0, 1.0]])
    np.testing.assert_allclose(z_out, [[2 * log(3), 0.0]])
    # The first word's embedding is dropped; the second's and the sum after it are doubled.
    work.masks = (np.array([[0.0, 2.0]]), np.array([[2.0]]))
    z_out = forward(network, np.array([[2, 0]]), work)
    # y_emb = [0, 1]; z_hid = 1 * -4; y_hid = 1 / (1 + e^4); its sum with the word's, 1, times 2
    y = 2 * (1 / (1 + exp(4)) + 1)
    np.testing.assert_allclose(work.inputs[0], [[0.0, 1.0, 1.0]])
    np.testing.assert_allclose(work.inputs[1], [[y, 1.0]])
    np.testing.assert_allclose(z_out, [[y * 2 * log(3), 0.0]])


def test_dropout_keeps_the_mean() -> None:
    network = random_network((50, 40))
    work = Workspace(network, 400)
    work.draw_masks(np.random.default_rng(0), 0.25)
    assert work.masks is not None
    for mask, layer in zip(work.masks, network.layers, strict=True):
        assert mask.shape == (400, len(layer) - 1)
        assert set(np.unique(mask)) == {0, np.float32(1 / 0.75)}
        assert (mask == 0).mean() == pytest.approx(0.25, abs=0.02)
        assert mask.mean() == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("repeats", [1, 2])
def test_one_update_by_hand(repeats: int) -> None:
    """A batch with the n-gram twice has the same mean gradient as a batch with it once."""
    network, delta = small_network(), small_network().map(np.zeros_like)
    for array in delta.arrays:
        array += 1  # the sum from earlier iterations
    cost = training_step(
        network,
        np.array([[2, 0]] * repeats),
        np.array([1] * repeats),
        Workspace(network, 2),
        delta,
        learning_rate=0.1,
        momentum=0.5,
    )
    assert cost == pytest.approx(repeats * log(4))
    # dC/dz_out = [3/4, 1/4] - [0, 1] = [0.75, -0.75]
    # dC/dW_hid-out = y_hid * dC/dz_out = 0.5 * [0.75, -0.75]; dC/db_out = [0.75, -0.75]
    out_gradient = np.array([[0.375, -0.375], [0.75, -0.75]])
    # dC/dy_hid = 2 ln 3 * 0.75 + 0 * -0.75 = 1.5 ln 3; dC/dz_hid = that * 0.5 * (1 - 0.5)
    dz_hid = 0.375 * log(3)
    # dC/dW_emb-hid = y_emb * dC/dz_hid = [2, 0.5] dz_hid; dC/db_hid = dz_hid
    hid_gradient = np.array([[2.0], [0.5], [1.0]]) * dz_hid
    # dC/dz_emb = W_emb-hid * dC/dz_hid = [1, -4] dz_hid: word 2 gets the first, word 0 the second
    emb_gradient = np.array([[-4.0], [0.0], [1.0]]) * dz_hid
    # Delta = 0.5 * 1 + gradient; W = W - 0.1 * Delta
    expected = [
        before - 0.1 * (0.5 + step)
        for before, step in zip(
            small_network().arrays, [emb_gradient, hid_gradient, out_gradient], strict=True
        )
    ]
    for array, value in zip(network.arrays, expected, strict=True):
        np.testing.assert_allclose(array, value, rtol=1e-12)


@pytest.mark.parametrize(("target_position", "hidden_dims", "shortcut", "dropout"), CASES)
def test_gradients_equal_numerical_differentiation(
    target_position: int, hidden_dims: tuple[int, ...], shortcut: int | None, dropout: bool
) -> None:
    network, data = random_network(hidden_dims, shortcut), ngrams_of_random_text(target_position)
    step = 1e-6
    written_out = gradient(network, data, dropout=dropout)
    for array, ours in zip(network.arrays, written_out.arrays, strict=True):
        numerical = np.empty_like(array)
        for place in np.ndindex(*array.shape):
            value = array[place]
            array[place] = value + step
            above = mean_cost(network, data, dropout=dropout)
            array[place] = value - step
            numerical[place] = (above - mean_cost(network, data, dropout=dropout)) / (2 * step)
            array[place] = value
        np.testing.assert_allclose(ours, numerical, rtol=1e-6, atol=1e-9)


def torch_gradients(
    torch: Any, network: FeedForwardNetwork, data: NgramWindows, masks: Any
) -> list[Any]:
    weights = [torch.tensor(array, requires_grad=True) for array in network.arrays]
    embedding, *layers = weights
    factors = [torch.tensor(mask) for mask in masks]
    words = embedding[torch.tensor(data.contexts.astype(np.int64))]
    y = words.flatten(1) * factors[0]
    words = y.reshape(words.shape)
    for layer, factor in zip(layers[:-1], factors[1:], strict=True):
        y = torch.sigmoid(y @ layer[:-1] + layer[-1])
        if network.shortcut is not None and layer is layers[-2]:
            joined = min(y.shape[1], words.shape[2])
            pad = torch.zeros(len(y), y.shape[1] - joined, dtype=y.dtype)
            y = y + torch.cat([words[:, network.shortcut, :joined], pad], dim=1)
        y = y * factor
    z_out = y @ layers[-1][:-1] + layers[-1][-1]
    targets = torch.tensor(data.targets.astype(np.int64))
    torch.nn.functional.cross_entropy(z_out, targets).backward()
    return [weight.grad.numpy() for weight in weights]


@pytest.mark.oracles
@pytest.mark.parametrize(("target_position", "hidden_dims", "shortcut", "dropout"), CASES)
def test_gradients_equal_automatic_differentiation(
    target_position: int, hidden_dims: tuple[int, ...], shortcut: int | None, dropout: bool
) -> None:
    torch = pytest.importorskip("torch")
    network, data = random_network(hidden_dims, shortcut), ngrams_of_random_text(target_position)
    masks = workspace(network, data, dropout=dropout).masks or [
        np.ones((len(data), len(layer) - 1)) for layer in network.layers
    ]
    automatic = torch_gradients(torch, network, data, masks)
    ours = gradient(network, data, dropout=dropout)
    for written_out, theirs in zip(ours.arrays, automatic, strict=True):
        np.testing.assert_allclose(written_out, theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


def test_a_row_without_a_word_has_no_gradient() -> None:
    data = NgramWindows(np.array([[1, 1, 4]], dtype=np.int32), np.array([0], dtype=np.int32))
    embedding = gradient(random_network((5,)), data).embedding
    assert set(np.flatnonzero(embedding.any(axis=1))) == {1, 4}


def test_momentum_carries_the_last_gradient() -> None:
    network, data = random_network((5,)), ngrams_of_random_text(4)
    bare = gradient(network, data)
    work, delta = Workspace(network, len(data)), bare.map(np.copy)
    softmax_costs(forward(network, data.contexts, work), data.targets)
    backward(network, data.contexts, data.targets, work, delta, 0.9)
    for carried, once in zip(delta.arrays, bare.arrays, strict=True):
        np.testing.assert_allclose(carried, 1.9 * once, rtol=1e-12, atol=1e-15)


def test_update_moves_every_array_against_delta() -> None:
    network = random_network((5, 4))
    before = network.map(np.copy)
    update(network, before, 0.25, NUMPY)
    for array, start in zip(network.arrays, before.arrays, strict=True):
        np.testing.assert_allclose(array, 0.75 * start)


@given(st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=8))
@settings(max_examples=50, deadline=None)
def test_softmax_sums_to_one_and_every_cost_is_finite(values: list[float]) -> None:
    z_out = np.tile(np.array(values, dtype=np.float32), (len(values), 1))
    costs = softmax_costs(z_out, np.arange(len(values)))
    np.testing.assert_allclose(z_out.sum(axis=1), 1, rtol=1e-6)
    assert np.isfinite(costs).all()
    assert (costs >= 0).all()


def test_random_weights_have_the_scale_and_no_bias() -> None:
    network = FeedForwardNetwork.random(
        np.random.default_rng(0), [(300, 40), (81, 50), (51, 300)], 0.01
    )
    for array in network.arrays:
        assert array.dtype == np.float32
        assert array[:-1].std() == pytest.approx(0.01, rel=0.05)
    assert not any(layer[-1].any() for layer in network.layers)
    assert network.embedding[-1].any()


def test_weights_with_wrong_shapes_types_or_values_are_refused() -> None:
    shapes = [(4, 2), (5, 3), (4, 2)]
    network = FeedForwardNetwork.random(np.random.default_rng(0), shapes, 0.1)
    check_weights(network.arrays, shapes)
    with pytest.raises(ValueError, match=r"\(5, 3\) float32, not \(5, 4\) float32"):
        check_weights(network.arrays, [(4, 2), (5, 4), (5, 2)])
    with pytest.raises(ValueError, match="float64"):
        doubles = FeedForwardNetwork.random(np.random.default_rng(0), shapes, 0.1, np.float64)
        check_weights(doubles.arrays, shapes)
    network.layers[0][0, 0] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        check_weights(network.arrays, shapes)
