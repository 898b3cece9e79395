"""The uncertainty of a likelihood ratio: other authors, and other known texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from byline.array_types import Floats, Integers
from byline.attribution.verification.calibration import HeldOutAnswers, VerificationCalibrator
from byline.attribution.verification.problems import VerificationProblem, has_words
from byline.attribution.verification.verifier import AuthorshipVerifier
from byline.processes.threads import one_thread

N_RESAMPLES = 1000
MAX_LEFT_OUT = 50  # known texts
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class LikelihoodRatioInterval:
    """A bootstrap interval of a likelihood ratio.

    Attributes
    ----------
    low, high : float
        Percentiles of the bounded decimal logarithms of the likelihood ratio.
    level : float
        Share of the resamples between them.
    n_resamples : int
        How often authors were sampled and the calibration was fitted again.
    n_authors : int
        Number of authors in each sample.

    See Also
    --------
    likelihood_ratio_intervals : Compute the intervals.

    Examples
    --------
    >>> LikelihoodRatioInterval(low=-0.2, high=0.9, level=0.95, n_resamples=1000, n_authors=12).low
    -0.2
    """

    low: float
    high: float
    level: float
    n_resamples: int
    n_authors: int

    def limited(self, most: float) -> Self:
        """Limit the absolute values of the logarithms."""
        low, high = (min(max(value, -most), most) for value in (self.low, self.high))
        return replace(self, low=low, high=high)


def likelihood_ratio_intervals(
    held_out: HeldOutAnswers,
    features: Floats,
    *,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> list[LikelihoodRatioInterval]:
    """Estimate how much likelihood ratios depend on which authors the calibration is based on.

    Authors are sampled with replacement. A problem counts as often as the author of its texts was
    drawn, or as the product of both numbers if its texts are by two authors. The calibration and
    the bounds are fitted again to each sample. A sample without problems of both kinds is replaced.
    The similarities are not computed again.

    Parameters
    ----------
    held_out : HeldOutAnswers
        The calibration problems.
    features : (n_problems, n_features) float64
        The similarities of the problems in question.
    n_resamples : int
        Number of samples.
    random_state : int
        Seed of the samples.

    Returns
    -------
    list of LikelihoodRatioInterval, (n_problems,)

    References
    ----------
    Snijders & Borgatti (1999), Non-parametric standard errors and tests for network statistics.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.attribution.verification.calibration import held_out_answers
    >>> similarities = np.array([[0.9, 0.8, 0.7, 0.9, 0.6, 0.1, 0.2, 0.0, 0.3, 0.2]]).T
    >>> same = np.repeat([True, False], 5)
    >>> held_out = held_out_answers(similarities, same, "abcdeabcde", "abcdebcdea")
    >>> [interval] = likelihood_ratio_intervals(held_out, np.array([[0.8]]), n_resamples=20)
    >>> interval.low <= interval.high, interval.n_authors
    (True, 5)
    """
    samples = _resampled_rows(held_out, np.random.default_rng(random_state))
    with one_thread():  # the regressions are small
        log10_lrs = np.array(
            [_log10_lrs(held_out, next(samples), features) for _ in range(n_resamples)]
        )
    tail = (1 - LEVEL) / 2
    lows, highs = np.quantile(log10_lrs, [tail, 1 - tail], axis=0).tolist()
    n_authors = _n_authors(held_out)
    return [
        LikelihoodRatioInterval(low, high, LEVEL, n_resamples, n_authors)
        for low, high in zip(lows, highs, strict=True)
    ]


def leave_one_out_log10_lrs(verifier: AuthorshipVerifier, problem: VerificationProblem) -> Floats:
    """Compute the likelihood ratio without each of the known texts in turn.

    Parameters
    ----------
    verifier : AuthorshipVerifier
        A fitted verifier.
    problem : VerificationProblem
        The problem.

    Returns
    -------
    (n_known,) float64
        Bounded decimal logarithms, in the order of the known texts; of the first 50 if there are
        more. Empty if no known text would remain.

    Examples
    --------
    >>> from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
    >>> one = VerificationProblem(("The sea.",), "The wind.")
    >>> leave_one_out_log10_lrs(AuthorshipVerifier(), one).tolist()
    []
    """
    remaining = [
        problem.known[:n] + problem.known[n + 1 :]
        for n in range(min(len(problem.known), MAX_LEFT_OUT))
    ]
    problems = [
        VerificationProblem(known, problem.questioned)
        for known in remaining
        if any(map(has_words, known))
    ]
    if not problems:
        return np.zeros(0)
    bounds = verifier.calibrator_.bounds
    log10_lrs: Floats = bounds.apply(verifier.decision_function(problems)) / np.log(10)
    return log10_lrs


def _resampled_rows(held_out: HeldOutAnswers, rng: np.random.Generator) -> Iterator[Integers]:
    """Yield the rows of the problems in each sample of authors, some of them repeatedly."""
    same, n_authors = held_out.same, _n_authors(held_out)
    while True:  # more than one in five samples has problems of both kinds
        drawn = np.bincount(rng.integers(n_authors, size=n_authors), minlength=n_authors)
        known, questioned = drawn[held_out.known_authors], drawn[held_out.questioned_authors]
        rows = np.repeat(np.arange(same.size), np.where(same, known, known * questioned))
        if 0 < np.count_nonzero(same[rows]) < rows.size:
            yield rows


def _log10_lrs(held_out: HeldOutAnswers, rows: Integers, features: Floats) -> Floats:
    calibrator = VerificationCalibrator.fit(
        held_out.features[rows], held_out.same[rows], prior=held_out.prior
    )
    log_lrs: Floats = calibrator.bounds.apply(calibrator.log_odds(features)) / np.log(10)
    return log_lrs


def _n_authors(held_out: HeldOutAnswers) -> int:
    return 1 + int(max(held_out.known_authors.max(), held_out.questioned_authors.max()))
