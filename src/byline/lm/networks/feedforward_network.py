"""The feed-forward network of Ge & Sun (2016), section 3, written out: forward, backward, update.

Every line that computes one of the paper's equations carries its label. A batch of M n-grams goes
through at once, one a row: the paper's column vectors are rows here and its ``W^T y`` is ``y @ W``.
Each layer's bias is the last row of its weight matrix, and each layer's input ends in a constant 1:
``[y, 1] @ [W; b] = y @ W + b``, and one product gives the gradients of weights and bias together.

Two things go beyond the paper, and are off in its setting: the embedding of one context word may
be added to the last hidden layer's output, and inputs of layers may be dropped out in training.

The arrays are NumPy's or PyTorch's: what these two write differently is in
`byline.lm.networks.arrays`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import DTypeLike

from byline.lm.networks.arrays import NUMPY, Array, Arrays


@dataclass(frozen=True, slots=True, eq=False)
class FeedForwardNetwork:
    """Embedding table, logistic hidden layers, softmax layer: weights, or values of their shapes.

    Attributes
    ----------
    embedding : (n_inputs, embedding_dim)
        W_word-emb, shared by all context positions; it has no bias.
    layers : tuple of (n_in + 1, n_out) arrays
        W_emb-hid, then one matrix a further hidden layer, then W_hid-out; the last row is the bias.
        The first has ``n_in = context * embedding_dim``.
    shortcut : int, optional
        Which context word's embedding is added to the last hidden layer's output, from 0; where one
        has more dimensions than the other, the first ones of both are joined.
    """

    embedding: Array
    layers: tuple[Array, ...]
    shortcut: int | None = None

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        shapes: Sequence[tuple[int, int]],
        scale: float,
        dtype: DTypeLike = np.float32,
        shortcut: int | None = None,
    ) -> Self:
        """Weights from a normal distribution of standard deviation ``scale``; biases zero."""
        embedding, *layers = [
            (scale * rng.standard_normal(shape)).astype(dtype) for shape in shapes
        ]
        for layer in layers:
            layer[-1] = 0
        return cls(embedding, tuple(layers), shortcut)

    @property
    def arrays(self) -> tuple[Array, ...]:
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

    def map(self, function: Callable[[Array], Array]) -> Self:
        """Apply a function to every array."""
        return replace(
            self, embedding=function(self.embedding), layers=tuple(map(function, self.layers))
        )


def feedforward_network_shapes(
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
    arrays : Arrays
        The library that the network's arrays are of.
    rows : (size,) int
        0, 1, 2, ...
    inputs : tuple of (size, n_in + 1) arrays
        What goes into each layer: [y_emb, 1], then [y_hid, 1] of each hidden layer.
    hidden : tuple of (size, n_hid) arrays
        y_hid of each hidden layer, before anything is added to it or dropped.
    masks : tuple of (size, n_in) arrays, or None
        Factors on the inputs of each layer for one batch: 0 for what is dropped.
    out : (size, n_outputs)
        z_out, then y_out, then the derivative of the cost by z_out.
    gradients : tuple of (n_in + 1, n_out) arrays
    """

    def __init__(self, network: FeedForwardNetwork, size: int, arrays: Arrays = NUMPY) -> None:
        self.arrays = arrays
        self.rows = arrays.from_numpy(np.arange(size))
        self.inputs = tuple(arrays.ones((size, len(w)), like=w) for w in network.layers)
        self.hidden = tuple(arrays.ones((size, w.shape[1]), like=w) for w in network.layers[:-1])
        self.masks: tuple[Array, ...] | None = None
        self.out = arrays.ones((size, network.n_outputs), like=network.embedding)
        self.gradients = tuple(map(arrays.zeros_like, network.layers))

    def draw_masks(self, rng: np.random.Generator, dropout: float) -> None:
        """Drop each input of each layer with probability ``dropout``, and raise the others.

        What a layer gets then is the same on average (Srivastava et al. 2014).
        """
        self.masks = tuple(
            self.arrays.from_numpy(
                (rng.random((len(y), y.shape[1] - 1), np.float32) >= dropout)
                * np.float32(1 / (1 - dropout))
            )
            for y in self.inputs
        )

    def drop(self, values: Array, layer: int) -> None:
        """Multiply a layer's inputs, or their derivatives, by its masks, where there are any."""
        if self.masks is not None:
            values *= self.masks[layer][: len(values)]


