"""Run open-set benchmarks: each case is answered by several methods, and results are kept."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Self

from byline.attribution.open_set import Criterion
from byline.errors import BylineWarning
from byline.experiments.open_set.answers import OpenSetAnswers
from byline.experiments.open_set.cases import OpenSetCase
from byline.experiments.open_set.evaluation import STANDARD_CRITERIA
from byline.experiments.open_set.methods import OPEN_SET_METHODS, find_open_set_methods
from byline.experiments.open_set.metrics import OpenSetMetrics, RateMetrics
from byline.experiments.results_file import ResultLines
from byline.processes.parallel import run_parallel
from byline.progress import Progress

_MEANS = (
    *("false_attribution_rate", "stated_false_rate", "missed_rate", "stated_missed_rate"),
    *("misattribution_rate", "withheld_rate", "c_at_1", "f_05_u", "macro_f1"),
)


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A published macro-F1 over candidates.

    Attributes
    ----------
    benchmark, system, source : str
    macro_f1 : float
    """

    benchmark: str
    system: str
    source: str
    macro_f1: float


_OVERVIEW = "Kestemont et al. 2019; its test part"
PUBLISHED_SCORES = (
    PublishedScore("pan19", "best of twelve submissions", _OVERVIEW, 0.690),
    PublishedScore("pan19", "organisers' SVM with rejection", _OVERVIEW, 0.579),
)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The answers of one method about one case.

    Attributes
    ----------
    digest : str
        Identifies the texts, the method and its settings.
    case, method : str
    answers : OpenSetAnswers
    cpu_seconds : float
    """

    digest: str
    case: str
    method: str
    answers: OpenSetAnswers
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Return what `to_dict` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is something else.
        """
        digest, case, method = (values[name] for name in ("digest", "case", "method"))
        if not all(isinstance(name, str) for name in (digest, case, method)):
            raise TypeError
        answers = OpenSetAnswers.from_dict(values["answers"])
        return cls(digest, case, method, answers, float(values["cpu_seconds"]))


@dataclass(frozen=True, slots=True)
class MeasuredCase:
    """A method measured on a case.

    Attributes
    ----------
    case, method : str
    n_candidates : int
    metrics : OpenSetMetrics
    cpu_seconds : float
    """

    case: str
    method: str
    n_candidates: int
    metrics: OpenSetMetrics
    cpu_seconds: float

    @classmethod
    def of(cls, result: CaseResult) -> Self:
        """Measure the answers."""
        metrics = OpenSetMetrics.of([result.answers])
        n_candidates = len(result.answers.candidates)
        return cls(result.case, result.method, n_candidates, metrics, result.cpu_seconds)


@dataclass(frozen=True, slots=True)
class MethodMeans:
    """The means of a method over all cases, each of which has the same weight.

    Attributes
    ----------
    method, title : str
    n_cases : int
    accuracy : float
        Closed-set accuracy.
    auc : float
    macro_f1_without_rejection : float
    by_rate : list of dict
        "rate", the mean of each metric of `RateMetrics` that is not an interval, "n_cases" with
        this rate, and "false_attribution_error" (standard error), "false_attribution_lowest" and
        "false_attribution_highest" over the cases.
    cpu_seconds : float
        Of all cases.
    """

    method: str
    title: str
    n_cases: int
    accuracy: float
    auc: float
    macro_f1_without_rejection: float
    by_rate: list[dict[str, Any]]
    cpu_seconds: float

    @classmethod
    def of(cls, cases: Sequence[MeasuredCase]) -> Self:
        """Compute the means of one method."""
        own = [case.metrics for case in cases]
        rates = list(dict.fromkeys(row.rate for each in own for row in each.by_rate))
        return cls(
            method=cases[0].method,
            title=OPEN_SET_METHODS[cases[0].method].title,
            n_cases=len(cases),
            accuracy=fmean(each.accuracy.accuracy for each in own),
            auc=fmean(each.auc for each in own if each.auc is not None),
            macro_f1_without_rejection=fmean(each.macro_f1_without_rejection for each in own),
            by_rate=[
                _means([row for each in own for row in each.by_rate if row.rate == rate])
                for rate in rates
            ],
            cpu_seconds=sum(case.cpu_seconds for case in cases),
        )


def _means(rows: Sequence[RateMetrics]) -> dict[str, Any]:
    means: dict[str, Any] = {"rate": rows[0].rate, "n_cases": len(rows)}
    for name in _MEANS:
        values = [value for row in rows if (value := getattr(row, name)) is not None]
        means[name] = fmean(values) if values else None
    shares = [row.false_attribution_rate for row in rows]
    error = stdev(shares) / len(shares) ** 0.5 if len(shares) > 1 else None
    lowest, highest = min(shares), max(shares)
    return means | {
        "false_attribution_error": error,
        "false_attribution_lowest": lowest,
        "false_attribution_highest": highest,
    }


