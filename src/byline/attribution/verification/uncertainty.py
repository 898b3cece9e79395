"""The uncertainty of a likelihood ratio: other authors, and other known texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from byline.array_types import Floats, Integers
from byline.attribution.verification.calibration import HeldOutAnswers, VerificationCalibrator
from byline.attribution.verification.problems import VerificationProblem, has_words
from byline.attribution.verification.verifier import AuthorshipVerifier
from byline.processes.threads import limited_threads

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
    resampled_log10_lrs : Sample the authors and fit the calibration again.

    Examples
    --------
    >>> import numpy as np
    >>> interval = LikelihoodRatioInterval.of(np.linspace(-1, 1, 101), n_authors=12)
    >>> round(interval.low, 3), round(interval.high, 3), interval.n_resamples
    (-0.95, 0.95, 101)
    """

    low: float
    high: float
    level: float
    n_resamples: int
    n_authors: int

    @classmethod
    def of(cls, log10_lrs: Floats, n_authors: int) -> Self:
        """Return the interval that contains the middle of the resampled ratios.

        Parameters
        ----------
        log10_lrs : (n_resamples,) float64
        n_authors : int
        """
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(log10_lrs, [tail, 1 - tail]).tolist()
        return cls(low, high, LEVEL, log10_lrs.size, n_authors)


def resampled_log10_lrs(
    held_out: HeldOutAnswers,
    features: Floats,
    *,
    n_resamples: int = N_RESAMPLES,
    random_state: int = 0,
) -> Floats:
    """Compute likelihood ratios by calibrations that are based on other samples of authors.

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
    (n_resamples, n_problems) float64
        Bounded decimal logarithms.

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
    >>> resampled_log10_lrs(held_out, np.array([[0.8], [0.2]]), n_resamples=20).shape
    (20, 2)
    """
    samples = _resampled_rows(held_out, np.random.default_rng(random_state))
    with limited_threads():  # the regressions are small
        return np.array([_log10_lrs(held_out, next(samples), features) for _ in range(n_resamples)])


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
    same, n_authors = held_out.same, held_out.n_authors
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
