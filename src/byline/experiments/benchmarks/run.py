"""Run a benchmark from its folder to its result."""

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
from byline.experiments.benchmarks.metrics import compare, figures_of, is_right
from byline.experiments.benchmarks.results import BenchmarkResult, Table, TaskResult, published_for
from byline.experiments.benchmarks.tasks import Benchmark, Task
from byline.experiments.leakage import find_leakage
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
        Those to run; by default the usual ones.
    methods : sequence of str
        Classifiers to measure, one or more; the first is compared with all others.
    baselines : sequence of str
        Classifiers to measure beside them.
    seed : int
        Of the split, where it is random, and of the classifiers.
    jobs : int
        Processes for a classifier that can use some.
    progress : Progress, optional

    Raises
    ------
    UsageError
        An unknown task or method.
    CorpusError
        ``data`` is not the benchmark's corpus.
    TrainingError
        A classifier cannot learn from it.

    Warns
    -----
    BylineWarning
        The corpus is not the whole one, or known texts stand among the questioned ones.
    """
    chosen = find_methods([*methods, *baselines])
    loaded = benchmark.load(data, tuple(tasks), seed)
    total = sum(STEPS_PER_FIT * len(task.folds) for task in loaded) * len(chosen)
    counter = _Counter(progress, total)
    results = [_run_task(benchmark.name, task, chosen, seed, jobs, counter) for task in loaded]
    return BenchmarkResult(benchmark.name, str(data), seed, tuple(results))


class _Counter:
    """Makes one progress of many runs."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress = progress
        self.total = total
        self.before = 0

    def next_run(self, task: Task) -> Progress:
        """Progress of one classifier on one task, after all runs that came before."""
        before = self.before
        self.before += STEPS_PER_FIT * len(task.folds)

        def told(done: int, total: int, what: str) -> None:
            if self.progress is not None:
                self.progress(before + done, self.total, f"{task.name}: {what}")

        return told


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
) -> Table:
    folds = [fold.name for fold in task.folds]
    n_tokens = _n_tokens(task) if length == 1 else {}
    first, *others = runs
    rights = {run.method: list(map(is_right, run.decisions[length])) for run in runs}
    return Table(
        sentences=length,
        figures=tuple(
            figures_of(method.name, method.title, run.decisions[length], folds, n_tokens)
            for method, run in zip(methods, runs, strict=True)
        ),
        comparisons=tuple(
            compare(
                first.method,
                other.method,
                rights[first.method],
                rights[other.method],
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
        f"{task.n_questioned:,} texts are asked about, where {benchmark} has {task.full_size:,} "
        f"({task.name}): this is not the corpus that published figures are of"
    )
    warnings.warn(caveat, BylineWarning, stacklevel=4)
    return (caveat,)
