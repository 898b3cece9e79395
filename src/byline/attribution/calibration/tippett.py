"""Tippett plots: how many likelihood ratios are at least so large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from byline.array_types import Floats
from byline.attribution.calibration.likelihood_ratios import check_targets_and_nontargets

N_THRESHOLDS = 121


@dataclass(frozen=True, slots=True)
class TippettCurve:
    """Shares of likelihood ratios that reach a threshold.

    Attributes
    ----------
    log10_thresholds : tuple of float, (n_thresholds,)
    targets, nontargets : tuple of float, (n_thresholds,)
        Share of the true authors' and of the other candidates' that are at or above each.
    misleading_targets, misleading_nontargets : float
        Share of the true authors' below 1, and of the other candidates' above 1: evidence that
        speaks for the wrong side.
    """

    log10_thresholds: tuple[float, ...]
    targets: tuple[float, ...]
    nontargets: tuple[float, ...]
    misleading_targets: float
    misleading_nontargets: float


def tippett(
    target_llrs: ArrayLike, nontarget_llrs: ArrayLike, *, n_thresholds: int = N_THRESHOLDS
) -> TippettCurve:
    """Count likelihood ratios at and above thresholds (Evett & Buckleton 1996).

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        The same of other candidates.
    n_thresholds : int
        From the lowest ratio to the highest, at equal distances of logarithms.

    Raises
    ------
    TrainingError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    low, high = min(own.min(), others.min()), max(own.max(), others.max())
    thresholds = np.linspace(low, high, n_thresholds)
    return TippettCurve(
        log10_thresholds=tuple((thresholds / np.log(10)).tolist()),
        targets=_reaching(own, thresholds),
        nontargets=_reaching(others, thresholds),
        misleading_targets=float((own < 0).mean()),
        misleading_nontargets=float((others > 0).mean()),
    )


def _reaching(values: Floats, thresholds: Floats) -> tuple[float, ...]:
    below = np.searchsorted(np.sort(values), thresholds, side="left")
    return tuple(((values.size - below) / values.size).tolist())
