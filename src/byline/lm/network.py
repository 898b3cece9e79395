"""The feed-forward network of Ge & Sun (2016), section 3, written out: forward, backward, update.

Every line that computes one of the paper's equations carries its label. A batch of M n-grams goes
through at once, one a row: the paper's column vectors are rows here and its ``W^T y`` is ``y @ W``.
Each layer's bias is the last row of its weight matrix, and each layer's input ends in a constant 1:
``[y, 1] @ [W; b] = y @ W + b``, and one product gives the gradients of weights and bias together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.floating[Any]]
Ids = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Embedding table, logistic hidden layers, softmax layer: weights, or values of their shapes.

    Attributes
    ----------
    embedding : (n_inputs, embedding_dim)
        W_word-emb, shared by all context positions; it has no bias.
    layers : tuple of (n_in + 1, n_out) arrays
        W_emb-hid, then one matrix a further hidden layer, then W_hid-out; the last row is the bias.
        The first has ``n_in = context * embedding_dim``.
    """

    embedding: Floats
    layers: tuple[Floats, ...]

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        shapes: Sequence[tuple[int, int]],
        scale: float,
        dtype: DTypeLike = np.float32,
    ) -> Self:
        """Weights from a normal distribution of standard deviation ``scale``; biases zero."""
        embedding, *layers = [
            (scale * rng.standard_normal(shape)).astype(dtype) for shape in shapes
        ]
        for layer in layers:
            layer[-1] = 0
        return cls(embedding, tuple(layers))

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """The embedding table and every layer."""
        return (self.embedding, *self.layers)

    @property
    def n_outputs(self) -> int:
        """Number of classes of the softmax layer."""
        return int(self.layers[-1].shape[1])

    def check(self, shapes: Sequence[tuple[int, int]]) -> None:
        """Raise ValueError where an array has another shape, is not float32, or is not finite."""
        for array, shape in zip(self.arrays, shapes, strict=True):
            if array.shape != shape or array.dtype != np.float32:
                raise ValueError(f"weights are {array.shape} {array.dtype}, not {shape} float32")
            if not np.isfinite(array).all():
                raise ValueError("a weight is not finite")

    def zeros_like(self) -> Self:
        """Zeros of the same shapes: what Delta of Eq. weight_update starts from."""
        return type(self)(np.zeros_like(self.embedding), tuple(map(np.zeros_like, self.layers)))

    def copy(self) -> Self:
        """Copy the weights to new arrays."""
        return type(self)(self.embedding.copy(), tuple(layer.copy() for layer in self.layers))


def network_shapes(
    *,
    n_inputs: int,
    context: int,
    embedding_dim: int,
    hidden_dims: Sequence[int],
    n_outputs: int,
) -> list[tuple[int, int]]:
    """Shapes of the embedding table and of every layer, its bias row included."""
    sizes = (context * embedding_dim, *hidden_dims, n_outputs)
    return [(n_inputs, embedding_dim), *((n_in + 1, n_out) for n_in, n_out in pairwise(sizes))]


class Workspace:
    """Buffers for up to ``size`` n-grams, allocated once, so that a training step allocates little.

    Attributes
    ----------
    inputs : tuple of (size, n_in + 1) arrays
        What goes into each layer: [y_emb, 1], then [y_hid, 1] of each hidden layer.
    out : (size, n_outputs)
        z_out, then y_out, then the derivative of the cost by z_out.
    gradients : tuple of (n_in + 1, n_out) arrays
    """

    def __init__(self, network: Network, size: int) -> None:
        dtype = network.embedding.dtype
        self.inputs = tuple(np.ones((size, len(layer)), dtype) for layer in network.layers)
        self.out = np.empty((size, network.n_outputs), dtype)
        self.gradients = tuple(np.empty_like(layer) for layer in network.layers)


def forward(network: Network, contexts: Ids, work: Workspace) -> Floats:
    """Compute the inputs of the softmax layer.

    Parameters
    ----------
    network : Network
    contexts : (batch, context) int
        Rows of the embedding table, in the order of the words in the text.
    work : Workspace
        Keeps the outputs of all layers, for `backward`.

    Returns
    -------
    (batch, n_outputs) float
        z_out, a view of ``work.out``.
    """
    batch, context = contexts.shape
    inputs = [y[:batch] for y in work.inputs]
    z_emb = network.embedding[contexts]  # Eq. emb_input: (batch, context, embedding)
    inputs[0][:, :-1].reshape(batch, context, -1)[...] = z_emb  # Eq. emb_state
    for y_in, y_out, layer in zip(inputs, inputs[1:], network.layers, strict=False):
        z_hid = y_in @ layer  # Eq. hid_input: (batch, hidden)
        y_out[:, :-1] = logistic(z_hid)  # Eq. hid_output
    return np.matmul(inputs[-1], network.layers[-1], out=work.out[:batch])  # Eq. out_input


