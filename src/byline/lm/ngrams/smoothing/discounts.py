"""How much to take from a count, told by the counts of counts n1, n2, ...

A discount is an amount taken from the counts 1, 2 and above; Good-Turing's coefficient is the share
of a count that is kept.
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
    """Return n1, n2, ...: the numbers of n-grams counted once, twice, up to ``largest`` times."""
    clipped = np.minimum(counts, largest + 1)
    n: list[int] = np.bincount(clipped, minlength=largest + 2)[1:-1].tolist()
    return n


def modified_discounts(n: Sequence[int]) -> Discounts | None:
    """Return D1, D2 and D3+ from the counts of counts (Chen & Goodman 1998, eq. 26).

    ``Y = n1 / (n1 + 2 n2)`` and ``D_k = k - (k + 1) Y n_(k+1) / n_k``, in whole numbers up to the
    last division, so that a discount of zero is seen as one.

    Returns
    -------
    tuple of three floats, or None
        None where one of n1, n2, n3 is zero or a discount is not above zero: a context whose
        n-grams are discounted by nothing would leave no probability to unseen words.
    """
    if not all(n[:3]):
        return None
    total = n[0] + 2 * n[1]
    numerators = [k * n[k - 1] * total - (k + 1) * n[0] * n[k] for k in (1, 2, 3)]
    if min(numerators) <= 0:
        return None
    d1, d2, d3 = (x / (n[k] * total) for k, x in enumerate(numerators))
    return d1, d2, d3


def one_discount(n: Sequence[int]) -> float | None:
    """Return ``D = n1 / (n1 + 2 n2)`` (Chen & Goodman 1998, eq. 20); None without n1 or n2."""
    return n[0] / (n[0] + 2 * n[1]) if all(n[:2]) else None


def one_for_all(n: Sequence[int]) -> Discounts:
    """Return Kneser-Ney's one discount for every count; fixed ones without n1 or n2.

    Milder to a single author than fixed discounts: nearly all n-grams of a high order are seen
    once, and to take 0.5 from them where 0.9 and more is due leaves too little to the unseen.
    """
    discount = one_discount(n)
    return FIXED_DISCOUNTS if discount is None else (discount, discount, discount)


def fixed_discounts(n: Sequence[int]) -> Discounts:
    """Return 0.5, 1 and 1.5 whatever the counts, as lmplz does with ``--discount_fallback``."""
    return FIXED_DISCOUNTS


FALLBACKS: Mapping[str, Fallback] = {"one-discount": one_for_all, "fixed": fixed_discounts}


def good_turing_coefficients(n: Sequence[int]) -> tuple[Floats, bool]:
    """Return Katz's coefficients ``d_1 ... d_k`` (Chen & Goodman 1998, eq. 13).

    ``d_r = (r*/r - A) / (1 - A)`` with ``r* = (r + 1) n_(r+1) / n_r`` and
    ``A = (k + 1) n_(k+1) / n_1``. As in SRILM k is lowered while ``n_(k+1)`` is zero, and a
    coefficient that is not above zero, or is above one, is 1: that count is left whole.

    Parameters
    ----------
    n : sequence of int
        n1 to n_(k+1).

    Returns
    -------
    coefficients : (k + 1,) float64
        That of count 0, which is 1, then those of 1 to k.
    complete : bool
        Whether every count up to k could be discounted.
    """
    coefficients = np.ones(len(n))
    k = max((k for k in range(1, len(n)) if n[0] and n[k]), default=0)
    if not k:
        return coefficients, len(n) == 1
    common = (k + 1) * n[k] / n[0]
    for r in range(1, k + 1):
        ratio = (r + 1) * n[r] / (r * n[r - 1]) if n[r - 1] else np.inf
        share = (ratio - common) / (1 - common) if common != 1 else np.inf
        if ratio <= 1 and _SMALLEST_COEFFICIENT < share <= 1:
            coefficients[r] = share
    return coefficients, bool((coefficients[1:] < 1).all())
