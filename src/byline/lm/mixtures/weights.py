"""The weights of a mixture: given, or learnt by expectation maximisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from byline.errors import TrainingError, UsageError
from byline.lm.inputs import all_of, is_within

TOLERANCE = 1e-7  # nats a token
MAX_STEPS = 1000


def normalized_weights(weights: Sequence[float] | None, n_models: int) -> NDArray[np.float64]:
    """Weights as given, with a sum of exactly one; None: all alike.

    Raises
    ------
    UsageError
        They are not one a model, one is below zero, or their sum is not one.

    Returns
    -------
    (n_models,) float64
    """
    if weights is None:
        return np.full(n_models, 1 / n_models)
    are_numbers = all_of(weights, lambda weight: is_within(weight, 0, np.inf))
    if not are_numbers or len(weights) != n_models or not np.isclose(sum(weights), 1, atol=1e-6):
        raise UsageError(
            f"weights must be 'em', or {n_models} numbers from 0 that sum to one, one a model; "
            f"they are {weights!r}"
        )
    given = np.asarray(weights, dtype=np.float64)
    return np.asarray(given / given.sum())


def fit_weights(log_probs: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[float]]:
    """Weights under which a mixture gives held-out tokens the highest probability.

    Expectation maximisation (Dempster et al. 1977) from equal weights: the new weight of a model is
    the mean, over the tokens, of the probability that the token came from it. No step lowers the
    likelihood, which has no local maximum but the global one; the steps end where one gains less
    than `TOLERANCE`.

    Parameters
    ----------
    log_probs : (n_models, n_tokens) float64
        Of the tokens under each model, in nats.

    Returns
    -------
    weights : (n_models,) float64
    history : list of float
        Mean log-probability (nats) of a token under the weights of each step, the last one's too.

    Raises
    ------
    TrainingError
        There is no token.
    """
    if not log_probs.shape[1]:
        raise TrainingError(
            "no token is held out, so the weights of the mixture cannot be learnt; give more "
            "text or a validation part, or fixed weights"
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
