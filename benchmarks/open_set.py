"""Open-set attribution on ccat50: half of the authors are candidates, half are not.

    python benchmarks/open_set.py CORPORA/ccat50 -j 2
    python benchmarks/open_set.py CORPORA/ccat50 --task mixed --seed 0 1 --classifier word-ngrams

Candidates are chosen at random. The stack is trained on their texts only. It learns when to decline
from candidates that are left out in turn, and then attributes texts by all authors. The task
``test`` trains on the candidates' texts in train40.tsv and attributes all of test/, which is later
in time. The other tasks use train/ only: they train on 22 texts per candidate and attribute 18 per
author, which are later (``late``), earlier (``early``) or random (``mixed``). With
``--classifier``, only these base classifiers are stacked, and only whole texts are held out: over
many random choices of candidates, this quickly shows how well the false-attribution rates hold on
average.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from byline.attribution import StackedAttributor
from byline.attribution.open_set import open_set_statistics
from byline.attribution.stacking import default_base_classifiers
from byline.attribution.stacking.combination import count_characters
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning
from byline.experiments.benchmarks import BENCHMARKS
from byline.experiments.benchmarks.tasks import read_labelled_texts, texts_by_author

RATES = (0.01, 0.05, 0.1, 0.2)
N_KNOWN, N_ASKED = 22, 18
N_RESAMPLES = 2000  # of authors, for intervals


@dataclass(frozen=True, slots=True)
class Answers:
    """Results on all questioned texts.

    Attributes
    ----------
    owners : (n,) str
    is_known : (n,) bool
        Whether the author is a candidate.
    is_right : (n,) bool
        Whether the first candidate is the author.
    statistics : (n,) float64
    accepted : dict of rate to (n,) bool
    promised : dict of rate to float
        The share of known texts that would be missed, by held-out known texts.
    """

    owners: NDArray[np.str_]
    is_known: NDArray[np.bool_]
    is_right: NDArray[np.bool_]
    statistics: NDArray[np.float64]
    accepted: dict[float, NDArray[np.bool_]]
    promised: dict[float, float]


def main() -> None:
    """Print a table per task and seed, and the mean over the seeds of each task."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--task", action="append", choices=("test", "late", "early", "mixed"))
    parser.add_argument(
        "--seed", type=int, nargs="+", default=[0], help="seeds of the choice of candidates"
    )
    parser.add_argument("--classifier", nargs="+", help="stack only these base classifiers")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    for task in options.task or ["test"]:
        found = []
        for seed in options.seed:
            known, questioned = _load(options.folder, task, seed)
            stack = _stack(options.classifier, options.jobs).fit(known.texts, known.authors)
            print(
                f"\nccat50, {task}, seed {seed}: {len(known)} known, {len(questioned)} questioned"
            )
            found.append(_ask(stack, questioned))
            _print(found[-1])
        for rate in RATES if len(found) > 1 else ():
            shares = [each.accepted[rate][~each.is_known].mean() for each in found]
            error = np.std(shares, ddof=1) / len(shares) ** 0.5
            print(
                f"{task}, {len(found)} seeds, target {rate:.0%}: false-attribution rate "
                f"{np.mean(shares):.1%} on the average (standard error {error:.1%}), "
                f"{min(shares):.1%} to {max(shares):.1%}"
            )


def _stack(names: Sequence[str] | None, n_jobs: int) -> StackedAttributor:
    if names is None:
        return StackedAttributor(open_set=True, n_jobs=n_jobs)
    chosen = [each for each in default_base_classifiers() if each[0] in names]
    return StackedAttributor(chosen, passage_lengths=(), open_set=True, n_jobs=n_jobs)


