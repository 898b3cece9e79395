"""The feed-forward network of Ge & Sun (2016), section 3: forward pass, backward pass, update.

A comment at each line gives the label of the equation in the paper that the line computes. A batch
of M n-grams is processed at once, one n-gram per row: the paper's column vectors are rows here, and
its ``W^T y`` is ``y @ W``. The bias of each layer is the last row of its weight matrix, and the
input of each layer ends with a constant 1. Because ``[y, 1] @ [W; b] = y @ W + b``, one product
gives the gradients of weights and bias together.

Two options go beyond the paper, and its settings switch them off: the embedding of one context word
may be added to the output of the last hidden layer, and inputs of layers may be dropped at random
in training.

The arrays are NumPy's or PyTorch's; `byline.lm.networks.arrays` has their common interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import DTypeLike

from byline.lm.networks.arrays import NUMPY, Array, ArrayLibrary
from byline.lm.networks.layers import dropout_mask, softmax_costs


@dataclass(frozen=True, slots=True, eq=False)
class FeedForwardNetwork:
    """The weights of an embedding table, logistic hidden layers and a softmax layer.

    The same class holds values that have the shapes of the weights, such as gradients.

    Attributes
    ----------
    embedding : (n_inputs, embedding_dim)
        W_word-emb, shared by all context positions; it has no bias.
    layers : tuple of (n_in + 1, n_out) arrays
        W_emb-hid, then one matrix per further hidden layer, then W_hid-out; the last row of each is
        the bias. The first matrix has ``n_in = context * embedding_dim``.
    shortcut : int, optional
        Position, from 0, of the context word whose embedding is added to the output of the last
        hidden layer. If one of the two has more dimensions, only its first ones take part.

    See Also
    --------
    byline.lm.FeedForwardLM : the language model that trains this network

    Examples
    --------
    >>> shapes = feedforward_network_shapes(
    ...     n_inputs=5, context=2, embedding_dim=3, hidden_dims=(4,), n_outputs=5
    ... )
    >>> network = FeedForwardNetwork.random(np.random.default_rng(0), shapes, scale=0.1)
    >>> network.n_outputs
    5
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
        """Draw normally distributed weights with standard deviation ``scale``; biases are 0."""
        embedding, *layers = [
            (scale * rng.standard_normal(shape)).astype(dtype) for shape in shapes
        ]
        for layer in layers:
            layer[-1] = 0
        return cls(embedding, tuple(layers), shortcut)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The embedding table and all layers."""
        return (self.embedding, *self.layers)

    @property
    def n_outputs(self) -> int:
        """Number of classes of the softmax layer."""
        return int(self.layers[-1].shape[1])

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
    """Return the shapes of the embedding table and of each layer with its bias row.

    Examples
    --------
    >>> feedforward_network_shapes(
    ...     n_inputs=5, context=2, embedding_dim=3, hidden_dims=(4,), n_outputs=5
    ... )
    [(5, 3), (7, 4), (5, 5)]
    """
    sizes = (context * embedding_dim, *hidden_dims, n_outputs)
    return [(n_inputs, embedding_dim), *((n_in + 1, n_out) for n_in, n_out in pairwise(sizes))]


class Workspace:
    """Buffers for up to ``size`` n-grams, so that a training step allocates little memory.

    Parameters
    ----------
    network : FeedForwardNetwork
    size : int
    arrays : ArrayLibrary
        The library of the network's arrays.

    Attributes
    ----------
    arrays : ArrayLibrary
    rows : (size,) int
        0, 1, 2, ...
    inputs : tuple of (size, n_in + 1) arrays
        Input of each layer: [y_emb, 1], then [y_hid, 1] of each hidden layer.
    hidden : tuple of (size, n_hid) arrays
        y_hid of each hidden layer, before the shortcut is added and values are dropped.
    masks : tuple of (size, n_in) arrays, or None
        Dropout factors for the inputs of each layer.
    out : (size, n_outputs)
        First z_out, then y_out, then the derivative of the cost with respect to z_out.
    gradients : tuple of (n_in + 1, n_out) arrays

    Examples
    --------
    >>> network = FeedForwardNetwork(np.zeros((5, 3)), (np.zeros((7, 4)), np.zeros((5, 5))))
    >>> Workspace(network, size=10).out.shape
    (10, 5)
    """

    def __init__(
        self, network: FeedForwardNetwork, size: int, arrays: ArrayLibrary = NUMPY
    ) -> None:
        self.arrays = arrays
        self.rows = arrays.from_numpy(np.arange(size))
        self.inputs = tuple(arrays.ones((size, len(w)), like=w) for w in network.layers)
        self.hidden = tuple(arrays.ones((size, w.shape[1]), like=w) for w in network.layers[:-1])
        self.masks: tuple[Array, ...] | None = None
        self.out = arrays.ones((size, network.n_outputs), like=network.embedding)
        self.gradients = tuple(map(arrays.zeros_like, network.layers))

    def draw_masks(self, rng: np.random.Generator, dropout: float) -> None:
        """Draw new dropout masks for the inputs of all layers."""
        self.masks = tuple(
            self.arrays.from_numpy(dropout_mask(rng, (len(y), y.shape[1] - 1), dropout))
            for y in self.inputs
        )

    def apply_mask(self, values: Array, layer: int) -> None:
        """Multiply the inputs of a layer, or their derivatives, by its mask, if there is one."""
        if self.masks is not None:
            values *= self.masks[layer][: len(values)]


def forward(network: FeedForwardNetwork, contexts: Array, work: Workspace) -> Array:
    """Compute the inputs of the softmax layer.

    Parameters
    ----------
    network : FeedForwardNetwork
    contexts : (batch, context) int
        Rows of the embedding table, in the order of the words in the text.
    work : Workspace
        Stores the outputs of all layers for `backward`.

    Returns
    -------
    (batch, n_outputs) float
        z_out, a view of ``work.out``.

    Examples
    --------
    >>> network = FeedForwardNetwork(np.zeros((5, 3)), (np.zeros((7, 4)), np.zeros((5, 5))))
    >>> forward(network, np.array([[0, 1]]), Workspace(network, size=1))
    array([[0., 0., 0., 0., 0.]])
    """
    batch, context = contexts.shape
    inputs = [y[:batch] for y in work.inputs]
    y_emb = inputs[0][:, :-1].reshape(batch, context, -1)
    y_emb[...] = network.embedding[contexts]  # Eqs. emb_input, emb_state
    work.apply_mask(inputs[0][:, :-1], 0)
    for i, layer in enumerate(network.layers[:-1]):
        z_hid = inputs[i] @ layer  # Eq. hid_input: (batch, hidden)
        y_hid = work.arrays.logistic(z_hid)  # Eq. hid_output
        work.hidden[i][:batch] = inputs[i + 1][:, :-1] = y_hid
        if network.shortcut is not None and i == len(network.layers) - 2:
            n_added = min(y_emb.shape[2], layer.shape[1])
            inputs[i + 1][:, :n_added] += y_emb[:, network.shortcut, :n_added]
        work.apply_mask(inputs[i + 1][:, :-1], i + 1)
    return work.arrays.matmul(inputs[-1], network.layers[-1], out=work.out[:batch])  # Eq. out_input


def backward(
    network: FeedForwardNetwork,
    contexts: Array,
    targets: Array,
    work: Workspace,
    delta: FeedForwardNetwork,
    momentum: float,
) -> None:
    """Set ``delta = momentum * delta + gradient`` in place, for the mean cost of the batch.

    Parameters
    ----------
    network : FeedForwardNetwork
    contexts : (batch, context) int
    targets : (batch,) int
    work : Workspace
        As `forward` and `softmax_costs` left it for this batch.
    delta : FeedForwardNetwork
        Delta of Eq. weight_update: the running sum of the gradients.
    momentum : float
        alpha; with 0, ``delta`` becomes the gradient.

    Examples
    --------
    >>> network = FeedForwardNetwork(np.zeros((3, 1)), (np.zeros((3, 1)), np.zeros((2, 2))))
    >>> contexts, targets = np.array([[0, 1]]), np.array([0])
    >>> work, gradient = Workspace(network, size=1), network.map(np.zeros_like)
    >>> costs = softmax_costs(forward(network, contexts, work), targets)
    >>> backward(network, contexts, targets, work, gradient, momentum=0)
    >>> gradient.layers[-1]  # y_hid = 1 / 2 and y_out - target = (-1 / 2, 1 / 2)
    array([[-0.25,  0.25],
           [-0.5 ,  0.5 ]])
    """
    batch, context = contexts.shape
    share = 1 / batch  # the paper's 1/M, applied where the arrays are small
    dz = work.out[:batch]  # y_out, which becomes dC/dz_out
    dz[work.rows[:batch], targets] -= 1  # Eq. error_deriv: (batch, n_outputs)
    dys: list[Array] = []  # derivatives with respect to the layers' inputs, the last layer first
    for i in reversed(range(len(network.layers))):
        y, layer = work.inputs[i][:batch], network.layers[i]
        # Eqs. hid_out_gradient, emb_hid_gradient; last row: out_bias_gradient, hid_bias_gradient
        work.arrays.accumulate(delta.layers[i], momentum, y.T * share, dz, work.gradients[i])
        dy = dz @ layer[:-1].T  # Eqs. back_deriv_y1, back_deriv_y2: (batch, n_in)
        if i == 0 and network.shortcut is not None:
            dy_emb = dy.reshape(batch, context, -1)[:, network.shortcut]
            n_added = min(dy_emb.shape[1], dys[0].shape[1])
            dy_emb[:, :n_added] += dys[0][:, :n_added]
        work.apply_mask(dy, i)
        dys.append(dy)
        if i:
            y_hid = work.hidden[i - 1][:batch]
            dz = dy * (y_hid * (1 - y_hid))  # Eq. back_deriv_z1
    delta.embedding[...] *= momentum
    dz_emb = dys[-1].reshape(batch * context, -1)  # Eq. back_deriv_z2
    # Eq. word_emb_gradient: x_i has a single 1, so only rows of words in the batch get a gradient
    work.arrays.add_rows(delta.embedding, contexts.reshape(-1), share, dz_emb)


def update(
    network: FeedForwardNetwork,
    delta: FeedForwardNetwork,
    learning_rate: float,
    arrays: ArrayLibrary,
) -> None:
    """Compute ``W -= learning_rate * delta`` in place for weights and biases (Eq. weight_update).

    Examples
    --------
    >>> network = FeedForwardNetwork(np.ones((1, 1)), (np.ones((2, 1)), np.ones((2, 1))))
    >>> update(network, network.map(np.ones_like), learning_rate=0.25, arrays=NUMPY)
    >>> network.embedding
    array([[0.75]])
    """
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
    """Train on one mini-batch: forward pass, backward pass, update.

    Returns
    -------
    float64 scalar
        Sum of the costs of the batch before the update, in nats.

    Examples
    --------
    >>> network = FeedForwardNetwork(np.ones((3, 1)), (np.ones((3, 1)), np.ones((2, 2))))
    >>> work, delta = Workspace(network, size=1), network.map(np.zeros_like)
    >>> cost = training_step(
    ...     network, np.array([[0, 1]]), np.array([0]), work, delta, learning_rate=0.1, momentum=0.9
    ... )
    >>> round(float(cost), 3)  # log(2): both words are equally likely at first
    0.693
    """
    z_out = forward(network, contexts, work)
    costs = softmax_costs(z_out, targets, rows=work.rows[: len(targets)], arrays=work.arrays)
    backward(network, contexts, targets, work, delta, momentum)
    update(network, delta, learning_rate, work.arrays)
    return costs.sum()
