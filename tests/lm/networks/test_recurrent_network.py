"""The recurrent network: values by hand, and gradients compared with two other methods."""

from __future__ import annotations

from math import exp, log, tanh
from typing import Any

import numpy as np
import pytest

from byline.lm.networks.layers import softmax_costs
from byline.lm.networks.recurrent_network import (
    DropoutMasks,
    RecurrentNetwork,
    cost_and_gradient,
    initialize_weights,
    run_gates,
    softmax_inputs,
)
from byline.lm.networks.recurrent_scoring import event_costs
from byline.lm.networks.sentence_batches import Batch, Events

N_OUTPUTS, UNITS = 6, 3


def random_network(dtype: Any = np.float64) -> tuple[RecurrentNetwork, np.ndarray[Any, Any]]:
    vector = np.random.default_rng(1).standard_normal(RecurrentNetwork.n_weights(N_OUTPUTS, UNITS))
    vector = vector.astype(dtype)
    return RecurrentNetwork.views(vector, N_OUTPUTS, UNITS), vector


def events_of_lengths(*lengths: int) -> Events:
    """Sentences of random words, ``</s>`` being 5 and ``<s>`` 6."""
    rng = np.random.default_rng(2)
    sentences = [rng.integers(5, size=n).astype(np.int32) for n in lengths]
    return Events.from_sentences(sentences, start=6, end=5)


def batch_of_lengths(*lengths: int) -> Batch:
    return events_of_lengths(*lengths).batch(np.arange(len(lengths)))


def masks(batch: Batch, share: float) -> DropoutMasks:
    drawn = DropoutMasks.sample(
        np.random.default_rng(3), batch, UNITS, embedding_dropout=share, dropout=share
    )
    return DropoutMasks(drawn.embeddings.astype(np.float64), drawn.states.astype(np.float64))


def test_forward_pass_by_hand() -> None:
    """One unit, two events, two steps."""
    network = RecurrentNetwork(
        embedding=np.array([[1.0], [0.0], [2.0]]),
        W=np.array([[0.0, log(3), 1.0]]),
        U=np.array([[1.0, -1.0, 2.0]]),
        b=np.array([0.0, -2 * log(3), -2.0]),
        b_u=np.array([0.5]),
        b_out=np.array([0.25, 0.0]),
    )
    steps = run_gates(network, network.embedding[[[2], [0]]])
    # Step 1, x = 2, h = 0: r = 1 / (1 + e^-0) = 1/2; z = 1 / (1 + e^-(2 ln 3 - 2 ln 3)) = 1/2
    # u = 0 * 2 + 0.5; n = tanh(2 - 2 + 0.5 * 0.5) = tanh 0.25; h = 0.5 * 0 + (1 - 0.5) * n
    h_1 = 0.5 * tanh(0.25)
    # Step 2, x = 1: r = logistic(h_1); z = logistic(ln 3 - 2 ln 3 - h_1) = 1 / (1 + 3 e^h_1)
    r, z = 1 / (1 + exp(-h_1)), 1 / (1 + 3 * exp(h_1))
    # n = tanh(1 - 2 + r * (2 h_1 + 0.5)); h = z * h_1 + (1 - z) * n
    n = tanh(-1 + r * (2 * h_1 + 0.5))
    h_2 = z * h_1 + (1 - z) * n
    np.testing.assert_allclose(steps.h.ravel(), [0, h_1, h_2])
    np.testing.assert_allclose(steps.r.ravel(), [0.5, r])
    np.testing.assert_allclose(steps.z.ravel(), [0.5, z])
    # The inputs of the softmax are h * 1 + 0.25 and h * 0 + 0; <s>, the last row, is not an event.
    z_out = softmax_inputs(network, steps.h[2])
    np.testing.assert_allclose(z_out, [[h_2 + 0.25, 0]])
    costs = softmax_costs(z_out, np.array([1], np.int32))
    np.testing.assert_allclose(costs, [log(exp(h_2 + 0.25) + 1)])
    np.testing.assert_allclose(z_out.sum(), 1)


def test_a_sentence_can_continue_from_a_state() -> None:
    network, _ = random_network()
    x = np.random.default_rng(0).standard_normal((7, 2, UNITS))
    whole = run_gates(network, x)
    first = run_gates(network, x[:3])
    np.testing.assert_allclose(run_gates(network, x[3:], first.h[-1]).h[-1], whole.h[-1])


def test_a_gate_that_is_shut_is_no_overflow() -> None:
    """exp(100) exceeds the range of float32, and a warning would be an error here."""
    network, _ = random_network(np.float32)
    network.W[:] = network.U[:] = 0
    network.b[: 2 * UNITS] = -100
    steps = run_gates(network, np.zeros((2, 3, UNITS), np.float32))
    assert not steps.r.any() and not steps.z.any()
    costs = event_costs(network, events_of_lengths(3, 0, 5))
    assert np.isfinite(costs).all() and len(costs) == 3 + 0 + 5 + 3