def _load(folder: Path, task: str, seed: int) -> tuple[Corpus, Corpus]:
    """Return the candidates' known texts, and questioned texts by all authors."""
    if task == "test":
        [fold] = BENCHMARKS["ccat50"].load(folder, ("test",), 0)[0].folds
        candidates = _draw(fold.known.candidates, seed)
        known = [number for number, name in enumerate(fold.known.authors) if name in candidates]
        return fold.known.select(known), fold.questioned
    texts = read_labelled_texts(texts_by_author(folder / "train"), folder)
    candidates = _draw(texts.candidates, seed)
    training, questioned = [], []
    for author in texts.candidates:
        own = _in_order([text for text in texts if text.author == author], task, seed)
        training += own[:N_KNOWN] if author in candidates else []
        questioned += own[-N_ASKED:]
    return Corpus(training, "known"), Corpus(questioned, "questioned")


def _draw(authors: Sequence[str], seed: int) -> set[str]:
    rng = np.random.default_rng(seed)
    return set(rng.permutation(sorted(authors))[: len(authors) // 2].tolist())


def _in_order(texts: list[Document], task: str, seed: int) -> list[Document]:
    """Sort an author's texts by time, or shuffle them for ``mixed``."""
    by_time = sorted(texts, key=lambda text: int(Path(text.path).stem))
    if task == "mixed":
        return [by_time[i] for i in np.random.default_rng(seed).permutation(len(by_time))]
    return by_time if task == "late" else by_time[::-1]


def _ask(stack: StackedAttributor, questioned: Corpus) -> Answers:
    log_odds, sizes = stack.decision_function(questioned.texts), count_characters(questioned.texts)
    owners = np.array(questioned.authors)
    if stack.rejection_rule_ is None:
        raise SystemExit("the stack has no rejection rule")
    given = {
        rate: stack.rejection_rule_.decide(log_odds, sizes, stack.classes_, rate) for rate in RATES
    }
    is_known = np.isin(owners, stack.classes_)
    return Answers(
        owners,
        is_known,
        stack.classes_[log_odds.argmax(axis=1)] == owners,
        open_set_statistics(log_odds),
        {rate: np.array([each.accepted for each in own]) for rate, own in given.items()},
        {
            rate: float(np.mean([each.missed_attribution_rate for each in own]))
            for rate, own in given.items()
        },
    )


def _print(answers: Answers) -> None:
    known, right, owners = answers.is_known, answers.is_right, answers.owners
    auc = roc_auc_score(known, answers.statistics)
    closed = right[known].mean()
    print(f"AUC, candidates against unknown authors: {auc:.3f}; closed-set accuracy: {closed:.1%}")
    columns = ["target rate", "false-attribution rate (95 % CI)", "missed", "rejected", "wrong"]
    columns += ["missed, as promised", "right, where somebody is named", "c@1", "right of all"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for rate, accepted in answers.accepted.items():
        low, high = _interval(accepted[~known], owners[~known])
        given = accepted & right
        n_known, n_right = known.sum(), given.sum()
        rejected = (~accepted & known).sum() / n_known
        c_at_1 = (n_right + rejected * n_right) / n_known
        cells = [f"{accepted[~known].mean():.1%} ({low:.1%} to {high:.1%})"]
        cells += [f"{share:.1%}" for share in (1 - n_right / n_known, rejected)]
        cells += [f"{(accepted & known & ~right).sum() / n_known:.1%}"]
        cells += [f"{answers.promised[rate]:.1%}", f"{n_right / max(accepted.sum(), 1):.1%}"]
        cells += [f"{c_at_1:.3f}", f"{(given | ~(accepted | known)).mean():.1%}"]
        print(f"| {rate:.0%} | {' | '.join(cells)} |", flush=True)


def _interval(marks: NDArray[np.bool_], owners: NDArray[np.str_]) -> tuple[float, float]:
    """Return the interval of a rate by a percentile bootstrap over authors."""
    shares = np.array([marks[owners == name].mean() for name in np.unique(owners)])
    drawn = np.random.default_rng(0).choice(shares, (N_RESAMPLES, len(shares))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
