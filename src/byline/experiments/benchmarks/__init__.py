"""Benchmarks: known corpora, fixed protocols, and the figures that others have published."""

from byline.experiments.benchmarks.benchmark import BENCHMARKS, run_benchmark
from byline.experiments.benchmarks.comparing import Comparison, compare, mcnemar
from byline.experiments.benchmarks.figures import Figures
from byline.experiments.benchmarks.methods import BASELINES, DEFAULT, METHODS, Method, Setting
from byline.experiments.benchmarks.published import PUBLISHED, Published
from byline.experiments.benchmarks.result import BenchmarkResult, TaskResult
from byline.experiments.benchmarks.task import Benchmark, Task

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
