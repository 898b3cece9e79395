"""The weights of a mixture: fixed, or fitted by expectation maximisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byline.array_types import Floats
from byline.errors import TrainingError, UsageError
from byline.lm.inputs import all_of, is_within

TOLERANCE = 1e-7  # nats per token
MAX_STEPS = 1000


def normalized_weights(weights: Sequence[float] | None, n_components: int) -> Floats:
    """Return the given weights, with a sum of exactly one; equal weights for None.

    Returns
    -------
    (n_components,) float64

    Raises
    ------
    UsageError
        The number of weights is wrong, a weight is negative, or their sum is not one.

    Examples
    --------
    >>> normalized_weights(None, 4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    if weights is None:
        return np.full(n_components, 1 / n_components)
    are_numbers = all_of(weights, lambda weight: is_within(weight, 0, np.inf))
    has_right_length = are_numbers and len(weights) == n_components
    if not has_right_length or not np.isclose(sum(weights), 1, atol=1e-6):
        raise UsageError(
            f"weights must be 'em', or {n_components} numbers from 0 with a sum of 1, one per "
            f"component; they are {weights!r}"
        )
    given = np.asarray(weights, dtype=np.float64)
    return np.asarray(given / given.sum())


def fit_weights(log_probs: Floats) -> tuple[Floats, list[float]]:
    """Find the weights with which a mixture gives held-out tokens the highest probability.

    The method is expectation maximisation (Dempster et al. 1977) from equal weights. In each step,
    the new weight of a component is the mean, over the tokens, of the probability that the token
    came from this component. No step decreases the likelihood, and its only local maximum is the
    global one. The iteration stops when a step improves the likelihood by less than `TOLERANCE`.

    Parameters
    ----------
    log_probs : (n_components, n_tokens) float64
        Log-probabilities (nats) of the tokens under each component.

    Returns
    -------
    weights : (n_components,) float64
    history : list of float
        Mean log-probability (nats) per token with the weights of each step, the last one included.

    Raises
    ------
    TrainingError
        There is no token.

    Examples
    --------
    The second model gives a higher probability to all tokens:

    >>> weights, _ = fit_weights(np.log([[0.1, 0.2, 0.1], [0.5, 0.6, 0.7]]))
    >>> weights.round(3).tolist()
    [0.0, 1.0]
    """
    if not log_probs.shape[1]:
        raise TrainingError(
            "no token is held out, so the weights of the mixture cannot be fitted; add training "
            "texts or validation texts, or set fixed weights"
        )
    highest = log_probs.max(axis=0)
    probs = np.exp(log_probs - highest)
    weights = np.full(len(probs), 1 / len(probs))
    history: list[float] = []
    while True:
        mixed = weights @ probs  # (n_tokens,)
        history.append(float((np.log(mixed) + highest).mean()))
        gain = history[-1] - history[-2] if len(history) > 1 else np.inf
        if gain < TOLERANCE or len(history) > MAX_STEPS:
            return weights, history
        weights = weights * (probs / mixed).mean(axis=1)
        weights /= weights.sum()