def forward(network: FeedForwardNetwork, contexts: Array, work: Workspace) -> Array:
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
    y_emb = inputs[0][:, :-1].reshape(batch, context, -1)
    y_emb[...] = network.embedding[contexts]  # Eqs. emb_input, emb_state
    work.drop(inputs[0][:, :-1], 0)
    for i, layer in enumerate(network.layers[:-1]):
        z_hid = inputs[i] @ layer  # Eq. hid_input: (batch, hidden)
        work.hidden[i][:batch] = inputs[i + 1][:, :-1] = work.arrays.logistic(
            z_hid
        )  # Eq. hid_output
        if network.shortcut is not None and i == len(network.layers) - 2:
            joined = min(y_emb.shape[2], layer.shape[1])
            inputs[i + 1][:, :joined] += y_emb[:, network.shortcut, :joined]
        work.drop(inputs[i + 1][:, :-1], i + 1)
    return work.arrays.matmul(inputs[-1], network.layers[-1], out=work.out[:batch])  # Eq. out_input


def softmax_cost(z_out: Array, targets: Array, work: Workspace) -> Array:
    """Turn ``z_out`` into y_out, in place, and give the cost of each n-gram.

    Parameters
    ----------
    z_out : (batch, n_outputs) float
    targets : (batch,) int
    work : Workspace

    Returns
    -------
    (batch,) float64
        Cross-entropy in nats; finite even where y_out of the target is too small for a float.
    """
    arrays = work.arrays
    arrays.prevent_overflow(z_out)  # changes neither y_out nor the cost
    z_target = arrays.double(z_out[work.rows[: len(targets)], targets])
    y_out = arrays.exp(z_out)
    total = arrays.row_sum(y_out)  # (batch, 1)
    y_out *= 1 / total  # Eq. softmax
    costs = arrays.log(arrays.double(total[:, 0])) - z_target  # Eq. costfunction
    return costs.clip(min=0)  # a sum of float32 may fall short of its largest part


def backward(
    network: FeedForwardNetwork,
    contexts: Array,
    targets: Array,
    work: Workspace,
    delta: FeedForwardNetwork,
    momentum: float,
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
    dz[work.rows[:batch], targets] -= 1  # Eq. error_deriv: (batch, n_outputs)
    dys: list[Array] = []  # of each layer's inputs, the last layer's first
    for i in reversed(range(len(network.layers))):
        y, layer = work.inputs[i][:batch], network.layers[i]
        # Eqs. hid_out_gradient, emb_hid_gradient; last row: out_bias_gradient, hid_bias_gradient
        work.arrays.accumulate(delta.layers[i], momentum, y.T * share, dz, work.gradients[i])
        dy = dz @ layer[:-1].T  # Eqs. back_deriv_y1, back_deriv_y2: (batch, n_in)
        if i == 0 and network.shortcut is not None:
            dy_emb = dy.reshape(batch, context, -1)[:, network.shortcut]
            joined = min(dy_emb.shape[1], dys[0].shape[1])
            dy_emb[:, :joined] += dys[0][:, :joined]
        work.drop(dy, i)
        dys.append(dy)
        if i:
            y_hid = work.hidden[i - 1][:batch]
            dz = dy * (y_hid * (1 - y_hid))  # Eq. back_deriv_z1
    delta.embedding[...] *= momentum
    dz_emb = dys[-1].reshape(batch * context, -1)  # Eq. back_deriv_z2
    # Eq. word_emb_gradient: x_i is 0 but in one place, so only the rows that occur get a gradient
    work.arrays.add_rows(delta.embedding, contexts.reshape(-1), share, dz_emb)


def update(
    network: FeedForwardNetwork, delta: FeedForwardNetwork, learning_rate: float, arrays: Arrays
) -> None:
    """``W -= learning_rate * delta``, weights and biases alike, in place (Eq. weight_update)."""
    for weights, step in zip(network.arrays, delta.arrays, strict=True):
        arrays.add_scaled(weights, -learning_rate, step)


def training_step(
    network: FeedForwardNetwork,
    contexts: Array,
    targets: Array,
    work: Workspace,
    delta: FeedForwardNetwork,
    *,
    learning_rate: float,
    momentum: float,
) -> Array:
    """One iteration on one mini-batch: forward, backward, update.

    Returns
    -------
    float64 scalar
        Summed cost of the batch before the update, in nats.
    """
    costs = softmax_cost(forward(network, contexts, work), targets, work)
    backward(network, contexts, targets, work, delta, momentum)
    update(network, delta, learning_rate, work.arrays)
    return costs.sum()
