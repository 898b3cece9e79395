"""A recurrent network with gated units (GRU): forward pass, and backward pass through time.

The equations are 5 to 8 of Cho et al. (2014), with two later changes. The reset gate multiplies the
product with U instead of the state before it; this is the form of cuDNN, and one product with U
then serves all gates, with a bias of its own. The embedding table is also the matrix of the softmax
layer (Press & Wolf 2017). E is the table, w are the words, and * multiplies elements. At step t,
from a state h_0 of zeros:

    x_t = E[w_{t-1}]                                     (embedding)
    r_t = logistic(x_t W_r + b_r + h_{t-1} U_r)          (reset)
    z_t = logistic(x_t W_z + b_z + h_{t-1} U_z)          (update)
    n_t = tanh(x_t W_n + b_n + r_t * u_t)                (new)
    u_t = h_{t-1} U_n + b_u
    h_t = z_t * h_{t-1} + (1 - z_t) * n_t                (state)
    y_t = softmax(h_t E^T + b_out)                       (out)

Sentences are processed together, one per column, in arrays of shape (n_steps, n_columns, units).
The weights of the gates are stored side by side, in the order r, z, n. The backward pass follows
from the chain rule, equation by equation. A comment names the equation that a line computes or
differentiates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from byline.array_types import Integers
from byline.lm.networks.arrays import NUMPY, NetworkArray
from byline.lm.networks.layers import dropout_mask, softmax_costs
from byline.lm.networks.sentence_batches import Batch


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentNetwork:
    """The weights of the network; the same class holds their gradients.

    Attributes
    ----------
    embedding : (n_outputs + 1, units)
        E: one row per predicted event; the last row is for ``<s>``, which is not predicted.
    W, U : (units, 3 * units)
    b : (3 * units,)
        b_r, b_z, b_n.
    b_u : (units,)
    b_out : (n_outputs,)

    See Also
    --------
    byline.lm.RecurrentLM : the language model that trains this network

    Examples
    --------
    >>> network, weights = RecurrentNetwork.zeros(n_outputs=5, units=3)
    >>> network.W.shape, weights.shape
    ((3, 9), (89,))
    """

    embedding: NetworkArray
    W: NetworkArray
    U: NetworkArray
    b: NetworkArray
    b_u: NetworkArray
    b_out: NetworkArray

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the arrays: matrices first, then biases."""
        return [field.name for field in fields(cls)]

    @classmethod
    def views(cls, vector: NetworkArray, n_outputs: int, units: int) -> Self:
        """Make a network whose arrays are views of one vector and change with it."""
        shapes = recurrent_network_shapes(n_outputs, units)
        ends = np.cumsum(list(map(math.prod, shapes)))
        parts = np.split(vector, ends[:-1])
        return cls(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))

    @classmethod
    def zeros(cls, n_outputs: int, units: int) -> tuple[Self, NetworkArray]:
        """Make a network of zeros, and the vector that its arrays are views of."""
        vector = np.zeros(cls.n_weights(n_outputs, units), np.float32)
        return cls.views(vector, n_outputs, units), vector

    @staticmethod
    def n_weights(n_outputs: int, units: int) -> int:
        """Return the length of the vector for `views`."""
        return sum(map(math.prod, recurrent_network_shapes(n_outputs, units)))

    @property
    def arrays(self) -> list[NetworkArray]:
        """All arrays, in the order of `names`."""
        return [getattr(self, name) for name in self.names()]

    @property
    def units(self) -> int:
        """Number of values of a state, and of an embedding."""
        return len(self.b_u)

    @property
    def n_outputs(self) -> int:
        """Number of events that are predicted; this is also the id of ``<s>``."""
        return len(self.b_out)

    @property
    def n_matrix_weights(self) -> int:
        """Number of weights in matrices, which come first in the vector of all weights."""
        return self.embedding.size + self.W.size + self.U.size


def recurrent_network_shapes(n_outputs: int, units: int) -> list[tuple[int, ...]]:
    """Return the shapes of the arrays of a `RecurrentNetwork`.

    Examples
    --------
    >>> recurrent_network_shapes(n_outputs=5, units=3)
    [(6, 3), (3, 9), (3, 9), (9,), (3,), (5,)]
    """
    gates = 3 * units
    return [
        (n_outputs + 1, units),
        (units, gates),
        (units, gates),
        (gates,),
        (units,),
        (n_outputs,),
    ]


