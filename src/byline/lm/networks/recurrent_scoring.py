"""Scoring of sentences with the recurrent network.

All matrix products have the same shapes, however few sentences there are. Products of other shapes
are rounded differently, so that the scores of a sentence would depend on the other sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import log_softmax

from byline.array_types import Floats, Ids
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.layers import softmax_costs
from byline.lm.networks.recurrent_network import RecurrentNetwork, run_gates, softmax_inputs
from byline.lm.networks.sentence_batches import Batch, Events

BATCH_COLUMNS = 64  # sentences that the network processes together
SOFTMAX_ROWS = 128  # states that the softmax layer processes together


def event_costs(network: RecurrentNetwork, events: Events) -> Floats:
    """Compute the cost (nats) of each event: its negative log-probability given those before it.

    Returns
    -------
    (n_events,) float64
        In the order of ``events``.

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=4, units=2)
    >>> sentence = np.array([0, 1], dtype=np.int32)
    >>> event_costs(network, Events.from_sentences([sentence], start=4, end=None)).round(3)
    array([1.386, 1.386])
    """
    costs = np.zeros(len(events))
    by_length = np.argsort(-events.lengths, kind="stable")
    z_out = np.empty((SOFTMAX_ROWS, network.n_outputs), np.float32)
    for start in range(0, len(by_length), BATCH_COLUMNS):
        batch = events.batch(by_length[start : start + BATCH_COLUMNS])
        end = 0
        for h in _states(network, batch):
            begin, end = end, end + len(h)
            costs[batch.positions[begin:end]] = _costs(network, h, batch.targets[begin:end], z_out)
    return costs


def next_states(network: RecurrentNetwork, inputs: Ids, h: NetworkArray | None) -> NetworkArray:
    """Compute the states one step after ``h``, or after zeros.

    Parameters
    ----------
    network : RecurrentNetwork
    inputs : (BATCH_COLUMNS,) int32
    h : (BATCH_COLUMNS, units), optional

    Returns
    -------
    (BATCH_COLUMNS, units)

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=4, units=2)
    >>> next_states(network, np.zeros(BATCH_COLUMNS, dtype=np.int32), None).shape
    (64, 2)
    """
    return np.asarray(run_gates(network, network.embedding[inputs][None], h).h[1])


def log_outputs(network: RecurrentNetwork, h: NetworkArray) -> Floats:
    """Compute the log-probabilities (nats) of all events after one state.

    Parameters
    ----------
    network : RecurrentNetwork
    h : (units,)

    Returns
    -------
    (n_outputs,) float64

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=4, units=2)
    >>> np.exp(log_outputs(network, np.zeros(2, dtype=np.float32)))
    array([0.25, 0.25, 0.25, 0.25])
    """
    z_out = softmax_inputs(network, np.tile(h, (SOFTMAX_ROWS, 1)))[0]
    return np.asarray(log_softmax(z_out.astype(np.float64)))


def _states(network: RecurrentNetwork, batch: Batch) -> Iterator[NetworkArray]:
    """Yield the states before the events, those of ``SOFTMAX_ROWS`` steps at a time."""
    n_steps, n_columns = batch.inputs.shape
    inputs = np.zeros((n_steps, BATCH_COLUMNS), np.int32)
    inputs[:, :n_columns] = batch.inputs
    steps, columns = np.divmod(batch.rows, n_columns)  # of each event
    states = np.empty((SOFTMAX_ROWS, BATCH_COLUMNS, network.units), np.float32)
    h: NetworkArray | None = None
    for start in range(0, n_steps, SOFTMAX_ROWS):
        for i, row in enumerate(inputs[start : start + SOFTMAX_ROWS]):
            states[i] = h = next_states(network, row, h)
        inside = slice(*np.searchsorted(steps, [start, start + SOFTMAX_ROWS]))
        yield states[steps[inside] - start, columns[inside]]


def _costs(network: RecurrentNetwork, h: NetworkArray, targets: Ids, z_out: NetworkArray) -> Floats:
    """Compute the cost of each target after its state, in blocks: (n,) float64."""
    costs = np.empty(len(h))
    for start in range(0, len(h), SOFTMAX_ROWS):
        n = len(h[start : start + SOFTMAX_ROWS])
        rows = start + np.arange(SOFTMAX_ROWS) % n
        softmax_inputs(network, h[rows], z_out)
        costs[start : start + n] = softmax_costs(z_out, targets[rows])[:n]
    return costs
