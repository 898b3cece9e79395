"""Metrics of open-set attribution: false and missed attributions at several rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Self

import numpy as np

from byline.array_types import Booleans
from byline.attribution.open_set import Criterion
from byline.errors import UsageError
from byline.experiments.metrics import AccuracyEstimate, Interval
from byline.experiments.open_set.answers import OpenSetAnswers, RateAnswers
from byline.experiments.open_set.scores import (
    c_at_1_of_counts,
    f_05_u,
    interval_over_authors,
    known_unknown_auc,
    open_set_macro_f1,
)


@dataclass(frozen=True, slots=True)
class RateMetrics:
    """How texts are attributed by one criterion.

    Attributes
    ----------
    rate : float, "even-odds" or None
        The requested rate, or even odds; None for a method with a rule of its own.
    false_attribution_rate : float
        Share of texts by unknown authors that were attributed to a candidate.
    false_attribution_interval : (float, float)
        95 % interval; see `interval_over_authors`.
    missed_rate : float
        Share of texts by candidates that were not attributed to their author.
    missed_interval : (float, float)
        95 % interval; see `interval_over_authors`.
    rejected_rate, misattribution_rate : float
        The parts of ``missed_rate``: not attributed, and attributed to another candidate.
    stated_false_rate : float or None
        The mean of the false-attribution rates that the decisions about texts by unknown authors
        stated.
    stated_missed_rate : float or None
        The mean of the missed rates that the decisions about texts by candidates stated.
    withheld_rate : float
        Share of all texts without an answer (undecided or declined).
    c_at_1 : float
        Over all texts. Correct are the true author, and "none of the candidates" for texts by
        unknown authors.
    f_05_u : float
        True positives are texts that were attributed to their author, and false positives those
        that were attributed to somebody else.
    macro_f1 : float
        See `open_set_macro_f1`.
    """

    rate: Criterion | None
    false_attribution_rate: float
    false_attribution_interval: Interval
    missed_rate: float
    missed_interval: Interval
    rejected_rate: float
    misattribution_rate: float
    stated_false_rate: float | None
    stated_missed_rate: float | None
    withheld_rate: float
    c_at_1: float
    f_05_u: float
    macro_f1: float


@dataclass(frozen=True, slots=True)
class OpenSetMetrics:
    """Metrics of a classifier on texts by candidates and by unknown authors.

    Attributes
    ----------
    n_known, n_unknown : int
        Number of texts by candidates and by unknown authors.
    n_known_authors : int
    n_unknown_authors : int or None
        None if unknown authors have no names.
    accuracy : AccuracyEstimate
        Closed set: share of texts by candidates whose first candidate is the author.
    auc : float or None
        See `known_unknown_auc`; the mean over folds, because the values of different models are not
        comparable. None if no fold has texts of both kinds.
    macro_f1_without_rejection : float
        If each text is attributed to its first candidate.
    by_rate : tuple of RateMetrics
    unavailable : tuple of (float, str)
        Rates that could not be set in at least one fold, and the reason.

    See Also
    --------
    evaluate_open_set : Compute them by leaving authors out.

    Examples
    --------
    >>> answers = OpenSetAnswers(
    ...     candidates=("Ann", "Bob", "Cyd"), paths=("1.txt", "2.txt", "3.txt"),
    ...     authors=("Ann", "Bob", "Eve"), first=("Ann", "Ann", "Bob"), statistics=(3.5, 2.0, 0.5),
    ...     by_rate=(
    ...         RateAnswers(0.05, (True, False, False), (False,) * 3, (0.1,) * 3, (0.4,) * 3),
    ...     ),
    ...     unavailable=(),
    ... )
    >>> metrics = OpenSetMetrics.of([answers])
    >>> metrics.accuracy.accuracy, metrics.auc, metrics.by_rate[0].missed_rate
    (0.5, 1.0, 0.5)
    >>> metrics.by_rate[0].macro_f1
    0.5
    """

    n_known: int
    n_unknown: int
    n_known_authors: int
    n_unknown_authors: int | None
    accuracy: AccuracyEstimate
    auc: float | None
    macro_f1_without_rejection: float
    by_rate: tuple[RateMetrics, ...]
    unavailable: tuple[tuple[float, str], ...]

    @classmethod
    def of(cls, folds: Sequence[OpenSetAnswers]) -> Self:
        """Compute the metrics over the texts of all folds.

        Parameters
        ----------
        folds : sequence of OpenSetAnswers
            With at least one text by a candidate and one by an unknown author.

        Raises
        ------
        UsageError
            There are no texts of a kind.
        """
        is_known = np.array([known for fold in folds for known in fold.is_known], dtype=bool)
        if is_known.all() or not is_known.any():
            kind = "an unknown author" if is_known.any() else "a candidate"
            raise UsageError(f"no questioned text is by {kind}; add texts of both kinds")
        authors = [author for fold in folds for author in fold.authors]
        first = [name for fold in folds for name in fold.first]
        of_candidates = [
            author if known else None for author, known in zip(authors, is_known, strict=True)
        ]
        is_correct = np.array([a == b for a, b in zip(of_candidates, first, strict=True)])
        paths = [path for fold in folds for path in fold.paths]
        owners = np.array([author or path for author, path in zip(authors, paths, strict=True)])
        unavailable = {rate: why for fold in folds for rate, why in fold.unavailable}
        rates = [each.rate for each in folds[0].by_rate if each.rate not in unavailable]
        texts = _Texts(of_candidates, first, owners, is_known, is_correct)
        unknown = {author for author, known in zip(authors, is_known, strict=True) if not known}
        aucs = [
            known_unknown_auc(fold.is_known, fold.statistics)
            for fold in folds
            if len(set(fold.is_known)) == 2
        ]
        n_known = int(is_known.sum())
        return cls(
            n_known=n_known,
            n_unknown=len(is_known) - n_known,
            n_known_authors=len({author for author in of_candidates if author is not None}),
            n_unknown_authors=None if None in unknown else len(unknown),
            accuracy=AccuracyEstimate.from_counts(int(is_correct.sum()), n_known),
            auc=fmean(aucs) if aucs else None,
            macro_f1_without_rejection=open_set_macro_f1(of_candidates, first),
            by_rate=tuple(
                texts.metrics([_of_rate(fold, rate) for fold in folds]) for rate in rates
            ),
            unavailable=tuple(sorted(unavailable.items())),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        own = asdict(self)
        own |= own.pop("accuracy")
        own["unavailable"] = [{"rate": rate, "reason": why} for rate, why in self.unavailable]
        return own


def _mean(rates: Sequence[float | None], chosen: Booleans) -> float | None:
    stated = [rate for rate, is_in in zip(rates, chosen, strict=True) if is_in and rate is not None]
    return fmean(stated) if stated else None


def _of_rate(fold: OpenSetAnswers, rate: Criterion | None) -> RateAnswers:
    return next(each for each in fold.by_rate if each.rate == rate)


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of all folds: true candidates, first candidates, and the owners of each text."""

    of_candidates: list[str | None]
    first: list[str]
    owners: np.ndarray
    is_known: Booleans
    is_correct: Booleans

    def metrics(self, folds: Sequence[RateAnswers]) -> RateMetrics:
        accepted = np.array([each for fold in folds for each in fold.accepted], dtype=bool)
        withheld = np.array([each for fold in folds for each in fold.withheld], dtype=bool)
        known, unknown = self.is_known, ~self.is_known
        n, n_known = len(known), int(known.sum())
        right = accepted & self.is_correct
        wrong = accepted & ~self.is_correct
        missed = known & ~right
        rejected = ~accepted & ~withheld
        attributed = [
            name if is_accepted else None
            for name, is_accepted in zip(self.first, accepted, strict=True)
        ]
        n_right, n_withheld = int(right.sum()), int(withheld.sum())
        return RateMetrics(
            rate=folds[0].rate,
            false_attribution_rate=float(accepted[unknown].mean()),
            false_attribution_interval=self._interval(accepted, unknown),
            missed_rate=float(missed.sum() / n_known),
            missed_interval=self._interval(missed, known),
            rejected_rate=float((known & ~accepted).sum() / n_known),
            misattribution_rate=float((known & wrong).sum() / n_known),
            stated_false_rate=_mean([rate for fold in folds for rate in fold.false_rates], unknown),
            stated_missed_rate=_mean([rate for fold in folds for rate in fold.missed_rates], known),
            withheld_rate=n_withheld / n,
            c_at_1=c_at_1_of_counts(n_right + int((rejected & unknown).sum()), n_withheld, n),
            # A text that is attributed to the wrong candidate is missing for its author, too.
            f_05_u=f_05_u(n_right, int(wrong.sum()), int((missed & ~withheld).sum()), n_withheld),
            macro_f1=open_set_macro_f1(self.of_candidates, attributed),
        )

    def _interval(self, marks: Booleans, chosen: Booleans) -> Interval:
        return interval_over_authors(marks[chosen].tolist(), self.owners[chosen].tolist())
