"""Reproduce the neural column of Table 2 in Ge & Sun (2016), and compare it with Byline's default.

The sentences are stemmed and their words pruned as in the paper. Random splits 8:1:1 by sentence
use the shuffle of the authors' program. The validation part decides about early stopping, and the
perplexity of the test part excludes sentence marks. Each process uses one thread. The perplexity of
the paper's setting is counted in three ways: as in the authors' program (unknown words are in the
sum but not in the count), over full n-grams only, and over every position. The default network and
interpolated modified Kneser-Ney of order 4 are measured at every position.

The targets are means over ten splits that the authors' program recorded. The printed column is
these means times 0.82, an unexplained factor in their plotting program.

    python benchmarks/neural_column.py CORPORA/lectures16/stemmed PAPER/table2.csv --splits 2 -j 2
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from lectures import Course, prepare, texts
from threadpoolctl import threadpool_limits

from byline.errors import BylineWarning
from byline.lm import FeedForwardLM, NgramLM, Scoring

RECORDED = [86.7, 78.0, 49.0, 94.1, 76.4, 88.7, 134.3, 58.6]
RECORDED += [64.9, 88.1, 98.2, 86.0, 59.0, 96.8, 79.9, 75.3]
FACTOR = 0.82


@dataclass(frozen=True)
class Row:
    """Perplexities of one course and split, and CPU seconds of training the two networks."""

    course: int
    program: float
    full: float
    every: float
    default: float
    kneser_ney: float
    paper_seconds: float
    default_seconds: float
    paper_epochs: int
    default_epochs: int


def measure(number: int, sentences: list[list[str]], seed: int) -> Row:
    """Train all models on one split of one course."""
    warnings.simplefilter("ignore", BylineWarning)
    course = prepare(number, sentences, seed)
    paper, paper_seconds = fit(FeedForwardLM.like_ge_sun_2016(), course, seed)
    default, default_seconds = fit(FeedForwardLM(), course, seed)
    kneser_ney = NgramLM(order=4)
    kneser_ney.fit(course.training, vocabulary_size=course.vocabulary_size)
    program = Scoring.like_ge_sun_2016("feedforward")
    marks = Scoring(sentence_end=False)
    bare = Scoring(sentence_start=False, sentence_end=False)
    full = Scoring(sentence_start=False, sentence_end=False, positions="full")
    test = [course.test]
    return Row(
        number,
        program=paper.measure(test, program).perplexity,
        full=paper.measure(test, full).perplexity,
        every=paper.measure(test, bare).perplexity,
        default=default.measure(test, marks).perplexity,
        kneser_ney=kneser_ney.measure(test, marks).perplexity,
        paper_seconds=paper_seconds,
        default_seconds=default_seconds,
        paper_epochs=len(paper.history_),
        default_epochs=len(default.history_),
    )


def fit(model: FeedForwardLM, course: Course, seed: int) -> tuple[FeedForwardLM, float]:
    """Train the model; return it with the CPU seconds of training."""
    started = time.process_time()
    with threadpool_limits(1):
        model.set_params(random_state=seed).fit(
            course.training, vocabulary_size=course.vocabulary_size, validation=course.validation
        )
    return model, time.process_time() - started


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Measure every course and split, in any order."""
    chosen = [
        (number, sentences, seed)
        for seed in range(options.splits)
        for number, sentences in texts(options.stemmed).items()
        if not options.courses or number in options.courses
    ]
    workers = joblib.Parallel(options.jobs, return_as="generator_unordered")
    yield from workers(joblib.delayed(measure)(*job) for job in chosen)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("table2", type=Path, help="the printed table as CSV")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument(
        "--courses", type=int, nargs="+", help="numbers of the courses; by default all"
    )
    parser.add_argument("--jobs", "-j", type=int, default=1)
    options = parser.parse_args()
    with options.table2.open(encoding="utf-8") as file:
        deviations = {r["id"]: float(r["nnlm_4gram_sd"]) / FACTOR for r in csv.DictReader(file)}
    found: dict[int, list[Row]] = {}
    for row in rows(options):
        found.setdefault(row.course, []).append(row)
        print(row, flush=True)
    print("\ncourse | recorded | program | (ours - recorded) / sd | full | every | default | KN")
    means = []
    for course, measured in sorted(found.items()):
        mean = average(measured)
        means.append(mean)
        recorded, deviation = RECORDED[course - 1], deviations[str(course)]
        away = (mean["program"] - recorded) / deviation
        print(f"{course} | {recorded} ± {deviation:.1f} | {away:+.1f} | {cells(mean)}")
    total = {name: float(np.mean([mean[name] for mean in means])) for name in means[0]}
    recorded = float(np.mean([RECORDED[course - 1] for course in found]))
    print(f"mean | {recorded:.1f} | {total['program'] - recorded:+.1f} | {cells(total)}")
    print(
        f"CPU seconds per course: paper {total['paper_seconds']:.1f} for "
        f"{total['paper_epochs']:.1f} epochs, default {total['default_seconds']:.1f} for "
        f"{total['default_epochs']:.1f}: {total['default_seconds'] / total['paper_seconds']:.2f}"
    )


def average(measured: list[Row]) -> dict[str, Any]:
    """Compute the mean of each column over the splits."""
    table = [asdict(row) for row in measured]
    return {name: float(np.mean([row[name] for row in table])) for name in table[0]}


def cells(mean: dict[str, Any]) -> str:
    """Format the perplexities of one row of the table."""
    names = ("program", "full", "every", "default", "kneser_ney")
    return " | ".join(f"{mean[name]:.1f}" for name in names)


if __name__ == "__main__":
    main()