@dataclass(frozen=True, slots=True)
class OpenSetBenchmark:
    """The result of an open-set benchmark.

    Attributes
    ----------
    benchmark : str
    data : str
    seed : int
    cases : tuple of MeasuredCase
        Case by case, the methods in their order.
    means : tuple of MethodMeans
        One per method.
    published : tuple of PublishedScore
    """

    benchmark: str
    data: str
    seed: int
    cases: tuple[MeasuredCase, ...]
    means: tuple[MethodMeans, ...]
    published: tuple[PublishedScore, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return {
            "benchmark": self.benchmark,
            "data": self.data,
            "seed": self.seed,
            "published": [asdict(each) for each in self.published],
            "means": [asdict(each) for each in self.means],
            "cases": [
                {
                    "case": each.case,
                    "method": each.method,
                    "n_candidates": each.n_candidates,
                    **each.metrics.to_dict(),
                    "cpu_seconds": each.cpu_seconds,
                }
                for each in self.cases
            ],
        }


def run_open_set_benchmark(
    benchmark: str,
    data: Path,
    cases: Sequence[OpenSetCase],
    *,
    methods: Sequence[str],
    rates: Sequence[Criterion] = STANDARD_CRITERIA,
    seed: int = 0,
    jobs: int = 1,
    results: Path | None = None,
    progress: Progress | None = None,
) -> OpenSetBenchmark:
    """Answer all cases by all methods, and measure the answers.

    Parameters
    ----------
    benchmark : str
        Name, for messages and the result.
    data : Path
    cases : sequence of OpenSetCase
    methods : sequence of str
        Names in `OPEN_SET_METHODS`, one or more.
    rates : sequence of float or "even-odds"
        False-attribution rates, or even odds.
    seed : int
        Of the classifiers.
    jobs : int
        Number of processes. Each answers a case at a time; if there are more of them than cases,
        they also train in parallel.
    results : Path, optional
        A file to which the answers to each case are added as soon as they are known. Cases whose
        answers are in it are not answered again.
    progress : Progress, optional
        Called after each case.

    Raises
    ------
    UsageError
        A method is unknown, or the file of results has something else.
    TrainingError
        A method cannot be trained on a case.
    OutputError
        The file of results cannot be read or written.
    """
    chosen = find_open_set_methods(methods)
    file = None
    if results is not None:
        file = ResultLines(results, f"benchmark {benchmark}", CaseResult.from_dict)
    known = {} if file is None else file.read()
    plan = [(case, method.name) for case in cases for method in chosen]
    digests = [case.digest(name, seed, list(rates)) for case, name in plan]
    found = {digest: known[digest] for digest in digests if digest in known}
    missing = [pair for pair, digest in zip(plan, digests, strict=True) if digest not in found]
    within = max(1, jobs // max(len(missing), 1))
    calls = ((case, name, tuple(rates), seed, within) for case, name in missing)
    for result in _results(calls, jobs):
        if file is not None:
            file.append(result)
        found[result.digest] = result
        if progress is not None:
            progress(len(found), len(plan), f"{result.case}, {result.method}")
    measured = [MeasuredCase.of(found[digest]) for digest in digests]
    means = [
        MethodMeans.of([each for each in measured if each.method == method.name])
        for method in chosen
    ]
    published = tuple(score for score in PUBLISHED_SCORES if score.benchmark == benchmark)
    return OpenSetBenchmark(benchmark, str(data), seed, tuple(measured), tuple(means), published)


def _results(calls: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[CaseResult]:
    yield from run_parallel(answer_open_set_case, calls, jobs)


def answer_open_set_case(
    case: OpenSetCase, method: str, rates: tuple[Criterion, ...], seed: int, jobs: int
) -> CaseResult:
    """Train a method on the known texts of a case, and answer about its questioned texts.

    Parameters
    ----------
    case : OpenSetCase
    method : str
    rates : tuple of float or "even-odds"
    seed : int
    jobs : int
        Number of processes for training; their time is not counted.
    """
    start = time.process_time()
    with warnings.catch_warnings():
        # What a user could do about his own texts does not concern the texts of a corpus.
        warnings.simplefilter("ignore", BylineWarning)
        answers = OPEN_SET_METHODS[method].answer(case, rates, seed, jobs)
    seconds = round(time.process_time() - start, 3)
    return CaseResult(case.digest(method, seed, list(rates)), case.name, method, answers, seconds)
