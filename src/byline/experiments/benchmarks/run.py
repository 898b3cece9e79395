"""Run a benchmark on the folder of its corpus."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from byline.errors import BylineWarning
from byline.experiments.benchmarks.ccat50 import CCAT50
from byline.experiments.benchmarks.classifier_runs import STEPS_PER_FIT, MethodRun, run_method
from byline.experiments.benchmarks.cmcc import CMCC
from byline.experiments.benchmarks.federalist import FEDERALIST
from byline.experiments.benchmarks.lectures16 import LECTURES16
from byline.experiments.benchmarks.methods import BASELINES, DEFAULT, Method, Setting, find_methods
from byline.experiments.benchmarks.metrics import MethodMetrics, compare_methods, is_correct
from byline.experiments.benchmarks.results import (
    BenchmarkResult,
    TaskResult,
    TaskTable,
    published_for,
)
from byline.experiments.benchmarks.tasks import Benchmark, Task
from byline.experiments.split_caveats import find_leakage
from byline.progress import Progress

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.name: benchmark for benchmark in (CCAT50, CMCC, FEDERALIST, LECTURES16)
}


def run_benchmark(
    benchmark: Benchmark,
    data: Path,
    *,
    tasks: Sequence[str] = (),
    methods: Sequence[str] = (DEFAULT,),
    baselines: Sequence[str] = BASELINES,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> BenchmarkResult:
    """Run a benchmark by its protocol.

    Parameters
    ----------
    benchmark : Benchmark
        One of `BENCHMARKS`.
    data : Path
        Folder of its corpus.
    tasks : sequence of str
        Tasks to run; by default the benchmark's default tasks.
    methods : sequence of str
        Names of classifiers to measure, one or more. The first is compared with all others.
    baselines : sequence of str
        Names of classifiers to measure in addition.
    seed : int
        Seed of the split, if it is random, and of the classifiers.
    jobs : int
        Number of processes for classifiers that support several.
    progress : Progress, optional
        Called during training.

    Returns
    -------
    BenchmarkResult

    Raises
    ------
    UsageError
        A task or method is unknown.
    CorpusError
        ``data`` is not the benchmark's corpus.
    TrainingError
        A classifier cannot be trained on it.

    Warns
    -----
    BylineWarning
        The corpus is incomplete, or questioned texts are copies of known texts.

    See Also
    --------
    byline.report.evaluation.print_benchmark : Print the result.

    Examples
    --------
    >>> import tempfile
    >>> import warnings
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # this corpus is much smaller than cmcc
    ...     for genre in ("blog", "chat"):
    ...         for author, text in (("ann", "The cat sat."), ("bob", "A dog ran.")):
    ...             path = Path(folder, genre, author)
    ...             path.mkdir(parents=True)
    ...             n = (path / "war.txt").write_text(f"{text} This is a {genre} by {author}.")
    ...     result = run_benchmark(
    ...         BENCHMARKS["cmcc"],
    ...         Path(folder),
    ...         tasks=["genre"],
    ...         methods=["most-frequent-author"],
    ...         baselines=[],
    ...     )
    >>> result.to_dict()["accuracy"]
    0.5
    """
    chosen = find_methods([*methods, *baselines])
    loaded = benchmark.load(data, tuple(tasks), seed)
    total = sum(STEPS_PER_FIT * len(task.folds) for task in loaded) * len(chosen)
    counter = _Counter(progress, total)
    results = [
        _run_task(benchmark.name, task.normalized(), chosen, seed, jobs, counter) for task in loaded
    ]
    return BenchmarkResult(benchmark.name, str(data), seed, tuple(results))


class _Counter:
    """Combines the progress of all runs."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.before = 0

    def next_run(self, task: Task) -> Progress:
        """Return the progress of one classifier on one task, which follows all earlier runs."""
        before = self.before
        self.before += STEPS_PER_FIT * len(task.folds)

        def report(done: int, total: int, what: str) -> None:
            if self.progress is not None:
                self.progress(before + done, self.total, f"{task.name}: {what}")

        return report


def _run_task(
    benchmark: str, task: Task, methods: Sequence[Method], seed: int, jobs: int, counter: _Counter
) -> TaskResult:
    caveats = (
        *_size_caveat(benchmark, task),
        *find_leakage(task.folds, task.held_out, one_corpus=False),
    )
    setting = Setting(task.form, seed, jobs)
    runs = [run_method(task, method, setting, counter.next_run(task)) for method in methods]
    return TaskResult(
        task=task.name,
        protocol=task.protocol,
        n_folds=len(task.folds),
        n_questioned=task.n_questioned,
        caveats=caveats,
        tables=tuple(
            _table(task, methods, runs, length, seed)
            for length in task.lengths
            if runs[0].decisions[length]
        ),
        costs={run.method: run.cost for run in runs},
        published=published_for(benchmark, task.name),
        decisions={run.method: tuple(chain(*run.decisions.values())) for run in runs},
    )


def _table(
    task: Task, methods: Sequence[Method], runs: Sequence[MethodRun], length: int | None, seed: int
) -> TaskTable:
    folds = [fold.name for fold in task.folds]
    n_tokens = _n_tokens(task) if length == 1 else {}
    first, *others = runs
    correct = {run.method: list(map(is_correct, run.decisions[length])) for run in runs}
    return TaskTable(
        sentences=length,
        methods=tuple(
            MethodMetrics.of(method.name, method.title, run.decisions[length], folds, n_tokens)
            for method, run in zip(methods, runs, strict=True)
        ),
        comparisons=tuple(
            compare_methods(
                first.method,
                other.method,
                correct[first.method],
                correct[other.method],
                random_state=seed,
            )
            for other in others
        ),
    )


def _n_tokens(task: Task) -> dict[str, int]:
    return {
        document.path: len(document.text.split())
        for fold in task.folds
        for document in fold.questioned
    }


def _size_caveat(benchmark: str, task: Task) -> tuple[str, ...]:
    if task.n_questioned == task.full_size:
        return ()
    caveat = (
        f"there are {task.n_questioned:,} questioned texts, but the task {task.name} of "
        f"{benchmark} has {task.full_size:,}: results are not comparable with published ones. "
        "Download the full corpus"
    )
    warnings.warn(caveat, BylineWarning, stacklevel=4)
    return (caveat,)
