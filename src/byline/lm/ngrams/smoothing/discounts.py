"""Compute discounts from the counts of counts n1, n2, ...

A discount is an amount that is subtracted from the counts 1, 2, and 3 or more. The coefficient of
Good-Turing is the proportion of a count that is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from byline.array_types import Floats, Ids

Discounts = tuple[float, float, float]
Fallback = Callable[[Sequence[int]], Discounts]

FIXED_DISCOUNTS: Discounts = (0.5, 1.0, 1.5)
FIXED_DISCOUNT = 0.5
_SMALLEST_COEFFICIENT = 3e-6  # SRILM's Prob_Epsilon


def counts_of_counts(counts: Ids, largest: int = 4) -> list[int]:
    """Return n1, n2, ...: the number of n-grams that occur once, twice, up to ``largest`` times.

    Examples
    --------
    >>> counts_of_counts(np.array([1, 1, 2, 5], dtype=np.int32))
    [2, 1, 0, 0]
    """
    clipped = np.minimum(counts, largest + 1)
    n: list[int] = np.bincount(clipped, minlength=largest + 2)[1:-1].tolist()
    return n


def modified_discounts(n: Sequence[int]) -> Discounts | None:
    """Return D1, D2 and D3+ from the counts of counts (Chen & Goodman 1998, eq. 26).

    ``Y = n1 / (n1 + 2 n2)`` and ``D_k = k - (k + 1) Y n_(k+1) / n_k``. Whole numbers are used until
    the last division, so that a discount of zero is recognised.

    Returns
    -------
    tuple of three floats, or None
        None if one of n1, n2, n3 is zero or a discount is not positive. Without a positive
        discount, a context would leave no probability for unobserved words.

    Examples
    --------
    >>> modified_discounts([4, 2, 1, 1])  # Y = 4 / (4 + 2 * 2) = 1/2
    (0.5, 1.25, 1.0)
    """
    if not all(n[:3]):
        return None
    total = n[0] + 2 * n[1]
    numerators = [k * n[k - 1] * total - (k + 1) * n[0] * n[k] for k in (1, 2, 3)]
    if min(numerators) <= 0:
        return None
    d1, d2, d3 = (x / (n[k] * total) for k, x in enumerate(numerators))
    return d1, d2, d3


def kneser_ney_discount(n: Sequence[int]) -> float | None:
    """Return ``D = n1 / (n1 + 2 n2)`` (Chen & Goodman 1998, eq. 20); None if n1 or n2 is zero.

    Examples
    --------
    >>> kneser_ney_discount([6, 1])
    0.75
    """
    return n[0] / (n[0] + 2 * n[1]) if all(n[:2]) else None


def single_discount(n: Sequence[int]) -> Discounts:
    """Return the single discount of Kneser-Ney for all counts; fixed ones if n1 or n2 is zero.

    With the text of a single author, this is better than fixed discounts. Nearly all n-grams of a
    high order occur once. A fixed discount of 0.5 instead of 0.9 or more leaves too little
    probability for unobserved n-grams.
    """
    discount = kneser_ney_discount(n)
    return FIXED_DISCOUNTS if discount is None else (discount, discount, discount)


def fixed_discounts(n: Sequence[int]) -> Discounts:
    """Return 0.5, 1 and 1.5 for any counts, as lmplz does with ``--discount_fallback``."""
    return FIXED_DISCOUNTS


FALLBACKS: Mapping[str, Fallback] = {"one-discount": single_discount, "fixed": fixed_discounts}


def good_turing_coefficients(n: Sequence[int]) -> tuple[Floats, bool]:
    """Return the coefficients ``d_1 ... d_k`` of Katz (Chen & Goodman 1998, eq. 13).

    ``d_r = (r*/r - A) / (1 - A)`` with ``r* = (r + 1) n_(r+1) / n_r`` and
    ``A = (k + 1) n_(k+1) / n_1``. As in SRILM, k is decreased while ``n_(k+1)`` is zero. A
    coefficient outside of (0, 1] is replaced by 1, so that its count is not discounted.

    Parameters
    ----------
    n : sequence of int
        n1 to n_(k+1).

    Returns
    -------
    coefficients : (k + 1,) float64
        The coefficient of count 0, which is 1, then those of the counts 1 to k.
    complete : bool
        Whether all counts up to k are discounted.
    """
    coefficients = np.ones(len(n))
    k = max((k for k in range(1, len(n)) if n[0] and n[k]), default=0)
    if not k:
        return coefficients, len(n) == 1
    common = (k + 1) * n[k] / n[0]
    for r in range(1, k + 1):
        ratio = (r + 1) * n[r] / (r * n[r - 1]) if n[r - 1] else np.inf
        coefficient = (ratio - common) / (1 - common) if common != 1 else np.inf
        if ratio <= 1 and _SMALLEST_COEFFICIENT < coefficient <= 1:
            coefficients[r] = coefficient
    return coefficients, bool((coefficients[1:] < 1).all())