def initialize_weights(
    network: RecurrentNetwork, counts: Integers, rng: np.random.Generator
) -> None:
    """Set small random matrices, and output biases that give the frequencies of the events.

    Parameters
    ----------
    network : RecurrentNetwork
        All its arrays are set.
    counts : (n_outputs,) int
        Counts of the events in the training text; 0.5 is added to each.
    rng : numpy.random.Generator

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=2, units=3)
    >>> initialize_weights(network, np.array([1, 0]), np.random.default_rng(0))
    >>> np.exp(network.b_out)
    array([0.75, 0.25], dtype=float32)
    """
    network.embedding[...] = rng.uniform(-0.3, 0.3, network.embedding.shape)
    for matrix in (network.W, network.U):
        matrix[...] = rng.uniform(-1, 1, matrix.shape) / np.sqrt(network.units)
    network.b[...] = network.b_u[...] = 0
    network.b_out[...] = np.log((counts + 0.5) / (counts + 0.5).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Results of `run_gates` at all steps.

    Attributes
    ----------
    h : (n_steps + 1, n_columns, units)
        States, beginning with h_0.
    r, z, n, u : (n_steps, n_columns, units)
    """

    h: NetworkArray
    r: NetworkArray
    z: NetworkArray
    n: NetworkArray
    u: NetworkArray


def run_gates(network: RecurrentNetwork, x: NetworkArray, h_0: NetworkArray | None = None) -> Steps:
    """Compute the states of all steps.

    Parameters
    ----------
    network : RecurrentNetwork
    x : (n_steps, n_columns, units)
        Embeddings.
    h_0 : (n_columns, units), optional
        By default zeros.

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=2, units=3)
    >>> run_gates(network, np.zeros((4, 1, 3))).h.shape  # h_0 and four steps of one sentence
    (5, 1, 3)
    """
    n_steps, n_columns, units = x.shape
    two = 2 * units
    gates = x.reshape(-1, units) @ network.W  # (n_steps * n_columns, 3 * units)
    gates += network.b
    gates = gates.reshape(n_steps, n_columns, -1)
    rz, n = (
        gates[:, :, :two],
        gates[:, :, two:],
    )  # inputs of the gates, later outputs
    h = np.empty((n_steps + 1, n_columns, units), x.dtype)
    h[0] = 0 if h_0 is None else h_0
    u = np.empty_like(x)
    for t in range(n_steps):
        h_u = h[t] @ network.U  # (n_columns, 3 * units)
        rz[t] += h_u[:, :two]
        NUMPY.logistic(rz[t])  # Eqs. reset, update
        np.add(h_u[:, two:], network.b_u, out=u[t])
        n[t] += rz[t, :, :units] * u[t]
        np.tanh(n[t], out=n[t])  # Eq. new
        np.subtract(h[t], n[t], out=h[t + 1])
        h[t + 1] *= rz[t, :, units:]
        h[t + 1] += n[t]  # Eq. state, rewritten as n + z * (h_{t-1} - n)
    return Steps(h, rz[:, :, :units], rz[:, :, units:], n, u)


def _run_gates_backward(
    network: RecurrentNetwork,
    gradient: RecurrentNetwork,
    x: NetworkArray,
    steps: Steps,
    dh_out: NetworkArray,
) -> NetworkArray:
    """Set the gradients of W, U, b and b_u, and return the derivative with respect to x.

    Parameters
    ----------
    network, gradient : RecurrentNetwork
    x : (n_steps, n_columns, units)
    steps : Steps
        Result of `run_gates` for ``x``, with an h_0 of zeros.
    dh_out : (n_steps, n_columns, units)
        Derivative of the cost with respect to each state, through the softmax at its own step only.

    Returns
    -------
    (n_steps * n_columns, units)
        Derivative with respect to ``x``.
    """
    units = network.units
    new = slice(2 * units, None)
    d_gates, d_n = _gate_derivatives(network, steps, dh_out)
    d_h_u = d_gates.reshape(-1, 3 * units)  # with respect to the products with U
    np.matmul(steps.h[:-1].reshape(-1, units).T, d_h_u, out=gradient.U)
    d_h_u[:, new].sum(axis=0, out=gradient.b_u)
    d_gates[:, :, new] = d_n  # from here on with respect to the products with W: r * u was added
    np.matmul(x.reshape(-1, units).T, d_h_u, out=gradient.W)
    d_h_u.sum(axis=0, out=gradient.b)
    return np.asarray(d_h_u @ network.W.T)


def _gate_derivatives(
    network: RecurrentNetwork, steps: Steps, dh_out: NetworkArray
) -> tuple[NetworkArray, NetworkArray]:
    """Compute the derivatives with respect to the gates' inputs, from the last step to the first.

    Returns
    -------
    d_gates : (n_steps, n_columns, 3 * units)
        With respect to ``h U``, for r, z and n side by side.
    d_n : (n_steps, n_columns, units)
        With respect to the input of n.
    """
    h, r, z, n, u = steps.h, steps.r, steps.z, steps.n, steps.u
    units = network.units
    by_z = (h[:-1] - n) * z * (1 - z)  # Eqs. state, update
    by_n = (1 - z) * (1 - n * n)  # Eqs. state, new
    by_r = u * r * (1 - r)  # Eqs. new, reset
    d_gates, d_n = np.empty((*n.shape[:2], 3 * units), n.dtype), np.empty_like(by_n)
    dh = np.zeros_like(by_n[0])
    U_T = np.ascontiguousarray(network.U.T)
    for t in reversed(range(len(n))):
        dh += dh_out[t]
        np.multiply(dh, by_n[t], out=d_n[t])
        np.multiply(d_n[t], by_r[t], out=d_gates[t, :, :units])
        np.multiply(dh, by_z[t], out=d_gates[t, :, units : 2 * units])
        np.multiply(d_n[t], r[t], out=d_gates[t, :, 2 * units :])
        dh *= z[t]
        dh += d_gates[t] @ U_T
    return d_gates, d_n


@dataclass(frozen=True, slots=True, eq=False)
class DropoutMasks:
    """Dropout factors of one batch: 0 for values that are dropped, more than 1 for the others.

    Attributes
    ----------
    embeddings : (n_steps, n_columns, units)
    states : (n_events, units)
        For the states before the softmax; between steps nothing is dropped.
    """

    embeddings: NetworkArray
    states: NetworkArray

    @classmethod
    def sample(
        cls,
        rng: np.random.Generator,
        batch: Batch,
        units: int,
        *,
        embedding_dropout: float,
        dropout: float,
    ) -> Self:
        """Draw the masks of a batch; see `dropout_mask`."""
        return cls(
            dropout_mask(rng, (*batch.inputs.shape, units), embedding_dropout),
            dropout_mask(rng, (len(batch.targets), units), dropout),
        )


def softmax_inputs(
    network: RecurrentNetwork, h: NetworkArray, out: NetworkArray | None = None
) -> NetworkArray:
    """Compute ``h E^T + b_out``, the inputs of the softmax layer: (n, n_outputs).

    Examples
    --------
    >>> network, _ = RecurrentNetwork.zeros(n_outputs=2, units=3)
    >>> softmax_inputs(network, np.ones((1, 3), dtype=np.float32))
    array([[0., 0.]], dtype=float32)
    """
    z_out = np.matmul(h, network.embedding[:-1].T, out=out)
    z_out += network.b_out
    return np.asarray(z_out)


def cost_and_gradient(
    network: RecurrentNetwork,
    gradient: RecurrentNetwork,
    batch: Batch,
    masks: DropoutMasks,
    out: NetworkArray | None = None,
) -> float:
    """Compute the summed cost of a batch, and set the gradient of its mean cost.

    Parameters
    ----------
    network, gradient : RecurrentNetwork
    batch : Batch
    masks : DropoutMasks
    out : (n_events, n_outputs) float, optional
        Buffer for the softmax layer, which needs nearly all the memory of a training step.

    Returns
    -------
    float
        Sum of the costs (nats) of the batch's events.

    Examples
    --------
    >>> from byline.lm.networks.sentence_batches import Events
    >>> sentence = np.array([0, 1], dtype=np.int32)
    >>> batch = Events.from_sentences([sentence], start=2, end=None).batch(np.array([0]))
    >>> masks = DropoutMasks(np.ones((2, 1, 3)), np.ones((2, 3)))
    >>> (network, _), (gradient, _) = (RecurrentNetwork.zeros(2, 3) for _ in range(2))
    >>> round(cost_and_gradient(network, gradient, batch, masks) / 2, 3)  # log(2): all is likely
    0.693
    """
    share, E = 1 / len(batch.targets), network.embedding[:-1]
    x = network.embedding[batch.inputs] * masks.embeddings  # Eq. embedding
    steps = run_gates(network, x)
    h = steps.h[1:].reshape(-1, network.units)[batch.rows] * masks.states  # (n_events, units)
    dz = softmax_inputs(network, h, out)
    costs = softmax_costs(dz, batch.targets)  # Eq. out; dz now holds y
    dz[np.arange(len(costs)), batch.targets] -= 1  # dC/dz_out of each event's own cost
    np.matmul(dz.T, h * dz.dtype.type(share), out=gradient.embedding[:-1])
    gradient.embedding[-1] = 0
    np.multiply(np.einsum("ij->j", dz), share, out=gradient.b_out)
    dh = np.zeros_like(x).reshape(-1, network.units)
    dh[batch.rows] = (dz @ E) * (masks.states * dz.dtype.type(share))
    dx = _run_gates_backward(network, gradient, x, steps, dh.reshape(x.shape))
    dx *= masks.embeddings.reshape(dx.shape)
    NUMPY.add_rows(gradient.embedding, batch.inputs.ravel(), 1, dx)
    return float(costs.sum())
