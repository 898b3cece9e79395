"""Measure the contribution of each base classifier of the stack: alone, and left out.

    python benchmarks/levers.py ccat50 CORPORA/ccat50 -j 2

Base classifiers are trained once and scored on held-out known texts once. The weights of every
selection of base classifiers start from its prior and are adjusted by known texts only. No setting
was chosen on the results.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byline.attribution.author_scores import author_scores
from byline.attribution.stacking import StackedAttributor, default_base_classifiers
from byline.attribution.stacking.base_classifiers import without_normalization
from byline.attribution.stacking.combination import count_characters
from byline.attribution.stacking.fitting import HeldOutEvidence
from byline.attribution.stacking.jobs import fit_base_classifiers
from byline.attribution.stacking.normalized_texts import normalize_known_texts
from byline.attribution.stacking.training_splits import split_known_texts
from byline.errors import BylineWarning
from byline.experiments import AccuracyEstimate
from byline.experiments.benchmarks import BENCHMARKS
from byline.experiments.benchmarks.tasks import NamedFold
from byline.typography import Normalization

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
    given = normalize_known_texts(
        fold.known.texts, fold.known.authors, Normalization.parse(STACK.normalization)
    )
    known = split_known_texts(
        *(given.texts, fold.known.authors, fold.known.works, None),
        n_folds=STACK.folds,
        lengths=STACK.passage_lengths,
        random_state=STACK.random_state,
        open_set=False,
    )
    fitted = fit_base_classifiers(
        without_normalization(default_base_classifiers()),
        known.texts,
        known.authors,
        [part.split for part in known.parts],
        n_jobs=n_jobs,
        progress=None,
    )
    classifiers, candidates = fitted.base_classifiers, np.unique(known.authors)
    evidence = HeldOutEvidence.of(classifiers, known, candidates, fitted.scores)
    asked = list(map(given.normalization.apply, fold.questioned.texts))
    sizes = count_characters(asked)
    scores = {name: author_scores(each, asked) for name, each in classifiers.items()}
    choices = {"all": list(classifiers)}
    choices |= {f"{name} alone": [name] for name in classifiers}
    choices |= {f"all but {name}": [n for n in classifiers if n != name] for name in classifiers}
    answers = {}
    for choice, names in choices.items():
        combination, _, _ = evidence.fit(tuple(names), lambda: None)
        log_odds = combination.combine(np.stack([scores[name] for name in names]), sizes)
        answers[choice] = candidates[log_odds.argmax(axis=1)]
    return answers


if __name__ == "__main__":
    main()
