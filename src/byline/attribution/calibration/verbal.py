"""Words for likelihood ratios."""

from __future__ import annotations

import math

# ENFSI Guideline for Evaluative Reporting in Forensic Science (2015), table of verbal equivalents:
# from which likelihood ratio on (log10) a word fits. Below 2 the findings support neither side.
_STRENGTHS = (
    (6.0, "extremely strong"),
    (4.0, "very strong"),
    (3.0, "strong"),
    (2.0, "moderately strong"),
    (1.0, "moderate"),
    (math.log10(2), "weak"),
)
NO_SUPPORT = "no support for either side"


def verbal_scale(log10_lr: float) -> str:
    """Say how strongly a likelihood ratio supports a candidate, in the words of ENFSI (2015).

    Parameters
    ----------
    log10_lr : float
        Decimal logarithm of the likelihood ratio.

    Returns
    -------
    str
        Such as "moderate support", or "moderate support for the others" of ratios below 1, which
        support the opposite as their inverse would support the candidate; "no support for either
        side" between 1 / 2 and 2.
    """
    size = abs(log10_lr)
    for least, strength in _STRENGTHS:
        if size >= least:
            return f"{strength} support" + ("" if log10_lr > 0 else " for the others")
    return NO_SUPPORT
