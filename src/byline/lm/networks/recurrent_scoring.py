"""Scoring with the recurrent network.

All products are of arrays of the same shapes, however few sentences there are: of other shapes they
are rounded otherwise, and a sentence's figures would hang on what comes with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from byline.lm.networks.recurrent_network import (
    Floats,
    RecurrentNetwork,
    run_gates,
    softmax_costs,
    softmax_inputs,
)
from byline.lm.networks.sentence_batches import Batch, Events

COLUMNS = 64  # sentences that go through the network together
ROWS = 128  # states that go through the softmax layer together


def event_costs(network: RecurrentNetwork, events: Events) -> NDArray[np.float64]:
    """Cost (nats) of each event: its negative log-probability after those before it.

    Returns
    -------
    (n_events,) float64
        In the order of ``events``.
    """
    costs = np.zeros(len(events))
    by_length = np.argsort(-events.lengths, kind="stable")
    z_out = np.empty((ROWS, network.n_outputs), np.float32)
    for start in range(0, len(by_length), COLUMNS):
        batch = events.batch(by_length[start : start + COLUMNS])
        end = 0
        for h in _states(network, batch):
            begin, end = end, end + len(h)
            costs[batch.places[begin:end]] = _costs(network, h, batch.targets[begin:end], z_out)
    return costs


def step(network: RecurrentNetwork, inputs: NDArray[np.int32], h: Floats | None) -> Floats:
    """Go one step on from ``h``, or from zeros.

    Parameters
    ----------
    network : Gru
    inputs : (COLUMNS,) int32
    h : (COLUMNS, units), optional

    Returns
    -------
    (COLUMNS, units)
    """
    return np.asarray(run_gates(network, network.embedding[inputs][None], h).h[1])


def log_outputs(network: RecurrentNetwork, h: Floats) -> NDArray[np.float64]:
    """Log-probabilities (nats) of all events after one state: (units,) to (n_outputs,)."""
    z_out = softmax_inputs(network, np.tile(h, (ROWS, 1)))[0]
    return np.asarray(log_softmax(z_out.astype(np.float64)))


def _states(network: RecurrentNetwork, batch: Batch) -> Iterator[Floats]:
    """Yield the states that events follow, those of ``ROWS`` steps at a time: (n, units)."""
    n_steps, n_columns = batch.inputs.shape
    inputs = np.zeros((n_steps, COLUMNS), np.int32)
    inputs[:, :n_columns] = batch.inputs
    steps, columns = np.divmod(batch.rows, n_columns)  # of each event
    kept = np.empty((ROWS, COLUMNS, network.units), np.float32)
    h: Floats | None = None
    for start in range(0, n_steps, ROWS):
        for place, row in enumerate(inputs[start : start + ROWS]):
            kept[place] = h = step(network, row, h)
        inside = slice(*np.searchsorted(steps, [start, start + ROWS]))
        yield kept[steps[inside] - start, columns[inside]]


def _costs(
    network: RecurrentNetwork, h: Floats, targets: NDArray[np.int32], z_out: Floats
) -> Floats:
    """Cost of each target after its state, ``ROWS`` of them at a time: (n,) float64."""
    costs = np.empty(len(h))
    for start in range(0, len(h), ROWS):
        n = len(h[start : start + ROWS])
        rows = start + np.arange(ROWS) % n
        softmax_inputs(network, h[rows], z_out)
        costs[start : start + n] = softmax_costs(z_out, targets[rows])[:n]
    return costs