def test_a_cost_is_finite_where_the_probability_is_not_above_zero() -> None:
    z_out = np.array([[0.0, 200.0]], np.float32)
    assert softmax_costs(z_out, np.array([0], np.int32))[0] == pytest.approx(200)
    assert z_out[0, 0] == 0


@pytest.mark.parametrize("share", [0.0, 0.4])
@pytest.mark.parametrize("lengths", [(4,), (3, 0, 5, 3)])
def test_gradients_equal_numerical_differentiation(lengths: tuple[int, ...], share: float) -> None:
    network, vector = random_network()
    gradient, written_out = random_network()  # its values are replaced
    batch = batch_of_lengths(*lengths)
    factors, step, n = masks(batch, share), 1e-6, sum(lengths) + len(lengths)
    scratch, _ = random_network()

    def cost() -> float:
        return cost_and_gradient(network, scratch, batch, factors) / n

    cost_and_gradient(network, gradient, batch, factors)
    numerical = np.empty_like(vector)
    for place, value in enumerate(vector.tolist()):
        vector[place] = value + step
        above = cost()
        vector[place] = value - step
        numerical[place] = (above - cost()) / (2 * step)
        vector[place] = value
    assert np.abs(numerical).max() > 0.1
    np.testing.assert_allclose(written_out, numerical, rtol=1e-6, atol=1e-9)


@pytest.mark.oracles
@pytest.mark.parametrize("share", [0.0, 0.4])
def test_gradients_equal_automatic_differentiation(share: float) -> None:
    torch = pytest.importorskip("torch")
    (network, _), (gradient, _) = random_network(), random_network()
    batch = batch_of_lengths(4, 0, 6, 6, 2)
    factors = masks(batch, share)
    ours = cost_and_gradient(network, gradient, batch, factors) / len(batch.targets)

    gru = torch.nn.GRU(UNITS, UNITS, dtype=torch.float64)  # its gates have the same order: r, z, n
    with torch.no_grad():
        gru.weight_ih_l0.copy_(torch.tensor(network.W.T))
        gru.weight_hh_l0.copy_(torch.tensor(network.U.T))
        gru.bias_ih_l0.copy_(torch.tensor(network.b))
        gru.bias_hh_l0.copy_(torch.tensor(np.append(np.zeros(2 * UNITS), network.b_u)))
    table = torch.tensor(network.embedding, requires_grad=True)
    b_out = torch.tensor(network.b_out, requires_grad=True)
    x = table[torch.tensor(batch.inputs.astype(np.int64))] * torch.tensor(factors.embeddings)
    h = gru(x)[0].reshape(-1, UNITS)[torch.tensor(batch.rows)] * torch.tensor(factors.states)
    targets = torch.tensor(batch.targets.astype(np.int64))
    cost = torch.nn.functional.cross_entropy(h @ table[:-1].T + b_out, targets)
    cost.backward()

    assert ours == pytest.approx(cost.item(), rel=1e-12)
    automatic = [
        *(table.grad, gru.weight_ih_l0.grad.T, gru.weight_hh_l0.grad.T),
        *(gru.bias_ih_l0.grad, gru.bias_hh_l0.grad[2 * UNITS :], b_out.grad),
    ]
    for written_out, theirs in zip(gradient.arrays, automatic, strict=True):
        found = theirs.numpy()
        np.testing.assert_allclose(written_out, found, rtol=1e-8, atol=1e-8 * np.abs(found).max())


def test_the_arrays_are_views_of_the_vector() -> None:
    network, vector = random_network(np.float32)
    vector[:] = 0
    assert not any(array.any() for array in network.arrays)
    network.b_out[:] = 1
    assert vector.sum() == N_OUTPUTS
    assert sum(array.size for array in network.arrays) == len(vector)
    assert network.n_matrix_weights == 7 * 3 + 2 * 3 * 9


def test_initial_outputs_are_the_frequencies_of_events() -> None:
    network, _ = random_network()
    initialize_weights(network, np.array([7, 0, 0, 0, 0, 0]), np.random.default_rng(0))
    z_out = softmax_inputs(network, np.zeros((1, UNITS)))
    softmax_costs(z_out, np.zeros(1, np.int32))
    # One half is added to each of 6 counts: 7.5 of 10, and 0.5 of 10.
    np.testing.assert_allclose(z_out, [[0.75, *[0.05] * 5]])


def test_dropout_keeps_the_mean() -> None:
    batch = batch_of_lengths(*[30] * 40)
    drawn = DropoutMasks.sample(
        np.random.default_rng(0), batch, 20, embedding_dropout=0.25, dropout=0.5
    )
    assert drawn.embeddings.shape == (31, 40, 20)
    assert drawn.states.shape == (31 * 40, 20)
    for mask, share in ((drawn.embeddings, 0.25), (drawn.states, 0.5)):
        assert set(np.unique(mask)) == {0, np.float32(1 / (1 - share))}
        assert (mask == 0).mean() == pytest.approx(share, abs=0.02)
