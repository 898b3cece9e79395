"""Tippett plots: the share of likelihood ratios that reach a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from byline.array_types import Floats
from byline.attribution.calibration.likelihood_ratios import check_targets_and_nontargets

N_THRESHOLDS = 121


@dataclass(frozen=True, slots=True)
class TippettCurve:
    """The data of a Tippett plot.

    Attributes
    ----------
    log10_thresholds : tuple of float, (n_thresholds,)
        Decimal logarithms of the thresholds.
    targets, nontargets : tuple of float, (n_thresholds,)
        Share of the true authors' and of the other candidates' likelihood ratios that are at or
        above each threshold.
    misleading_targets, misleading_nontargets : float
        Rates of misleading evidence: the share of the true authors' likelihood ratios below 1, and
        of the other candidates' above 1.

    See Also
    --------
    tippett : Compute the curve.

    Examples
    --------
    >>> tippett([1.0, -0.5], [-2.0, -1.0]).misleading_targets
    0.5
    """

    log10_thresholds: tuple[float, ...]
    targets: tuple[float, ...]
    nontargets: tuple[float, ...]
    misleading_targets: float
    misleading_nontargets: float


def tippett(
    target_llrs: ArrayLike, nontarget_llrs: ArrayLike, *, n_thresholds: int = N_THRESHOLDS
) -> TippettCurve:
    """Compute a Tippett plot: the share of likelihood ratios at or above each threshold.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        Natural log-likelihood ratios of other candidates, finite.
    n_thresholds : int
        Number of thresholds from the lowest to the highest ratio, at equal distances of logarithms.

    Raises
    ------
    TrainingError
        One of the sets is empty.
    UsageError
        A value is not finite.

    References
    ----------
    Evett & Buckleton (1996), Statistical analysis of STR data.

    Examples
    --------
    >>> curve = tippett([2.0, 4.0], [0.0, 2.0], n_thresholds=3)
    >>> curve.targets, curve.nontargets
    ((1.0, 1.0, 0.5), (1.0, 0.5, 0.0))
    """
    targets, nontargets = check_targets_and_nontargets(target_llrs, nontarget_llrs)
    low, high = min(targets.min(), nontargets.min()), max(targets.max(), nontargets.max())
    thresholds = np.linspace(low, high, n_thresholds)
    return TippettCurve(
        log10_thresholds=tuple((thresholds / np.log(10)).tolist()),
        targets=_share_reaching(targets, thresholds),
        nontargets=_share_reaching(nontargets, thresholds),
        misleading_targets=float((targets < 0).mean()),
        misleading_nontargets=float((nontargets > 0).mean()),
    )


def _share_reaching(values: Floats, thresholds: Floats) -> tuple[float, ...]:
    below = np.searchsorted(np.sort(values), thresholds, side="left")
    return tuple(((values.size - below) / values.size).tolist())
