from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from byline.array_types import Floats
from byline.attribution.verification import AuthorshipVerifier
from byline.attribution.verification.prior import CalibrationPrior, default_prior
from byline.attribution.verification.similarity import N_BANDS
from byline.attribution.verification.verifier import DEFAULT_BLOCKS


@pytest.mark.parametrize("direction", [1, -1])
def test_the_most_probable_weights_that_are_not_negative_are_found(direction: int) -> None:
    rng = np.random.default_rng(0)
    features, same = rng.normal(size=(30, 2)), np.arange(30) % 3 == 0
    features[same] += [1, 2 * direction]
    counts = rng.uniform(0.2, 2, 30)
    prior = CalibrationPrior(np.array([0.5, 0.2, -0.3]), np.array([10.0, 10.0, 3.0]))

    def loss(found: Floats) -> float:
        log_odds = features @ found[:2] + found[2]
        signs = np.where(same, 1, -1)
        penalty = prior.precisions @ (found - prior.means) ** 2 / 2
        return float(counts @ np.logaddexp(0, -signs * log_odds) + penalty)

    bounds = [(0, None), (0, None), (None, None)]
    expected = minimize(loss, prior.means, bounds=bounds, tol=1e-12).x
    found = prior.fit(features, same, counts)
    assert found == pytest.approx(expected, abs=1e-4)
    assert (found[1] > 0) == (direction > 0)


def test_few_problems_hardly_change_a_strong_prior() -> None:
    prior = CalibrationPrior(np.array([0.5, -0.3]), np.array([1e6, 1e6]))
    found = prior.fit(np.array([[1.0], [-1.0]]), np.array([False, True]), np.ones(2))
    assert found == pytest.approx(prior.means, abs=1e-5)


def test_separable_and_extreme_problems_have_finite_weights() -> None:
    features = np.array([[8.0], [8.0], [-8.0], [-8.0]])
    found = default_like(1).fit(features, np.array([True, True, False, False]), np.full(4, 100.0))
    assert np.isfinite(found).all() and found[0] > 0.1


def default_like(n_features: int) -> CalibrationPrior:
    return CalibrationPrior(np.zeros(n_features + 1), np.full(n_features + 1, 10.0))


def test_the_default_prior_belongs_to_the_default_similarities() -> None:
    prior = default_prior()
    assert len(prior.means) == len(prior.precisions) == len(DEFAULT_BLOCKS) * N_BANDS + 1
    assert AuthorshipVerifier().blocks is None
    assert (prior.means[:-1] > 0).all()  # every similarity favours the same author
    assert prior.means[-1] < 0  # similarities of 0 favour different authors
