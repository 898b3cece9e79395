"""How far the use of an n-gram parts one author from others: log-odds ratios with a prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_odds_ratios(
    own: Floats,
    own_total: Floats,
    others: Floats,
    others_total: Floats,
    prior: Floats,
    prior_total: Floats,
) -> tuple[Floats, Floats]:
    """Log-odds ratios of n-grams in two groups of texts, and how far each is from chance.

    The measure of Monroe, Colaresi & Quinn (2008, "Fightin' Words", Political Analysis 16:372-403),
    section "Model-based approaches": a group's n-grams of one order are draws from a multinomial
    with an informative Dirichlet prior. The prior pulls rare n-grams towards equal odds, and the
    z-score, unlike a bare ratio, favours neither the rarest nor the most frequent. As all uses are
    taken for independent of one another, z is a measure to rank by, and no test.

    Parameters
    ----------
    own, others : (n_ngrams,) float64
        Uses of each n-gram in the one group, and in the other.
    own_total, others_total : (n_ngrams,) float64
        Uses of all n-grams of the same order in each group.
    prior : (n_ngrams,) float64
        Uses of each that are imagined in both groups beforehand, above 0: what a larger corpus has
        (as in Jurafsky et al. 2014).
    prior_total : (n_ngrams,) float64
        The same of all n-grams of the order.

    Returns
    -------
    log_odds : (n_ngrams,) float64
        Natural logarithms of the ratio of the n-gram's odds against all others; above 0 where the
        one group uses it more.
    z : (n_ngrams,) float64
        The same in standard deviations.
    """
    log_odds = _log_odds(own + prior, own_total + prior_total)
    log_odds -= _log_odds(others + prior, others_total + prior_total)
    return log_odds, log_odds / np.sqrt(1 / (own + prior) + 1 / (others + prior))


def _log_odds(uses: Floats, total: Floats) -> Floats:
    """Odds of an n-gram against all others; against one where there are no others."""
    odds: Floats = np.log(uses) - np.log(np.maximum(total - uses, 1.0))
    return odds
