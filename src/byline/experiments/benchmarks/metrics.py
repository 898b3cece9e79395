"""Accuracy of the classifiers of a benchmark: overall, by subset, and compared in pairs."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import binomtest, bootstrap

from byline.array_types import Floats
from byline.errors import UsageError
from byline.experiments.decisions import Decision
from byline.experiments.metrics import AccuracyEstimate, Interval, macro_f1

# Classes of text length: single sentences of lectures are hard to attribute below the second bound,
# and nearly all are attributed correctly from the last bound on.
LENGTHS_IN_TOKENS = (1, 4, 8, 15, 30)
N_RESAMPLES = 9999
LEVEL = 0.95
_BATCH = 100  # resamples at a time, which need 10 MB for 11,662 texts


@dataclass(frozen=True, slots=True)
class SubsetAccuracy:
    """Accuracy on a subset of the questioned texts: of a fold, an author or a length.

    Attributes
    ----------
    name : str
    n, n_correct : int
        Number of texts, and of those that were correctly attributed.
    """

    name: str
    n: int
    n_correct: int

    @property
    def accuracy(self) -> float:
        """Share of texts that were correctly attributed."""
        return self.n_correct / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return all values as JSON values."""
        return asdict(self) | {"accuracy": self.accuracy}


@dataclass(frozen=True, slots=True)
class MethodMetrics:
    """Metrics of one classifier on texts of one length.

    Attributes
    ----------
    method, title : str
    n : int
        Number of questioned texts.
    accuracy : float
        Share of texts whose highest-scoring author is the true one.
    interval : (float, float)
        95 % Wilson interval, which assumes that texts are independent.
    balanced_accuracy : float
        Mean accuracy over the authors who have questioned texts.
    macro_f1 : float
        Mean F1 over the authors who have questioned texts.
    mean_reciprocal_rank : float
    by_fold, by_author, by_tokens : tuple of SubsetAccuracy
        By held-out set, by true author, and by number of tokens; the last may be empty.

    See Also
    --------
    run_benchmark : Measure classifiers on a benchmark.
    Comparison : Two classifiers compared.

    Examples
    --------
    >>> decisions = [
    ...     Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False),
    ...     Decision("2.txt", 0, None, author="Bob", predicted="Ann", rank=2, declined=False),
    ... ]
    >>> metrics = MethodMetrics.of("svm", "SVM", decisions, ["test"], {})
    >>> metrics.accuracy, metrics.by_author[1]
    (0.5, SubsetAccuracy(name='Bob', n=1, n_correct=0))
    """

    method: str
    title: str
    n: int
    accuracy: float
    interval: Interval
    balanced_accuracy: float
    macro_f1: float
    mean_reciprocal_rank: float
    by_fold: tuple[SubsetAccuracy, ...]
    by_author: tuple[SubsetAccuracy, ...]
    by_tokens: tuple[SubsetAccuracy, ...]

    @classmethod
    def of(
        cls,
        method: str,
        title: str,
        decisions: Sequence[Decision],
        folds: Sequence[str],
        n_tokens: Mapping[str, int],
    ) -> MethodMetrics:
        """Compute the metrics of a classifier's decisions on texts of one length.

        Parameters
        ----------
        method, title : str
        decisions : sequence of Decision
        folds : sequence of str
            Names of the folds.
        n_tokens : mapping of path to int
            Number of tokens per text; empty to leave out accuracy by length.
        """
        estimate = AccuracyEstimate.from_counts(sum(map(is_correct, decisions)), len(decisions))
        by_author = _subsets([(d.author, d.author, is_correct(d)) for d in decisions])
        by_tokens = [
            (*_length_class(n_tokens[d.path]), is_correct(d)) for d in decisions if n_tokens
        ]
        return cls(
            method=method,
            title=title,
            n=len(decisions),
            accuracy=estimate.accuracy,
            interval=estimate.accuracy_interval,
            balanced_accuracy=fmean(subset.accuracy for subset in by_author),
            macro_f1=macro_f1(decisions),
            mean_reciprocal_rank=fmean(1 / d.rank for d in decisions),
            by_fold=_subsets([(d.fold, folds[d.fold], is_correct(d)) for d in decisions]),
            by_author=by_author,
            by_tokens=_subsets(by_tokens),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all values as JSON values."""
        subsets = {
            name: [subset.to_dict() for subset in getattr(self, name)]
            for name in ("by_fold", "by_author", "by_tokens")
        }
        return asdict(self) | subsets


def is_correct(decision: Decision) -> bool:
    """Whether the highest-scoring author wrote the text."""
    return decision.author == decision.predicted


def _length_class(n_tokens: int) -> tuple[int, str]:
    index = bisect_right(LENGTHS_IN_TOKENS, n_tokens) - 1
    low = LENGTHS_IN_TOKENS[index]
    if index + 1 == len(LENGTHS_IN_TOKENS):
        return low, f"{low} or more tokens"
    return low, f"{low} to {LENGTHS_IN_TOKENS[index + 1] - 1} tokens"


def _subsets(answers: Sequence[tuple[Any, str, bool]]) -> tuple[SubsetAccuracy, ...]:
    """Count correct answers, given as (sort key, name, whether correct), per key and name."""
    counted: dict[tuple[Any, str], list[bool]] = defaultdict(list)
    for key, name, correct in answers:
        counted[key, name].append(correct)
    return tuple(
        SubsetAccuracy(name, len(correct), sum(correct))
        for (_, name), correct in sorted(counted.items())
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classifiers compared on the same texts.

    Attributes
    ----------
    first, second : str
    n : int
        Number of texts.
    difference : float
        Accuracy of the first minus accuracy of the second.
    interval : (float, float)
        95 % interval of the difference: bootstrap over texts, percentiles of 9,999 resamples.
    n_only_first, n_only_second : int
        Number of texts that only one of them attributed correctly.
    p_value : float
        McNemar's test, exact and two-sided, of equal accuracy.

    See Also
    --------
    compare_methods : Compare two classifiers.

    Examples
    --------
    >>> found = compare_methods("svm", "delta", [True, True, True], [True, False, True])
    >>> found.n, found.n_only_first, found.n_only_second, found.p_value
    (3, 1, 0, 1.0)
    """

    first: str
    second: str
    n: int
    difference: float
    interval: Interval
    n_only_first: int
    n_only_second: int
    p_value: float


def compare_methods(
    first: str,
    second: str,
    first_correct: Sequence[bool],
    second_correct: Sequence[bool],
    *,
    random_state: int = 0,
) -> Comparison:
    """Compare two classifiers text by text.

    Parameters
    ----------
    first, second : str
        Names of the classifiers.
    first_correct, second_correct : sequence of bool, (n_texts,)
        Whether each classifier was correct, for the same texts in the same order.
    random_state : int
        Seed of the bootstrap.

    Raises
    ------
    UsageError
        The classifiers did not answer the same number of texts, or none.

    See Also
    --------
    mcnemar : The test.

    Examples
    --------
    >>> found = compare_methods("svm", "delta", [True] * 8 + [False] * 2, [True, False] * 5)
    >>> round(found.difference, 1), found.n_only_first, found.n_only_second
    (0.3, 4, 1)
    >>> found.p_value
    0.375
    """
    if len(first_correct) != len(second_correct) or not first_correct:
        raise UsageError(
            f"{first} answered {len(first_correct)} texts and {second} {len(second_correct)}; "
            "a comparison needs the same texts, at least one"
        )
    differences = np.asarray(first_correct, dtype=float) - np.asarray(second_correct, dtype=float)
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
    """Return the exact two-sided p-value of McNemar's test (1947).

    Parameters
    ----------
    n_only_first, n_only_second : int
        Number of texts that only one of two classifiers attributed correctly.

    See Also
    --------
    compare_methods : Compare two classifiers.

    Examples
    --------
    >>> mcnemar(4, 1), mcnemar(0, 0)
    (0.375, 1.0)
    """
    discordant = n_only_first + n_only_second
    return float(binomtest(n_only_first, discordant, 0.5).pvalue) if discordant else 1.0


def _interval(differences: Floats, random_state: int) -> Interval:
    if len(differences) == 1 or np.ptp(differences) == 0:  # all resamples are equal
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
