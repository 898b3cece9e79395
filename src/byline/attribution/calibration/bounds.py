"""Bounds of likelihood ratios: no more than the held-out texts bear out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from byline.attribution.calibration.comparisons import check_comparisons

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest log-likelihood ratio (nats) that is stated.

    Attributes
    ----------
    lower : float
        At most 0.
    upper : float
        At least 0.
    """

    lower: float
    upper: float

    def apply(self, llrs: ArrayLike) -> Floats:
        """Bring natural log-likelihood ratios within the bounds."""
        bounded: Floats = np.clip(np.asarray(llrs, dtype=np.float64), self.lower, self.upper)
        return bounded


def elub_bounds(target_llrs: ArrayLike, nontarget_llrs: ArrayLike) -> Bounds:
    """Empirical lower and upper bound of likelihood ratios (Vergeer et al. 2016).

    Who accepts "this candidate wrote it" where the likelihood ratio is above a threshold ``t``
    loses 1 by every true author turned down and ``t`` by every other one accepted, as decisions at
    prior odds of ``1 / t`` do. With one misleading comparison of each kind added, which the next
    one may be, the bounds are the thresholds nearest to 1 from where on that would lose more than
    deciding without any likelihood ratio. Computed exactly, where the paper takes steps of 0.01 on
    the log10 scale: losses are straight lines in ``t`` between one likelihood ratio and the next.

    Comparisons of one text with several candidates are taken as independent, so that bounds from
    many candidates are wider than as many texts would bear out.

    Parameters
    ----------
    target_llrs : (n_targets,) array
        Natural log-likelihood ratios of true authors, finite.
    nontarget_llrs : (n_nontargets,) array
        The same of other candidates.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_comparisons(target_llrs, nontarget_llrs)
    # By symmetry: the lower bound is the upper one of the opposite claim.
    return Bounds(lower=0.0 - _upper(-others, -own), upper=_upper(own, others))


def _upper(own: Floats, others: Floats) -> float:
    """Return the least log threshold from 0 on where turning everything down would lose less.

    Turning everything down loses 1; accepting above ``t`` loses ``missed + t * accepted``, which
    is more from ``t = (1 - missed) / accepted`` on.
    """
    starts = np.unique(np.concatenate([[0.0], own[own > 0], others[others > 0]]))
    hits = (own.size - np.searchsorted(np.sort(own), starts, side="right")) / (own.size + 1)
    accepted = (1 + others.size - np.searchsorted(np.sort(others), starts, side="right")) / (
        others.size + 1
    )
    with np.errstate(divide="ignore"):  # nothing is above the last start: it loses at once
        crossings = np.maximum(starts, np.log(hits) - np.log(accepted))
    ends = np.append(starts[1:], np.inf)
    return float(crossings[crossings < ends].min())
