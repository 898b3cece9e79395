"""Make the table of the stack's prior from simulated cases, and choose how far data may move it.

    python benchmarks/stack_prior.py simulate CORPORA CASES --cases 600
    python benchmarks/stack_prior.py compare CASES
    python benchmarks/stack_prior.py fit CASES src/byline/attribution/stacking/prior.json

``simulate`` takes small cases at random from the development side of the corpora: candidates, known
texts and questioned texts of random numbers and lengths. All base classifiers are trained on the
known texts and score the questioned texts; they also score held-out known texts, as in the training
of a stack. Each case is a file; a second run continues. ``fit`` fits the rule of the weights to the
questioned texts by maximum likelihood, for each selection of base classifiers. ``compare`` fits it
without one corpus at a time, and shows how well the cases of that corpus are answered, with the
prior alone and with adjustments by their held-out texts under several variances.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from byline.attribution import AuthorshipAttributor
from byline.attribution.stacking import default_base_classifiers
from byline.attribution.stacking.combination import (
    Adjustment,
    Combination,
    HeldOutScores,
    count_characters,
    share_of_sums,
)
from byline.attribution.stacking.jobs import fit_base_classifiers
from byline.attribution.stacking.prior import (
    KnownAmounts,
    PriorTerms,
    Variances,
    WeightPrior,
)
from byline.attribution.stacking.training_splits import split_known_texts
from byline.errors import BylineError
from byline.experiments.small_cases.cases import WHOLE, Case, CaseSettings, draw_case
from byline.experiments.small_cases.sources import Source, read_sources
from byline.text import TextEncoder

CANDIDATES = (2, 3, 4, 5, 7, 10, 21)
KNOWN_TEXTS = (1, 2, 3, 5, 6, 10)
KNOWN_WORDS = {150: 0.4, 500: 0.3, 2000: 0.22, 20_000: 0.08}  # with their probabilities
QUESTIONED = (20, 50, 150, 500, 2000, WHOLE)
PASSAGES = (20, 50, 150, 500, 2000, 10_000)
UNEQUAL = {"": 0.8, "tenth": 0.1, "20 words": 0.1}
CHANGES = {"": 0.5, "topic": 0.3, "genre": 0.2}  # where the corpus states them
MOST_WORDS, RARELY = 50_000, 150_000  # of all known texts of nine cases in ten, and of the others
LONGEST_WHOLE = 60_000  # words of whole questioned works per candidate
# Chosen by ``compare``.
VARIANCES = Variances(common=0.3, by_classifier=0.1, by_length=0.03, biases=0.1)
UNIFORM, N_UNIFORM = 0.02, 50.0
_RIDGE, _OF_INTERCEPTS = 1e-3, 1e-4
_DECIMALS = 4

Array = NDArray[Any]


@dataclass(frozen=True)
class SimulatedCase:
    """The scores of a case.

    Attributes
    ----------
    corpus : str
    known : KnownAmounts
    scores : (n_base_classifiers, n_texts, n_authors) float64
        Of questioned texts, with sums over tokens limited as in a `Combination`.
    sizes, labels, lengths : (n_texts,) int
        Characters, the column of the author, and the length in words as it was set.
    held_out : HeldOutScores or None
        With empty prior terms.
    folds : (n_held_out,) int
    remaining : list of KnownAmounts
        By fold.
    """

    corpus: str
    known: KnownAmounts
    scores: Array
    sizes: Array
    labels: Array
    lengths: Array
    held_out: HeldOutScores
    folds: Array
    remaining: list[KnownAmounts]


def simulate(sources: Sequence[Source], folder: Path, seed: int, n_cases: int) -> None:
    """Simulate cases that the folder does not have yet."""
    folder.mkdir(parents=True, exist_ok=True)
    corpora = sorted({source.corpus for source in sources})
    for number in range(n_cases):
        path = folder / f"{seed}-{number}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng([seed, number])
        corpus = corpora[int(rng.integers(len(corpora)))]
        own = [source for source in sources if source.corpus == corpus]
        case = _draw(own[int(rng.integers(len(own)))], rng)
        start = time.process_time()
        try:
            arrays = _arrays(case, corpus, seed)
        except BylineError as error:
            print(f"case {number}: {error}", file=sys.stderr)
            continue
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, **arrays)  # type: ignore[arg-type]
        part.replace(path)
        seconds = time.process_time() - start
        print(number, case.source, case.settings.name, f"{seconds:.1f} s", flush=True)


def _draw(source: Source, rng: np.random.Generator) -> Case:
    has_topics = any(text.topic for text in source.texts)
    while True:
        settings = CaseSettings(
            n_candidates=int(rng.choice(CANDIDATES)),
            n_known=int(rng.choice(KNOWN_TEXTS)),
            known_words=int(_choose(KNOWN_WORDS, rng)),
            questioned_words=QUESTIONED,
            change=str(_choose(CHANGES, rng)) if has_topics else "",
            unequal=str(_choose(UNEQUAL, rng)),
        )
        limit = MOST_WORDS if rng.random() < 0.9 else RARELY
        if settings.n_candidates * settings.n_known * settings.known_words > limit:
            continue
        per_author = 2 if settings.n_candidates >= 10 else 4
        case = draw_case(source, settings, rng, per_author=per_author, whole_words=LONGEST_WHOLE)
        if case is not None:
            return case


def _choose(chances: dict[Any, float], rng: np.random.Generator) -> Any:
    return [*chances][int(rng.choice(len(chances), p=[*chances.values()]))]


def _arrays(case: Case, corpus: str, seed: int) -> dict[str, Array]:
    """Train the base classifiers on a case, and return all their scores."""
    models = AuthorshipAttributor(
        encoder=TextEncoder(language=case.language, normalization="none"), random_state=seed
    )
    prototypes = default_base_classifiers(models, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = split_known_texts(
            [each.text for each in case.known],
            [each.author for each in case.known],
            [each.work or "" for each in case.known],
            None,
            n_folds=5,
            lengths=PASSAGES,
            random_state=seed,
            open_set=False,
        )
        splits = [part.split for part in known.parts]
        fitted = fit_base_classifiers(
            prototypes, known.texts, known.authors, splits, n_jobs=1, progress=None
        )
        questioned = [each for texts in case.questioned.values() for each in texts]
        texts = [each.text for each in questioned]
        scores = [each.decision_function(texts) for each in fitted.base_classifiers.values()]
    classes = np.unique(known.authors)
    known_sizes, known_labels = (
        count_characters(known.texts),
        np.searchsorted(classes, known.authors),
    )
    amounts = [KnownAmounts.of(known_sizes, known_labels, len(classes))]
    for split in splits:
        left = ~split.held_out
        amounts.append(KnownAmounts.of(known_sizes[left], known_labels[left], len(classes)))
    held_texts = [text for part in known.parts for text in part.split.questioned]
    held_authors = [author for part in known.parts for author in part.authors]
    empty = np.zeros((len(prototypes), 0, len(classes)))
    return {
        "corpus": np.array(corpus),
        "known_characters": np.stack([each.characters for each in amounts]),
        "known_texts": np.array([each.n_texts for each in amounts]),
        "scores": _limited(np.stack(scores), count_characters(texts)).astype(np.float32),
        "sizes": count_characters(texts),
        "labels": np.searchsorted(classes, [each.author for each in questioned]),
        "lengths": np.array([n for n, own in case.questioned.items() for _ in own]),
        "held_scores": _limited(
            np.concatenate([empty, *fitted.scores], axis=1), count_characters(held_texts)
        ).astype(np.float32),
        "held_sizes": count_characters(held_texts),
        "held_labels": np.searchsorted(classes, held_authors) if held_authors else np.zeros(0, int),
        "held_shares": np.array([share for part in known.parts for share in part.shares]),
        "folds": np.repeat(np.arange(len(splits)), [len(part.authors) for part in known.parts]),
    }


def _limited(scores: Array, sizes: Array) -> Array:
    """Limit the sums of the language models, which are the first base classifier."""
    scores = scores.astype(np.float64)
    scores[0] *= share_of_sums(sizes)[:, np.newaxis]
    return scores


def read_cases(folder: Path) -> list[SimulatedCase]:
    """Read all simulated cases of a folder."""
    paths = sorted(path for path in folder.glob("*.npz") if not path.name.endswith(".part.npz"))
    if not paths:
        raise SystemExit(f"{folder} has no simulated cases; run `simulate` first")
    return [_read_case(path) for path in paths]


def _read_case(path: Path) -> SimulatedCase:
    with np.load(path) as arrays:
        own = {name: arrays[name] for name in arrays.files}
    known, *remaining = (
        KnownAmounts(characters, float(n_texts))
        for characters, n_texts in zip(own["known_characters"], own["known_texts"], strict=True)
    )
    held_out = HeldOutScores(
        own["held_scores"].astype(np.float64),
        own["held_sizes"],
        own["held_labels"],
        own["held_shares"],
        PriorTerms(np.zeros((0, 0)), np.zeros((0, 0))),
    )
    return SimulatedCase(
        str(own["corpus"]),
        known,
        own["scores"].astype(np.float64),
        own["sizes"],
        own["labels"],
        own["lengths"],
        held_out,
        own["folds"],
        remaining,
    )


class _Texts:
    """The questioned texts of many cases, with columns for the most candidates of any case."""

    def __init__(self, cases: Sequence[SimulatedCase]) -> None:
        widest = max(case.scores.shape[2] for case in cases)
        # Unit coefficients give the values that the coefficients of the rule are multiplied by.
        n_classifiers = len(cases[0].scores)
        units = [
            WeightPrior(row * np.ones((n_classifiers, 1)), np.zeros(3), VARIANCES, 0.0, 0.0, 0)
            for row in np.eye(5)
        ]
        of_amounts = [
            WeightPrior(np.zeros((1, 5)), row, VARIANCES, 0.0, 0.0, 0) for row in np.eye(3)
        ]
        scores, features, amounts, excluded, labels, shares = [], [], [], [], [], []
        for case in cases:
            n_authors = case.scores.shape[2]
            free = ((0, 0), (0, 0), (0, widest - n_authors))
            centred = case.scores - case.scores.mean(axis=2, keepdims=True)
            scores.append(np.pad(centred, free))
            terms = [unit.terms(case.sizes, case.known).log_weights[0] for unit in units]
            features.append(np.stack(terms))
            biases = [each.terms(case.sizes, case.known).biases for each in of_amounts]
            amounts.append(np.pad(np.stack(biases), free))
            is_free = np.arange(widest) >= n_authors
            excluded.append(np.tile(np.where(is_free, -np.inf, 0.0), (len(case.sizes), 1)))
            labels.append(case.labels)
            of_length = np.unique(case.lengths, return_inverse=True)[1]
            shares.append(1 / np.bincount(of_length)[of_length])
        self.scores = np.concatenate(scores, axis=1)
        self.features = np.concatenate(features, axis=1)
        self.amounts = np.concatenate(amounts, axis=1)
        self.excluded = np.concatenate(excluded)
        self.labels = np.concatenate(labels)
        self.shares = np.concatenate(shares) / np.concatenate(shares).sum()


def fit_rule(texts: _Texts, chosen: Sequence[int], n_cases: int) -> WeightPrior:
    """Maximise the likelihood of the true authors of questioned texts."""
    scores = texts.scores[list(chosen)]
    scale = np.sqrt((scores**2).sum(axis=2).mean(axis=1))
    shape = len(chosen), len(texts.features)
    truth = np.arange(len(texts.labels)), texts.labels
    penalty = np.full(shape, _RIDGE)
    penalty[:, 0] = _OF_INTERCEPTS

    def cost(parameters: Array) -> tuple[float, Array]:
        rule = parameters[: penalty.size].reshape(shape)
        of_amounts = parameters[penalty.size :]
        weights = np.exp(np.clip(rule @ texts.features, -12, 12)) / scale[:, np.newaxis]
        log_odds = np.einsum("kn,kna->na", weights, scores)
        log_odds += np.einsum("e,ena->na", of_amounts, texts.amounts)
        log_probs = log_softmax(log_odds + texts.excluded, axis=1)
        loss = -(texts.shares @ log_probs[truth]) + (penalty * rule**2).sum()
        loss += _RIDGE * of_amounts @ of_amounts
        error = np.exp(log_probs)
        error[truth] -= 1
        error *= texts.shares[:, np.newaxis]
        by_text = np.einsum("na,kna->kn", error, scores) * weights
        slopes = by_text @ texts.features.T + 2 * penalty * rule
        of_biases = np.einsum("na,ena->e", error, texts.amounts) + 2 * _RIDGE * of_amounts
        return float(loss), np.concatenate([slopes.ravel(), of_biases])

    start = np.zeros(penalty.size + len(texts.amounts))
    start[: penalty.size : shape[1]] = -1.0
    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    rule = found[: penalty.size].reshape(shape)
    rule[:, 0] -= np.log(scale)
    return WeightPrior(rule, found[penalty.size :], VARIANCES, UNIFORM, N_UNIFORM, n_cases)


def fit(cases: Sequence[SimulatedCase], path: Path) -> None:
    """Fit the rule for every selection of base classifiers, and write the table."""
    names = [name for name, _ in default_base_classifiers()]
    texts = _Texts(cases)
    sizes = range(1, len(names) + 1)
    selections = [chosen for n in sizes for chosen in combinations(range(len(names)), n)]
    priors = []
    for chosen in selections:
        rule = fit_rule(texts, chosen, len(cases))
        priors.append(
            {
                "base_classifiers": [names[place] for place in chosen],
                "coefficients": rule.coefficients.round(_DECIMALS).tolist(),
                "of_amounts": rule.of_amounts.round(_DECIMALS).tolist(),
            }
        )
    table = {
        "source": "benchmarks/stack_prior.py, development side",
        "corpora": sorted({case.corpus for case in cases}),
        "n_cases": len(cases),
        "n_texts": len(texts.labels),
        "variances": asdict(VARIANCES),
        "uniform": UNIFORM,
        "n_uniform": N_UNIFORM,
        "priors": priors,
    }
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


COMPARED = {
    "prior alone": None,
    "narrow": Variances(0.1, 0.03, 0.01, 0.03),
    "chosen": VARIANCES,
    "common only": Variances(0.3, 0.03, 0.01, 0.03),
    "wide": Variances(1.0, 0.5, 0.25, 0.25),
}


def compare(cases: Sequence[SimulatedCase]) -> None:
    """Print how well the cases of each corpus are answered by a rule without that corpus."""
    rows: dict[str, list[tuple[str, int, float, float, float]]] = {name: [] for name in COMPARED}
    for corpus in sorted({case.corpus for case in cases}):
        others = [case for case in cases if case.corpus != corpus]
        rule = fit_rule(_Texts(others), range(len(cases[0].scores)), len(others))
        for case in cases:
            if case.corpus == corpus:
                for name, variances in COMPARED.items():
                    rows[name].append(
                        (corpus, case.held_out.labels.size, *_answers(case, rule, variances))
                    )
    print("| cases | n | variances | log loss | accuracy | stated probability |")
    print("|---|---:|---|---:|---:|---:|")
    for group, is_in in _groups(sorted({case.corpus for case in cases})):
        for name, own in rows.items():
            chosen = np.array([row[2:] for row in own if is_in(row[0], row[1])])
            if len(chosen):
                loss, accuracy, stated = chosen.mean(axis=0)
                values = f"{loss:.3f} | {accuracy:.3f} | {stated:.3f}"
                print(f"| {group} | {len(chosen)} | {name} | {values} |")


def _groups(corpora: Sequence[str]) -> Iterator[tuple[str, Callable[[str, int], bool]]]:
    yield "all", lambda corpus, n: True
    yield "nothing held out", lambda corpus, n: n == 0
    for each in corpora:
        yield each, lambda corpus, n, each=each: corpus == each  # type: ignore[misc]


def _answers(
    case: SimulatedCase, rule: WeightPrior, variances: Variances | None
) -> tuple[float, float, float]:
    """Return log loss, accuracy and mean stated probability, means over the lengths."""
    n_classifiers, _, n_authors = case.scores.shape
    adjustment = Adjustment.none(n_classifiers, n_authors)
    if variances is not None and case.held_out.labels.size:
        counts = np.bincount(case.folds, minlength=len(case.remaining))
        parts = np.split(case.held_out.sizes, np.cumsum(counts)[:-1])
        terms = [rule.terms(*pair) for pair in zip(parts, case.remaining, strict=True)]
        held_out = replace(case.held_out, prior=PriorTerms.join(terms))
        adjustment = Adjustment.fit(held_out, variances)
    # The sums of language models are limited already.
    combination = Combination.of(rule, case.known, adjustment, np.zeros(n_classifiers, dtype=bool))
    log_probs = log_softmax(combination.combine(case.scores, case.sizes), axis=1)
    probs = (1 - UNIFORM) * np.exp(log_probs) + UNIFORM / n_authors
    of_truth = probs[np.arange(len(case.labels)), case.labels]
    right = probs.argmax(axis=1) == case.labels
    values = np.stack([-np.log(of_truth), right, probs.max(axis=1)])
    means = [values[:, case.lengths == n].mean(axis=1) for n in np.unique(case.lengths)]
    loss, accuracy, stated = np.mean(means, axis=0).tolist()
    return loss, accuracy, stated


def main() -> None:
    """Run one of the three steps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("simulate")
    step.add_argument("corpora", type=Path, help="folder of the corpora")
    step.add_argument("cases", type=Path, help="folder for the simulated cases")
    step.add_argument("--cases", dest="n_cases", type=int, default=600)
    step.add_argument("--seed", type=int, default=0)
    step = steps.add_parser("fit")
    step.add_argument("cases", type=Path)
    step.add_argument("table", type=Path, help="JSON file to write")
    step = steps.add_parser("compare")
    step.add_argument("cases", type=Path)
    options = parser.parse_args()
    if options.step == "simulate":
        sources = read_sources(options.corpora, "development")
        simulate(sources, options.cases, options.seed, options.n_cases)
    elif options.step == "fit":
        fit(read_cases(options.cases), options.table)
    else:
        compare(read_cases(options.cases))


if __name__ == "__main__":
    main()
