"""Measure the calibration of Byline's probabilities by the length of the questioned text.

Held-out texts by the same authors are attributed, whole and in passages of 20, 50, 150 and more
words. "Language models" and "stack" are the softmax of their log-likelihoods and log-odds. "Stated"
are the probabilities that are stated, which never depend on the author of a questioned text. "By
chance" is the calibration error that perfectly calibrated answers with
the same probabilities would have on average.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from byline.attribution import StackedAttributor
from byline.attribution.calibration import (
    brier_score,
    cllr,
    cllr_min,
    likelihood_ratios,
    log_loss,
    reliability,
    target_and_nontarget_llrs,
)
from byline.attribution.result import TextScores
from byline.attribution.stacking.folds import sample_passages
from byline.corpus import Corpus, Document, read_corpus, read_text
from byline.errors import BylineWarning
from byline.experiments import splits
from byline.experiments.benchmarks.ccat50 import CCAT50
from byline.experiments.benchmarks.cmcc import CMCC
from byline.experiments.splits import Fold

WHOLE = 0
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Asked:
    """Questioned texts of a fold: length in words, true author, scores, and what is stated."""

    length: Ints
    label: Ints
    log_odds: Floats
    log_likelihoods: Floats
    log_probabilities: Floats


def main() -> None:
    """Print a table per corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", choices=list(CORPORA))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, nargs="+", default=[20, 50, 150])
    parser.add_argument(
        "--runs", type=int, default=1, help="passages per length and questioned text"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder in which the scores of each fold are stored"
    )
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    found = [
        _kept(options.keep, f"{options.corpus}-{number}", partial(_ask, fold, number, options))
        for number, fold in enumerate(CORPORA[options.corpus](options.folder))
    ]
    print(
        "| words | texts | accuracy | log loss: language models | stack | stated | ECE: "
        "language models | stack | stated | by chance | Brier, stated | Cllr (min) |"
    )
    print(f"|---{'|---' * 11}|")
    for length in [*options.words, WHOLE, None]:
        _print_row(found, length)


def _kept(folder: Path | None, name: str, make: Callable[[], Asked]) -> Asked:
    """Return what was stored under a name, or compute and store it."""
    if folder is None:
        return make()
    path = folder / f"{name}.npz"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **asdict(make()))
    with np.load(path) as arrays:
        return Asked(**{each.name: arrays[each.name] for each in fields(Asked)})


def _ask(fold: Fold, number: int, options: argparse.Namespace) -> Asked:
    stack = StackedAttributor(n_jobs=options.jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # about authors with little text
        stack.fit(fold.known.texts, fold.known.authors, groups=fold.known.works)
    rng = np.random.default_rng(number)
    texts, lengths, authors = [], [], []
    for document in fold.questioned:
        passages = [(document.text, WHOLE)]
        for length in options.words:
            drawn = sample_passages(document.text, length, options.runs, rng)
            passages += [(passage, length) for passage in drawn]
        texts += [text for text, _ in passages]
        lengths += [length for _, length in passages]
        authors += [document.author] * len(passages)
    scored = stack.score_texts(texts)
    models = scored.counts
    if not isinstance(models, TextScores):
        raise TypeError("the usual stack has language models")
    return Asked(
        np.array(lengths),
        np.searchsorted(stack.classes_, authors),
        scored.log_odds,
        models.log_likelihoods,
        scored.log_probabilities(),
    )


def _print_row(found: Sequence[Asked], length: int | None) -> None:
    before, odds, after, ratios, labels = [], [], [], [], []
    for asked in found:
        chosen = np.full(len(asked.length), True) if length is None else asked.length == length
        before.append(log_softmax(asked.log_likelihoods[chosen], axis=1))
        odds.append(log_softmax(asked.log_odds[chosen], axis=1))
        after.append(asked.log_probabilities[chosen])
        ratios.append(likelihood_ratios(after[-1]))
        labels.append(asked.label[chosen])
    truth = np.concatenate(labels)
    if not truth.size:
        return
    forms = [np.concatenate(form) for form in (before, odds, after)]
    stated = forms[-1]
    own, others = target_and_nontarget_llrs(np.concatenate(ratios), truth)
    cells = [
        "all" if length is None else "whole texts" if length == WHOLE else str(length),
        f"{truth.size:,}",
        f"{(stated.argmax(axis=1) == truth).mean():.1%}",
        *(f"{log_loss(form, truth):.3f}" for form in forms),
        *(f"{reliability(np.exp(form), truth).ece:.3f}" for form in forms),
        f"{_by_chance(np.exp(stated)):.3f}",
        f"{brier_score(np.exp(stated), truth):.3f}",
        f"{cllr(own, others):.3f} ({cllr_min(own, others) + 0.0:.3f})",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


def _by_chance(probabilities: Floats) -> float:
    """Return the mean calibration error of equally many perfectly calibrated answers."""
    rng = np.random.default_rng(0)
    sums = probabilities.cumsum(axis=1)
    errors = [
        reliability(
            probabilities, (sums < rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1)
        ).ece
        for _ in range(100)
    ]
    return float(np.mean(errors))


def _ccat50(folder: Path) -> Sequence[Fold]:
    return CCAT50.load(folder, (), 0)[0].folds


def _ccat50_late(folder: Path) -> Sequence[Fold]:
    return CCAT50.load(folder, ("validation-late",), 0)[0].folds


def _cmcc(folder: Path) -> Sequence[Fold]:
    return CMCC.load(folder, ("topic",), 0)[0].folds


def _lectures(folder: Path) -> Sequence[Fold]:
    return splits.split(read_corpus(folder), "document", None, random_state=0)


def _books(folder: Path) -> Sequence[Fold]:
    """Hold out every work of authors with two or more works once, in one of four folds."""
    books = [
        Document(author=path.parent.name, text=read_text(path), path=path.name, work=path.name)
        for path in sorted(folder.glob("*/*.txt"))
    ]
    own: dict[str, list[int]] = {}
    for place, book in enumerate(books):
        own.setdefault(book.author, []).append(place)
    fold_of = {
        place: number % 4
        for places in own.values()
        if len(places) > 1
        for number, place in enumerate(places)
    }
    return [
        Fold(
            Corpus([book for i, book in enumerate(books) if fold_of.get(i) != fold], folder.name),
            Corpus([book for i, book in enumerate(books) if fold_of.get(i) == fold], folder.name),
        )
        for fold in range(4)
    ]


CORPORA: Mapping[str, Callable[[Path], Sequence[Fold]]] = {
    "ccat50": _ccat50,
    "ccat50-late": _ccat50_late,
    "cmcc": _cmcc,
    "lectures16": _lectures,
    "british_fiction": _books,
}


if __name__ == "__main__":
    main()
