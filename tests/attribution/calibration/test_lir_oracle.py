"""Costs, bounds, calibration and curves equal those of lir (Netherlands Forensic Institute)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.attribution.calibration import (
    LogisticCalibrator,
    cllr,
    cllr_min,
    cross_entropy_curve,
    elub_bounds,
    tippett,
)

pytestmark = pytest.mark.oracles
lir = SimpleNamespace(
    metrics=pytest.importorskip("lir.metrics"),
    models=pytest.importorskip("lir.data.models"),
    bounds=pytest.importorskip("lir.algorithms.bayeserror"),
    logistic=pytest.importorskip("lir.algorithms.logistic_regression"),
    cross_entropy=pytest.importorskip("lir.plotting.expected_calibration_error"),
    plotting=pytest.importorskip("lir.plotting"),
)

Floats = NDArray[np.float64]
Comparisons = tuple[Floats, Floats]  # natural log-likelihood ratios of targets and nontargets
LN10 = np.log(10)
STEP = 0.01  # of lir's bounds, on the log10 scale


def calibrated(rng: np.random.Generator) -> Comparisons:
    """Scores of N(2, 2) and N(-2, 2): each is its own log-likelihood ratio."""
    return rng.normal(2, 2, 150), rng.normal(-2, 2, 900)


def far_too_sure(rng: np.random.Generator) -> Comparisons:
    return rng.normal(6, 12, 80), rng.normal(-6, 12, 320)


def told_apart(rng: np.random.Generator) -> Comparisons:
    return rng.uniform(3, 15, 60), rng.uniform(-15, -3, 240)


def little_more_than_chance(rng: np.random.Generator) -> Comparisons:
    return rng.normal(0.5, 1, 50), rng.normal(0, 1, 50)


def with_ties(rng: np.random.Generator) -> Comparisons:
    return np.round(rng.normal(1, 1, 100)), np.round(rng.normal(-1, 1, 400))


@pytest.fixture(params=[calibrated, far_too_sure, told_apart, little_more_than_chance, with_ties])
def comparisons(request: pytest.FixtureRequest) -> Comparisons:
    make: Callable[[np.random.Generator], Comparisons] = request.param
    return make(np.random.default_rng(7))


def in_lir(comparisons: Comparisons) -> Any:
    """Return them in the form of lir: decimal logarithms, and one label per score."""
    own, others = comparisons
    labels = np.repeat([1, 0], [own.size, others.size])
    return lir.models.LLRData(features=np.concatenate(comparisons) / LN10, labels=labels)


class Recorder:
    """Take the place of the axes that lir draws on, and keep the lines by label."""

    def __init__(self) -> None:
        self.lines: dict[str, Comparisons] = {}

    def plot(self, x: Floats, y: Floats, *, label: str, **_: object) -> None:
        self.lines[label] = np.asarray(x), np.asarray(y)

    def get_legend(self) -> None:
        """There is none yet."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


def test_costs(comparisons: Comparisons) -> None:
    assert cllr(*comparisons) == pytest.approx(lir.metrics.cllr(in_lir(comparisons)), abs=1e-9)
    expected = lir.metrics.cllr_min(in_lir(comparisons))
    assert cllr_min(*comparisons) == pytest.approx(expected, abs=1e-9)


def test_bounds(comparisons: Comparisons) -> None:
    data = in_lir(comparisons)
    lower, upper = lir.bounds.elub(data.llrs.copy(), data.labels)
    found = elub_bounds(*comparisons)
    # lir's are the last grid points before, and a step nearer to 0 where it meets them exactly.
    assert found.lower / LN10 == pytest.approx(lower, abs=2 * STEP)
    assert found.upper / LN10 == pytest.approx(upper, abs=2 * STEP)


def test_logistic_calibration(comparisons: Comparisons) -> None:
    scores = np.concatenate(comparisons)[:, np.newaxis]
    labels = np.repeat([1, 0], list(map(len, comparisons)))
    expected = lir.logistic.LogitCalibrator().fit(scores, labels).transform(scores)
    found = LogisticCalibrator.fit(*comparisons)
    assert found.slope > 0
    assert found.apply(scores) / LN10 == pytest.approx(expected, abs=1e-9)


def test_tippett_curves(comparisons: Comparisons) -> None:
    axes = Recorder()
    lir.plotting.tippett(in_lir(comparisons), ax=axes)
    found = tippett(*comparisons)
    own, others = axes.lines.values()
    for (thresholds, percent), shares, values in zip(
        (own, others), (found.targets, found.nontargets), comparisons, strict=True
    ):
        # A staircase from two sets of thresholds: ours at theirs lies between our neighbours.
        after = np.searchsorted(found.log10_thresholds, thresholds + 1e-9)
        before = np.maximum(np.searchsorted(found.log10_thresholds, thresholds - 1e-9) - 1, 0)
        at_most = np.take(shares, before)
        at_least = np.append(shares, 0.0)[after]
        assert (percent / 100 <= at_most + 1 / values.size + 1e-9).all()
        assert (percent / 100 >= at_least - 1 / values.size - 1e-9).all()


def test_empirical_cross_entropy(comparisons: Comparisons) -> None:
    axes = Recorder()
    lir.cross_entropy.plot_ece(in_lir(comparisons), ax=axes)
    found = cross_entropy_curve(*comparisons)
    for label, ours in (
        ("reference", found.reference),
        ("LRs", found.observed),
        ("PAV LRs", found.pav),
    ):
        log10_odds, theirs = axes.lines[label]
        at_ours = np.interp(found.log10_prior_odds[:-1], log10_odds, theirs)
        assert ours[:-1] == pytest.approx(at_ours.tolist(), abs=1e-6)
