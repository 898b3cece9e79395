"""Pool adjacent violators: the best that any rising function could make of scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.isotonic import IsotonicRegression

from byline.attribution.calibration.comparisons import check_comparisons

Floats = NDArray[np.float64]


def pooled_posteriors(targets: ArrayLike, nontargets: ArrayLike) -> tuple[Floats, Floats]:
    """Probability that a comparison is with the true author, by pooling adjacent violators.

    Both kinds of comparison weigh the same in all, so the odds of these probabilities are
    likelihood ratios: those of the rising function with the lowest cost (Zadrozny & Elkan 2002,
    Brümmer & du Preez 2006). It is fitted to the very comparisons, for judging scores,
    and not for calibrating others: its ends are 0 and 1.

    Parameters
    ----------
    targets : (n_targets,) array
        Scores or log-likelihood ratios of true authors, finite.
    nontargets : (n_nontargets,) array
        The same of other candidates.

    Returns
    -------
    of_targets : (n_targets,) float64
        Above 0.
    of_nontargets : (n_nontargets,) float64
        Below 1.

    Raises
    ------
    LearningError
        There is none of one kind.
    UsageError
        A value is not finite.
    """
    own, others = check_comparisons(targets, nontargets)
    # Only the order counts, so ranks will do: values that are all but equal stay apart.
    _, ranks = np.unique(np.concatenate([own, others]), return_inverse=True)
    truth = np.repeat([1.0, 0.0], [own.size, others.size])
    weights = np.repeat([1 / own.size, 1 / others.size], [own.size, others.size])
    fitted = IsotonicRegression(y_min=0, y_max=1).fit_transform(ranks, truth, sample_weight=weights)
    return fitted[: own.size], fitted[own.size :]
