"""Fit the rule of the weights (`WeightPrior`) to the questioned texts of simulated cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from byline.array_types import Floats, Integers
from byline.attribution.stacking.combination import LEAST_SPREAD
from byline.attribution.stacking.prior import Variances, WeightPrior, length_features
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
        no_corrections = np.zeros((1, 3))
        units = [
            WeightPrior(row[np.newaxis], no_corrections, _NO_VARIANCES, 0.0, 0.0, 0)
            for row in np.eye(5)
        ]
        scores, features, shortages, excluded, labels, shares = [], [], [], [], [], []
        for case in cases:
            n_authors = case.scores.shape[2]
            free = ((0, 0), (0, 0), (0, widest - n_authors))
            scores.append(np.pad(case.scores - case.scores.mean(axis=2, keepdims=True), free))
            terms = [unit.terms(case.sizes, case.known) for unit in units]
            features.append(np.concatenate([each.log_weights for each in terms]))
            centred = terms[0].shortages - terms[0].shortages.mean(axis=1, keepdims=True)
            shortages.append(np.pad(centred, free[1:]))
            is_free = np.arange(widest) >= n_authors
            excluded.append(np.tile(np.where(is_free, -np.inf, 0.0), (len(case.sizes), 1)))
            labels.append(case.labels)
            of_length = np.unique(case.lengths, return_inverse=True)[1]
            shares.append(1 / np.bincount(of_length)[of_length])
        self.n_cases = len(cases)
        # Both are centred over the candidates, and 0 in columns that a case does not have.
        self.shortages = np.concatenate(shortages)
        self.scores = np.concatenate(scores, axis=1)
        self.features = np.concatenate(features, axis=1)
        self.lengths = length_features(np.concatenate([case.sizes for case in cases]))
        self.excluded = np.concatenate(excluded)
        self.n_authors = np.isfinite(self.excluded).sum(axis=1)
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
    # The parameters are coefficients of weights and of amounts, in the scale of the scores.
    shift, factors = np.log(scale) / 2, scale[:, np.newaxis]
    n_features, shape = len(texts.features), (len(chosen), len(texts.features) + 3)
    penalties, target = np.full(shape, _RIDGE), np.zeros(shape)
    penalties[:, 0] = _OF_INTERCEPTS
    start = target.copy()
    start[:, 0] = -1.0
    if ridge_to_settings is not None:
        penalties[:] = ridge_to_settings
        target = np.hstack([settings.coefficients, settings.of_amounts / factors])
        target[:, 0] += shift
        start = target
    likelihood = _Likelihood(texts, scores / factors[:, :, np.newaxis])

    def cost(parameters: Floats) -> tuple[float, Floats]:
        values = parameters.reshape(shape)
        loss, slopes = likelihood(*np.split(values, [n_features], axis=1))
        loss += float((penalties * (values - target) ** 2).sum())
        return loss, (slopes + 2 * penalties * (values - target)).ravel()

    found = minimize(cost, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    coefficients, of_amounts = np.split(found.reshape(shape), [n_features], axis=1)
    coefficients[:, 0] -= shift
    return replace(
        settings, coefficients=coefficients, of_amounts=of_amounts * factors, n_cases=texts.n_cases
    )


class _Likelihood:
    """The negative log-likelihood of the true authors of questioned texts, and its gradient."""

    def __init__(self, texts: SimulatedTexts, scores: Floats) -> None:
        self._texts = texts
        self._truth = np.arange(len(texts.labels)), texts.labels
        # Without shortages of known text, the scores are not corrected.
        self._corrected = texts.shortages.any(axis=1)
        self._shortages = texts.shortages[self._corrected]
        self._lengths = texts.lengths[:, self._corrected]
        self._n_authors = texts.n_authors[self._corrected]
        self._plain = scores[:, self._corrected]
        self._scores = scores / np.sqrt(_spread(scores, texts.n_authors))[:, :, np.newaxis]

    def __call__(self, coefficients: Floats, of_amounts: Floats) -> tuple[float, Floats]:
        texts, scores, shortages = self._texts, self._scores, self._shortages
        corrected = self._plain + (of_amounts @ self._lengths)[:, :, np.newaxis] * shortages
        spread = _spread(corrected, self._n_authors)
        scores[:, self._corrected] = corrected / np.sqrt(spread)[:, :, np.newaxis]
        weights = np.exp(np.clip(coefficients @ texts.features, -12, 12))
        log_odds = np.einsum("kn,kna->na", weights, scores)
        log_probs = log_softmax(log_odds + texts.excluded, axis=1)
        loss = -(texts.shares @ log_probs[self._truth])
        error = np.exp(log_probs)
        error[self._truth] -= 1
        error *= texts.shares[:, np.newaxis]
        of_weights = weights * np.einsum("na,kna->kn", error, scores)
        # With y the corrected scores, the log-odds are w y / sqrt(spread(y)), and the spread
        # changes by mean(y dy) / spread(y).
        of_shortages = np.einsum("na,na->n", error[self._corrected], shortages)
        of_spread = np.einsum("kna,na->kn", corrected, shortages)
        of_spread /= self._n_authors * spread**2
        of_corrections = weights[:, self._corrected] / np.sqrt(spread) * of_shortages
        of_corrections -= of_weights[:, self._corrected] * of_spread / 2
        slopes = [of_weights @ texts.features.T, of_corrections @ self._lengths.T]
        return float(loss), np.hstack(slopes)


def _spread(centred: Floats, n_authors: Integers) -> Floats:
    spread = np.sqrt(np.einsum("kna,kna->kn", centred, centred) / n_authors)
    return np.asarray(np.maximum(spread, LEAST_SPREAD))
