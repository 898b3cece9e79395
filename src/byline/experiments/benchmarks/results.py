"""What a benchmark came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from byline.errors import UsageError
from byline.experiments.benchmarks.classifier_runs import Cost
from byline.experiments.benchmarks.metrics import Comparison, Figures
from byline.experiments.decisions import Decision


@dataclass(frozen=True, slots=True)
class Published:
    """One published figure.

    Attributes
    ----------
    benchmark, task : str
    system : str
    accuracy : float or None
        As a share; None where the source gives words alone.
    said : str or None
        The source's words where it has no figure.
    sentences : int or None
        Length of the texts in sentences, where they were joined.
    source : str
        Authors and year.
    """

    benchmark: str
    task: str
    system: str
    source: str
    accuracy: float | None = None
    said: str | None = None
    sentences: int | None = None

    def __post_init__(self) -> None:
        if (self.accuracy is None) == (self.said is None):
            raise UsageError(f"{self.system}: a figure or words are needed, and not both")

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self)


_TYO = "Tyo, Dhingra & Lipton 2022, arXiv:2209.06869"
_HUANG = "Huang, Murakami & Grieve 2024, arXiv:2401.12005"

PUBLISHED = (
    Published("ccat50", "test", "ensemble of n-gram models", _TYO, 0.767),
    Published("ccat50", "test", "GPT-2 tuned to each author", _HUANG, 0.749),
    Published("ccat50", "test", "compression (PPM)", _TYO, 0.694),
    Published("ccat50", "test", "BERT", _TYO, 0.657),
    Published(
        "federalist",
        "leave-one-out",
        "GPT-2 tuned to each author",
        "no publication found that states it",
        0.846,
    ),
    Published(
        "lectures16",
        "sentences",
        "neural 4-grams",
        "Ge & Sun 2016, 10 random sentences",
        said="nearly perfect",
        sentences=10,
    ),
)


def published_for(benchmark: str, task: str) -> tuple[Published, ...]:
    """Return what was published on one task of a benchmark, the best first."""
    return tuple(
        figure for figure in PUBLISHED if (figure.benchmark, figure.task) == (benchmark, task)
    )


@dataclass(frozen=True, slots=True)
class Table:
    """All classifiers on texts of one length.

    Attributes
    ----------
    sentences : int or None
        The length; None of texts as they are.
    figures : tuple of Figures
        The classifier that is measured first, baselines after it.
    comparisons : tuple of Comparison
        Of the first with each other one.
    """

    sentences: int | None
    figures: tuple[Figures, ...]
    comparisons: tuple[Comparison, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "sentences": self.sentences,
            "figures": [figures.to_dict() for figures in self.figures],
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
        }


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one task came to.

    Attributes
    ----------
    task, protocol : str
    n_folds, n_questioned : int
    caveats : tuple of str
        What the reader should know before trusting the figures.
    tables : tuple of Table
        One a length; none for a length that no author has enough sentences for.
    costs : mapping of method to Cost
    published : tuple of Published
    decisions : mapping of method to tuple of Decision
        On texts of all lengths.
    """

    task: str
    protocol: str
    n_folds: int
    n_questioned: int
    caveats: tuple[str, ...]
    tables: tuple[Table, ...]
    costs: Mapping[str, Cost]
    published: tuple[Published, ...]
    decisions: Mapping[str, tuple[Decision, ...]]

    def to_dict(self) -> dict[str, Any]:
        """All but the decisions, as JSON values."""
        return {
            "task": self.task,
            "protocol": self.protocol,
            "n_folds": self.n_folds,
            "n_questioned": self.n_questioned,
            "caveats": list(self.caveats),
            "tables": [table.to_dict() for table in self.tables],
            "cpu_seconds": {
                method: {"learning": cost.learning, "attributing": cost.attributing}
                for method, cost in self.costs.items()
            },
            "wall_seconds": {method: cost.wall for method, cost in self.costs.items()},
            "published": [figure.to_dict() for figure in self.published],
        }


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """What a benchmark came to.

    Attributes
    ----------
    benchmark : str
    data : str
        Folder of its corpus.
    seed : int
    tasks : tuple of TaskResult
        The first one's first length is what the benchmark is known by.
    """

    benchmark: str
    data: str
    seed: int
    tasks: tuple[TaskResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values; outermost, the figures that the benchmark is known by."""
        known_by = self.tasks[0].tables[0]
        first, *others = known_by.figures
        return {
            "benchmark": self.benchmark,
            "data": self.data,
            "seed": self.seed,
            "task": self.tasks[0].task,
            "sentences": known_by.sentences,
            "method": first.method,
            **_in_short(first),
            "baselines": {figures.method: _in_short(figures) for figures in others},
            "published": [figure.to_dict() for task in self.tasks for figure in task.published],
            "tasks": [task.to_dict() for task in self.tasks],
        }


def _in_short(figures: Figures) -> dict[str, Any]:
    return {
        "accuracy": figures.accuracy,
        "macro_f1": figures.macro_f1,
        "interval": list(figures.interval),
        "n": figures.n,
    }
