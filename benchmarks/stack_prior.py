"""Make the table of the stack's prior from simulated cases, and choose how far data may move it.

    python benchmarks/stack_prior.py simulate CORPORA CASES --cases 600
    python benchmarks/stack_prior.py compare CASES
    python benchmarks/stack_prior.py fit CASES src/byline/attribution/stacking/prior.json

``simulate --profiles`` simulates cases for the base classifiers of the method `profiles`.

``simulate`` takes small cases at random from the development side of the corpora: candidates, known
texts and questioned texts of random numbers and lengths. All base classifiers are trained on the
known texts and score the questioned texts; they also score held-out known texts, as in the training
of a stack. Each case is a file; a second run continues, and adds the scores of new base
classifiers. ``fit`` fits the rule of the weights to the questioned texts by maximum likelihood, for
each selection of base classifiers. It also counts how often texts are correctly attributed by a
rule without their corpus, by the size of the case. ``compare`` fits the rule without one corpus at
a time, and shows how well the cases of that corpus are answered, with the prior alone and with
adjustments by their held-out texts under several variances.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution import AuthorshipAttributor, profile_attributor
from byline.attribution.stacking import LANGUAGE_MODELS, default_base_classifiers
from byline.attribution.stacking.base_classifiers import (
    CHARACTER_MODELS,
    COSINE_DELTA,
    BaseClassifier,
)
from byline.attribution.stacking.case_answers import count_outcomes, state_probabilities
from byline.attribution.stacking.combination import HeldOutScores
from byline.attribution.stacking.prior import (
    KnownAmounts,
    PriorTerms,
    Variances,
    WeightPrior,
)
from byline.attribution.stacking.rule_fitting import SimulatedTexts, fit_rule
from byline.attribution.stacking.simulated_cases import (
    CaseQuestions,
    SimulatedCase,
    simulate_case,
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
VARIANCES = Variances(common=0.1, by_classifier=0.05, by_length=0.02, biases=0.05)
UNIFORM, N_UNIFORM = 0.02, 50.0
SETTINGS = WeightPrior(np.zeros((0, 5)), np.zeros((0, 3)), VARIANCES, UNIFORM, N_UNIFORM, 0)
_DIGITS = 5

Array = NDArray[Any]
Stack = Callable[[str, int], list[tuple[str, BaseClassifier]]]  # from language and seed


def default_stack(language: str, seed: int) -> list[tuple[str, BaseClassifier]]:
    """Return the default base classifiers."""
    encoder = TextEncoder(language=language, normalization="none")
    models = AuthorshipAttributor(encoder=encoder, random_state=seed)
    return default_base_classifiers(models, random_state=seed)


def profiles(language: str, seed: int) -> list[tuple[str, BaseClassifier]]:
    """Return the base classifiers of the method `profiles`."""
    return list(profile_attributor(language, random_state=seed).base_classifiers or ())


def names_of(stack: Stack) -> list[str]:
    """Return the names of base classifiers."""
    return [name for name, _ in stack("en", 0)]


def simulate(
    sources: Sequence[Source], folder: Path, seed: int, n_cases: int, stack: Stack
) -> None:
    """Simulate cases that the folder does not have yet."""
    folder.mkdir(parents=True, exist_ok=True)
    names = names_of(stack)
    corpora = sorted({source.corpus for source in sources})
    for number in range(n_cases):
        path = folder / f"{seed}-{number}.npz"
        stored = _read_arrays(path) if path.exists() else None
        has = [] if stored is None else stored["base_classifiers"].tolist()
        missing = [name for name in names if name not in has]
        if not missing:
            continue
        rng = np.random.default_rng([seed, number])
        corpus = corpora[int(rng.integers(len(corpora)))]
        own = [source for source in sources if source.corpus == corpus]
        case = _draw(own[int(rng.integers(len(own)))], rng)
        start = time.process_time()
        try:
            prototypes = [each for each in stack(case.language, seed) if each[0] in missing]
            arrays = _arrays(_simulate(case, corpus, seed, prototypes), missing)
            if stored is not None:
                arrays = _join(stored, arrays, names)
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


def _join(
    stored: dict[str, Array], added: dict[str, Array], ordered: Sequence[str]
) -> dict[str, Array]:
    """Add the scores of further base classifiers to a case, in the order of their names."""
    for name in ("sizes", "held_sizes", "labels", "held_labels"):
        if not np.array_equal(stored[name], added[name]):
            raise SystemExit("a stored case has other texts; choose an empty folder")
    names = [*stored["base_classifiers"], *added["base_classifiers"]]
    order = [names.index(name) for name in ordered]
    both = {
        name: np.concatenate([stored[name], added[name]])[order]
        for name in ("base_classifiers", "scores", "held_scores")
    }
    return stored | both


def _simulate(
    case: Case, corpus: str, seed: int, prototypes: Sequence[tuple[str, BaseClassifier]]
) -> SimulatedCase:
    """Train base classifiers on a case, and return all their scores."""
    asked = [(each, n_words) for n_words, own in case.questioned.items() for each in own]
    questioned = CaseQuestions(
        [each.text for each, _ in asked],
        [each.author for each, _ in asked],
        [n_words for _, n_words in asked],
    )
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
        return simulate_case(corpus, prototypes, known, questioned)


def _arrays(case: SimulatedCase, names: Sequence[str]) -> dict[str, Array]:
    amounts = [case.known, *case.remaining]
    return {
        "base_classifiers": np.array(names),
        "corpus": np.array(case.corpus),
        "known_characters": np.stack([each.characters for each in amounts]),
        "known_texts": np.array([each.n_texts for each in amounts]),
        "scores": case.scores.astype(np.float32),
        "sizes": case.sizes,
        "labels": case.labels,
        "lengths": case.lengths,
        "held_scores": case.held_out.scores.astype(np.float32),
        "held_sizes": case.held_out.sizes,
        "held_labels": case.held_out.labels,
        "held_shares": case.held_out.shares,
        "folds": case.folds,
    }


def read_cases(folder: Path) -> tuple[list[SimulatedCase], list[str]]:
    """Read all simulated cases of a folder, and the names of their base classifiers."""
    paths = sorted(path for path in folder.glob("*.npz") if not path.name.endswith(".part.npz"))
    if not paths:
        raise SystemExit(f"{folder} has no simulated cases; run `simulate` first")
    names = _read_arrays(paths[0])["base_classifiers"].tolist()
    return [_read_case(path, names) for path in paths], names


def _read_arrays(path: Path) -> dict[str, Array]:
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _read_case(path: Path, names: Sequence[str]) -> SimulatedCase:
    own = _read_arrays(path)
    if own["base_classifiers"].tolist() != names:
        raise SystemExit(f"{path} has no scores of some base classifiers; run `simulate` again")
    known, *remaining = (
        KnownAmounts(characters, float(n_texts))
        for characters, n_texts in zip(own["known_characters"], own["known_texts"], strict=True)
    )
    held_out = HeldOutScores(
        own["held_scores"].astype(np.float64),
        own["held_sizes"],
        own["held_labels"],
        own["held_shares"],
        PriorTerms(*np.zeros((3, 0, 0))),
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


def fit(cases: Sequence[SimulatedCase], names: Sequence[str], path: Path) -> None:
    """Fit the rule for every selection of base classifiers, count outcomes, and write the table."""
    texts = SimulatedTexts(cases)
    sizes = range(1, len(names) + 1)
    selections = [chosen for n in sizes for chosen in combinations(range(len(names)), n)]
    priors = []
    for chosen in selections:
        rule = fit_rule(texts, chosen, SETTINGS)
        priors.append(
            {
                "base_classifiers": [names[place] for place in chosen],
                "coefficients": _rounded(rule.coefficients),
                "of_amounts": _rounded(rule.of_amounts),
            }
        )
    others = cache(lambda corpus: SimulatedTexts([each for each in cases if each.corpus != corpus]))
    every = range(len(names))
    counted = [[*every]]
    if names == names_of(default_stack):
        # Those of texts in tokens of characters; and each of the methods with one of them.
        counted += [
            [place for place in every if names[place] != CHARACTER_MODELS],
            [names.index(LANGUAGE_MODELS)],
            [names.index(COSINE_DELTA)],
        ]
    outcomes = [
        {
            "base_classifiers": [names[place] for place in chosen],
            "cases": _count(cases, others, chosen),
        }
        for chosen in counted
    ]
    table = {
        "source": "benchmarks/stack_prior.py, development side",
        "corpora": sorted({case.corpus for case in cases}),
        "n_cases": len(cases),
        "n_texts": len(texts.labels),
        "variances": asdict(VARIANCES),
        "uniform": UNIFORM,
        "n_uniform": N_UNIFORM,
        "priors": priors,
        "outcomes": outcomes,
    }
    # One line per row, so that a new table shows what changed.
    path.write_text(json.dumps(table).replace("}, {", "},\n{") + "\n", encoding="utf-8")


def _rounded(rows: Array) -> list[list[float]]:
    return [[float(f"{value:.{_DIGITS}g}") for value in row] for row in rows.tolist()]


def _count(
    cases: Sequence[SimulatedCase], others: Callable[[str], SimulatedTexts], chosen: Sequence[int]
) -> list[dict[str, Any]]:
    """Count the correct answers of rules without the cases of the same corpus."""
    own = [
        replace(
            case,
            scores=case.scores[list(chosen)],
            held_out=replace(case.held_out, scores=case.held_out.scores[list(chosen)]),
        )
        for case in cases
    ]
    corpora = {case.corpus for case in cases}
    rules = {corpus: fit_rule(others(corpus), chosen, SETTINGS) for corpus in corpora}
    answers = [state_probabilities(case, rules[case.corpus]) for case in own]
    return [asdict(row) for row in count_outcomes(own, answers)]


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
        rule = fit_rule(SimulatedTexts(others), range(len(cases[0].scores)), SETTINGS)
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
    given = rule if variances is None else replace(rule, variances=variances)
    probs = state_probabilities(case, given, adjust=variances is not None)
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
    step.add_argument("--profiles", action="store_true")
    step = steps.add_parser("fit")
    step.add_argument("cases", type=Path)
    step.add_argument("table", type=Path, help="JSON file to write")
    step = steps.add_parser("compare")
    step.add_argument("cases", type=Path)
    options = parser.parse_args()
    if options.step == "simulate":
        sources = read_sources(options.corpora, "development")
        stack = profiles if options.profiles else default_stack
        simulate(sources, options.cases, options.seed, options.n_cases, stack)
    elif options.step == "fit":
        fit(*read_cases(options.cases), options.table)
    else:
        compare(read_cases(options.cases)[0])


if __name__ == "__main__":
    main()