def logistic(z: Floats) -> Floats:
    """``1 / (1 + exp(-z))``, in place."""
    np.negative(z, out=z)
    with np.errstate(over="ignore"):  # to infinity, where the output is 0
        np.exp(z, out=z)
    z += 1
    return np.reciprocal(z, out=z)


def softmax_cost(z_out: Floats, targets: Ids) -> NDArray[np.float64]:
    """Turn ``z_out`` into y_out, in place, and give the cost of each n-gram.

    Parameters
    ----------
    z_out : (batch, n_outputs) float
    targets : (batch,) int

    Returns
    -------
    (batch,) float64
        Cross-entropy in nats; finite even where y_out of the target is too small for a float.
    """
    z_out -= z_out.max(axis=1, keepdims=True)  # changes nothing but keeps exp from overflowing
    z_target = z_out[np.arange(len(targets)), targets].astype(np.float64)
    y_out = np.exp(z_out, out=z_out)
    total = y_out.sum(axis=1, keepdims=True)  # (batch, 1)
    y_out *= 1 / total  # Eq. softmax
    return np.asarray(np.log(total[:, 0], dtype=np.float64) - z_target)  # Eq. costfunction


def backward(
    network: Network, contexts: Ids, targets: Ids, work: Workspace, delta: Network, momentum: float
) -> None:
    """Set ``delta = momentum * delta + gradient``, of the batch's mean cost, in place.

    Parameters
    ----------
    network : Network
    contexts : (batch, context) int
    targets : (batch,) int
    work : Workspace
        As `forward` and `softmax_cost` left it for this batch.
    delta : Network
        Delta of Eq. weight_update, the running sum of the gradients.
    momentum : float
        alpha; 0 gives the bare gradient.
    """
    batch, context = contexts.shape
    share = 1 / batch  # the paper's 1/M, put where the arrays are small
    dz = work.out[:batch]  # y_out, to become dC/dz_out
    dz[np.arange(batch), targets] -= 1  # Eq. error_deriv: (batch, n_outputs)
    for i in reversed(range(len(network.layers))):
        y, layer = work.inputs[i][:batch], network.layers[i]
        # Eqs. hid_out_gradient, emb_hid_gradient; last row: out_bias_gradient, hid_bias_gradient
        gradient = np.matmul(y.T * share, dz, out=work.gradients[i])  # (n_in + 1, n_out)
        delta.layers[i][...] *= momentum
        delta.layers[i][...] += gradient
        dy, y = dz @ layer[:-1].T, y[:, :-1]  # Eqs. back_deriv_y1, back_deriv_y2: (batch, n_in)
        dz = dy * (y * (1 - y)) if i else dy  # Eqs. back_deriv_z1, back_deriv_z2
    delta.embedding[...] *= momentum
    add_rows(delta.embedding, contexts.ravel(), dz.reshape(batch * context, -1) * share)


def add_rows(table: Floats, rows: Ids, values: Floats) -> None:
    """``table[rows] += values``, a row that occurs several times taking all its values.

    This is Eq. word_emb_gradient: x_i is 0 but in one place, so only the rows that occur change.
    Sorting makes equal rows neighbours; their sums take a quarter of the time of ``np.add.at``.
    """
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    table[ordered[starts]] += np.add.reduceat(values[order], starts)


def update(network: Network, delta: Network, learning_rate: float, work: Workspace) -> None:
    """``W -= learning_rate * delta``, weights and biases alike, in place (Eq. weight_update)."""
    network.embedding[...] -= learning_rate * delta.embedding
    for layer, step, buffer in zip(network.layers, delta.layers, work.gradients, strict=True):
        layer -= np.multiply(step, learning_rate, out=buffer)


def training_step(
    network: Network,
    contexts: Ids,
    targets: Ids,
    work: Workspace,
    delta: Network,
    *,
    learning_rate: float,
    momentum: float,
) -> float:
    """One iteration on one mini-batch: forward, backward, update.

    Returns
    -------
    float
        Summed cost of the batch before the update, in nats.
    """
    costs = softmax_cost(forward(network, contexts, work), targets)
    backward(network, contexts, targets, work, delta, momentum)
    update(network, delta, learning_rate, work)
    return float(costs.sum())
