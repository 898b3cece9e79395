"""Whether one classifier is better than another on the same texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest, bootstrap

from byline.errors import UsageError
from byline.experiments.metrics import Interval

N_RESAMPLES = 9999
LEVEL = 0.95
# So many resamples at a time: 11,662 texts of 8 bytes make some 10 MB.
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classifiers on the same texts.

    Attributes
    ----------
    first, second : str
    n : int
        Texts.
    difference : float
        Accuracy of the first less that of the second.
    interval : (float, float)
        95 % of the difference: bootstrap over texts, percentiles of 9,999 resamples.
    n_only_first, n_only_second : int
        Texts that one alone got right.
    p_value : float
        McNemar's test, exact and two-sided, that both are right equally often.
    """

    first: str
    second: str
    n: int
    difference: float
    interval: Interval
    n_only_first: int
    n_only_second: int
    p_value: float


def compare(
    first: str,
    second: str,
    first_right: Sequence[bool],
    second_right: Sequence[bool],
    *,
    random_state: int = 0,
) -> Comparison:
    """Compare two classifiers text by text.

    Parameters
    ----------
    first, second : str
        Their names.
    first_right, second_right : sequence of bool, (n_texts,)
        Whether each was right, text by text in the same order.
    random_state : int
        Of the resamples.

    Raises
    ------
    UsageError
        The two are not of the same texts, or there is none.
    """
    if len(first_right) != len(second_right) or not first_right:
        raise UsageError(
            f"{first} answered {len(first_right)} texts and {second} {len(second_right)}; "
            "a comparison needs the same ones, and one at least"
        )
    differences = np.asarray(first_right, dtype=float) - np.asarray(second_right, dtype=float)
    only_first, only_second = int((differences > 0).sum()), int((differences < 0).sum())
    return Comparison(
        first=first,
        second=second,
        n=len(differences),
        difference=float(differences.mean()),
        interval=_interval(differences, random_state),
        n_only_first=only_first,
        n_only_second=only_second,
        p_value=mcnemar(only_first, only_second),
    )


def mcnemar(n_only_first: int, n_only_second: int) -> float:
    """Exact two-sided p-value of McNemar's test (1947), from the texts that one alone got right."""
    discordant = n_only_first + n_only_second
    return float(binomtest(n_only_first, discordant, 0.5).pvalue) if discordant else 1.0


def _interval(differences: np.ndarray, random_state: int) -> Interval:
    if len(differences) == 1 or np.ptp(differences) == 0:  # every resample is the same
        return float(differences.mean()), float(differences.mean())
    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=N_RESAMPLES,
        batch=_BATCH,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(random_state),
    ).confidence_interval
    return float(found.low), float(found.high)
