"""Benchmarks: published corpora, fixed protocols, and published results."""

from byline.experiments.benchmarks.methods import BASELINES, DEFAULT, METHODS, Method, Setting
from byline.experiments.benchmarks.metrics import (
    Comparison,
    MethodMetrics,
    compare_methods,
    mcnemar,
)
from byline.experiments.benchmarks.results import (
    PUBLISHED,
    BenchmarkResult,
    PublishedResult,
    TaskResult,
)
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
    "Method",
    "MethodMetrics",
    "PublishedResult",
    "Setting",
    "Task",
    "TaskResult",
    "compare_methods",
    "mcnemar",
    "run_benchmark",
]
