"""Measure the contribution of each base classifier of the stack: alone, and left out.

    python benchmarks/levers.py ccat50 CORPORA/ccat50 -j 2

Base classifiers are trained once and scored on held-out known texts once. The weights are estimated
for every selection of base classifiers, on known texts only. No setting was chosen on the results.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byline.attribution.stacking import Combination, StackedAttributor, default_base_classifiers
from byline.attribution.stacking.folds import assign_folds
from byline.attribution.stacking.held_out import hold_out_folds
from byline.attribution.stacking.jobs import fit_base_classifiers
from byline.errors import BylineWarning
from byline.experiments import AccuracyEstimate
from byline.experiments.benchmarks import BENCHMARKS
from byline.experiments.benchmarks.tasks import NamedFold

STACK = StackedAttributor()  # defines the folds and passage lengths


def main() -> None:
    """Print a table of the base classifiers' accuracy on each task."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=BENCHMARKS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--task", action="append", default=[])
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    for task in BENCHMARKS[options.name].load(options.folder, tuple(options.task), 0):
        right: dict[str, list[bool]] = defaultdict(list)
        for fold in task.folds:
            for choice, named in _answers(fold, options.jobs).items():
                right[choice] += (named == np.array(fold.questioned.authors)).tolist()
        print(f"\n{options.name}, {task.name}\n\n| base classifiers | accuracy |\n|---|---|")
        for choice, marks in right.items():
            share = AccuracyEstimate.from_counts(sum(marks), len(marks))
            low, high = (100 * bound for bound in share.accuracy_interval)
            print(f"| {choice} | {100 * share.accuracy:.1f} ({low:.1f} to {high:.1f}) |")


def _answers(fold: NamedFold, n_jobs: int) -> dict[str, NDArray[np.str_]]:
    """Return the attributions by every selection of base classifiers."""
    known, asked = fold.known, fold.questioned.texts
    units = assign_folds(
        known.texts, known.authors, known.works, n_folds=STACK.folds, random_state=0
    )
    parts = hold_out_folds(
        units, n_folds=STACK.folds, lengths=STACK.passage_lengths, random_state=0
    )
    classifiers = default_base_classifiers()
    fitted = fit_base_classifiers(
        classifiers,
        [unit.text for unit in units],
        [unit.author for unit in units],
        [part.split for part in parts],
        n_jobs=n_jobs,
        progress=None,
    )
    candidates = np.array(known.candidates)
    scored = np.concatenate(fitted.scores, axis=1)
    labels = np.searchsorted(candidates, [author for part in parts for author in part.authors])
    sizes = _sizes([text for part in parts for text in part.split.questioned])
    scores = np.stack(
        [fitted.base_classifiers[name].decision_function(asked) for name, _ in classifiers]
    )
    names = [name for name, _ in classifiers]
    choices = {"all": list(range(len(names)))}
    choices |= {f"{name} alone": [place] for place, name in enumerate(names)}
    choices |= {
        f"all but {name}": [p for p in choices["all"] if names[p] != name] for name in names
    }
    return {
        choice: candidates[
            Combination.fit(scored[own], sizes, labels)
            .combine(scores[own], _sizes(asked))
            .argmax(axis=1)
        ]
        for choice, own in choices.items()
    }


def _sizes(texts: list[str]) -> NDArray[np.int64]:
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)


if __name__ == "__main__":
    main()
