"""Compare the recurrent network with the feed-forward network and Kneser-Ney.

The table shows perplexity and CPU time. There is one model per course of Ge & Sun (2016); words are
pruned as in the paper, and the split is the authors' with seed 0. Its validation part stops the
training of models that can stop early. All models except the paper's setting predict ``</s>``; no
perplexity includes it, and all include ``<unk>``. The defaults of the recurrent network were chosen
on the validation parts of courses 7 and 12.

    OMP_NUM_THREADS=1 python benchmarks/recurrent.py CORPORA/lectures16/stemmed --courses 3 7 10 12
    ... --courses 7 12 --words 10000     # only the first sentences of the training part
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from lectures import Course, prepare, texts
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from byline.errors import BylineWarning
from byline.lm import FeedForwardLM, LanguageModel, NgramLM, RecurrentLM, RecurrentTraining, Scoring

Measured = tuple[float, float, float]  # validation and test perplexity, CPU seconds
MODELS: dict[str, LanguageModel] = {
    "feed-forward, default": FeedForwardLM(),
    "feed-forward, paper": FeedForwardLM.like_ge_sun_2016(),
    "modified Kneser-Ney": NgramLM(),
    "recurrent, default": RecurrentLM(),
    "recurrent, triple cost": RecurrentLM(
        units=200, training=RecurrentTraining(epochs=10, embedding_dropout=0.2, dropout=0.5)
    ),
}


def measure(model: LanguageModel, course: Course) -> Measured:
    """Train with one thread, then compute the perplexities."""
    size = course.vocabulary_size
    with threadpool_limits(1):
        begin = time.process_time()
        model.fit(course.training, vocabulary_size=size, validation=course.validation)
        seconds = time.process_time() - begin
        scoring = Scoring(sentence_start=model.sentence_start, sentence_end=False)
        validation, test = (
            model.measure([part], scoring).perplexity for part in (course.validation, course.test)
        )
    return validation, test, seconds


def shortened(course: Course, n_words: int | None) -> Course:
    """Keep the first sentences of the training part, up to ``n_words`` words."""
    if n_words is None:
        return course
    ends = np.cumsum([len(sentence) for sentence in course.training])
    kept = int(np.searchsorted(ends, n_words, side="right"))
    return replace(course, training=course.training[:kept])


def main() -> None:
    """Print a line for each course and model, then the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("--courses", type=int, nargs="+", default=list(range(1, 17)))
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--words", type=int, help="training words per course; by default all")
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    print("perplexity of validation and test part, CPU seconds; test and CPU relative to the first")
    lines = texts(options.stemmed)
    found: dict[str, list[Measured]] = {name: [] for name in options.models}
    for number in options.courses:
        course = shortened(prepare(number, lines[number], seed=0), options.words)
        for name, rows in found.items():
            rows.append(measure(clone(MODELS[name]), course))
            _print_row(f"course {number}", name, rows[-1], found[options.models[0]][-1])
    means = {name: np.mean(rows, axis=0).tolist() for name, rows in found.items()}
    for name, mean in means.items():
        _print_row("mean", name, mean, means[options.models[0]])


def _print_row(head: str, name: str, measured: Measured, first: Measured) -> None:
    cells = "".join(f"{figure:8.2f}" for figure in measured)
    _, test, seconds = (a / b for a, b in zip(measured, first, strict=True))
    print(f"{head:10}{name:23}{cells}{test:8.3f}{seconds:8.2f}", flush=True)


if __name__ == "__main__":
    main()
