"""Fit the rule of the weights (`WeightPrior`) to the questioned texts of simulated cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.attribution.stacking.combination import comparable
from byline.attribution.stacking.prior import Variances, WeightPrior
from byline.attribution.stacking.simulated_cases import SimulatedCase

_RIDGE, _OF_INTERCEPTS = 1e-3, 1e-4
_NO_VARIANCES = Variances(1.0, 1.0, 1.0, 1.0)  # not used by the terms of a prior


class SimulatedTexts:
    """The questioned texts of many cases, with columns for the most candidates of any case.

    Parameters
    ----------
    cases : sequence of SimulatedCase
        At least one.
    """

    def __init__(self, cases: Sequence[SimulatedCase]) -> None:
        widest = max(case.scores.shape[2] for case in cases)
        # Unit coefficients give the values that the coefficients of the rule are multiplied by.
        n_classifiers = len(cases[0].scores)
        units = [
            WeightPrior(row * np.ones((n_classifiers, 1)), np.zeros(3), _NO_VARIANCES, 0.0, 0.0, 0)
            for row in np.eye(5)
        ]
        of_amounts = [
            WeightPrior(np.zeros((1, 5)), row, _NO_VARIANCES, 0.0, 0.0, 0) for row in np.eye(3)
        ]
        scores, features, amounts, excluded, labels, shares = [], [], [], [], [], []
        for case in cases:
            n_authors = case.scores.shape[2]
            free = ((0, 0), (0, 0), (0, widest - n_authors))
            scores.append(np.pad(comparable(case.scores), free))
            terms = [unit.terms(case.sizes, case.known).log_weights[0] for unit in units]
            features.append(np.stack(terms))
            biases = [each.terms(case.sizes, case.known).biases for each in of_amounts]
            amounts.append(np.pad(np.stack(biases), free))
            is_free = np.arange(widest) >= n_authors
            excluded.append(np.tile(np.where(is_free, -np.inf, 0.0), (len(case.sizes), 1)))
            labels.append(case.labels)
            of_length = np.unique(case.lengths, return_inverse=True)[1]
            shares.append(1 / np.bincount(of_length)[of_length])
        self.n_cases = len(cases)
        self.scores = np.concatenate(scores, axis=1)
        self.features = np.concatenate(features, axis=1)
        self.amounts = np.concatenate(amounts, axis=1)
        self.excluded = np.concatenate(excluded)
        self.labels = np.concatenate(labels)
        self.shares = np.concatenate(shares) / np.concatenate(shares).sum()


def fit_rule(
    texts: SimulatedTexts,
    chosen: Sequence[int],
    settings: WeightPrior,
    *,
    ridge_to_settings: float | None = None,
) -> WeightPrior:
    """Maximise the likelihood of the true authors of questioned texts.

    Parameters
    ----------
    texts : SimulatedTexts
    chosen : sequence of int
        The base classifiers to combine, by their places in the scores.
    settings : WeightPrior
        Everything but the coefficients and the number of cases is taken from it.
    ridge_to_settings : float, optional
        The penalty of squared differences from the coefficients of ``settings``, per text. By
        default, the coefficients are drawn towards zero, whatever those of ``settings`` are.
    """
    scores = texts.scores[list(chosen)]
    scale = np.sqrt((scores**2).sum(axis=2).mean(axis=1))
    scale[scale == 0] = 1
    shape = len(chosen), len(texts.features)
    truth = np.arange(len(texts.labels)), texts.labels
    penalty = np.full(shape, _RIDGE)
    penalty[:, 0] = _OF_INTERCEPTS
    of_amounts_penalty = _RIDGE
    start = np.zeros(penalty.size + len(texts.amounts))
    target = start.copy()
    start[: penalty.size : shape[1]] = -1.0
    if ridge_to_settings is not None:
        of_amounts_penalty = ridge_to_settings
        penalty[:] = ridge_to_settings
        in_scale = settings.coefficients + np.log(scale)[:, np.newaxis] * np.eye(1, shape[1])
        start = target = np.concatenate([in_scale.ravel(), settings.of_amounts])
    penalties = np.concatenate([penalty.ravel(), np.full(len(texts.amounts), of_amounts_penalty)])

    def cost(parameters: Floats) -> tuple[float, Floats]:
        rule = parameters[: penalty.size].reshape(shape)
        of_amounts = parameters[penalty.size :]
        weights = np.exp(np.clip(rule @ texts.features, -12, 12)) / scale[:, np.newaxis]
        log_odds = np.einsum("kn,kna->na", weights, scores)
        log_odds += np.einsum("e,ena->na", of_amounts, texts.amounts)
        log_probs = log_softmax(log_odds + texts.excluded, axis=1)
        loss = -(texts.shares @ log_probs[truth]) + penalties @ (parameters - target) ** 2
        error = np.exp(log_probs)
        error[truth] -= 1
        error *= texts.shares[:, np.newaxis]
        by_text = np.einsum("na,kna->kn", error, scores) * weights
        slopes = by_text @ texts.features.T
        of_biases = np.einsum("na,ena->e", error, texts.amounts)
        gradient = np.concatenate([slopes.ravel(), of_biases])
        return float(loss), gradient + 2 * penalties * (parameters - target)

    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    rule = found[: penalty.size].reshape(shape)
    rule[:, 0] -= np.log(scale)
    return replace(
        settings, coefficients=rule, of_amounts=found[penalty.size :], n_cases=texts.n_cases
    )
