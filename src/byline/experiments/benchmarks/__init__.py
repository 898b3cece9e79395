"""Benchmarks: known corpora, fixed protocols, and the figures that others have published."""

from byline.experiments.benchmarks.methods import BASELINES, DEFAULT, METHODS, Method, Setting
from byline.experiments.benchmarks.metrics import Comparison, Figures, compare, mcnemar
from byline.experiments.benchmarks.results import PUBLISHED, BenchmarkResult, Published, TaskResult
from byline.experiments.benchmarks.run import BENCHMARKS, run_benchmark
from byline.experiments.benchmarks.tasks import Benchmark, Task

__all__ = [
    "BASELINES",
    "BENCHMARKS",
    "DEFAULT",
    "METHODS",
    "PUBLISHED",
    "Benchmark",
    "BenchmarkResult",
    "Comparison",
    "Figures",
    "Method",
    "Published",
    "Setting",
    "Task",
    "TaskResult",
    "compare",
    "mcnemar",
    "run_benchmark",
]
