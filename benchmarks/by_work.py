"""Measure the accuracy on passages of books by their length, with training on other books.

Every work by an author with two or more works is held out once, in one of a few folds. Random
passages of it and the whole work are attributed. No setting was chosen on them.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from byline.attribution import AuthorshipAttributor, ChunkedClassifier, NgramSVM, StackedAttributor
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.stacking import default_base_classifiers
from byline.corpus import read_text
from byline.errors import BylineWarning
from byline.experiments import AccuracyEstimate
from byline.text import TextEncoder

WHOLE = 0


def main() -> None:
    """Hold out works fold by fold, and print the accuracy by length."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, nargs="+", default=[500, 1000, 5000])
    parser.add_argument("--parts", type=int, default=10, help="passages per work and length")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--language", default="en")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    works = {
        path.relative_to(options.folder).as_posix(): read_text(path)
        for path in sorted(options.folder.glob("*/*.txt"))
    }
    print(f"| method | {' | '.join(map(_heading, [*options.words, WHOLE]))} | CPU |")
    print(f"|---{'|---' * (len(options.words) + 2)}|")
    for name, make in _methods(options).items():
        started = time.process_time()
        right = _run(make, works, options)
        cells = [_cell(right[length]) for length in [*options.words, WHOLE]]
        print(
            f"| {name} | {' | '.join(cells)} | {time.process_time() - started:.0f} s |", flush=True
        )


def _methods(options: argparse.Namespace) -> dict[str, Any]:
    encoder = TextEncoder(language=options.language)

    def stacked() -> Any:
        models = AuthorshipAttributor(encoder=encoder)
        return StackedAttributor(default_base_classifiers(models), n_jobs=options.jobs)

    return {
        "Byline's default": stacked,
        "its language models alone": lambda: AuthorshipAttributor(
            encoder=encoder, n_jobs=options.jobs
        ),
        "character n-gram SVM, whole books": NgramSVM,
        "character n-gram SVM, in chunks": lambda: ChunkedClassifier(NgramSVM()),
    }


def _run(make: Any, works: Mapping[str, str], options: argparse.Namespace) -> dict[int, list[bool]]:
    by_author = defaultdict(list)
    for work in works:
        by_author[_author(work)].append(work)
    fold_of = {
        work: number % options.folds
        for own in by_author.values()
        if len(own) > 1
        for number, work in enumerate(own)
    }
    right: dict[int, list[bool]] = defaultdict(list)
    for fold in range(options.folds):
        known = [work for work in works if fold_of.get(work) != fold]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BylineWarning)  # about authors with a single work
            fitted = make().fit([works[work] for work in known], list(map(_author, known)))
        for work in (work for work in works if fold_of.get(work) == fold):
            for length in [*options.words, WHOLE]:
                named = fitted.predict(_parts(works[work], length, options.parts), reject=True)
                right[length] += (named == _author(work)).tolist()
    return right


def _author(work: str) -> str:
    return work.split("/")[0]


def _parts(text: str, n_words: int, at_most: int) -> list[str]:
    if n_words == WHOLE:
        return [text]
    parts = split_into_chunks(text, n_words)
    drawn = np.random.default_rng(0).permutation(len(parts))[:at_most]
    return [parts[place] for place in sorted(drawn.tolist())]


def _heading(length: int) -> str:
    return "whole works" if length == WHOLE else f"{length:,} words"


def _cell(right: list[bool]) -> str:
    share = AccuracyEstimate.from_counts(sum(right), len(right))
    low, high = share.accuracy_interval
    return f"{share.accuracy:.1%} ({low:.1%} to {high:.1%}; {len(right)})"


if __name__ == "__main__":
    main()
