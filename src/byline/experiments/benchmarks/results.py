"""Results of benchmarks, and the published figures they are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from byline.errors import UsageError
from byline.experiments.benchmarks.classifier_runs import Cost
from byline.experiments.benchmarks.metrics import Comparison, MethodMetrics
from byline.experiments.decisions import Decision


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A published result on a task of a benchmark.

    Attributes
    ----------
    benchmark, task : str
    system : str
    source : str
        Authors and year.
    accuracy : float or None
        Share of correctly attributed texts; None if the source does not give a number.
    statement : str or None
        The statement of a source that does not give a number.
    sentences : int or None
        Length of the texts in sentences, if sentences were joined.

    See Also
    --------
    PUBLISHED : All published results.

    Examples
    --------
    >>> PublishedResult("ccat50", "test", "BERT", "Tyo et al. 2022", 0.657).accuracy
    0.657
    """

    benchmark: str
    task: str
    system: str
    source: str
    accuracy: float | None = None
    statement: str | None = None
    sentences: int | None = None

    def __post_init__(self) -> None:
        if (self.accuracy is None) == (self.statement is None):
            raise UsageError(f"{self.system}: give either an accuracy or a statement")

    def to_dict(self) -> dict[str, Any]:
        """Return all values as JSON values."""
        return asdict(self)


_TYO = "Tyo, Dhingra & Lipton 2022, arXiv:2209.06869"
_HUANG = "Huang, Murakami & Grieve 2024, arXiv:2401.12005"

PUBLISHED = (
    PublishedResult("ccat50", "test", "ensemble of n-gram models", _TYO, 0.767),
    PublishedResult("ccat50", "test", "GPT-2 tuned to each author", _HUANG, 0.749),
    PublishedResult("ccat50", "test", "compression (PPM)", _TYO, 0.694),
    PublishedResult("ccat50", "test", "BERT", _TYO, 0.657),
    PublishedResult(
        "federalist",
        "leave-one-out",
        "GPT-2 tuned to each author",
        "no publication found that states it",
        0.846,
    ),
    PublishedResult(
        "lectures16",
        "sentences",
        "neural 4-grams",
        "Ge & Sun 2016, 10 random sentences",
        statement="nearly perfect",
        sentences=10,
    ),
)


def published_for(benchmark: str, task: str) -> tuple[PublishedResult, ...]:
    """Return the published results on a task of a benchmark, the best first."""
    return tuple(
        result for result in PUBLISHED if (result.benchmark, result.task) == (benchmark, task)
    )


@dataclass(frozen=True, slots=True)
class TaskTable:
    """Metrics of all classifiers on texts of one length.

    Attributes
    ----------
    sentences : int or None
        Length of the texts; None for texts as they are.
    methods : tuple of MethodMetrics
        The classifiers, baselines last.
    comparisons : tuple of Comparison
        Comparisons of the first classifier with each of the others.
    """

    sentences: int | None
    methods: tuple[MethodMetrics, ...]
    comparisons: tuple[Comparison, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all values as JSON values."""
        return {
            "sentences": self.sentences,
            "methods": [method.to_dict() for method in self.methods],
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
        }


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task.

    Attributes
    ----------
    task, protocol : str
    n_folds, n_questioned : int
    caveats : tuple of str
        Reasons why the metrics may be too good, or not comparable with published ones.
    tables : tuple of TaskTable
        One per length, if any author has enough sentences.
    costs : mapping of method to Cost
    published : tuple of PublishedResult
    decisions : mapping of method to tuple of Decision
        Decisions on texts of all lengths.

    See Also
    --------
    run_benchmark : Run the tasks of a benchmark.

    Examples
    --------
    >>> from byline.experiments import Decision
    >>> from byline.experiments.benchmarks import MethodMetrics
    >>> decision = Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False)
    >>> svm = MethodMetrics.of("svm", "SVM", [decision], ["test"], {})
    >>> task = TaskResult(
    ...     task="test", protocol="Fixed halves.", n_folds=1, n_questioned=1, caveats=(),
    ...     tables=(TaskTable(None, (svm,), ()),), costs={"svm": Cost(1.5, 0.5, 2.0)},
    ...     published=(), decisions={"svm": (decision,)},
    ... )
    >>> task.to_dict()["cpu_seconds"]
    {'svm': {'training': 1.5, 'attribution': 0.5}}
    """

    task: str
    protocol: str
    n_folds: int
    n_questioned: int
    caveats: tuple[str, ...]
    tables: tuple[TaskTable, ...]
    costs: Mapping[str, Cost]
    published: tuple[PublishedResult, ...]
    decisions: Mapping[str, tuple[Decision, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Return all but the decisions as JSON values."""
        return {
            "task": self.task,
            "protocol": self.protocol,
            "n_folds": self.n_folds,
            "n_questioned": self.n_questioned,
            "caveats": list(self.caveats),
            "tables": [table.to_dict() for table in self.tables],
            "cpu_seconds": {
                method: {"training": cost.training, "attribution": cost.attribution}
                for method, cost in self.costs.items()
            },
            "wall_seconds": {method: cost.wall for method, cost in self.costs.items()},
            "published": [result.to_dict() for result in self.published],
        }


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """Result of a benchmark.

    Attributes
    ----------
    benchmark : str
    data : str
        Folder of the corpus.
    seed : int
    tasks : tuple of TaskResult
        The first length of the first task gives the headline result.

    See Also
    --------
    run_benchmark : Run a benchmark.

    Examples
    --------
    >>> from byline.experiments import Decision
    >>> from byline.experiments.benchmarks import MethodMetrics
    >>> decision = Decision("1.txt", 0, None, author="Ann", predicted="Ann", rank=1, declined=False)
    >>> svm = MethodMetrics.of("svm", "SVM", [decision], ["test"], {})
    >>> task = TaskResult(
    ...     task="test", protocol="Fixed halves.", n_folds=1, n_questioned=1, caveats=(),
    ...     tables=(TaskTable(None, (svm,), ()),), costs={"svm": Cost(1.5, 0.5, 2.0)},
    ...     published=(), decisions={"svm": (decision,)},
    ... )
    >>> summary = BenchmarkResult("toy", "corpora/toy", 0, (task,)).to_dict()
    >>> summary["method"], summary["accuracy"], summary["n"]
    ('svm', 1.0, 1)
    """

    benchmark: str
    data: str
    seed: int
    tasks: tuple[TaskResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all values as JSON values; the headline result has top-level keys."""
        headline = self.tasks[0].tables[0]
        first, *others = headline.methods
        return {
            "benchmark": self.benchmark,
            "data": self.data,
            "seed": self.seed,
            "task": self.tasks[0].task,
            "sentences": headline.sentences,
            "method": first.method,
            **_key_metrics(first),
            "baselines": {method.method: _key_metrics(method) for method in others},
            "published": [result.to_dict() for task in self.tasks for result in task.published],
            "tasks": [task.to_dict() for task in self.tasks],
        }


def _key_metrics(metrics: MethodMetrics) -> dict[str, Any]:
    return {
        "accuracy": metrics.accuracy,
        "macro_f1": metrics.macro_f1,
        "interval": list(metrics.interval),
        "n": metrics.n,
    }
