"""What a benchmark came to."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from sklearn.metrics import f1_score

from byline.experiments.benchmarks.comparing import Comparison
from byline.experiments.benchmarks.published import Published
from byline.experiments.benchmarks.running import Cost
from byline.experiments.metrics import Interval, Share
from byline.experiments.records import Decision


@dataclass(frozen=True, slots=True)
class Part:
    """Right answers on some of the questioned texts: a fold's, an author's, those of a length."""

    name: str
    n: int
    n_right: int

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return self.n_right / self.n

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self) | {"accuracy": self.accuracy}


@dataclass(frozen=True, slots=True)
class Figures:
    """How one classifier fared on texts of one length.

    Attributes
    ----------
    method, title : str
    n : int
        Questioned texts.
    accuracy : float
        Share of texts whose best-scoring author is the right one.
    interval : (float, float)
        95 % Wilson interval; it takes the texts as independent.
    macro_f1 : float
        Mean F1 over the authors who have questioned texts.
    mean_reciprocal_rank : float
    by_fold, by_author, by_words : tuple of Part
        By what was held out, by true author, and by number of words; the last may be empty.
    """

    method: str
    title: str
    n: int
    accuracy: float
    interval: Interval
    macro_f1: float
    mean_reciprocal_rank: float
    by_fold: tuple[Part, ...]
    by_author: tuple[Part, ...]
    by_words: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        parts = {
            name: [part.to_dict() for part in getattr(self, name)]
            for name in ("by_fold", "by_author", "by_words")
        }
        return asdict(self) | parts


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
    """

    task: str
    protocol: str
    n_folds: int
    n_questioned: int
    caveats: tuple[str, ...]
    tables: tuple[Table, ...]
    costs: Mapping[str, Cost]
    published: tuple[Published, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
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


def figures_of(
    method: str,
    title: str,
    decisions: Sequence[Decision],
    folds: Sequence[str],
    words: Mapping[str, int],
) -> Figures:
    """Count one classifier's decisions on texts of one length.

    Parameters
    ----------
    method, title : str
    decisions : sequence of Decision
    folds : sequence of str
        Names of the folds.
    words : mapping of path to int
        Words of each text; empty where accuracy by length is not asked for.
    """
    share = Share.of(sum(map(is_right, decisions)), len(decisions))
    return Figures(
        method=method,
        title=title,
        n=len(decisions),
        accuracy=share.accuracy,
        interval=share.accuracy_interval,
        macro_f1=_macro_f1(decisions),
        mean_reciprocal_rank=fmean(1 / d.rank for d in decisions),
        by_fold=_parts([(d.fold, folds[d.fold], is_right(d)) for d in decisions]),
        by_author=_parts([(d.author, d.author, is_right(d)) for d in decisions]),
        by_words=_parts([(*_length_class(words[d.path]), is_right(d)) for d in decisions])
        if words
        else (),
    )


def _macro_f1(decisions: Sequence[Decision]) -> float:
    authors = [decision.author for decision in decisions]
    named = [decision.named for decision in decisions]
    questioned = sorted(set(authors))
    return float(f1_score(authors, named, labels=questioned, average="macro", zero_division=0.0))


def is_right(decision: Decision) -> bool:
    """Whether the best-scoring author wrote the text."""
    return decision.author == decision.named


# Bounds where sentences of lectures begin to tell more: 33 % are right below 4 words, 94 % from 30.
LENGTHS_IN_WORDS = (1, 4, 8, 15, 30)


def _length_class(n_words: int) -> tuple[int, str]:
    place = bisect_right(LENGTHS_IN_WORDS, max(n_words, 1)) - 1
    low = LENGTHS_IN_WORDS[place]
    if place + 1 == len(LENGTHS_IN_WORDS):
        return low, f"{low} or more words"
    return low, f"{low} to {LENGTHS_IN_WORDS[place + 1] - 1} words"


def _parts(answers: Sequence[tuple[Any, str, bool]]) -> tuple[Part, ...]:
    """Count answers by their key, in the keys' order; each comes with key and name."""
    counted: dict[tuple[Any, str], list[bool]] = defaultdict(list)
    for key, name, right in answers:
        counted[key, name].append(right)
    return tuple(
        Part(name, len(rights), sum(rights)) for (_, name), rights in sorted(counted.items())
    )
