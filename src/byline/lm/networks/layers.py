"""Parts that both kinds of network share: dropout, the cost of the softmax layer, weight checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from byline.lm.networks.arrays import NUMPY, Array, ArrayLibrary, NetworkArray


def dropout_mask(
    rng: np.random.Generator, shape: tuple[int, ...], probability: float
) -> NetworkArray:
    """Draw the factors of dropout: 0 with a probability, otherwise more than 1.

    The factors have a mean of 1, so that the next layer receives the same values on average.

    Parameters
    ----------
    rng : numpy.random.Generator
    shape : tuple of int
    probability : float
        In [0, 1).

    Returns
    -------
    array of the given shape, float32

    References
    ----------
    Srivastava, N., et al. (2014). Dropout: a simple way to prevent neural networks from
    overfitting. Journal of Machine Learning Research 15.

    Examples
    --------
    >>> np.unique(dropout_mask(np.random.default_rng(0), (4, 5), 0.5)).tolist()
    [0.0, 2.0]
    """
    is_kept = rng.random(shape, dtype=np.float32) >= probability
    return is_kept * np.float32(1 / (1 - probability))


def softmax_costs(
    z_out: Array, targets: Array, *, rows: Array | None = None, arrays: ArrayLibrary = NUMPY
) -> Array:
    """Turn the softmax layer's inputs into probabilities, in place, and return each target's cost.

    Parameters
    ----------
    z_out : (n, n_outputs) float
    targets : (n,) int
    rows : (n,) int, optional
        0, 1, 2, ...; given where this array already exists.
    arrays : ArrayLibrary
        The library of the arrays.

    Returns
    -------
    (n,) float64
        Cross-entropy in nats. It is finite even if the target's probability is 0 as a float32.

    Examples
    --------
    >>> z_out = np.log(np.array([[1.0, 3.0]]))
    >>> softmax_costs(z_out, np.array([1])).round(3)  # -log(3 / 4)
    array([0.288])
    >>> z_out.round(3)
    array([[0.25, 0.75]])
    """
    if rows is None:
        rows = np.arange(len(targets))
    arrays.prevent_overflow(z_out)  # changes neither the probabilities nor the costs
    z_target = arrays.to_float64(z_out[rows, targets])
    y_out = arrays.exp(z_out)
    total = arrays.row_sum(y_out)  # (n, 1)
    y_out *= 1 / total  # Eq. softmax
    costs = arrays.log(arrays.to_float64(total[:, 0])) - z_target  # Eq. costfunction
    return costs.clip(min=0)  # by rounding, a float32 sum can be below its largest term


def check_weights(weights: Iterable[NetworkArray], shapes: Sequence[tuple[int, ...]]) -> None:
    """Check the arrays of a stored network.

    Raises
    ------
    ValueError
        An array has another shape than expected, is not float32, or has a value that is not finite.

    Examples
    --------
    >>> check_weights([np.zeros((2, 3), dtype=np.float32)], [(2, 3)])
    """
    for array, shape in zip(weights, shapes, strict=True):
        if array.shape != shape or array.dtype != np.float32:
            raise ValueError(f"weights are {array.shape} {array.dtype}, not {shape} float32")
        if not np.isfinite(array).all():
            raise ValueError("a weight is not finite")
