"""A recurrent network of gated units (GRU), written out: forward, and backward through time.

Cho et al. (2014), Eqs. 5 to 8, with two later changes: the reset gate multiplies the product with
U, not the state before it (cuDNN's form, with a bias of its own: one product with U then serves all
gates), and the table of embeddings is the softmax layer's matrix too (Press & Wolf 2017). With E
the table, w the words and * element by element, at step t, from a state h_0 of zeros:

    x_t = E[w_{t-1}]                                     (embedding)
    r_t = logistic(x_t W_r + b_r + h_{t-1} U_r)          (reset)
    z_t = logistic(x_t W_z + b_z + h_{t-1} U_z)          (update)
    n_t = tanh(x_t W_n + b_n + r_t * u_t)                (new)
    u_t = h_{t-1} U_n + b_u
    h_t = z_t * h_{t-1} + (1 - z_t) * n_t                (state)
    y_t = softmax(h_t E^T + b_out)                       (out)

Sentences go through together, one a column, in arrays of (n_steps, n_columns, units). The weights
of the gates stand side by side, in the order r, z, n. The backward pass is the chain rule,
equation by equation; every line that computes an equation, or its derivative, carries its name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.lm.networks.arrays import NUMPY
from byline.lm.networks.sentence_batches import Batch

Floats = NDArray[Any]  # float32; float64 where gradients are checked


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentNetwork:
    """The weights, or values of their shapes: gradients.

    Attributes
    ----------
    embedding : (n_outputs + 1, units)
        E: a row for each event that is predicted, and last one for ``<s>``, which is not.
    W, U : (units, 3 * units)
    b : (3 * units,)
        b_r, b_z, b_n.
    b_u : (units,)
    b_out : (n_outputs,)
    """

    embedding: Floats
    W: Floats
    U: Floats
    b: Floats
    b_u: Floats
    b_out: Floats

    @classmethod
    def names(cls) -> list[str]:
        """Names of the arrays: matrices first, then biases."""
        return [field.name for field in fields(cls)]

    @classmethod
    def views(cls, vector: Floats, n_outputs: int, units: int) -> Self:
        """Arrays that are parts of one vector: what changes it, changes them."""
        shapes = recurrent_network_shapes(n_outputs, units)
        ends = np.cumsum(list(map(math.prod, shapes)))
        parts = np.split(vector, ends[:-1])
        return cls(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))

    @staticmethod
    def n_weights(n_outputs: int, units: int) -> int:
        """Length of the vector that `views` takes."""
        return sum(map(math.prod, recurrent_network_shapes(n_outputs, units)))

    @property
    def arrays(self) -> list[Floats]:
        """All arrays, in the order of `names`."""
        return [getattr(self, name) for name in self.names()]

    @property
    def units(self) -> int:
        """Values of a state, and of an embedding."""
        return len(self.b_u)

    @property
    def n_outputs(self) -> int:
        """Number of events that are predicted; the id of ``<s>``."""
        return len(self.b_out)

    @property
    def n_matrix(self) -> int:
        """How many of the weights are in matrices, and so in the front of the vector."""
        return self.embedding.size + self.W.size + self.U.size

    def check(self, n_outputs: int, units: int) -> None:
        """Raise ValueError where an array has another shape, is not float32, or is not finite."""
        for array, shape in zip(
            self.arrays, recurrent_network_shapes(n_outputs, units), strict=True
        ):
            if array.shape != shape or array.dtype != np.float32:
                raise ValueError(f"weights are {array.shape} {array.dtype}, not {shape} float32")
            if not np.isfinite(array).all():
                raise ValueError("a weight is not finite")


def recurrent_network_shapes(n_outputs: int, units: int) -> list[tuple[int, ...]]:
    """Shapes of the arrays of a `RecurrentNetwork`."""
    gates = 3 * units
    return [
        (n_outputs + 1, units),
        (units, gates),
        (units, gates),
        (gates,),
        (units,),
        (n_outputs,),
    ]


def draw_weights(
    network: RecurrentNetwork, counts: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Begin with small random matrices, and a softmax that gives the events' frequencies.

    Parameters
    ----------
    network : Gru
        All its arrays are set.
    counts : (n_outputs,) int
        Of the events in the training text; half of one is added to each.
    rng : numpy.random.Generator
    """
    network.embedding[...] = rng.uniform(-0.3, 0.3, network.embedding.shape)
    for matrix in (network.W, network.U):
        matrix[...] = rng.uniform(-1, 1, matrix.shape) / np.sqrt(network.units)
    network.b[...] = network.b_u[...] = 0
    network.b_out[...] = np.log((counts + 0.5) / (counts + 0.5).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What the forward pass computed: (n_steps, n_columns, units); ``h`` begins with h_0."""

    h: Floats
    r: Floats
    z: Floats
    n: Floats
    u: Floats


def run_gates(network: RecurrentNetwork, x: Floats, h_0: Floats | None = None) -> Steps:
    """Run from state to state.

    Parameters
    ----------
    network : Gru
    x : (n_steps, n_columns, units)
        Embeddings.
    h_0 : (n_columns, units), optional
        By default zeros.
    """
    n_steps, n_columns, units = x.shape
    two = 2 * units
    gates = x.reshape(-1, units) @ network.W  # (n_steps * n_columns, 3 * units)
    gates += network.b
    gates = gates.reshape(n_steps, n_columns, -1)
    rz, n = gates[:, :, :two], gates[:, :, two:]  # inputs of the gates, to become their outputs
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
        h[t + 1] += n[t]  # Eq. state, as n + z * (h_before - n)
    return Steps(h, rz[:, :, :units], rz[:, :, units:], n, u)


def run_gates_back(
    network: RecurrentNetwork, gradient: RecurrentNetwork, x: Floats, steps: Steps, dh_out: Floats
) -> Floats:
    """Set the gradients of W, U, b and b_u.

    Parameters
    ----------
    network, gradient : Gru
    x : (n_steps, n_columns, units)
    steps : Steps
        As `run_gates` returned it for ``x``, with h_0 of zeros.
    dh_out : (n_steps, n_columns, units)
        Derivative of the cost by each state, as far as the softmax after it goes.

    Returns
    -------
    (n_steps * n_columns, units)
        Derivative by ``x``.
    """
    units = network.units
    new = slice(2 * units, None)
    d_gates, d_n = _gate_derivatives(network, steps, dh_out)
    d_h_u = d_gates.reshape(-1, 3 * units)  # by the products with U
    np.matmul(steps.h[:-1].reshape(-1, units).T, d_h_u, out=gradient.U)
    d_h_u[:, new].sum(axis=0, out=gradient.b_u)
    d_gates[:, :, new] = d_n  # r * u was added: from here on by the products with W
    np.matmul(x.reshape(-1, units).T, d_h_u, out=gradient.W)
    d_h_u.sum(axis=0, out=gradient.b)
    return np.asarray(d_h_u @ network.W.T)


def _gate_derivatives(
    network: RecurrentNetwork, steps: Steps, dh_out: Floats
) -> tuple[Floats, Floats]:
    """Go back in time: derivatives by ``h U`` of r, z and n side by side, and by n's input.

    Returns
    -------
    (n_steps, n_columns, 3 * units), (n_steps, n_columns, units)
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
class Masks:
    """Factors of one batch: 0 for what is dropped, more than 1 for the rest.

    Attributes
    ----------
    x : (n_steps, n_columns, units)
        On the embeddings.
    h : (n_events, units)
        On the states before the softmax; between steps nothing is dropped.
    """

    x: Floats
    h: Floats

    @classmethod
    def draw(
        cls, rng: np.random.Generator, batch: Batch, units: int, *, x: float, h: float
    ) -> Self:
        """Drop each value with probability ``x`` or ``h`` (Srivastava et al. 2014)."""
        n_events = len(batch.targets)
        return cls(_mask(rng, (*batch.inputs.shape, units), x), _mask(rng, (n_events, units), h))


def _mask(rng: np.random.Generator, shape: tuple[int, ...], share: float) -> Floats:
    return (rng.random(shape, dtype=np.float32) >= share) * np.float32(1 / (1 - share))


def softmax_inputs(network: RecurrentNetwork, h: Floats, out: Floats | None = None) -> Floats:
    """Compute ``h E^T + b_out``, the softmax layer's inputs: (n, n_outputs)."""
    z_out = np.matmul(h, network.embedding[:-1].T, out=out)
    z_out += network.b_out
    return np.asarray(z_out)


def softmax_costs(z_out: Floats, targets: NDArray[np.int32]) -> NDArray[np.float64]:
    """Turn ``z_out`` into probabilities, in place, and give the cost (nats) of each target.

    Parameters
    ----------
    z_out : (n, n_outputs) float
    targets : (n,) int

    Returns
    -------
    (n,) float64
        Finite even where the target's probability is too small for a float.
    """
    NUMPY.prevent_overflow(z_out)
    z_target = z_out[np.arange(len(targets)), targets].astype(np.float64)
    np.exp(z_out, out=z_out)
    total = NUMPY.row_sum(z_out)
    z_out *= 1 / total  # Eq. out
    costs = np.log(total[:, 0].astype(np.float64)) - z_target
    return np.asarray(costs.clip(min=0))  # a sum of float32 may fall short of its largest part


def cost_and_gradient(
    network: RecurrentNetwork,
    gradient: RecurrentNetwork,
    batch: Batch,
    masks: Masks,
    out: Floats | None = None,
) -> float:
    """Set the gradient of the batch's mean cost.

    Parameters
    ----------
    network, gradient : Gru
    batch : Batch
    masks : Masks
    out : (n_events, n_outputs) float, optional
        Room for the softmax layer, which is nearly all the memory that a step takes.

    Returns
    -------
    float
        Summed cost (nats) of the batch's events.
    """
    share, E = 1 / len(batch.targets), network.embedding[:-1]
    x = network.embedding[batch.inputs] * masks.x  # Eq. embedding
    steps = run_gates(network, x)
    h = steps.h[1:].reshape(-1, network.units)[batch.rows] * masks.h  # (n_events, units)
    dz = softmax_inputs(network, h, out)
    costs = softmax_costs(dz, batch.targets)
    dz[np.arange(len(costs)), batch.targets] -= 1  # by z_out of each event's own cost
    np.matmul(dz.T, h * dz.dtype.type(share), out=gradient.embedding[:-1])
    gradient.embedding[-1] = 0
    np.multiply(np.einsum("ij->j", dz), share, out=gradient.b_out)
    dh = np.zeros_like(x).reshape(-1, network.units)
    dh[batch.rows] = (dz @ E) * (masks.h * dz.dtype.type(share))
    dx = run_gates_back(network, gradient, x, steps, dh.reshape(x.shape))
    dx *= masks.x.reshape(dx.shape)
    NUMPY.add_rows(gradient.embedding, batch.inputs.ravel(), 1, dx)
    return float(costs.sum())
