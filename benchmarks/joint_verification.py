"""Measure the calibration of joint verification on the development side of the corpora.

In each case, two or three random authors are in question. For each of them, and for authors who are
neither in question nor among the reference texts, the same number of passages is questioned, so
that all answers are equally likely beforehand. Known and questioned texts never share a work.

    for NAME in ccat50 cmcc lectures16 british_fiction french_theatre17 pan19; do
        python benchmarks/verification_prior.py CORPORA PRIORS/$NAME.json --without $NAME
        python benchmarks/joint_verification.py CORPORA PRIORS FILE --corpus $NAME
    done
    python benchmarks/joint_verification.py CORPORA PRIORS FILE

The prior of a corpus must come from the others: the shipped one was fitted to all of them.
"""

from __future__ import annotations

import argparse
import json
import warnings
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from byline.attribution.calibration import cllr, errors_by_chance, reliability_of_confidences
from byline.attribution.verification import (
    SOMEBODY_ELSE,
    author_verification,
    verifier,
    verify_authors,
)
from byline.attribution.verification.prior import CalibrationPrior
from byline.corpus import Document
from byline.errors import BylineWarning, TrainingError
from byline.experiments.small_cases.sources import Source, SourceText, read_sources

KNOWN_WORDS, QUESTIONED_WORDS = 1_000, 405  # passages of longer texts
N_CASES = {"ccat50": 8, "cmcc": 8, "lectures16": 8, "british_fiction": 8, "french_theatre17": 8}
CASES_PER_PROBLEM = 2  # of pan19
N_KNOWN = (1, 2, 3, 4, 5)
N_QUESTIONED = 3  # of each author in question, and of all others together
N_POPULATION, N_TEXTS = 10, 4  # reference authors, and texts of each
N_OUTSIDERS = 3  # authors of questioned texts who are neither in question nor reference authors

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JointCase:
    """Known texts by author, reference texts, and questioned texts with their authors."""

    known: dict[str, list[Document]]
    population: list[Document]
    questioned: list[tuple[str, str]]


def draw_case(source: Source, number: int) -> JointCase | None:
    """Draw a case; None if the authors in question have too few works."""
    rng = np.random.default_rng([zlib.crc32(source.name.encode()), number])
    texts: dict[str, list[SourceText]] = defaultdict(list)
    for text in source.texts:
        if text.role != "questioned" and text.n_words >= QUESTIONED_WORDS // 2:
            texts[text.author].append(text)
    own = {
        name: [texts[name][n] for n in rng.permutation(len(texts[name]))] for name in sorted(texts)
    }
    several = [name for name in own if len(own[name]) > 1]
    authors = rng.permutation(several)[: 2 + number % 2].tolist()
    others = rng.permutation([name for name in own if name not in authors]).tolist()
    n_outsiders = min(N_OUTSIDERS, max(len(others) // 3, 1))
    outsiders, population = others[:n_outsiders], others[n_outsiders:][:N_POPULATION]
    if len(authors) < 2 or not population:
        return None
    known, asked = {}, []
    for name in authors:
        n_asked = min(N_QUESTIONED, len(own[name]) // 2)
        known[name] = _documents(own[name][n_asked:], int(rng.choice(N_KNOWN)), rng)
        mine = _cycle(own[name][:n_asked])
        asked += [(_passage(each, QUESTIONED_WORDS, rng), name) for each in mine]
    foreign = _cycle([text for name in outsiders for text in own[name][:N_QUESTIONED]])
    asked += [(_passage(each, QUESTIONED_WORDS, rng), SOMEBODY_ELSE) for each in foreign]
    reference = [each for name in population for each in _documents(own[name], N_TEXTS, rng)]
    return JointCase(known, reference, asked)


def _cycle(texts: Sequence[SourceText]) -> list[SourceText]:
    """Return N_QUESTIONED texts; a text is repeated (with another passage) if there are fewer."""
    return [texts[n % len(texts)] for n in range(N_QUESTIONED)]


def _documents(texts: Sequence[SourceText], n: int, rng: np.random.Generator) -> list[Document]:
    """Return n passages of different works, or several of a work if there are fewer works."""
    return [
        Document(each.author, _passage(each, KNOWN_WORDS, rng), f"{each.work}:{k}", work=each.work)
        for k in range(n)
        for each in [texts[k % len(texts)]]
        if k < len(texts) or each.n_words > 4 * KNOWN_WORDS
    ]


def _passage(text: SourceText, n_words: int, rng: np.random.Generator) -> str:
    last = max(text.n_words - n_words, 0)
    return text.passage(int(rng.integers(last + 1)), n_words)


def answer_case(case: JointCase, language: str) -> Iterator[Answer]:
    """Yield the answer about each questioned text."""
    texts = [text for text, _ in case.questioned]
    paths = list(map(str, range(len(texts))))
    found = verify_authors(case.known, case.population, texts, paths, language=language)
    for answer, (_, author) in zip(found, case.questioned, strict=True):
        yield {
            "author": author,
            "answer": answer.answer,
            "probabilities": dict(answer.probabilities),
            "log10_lrs": {each.author: each.verification.log10_lr for each in answer.separate},
        }


def answer_corpus(sources: Sequence[Source], prior: Path) -> Iterator[Answer]:
    """Yield the answers about the questioned texts of all cases of a corpus."""
    table = json.loads(prior.read_text("utf-8"))
    means = CalibrationPrior(np.array(table["means"]), np.array(table["precisions"]))
    with (
        mock.patch.object(verifier, "default_prior", return_value=means),
        mock.patch.object(author_verification, "N_RESAMPLES", 1),  # intervals are not needed
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", BylineWarning)
        for source in sources:
            for number in range(N_CASES.get(source.corpus, CASES_PER_PROBLEM)):
                case = draw_case(source, number)
                try:
                    answers = [] if case is None else list(answer_case(case, source.language))
                except TrainingError as error:
                    print(f"{source.name}, case {number}: {error}", flush=True)
                    continue
                print(f"{source.name}, case {number}: {len(answers)} texts", flush=True)
                for each in answers:
                    yield {"source": source.name, "case": number, **each}


def print_measures(title: str, answers: Sequence[Answer]) -> None:
    """Print how accurate and how well calibrated joint answers are."""
    given = [each for each in answers if each["probabilities"]]
    stated = np.array([max(each["probabilities"].values()) for each in given])
    right = np.array([_best(each) == each["author"] for each in given])
    found, by_chance = reliability_of_confidences(stated, right), errors_by_chance(stated)
    shares = [(each["probabilities"][each["author"]], len(each["probabilities"])) for each in given]
    joint = np.mean([-np.log(share) / np.log(n) for share, n in shares])
    named = [each["answer"] for each in given]
    is_wrong = [each["answer"] not in ("cannot tell", each["author"]) for each in given]
    is_sure = stated >= 0.9
    print(
        f"{title:17s} texts {len(given)}, declined {len(answers) - len(given)}; right "
        f"{right.mean():.1%}, stated {stated.mean():.1%}; ECE {found.ece:.3f} (by chance "
        f"{by_chance.mean():.3f}); cost: joint {joint:.3f}, {_costs(given)}; withheld "
        f"{named.count('cannot tell') / len(given):.1%}, wrong {np.mean(is_wrong):.1%}; "
        f"stated 90 % or more: {np.count_nonzero(is_sure & ~right)} of {is_sure.sum()} wrong"
    )


def _best(answer: Answer) -> str:
    probabilities: dict[str, float] = answer["probabilities"]
    return max(probabilities, key=lambda name: probabilities[name])


def _costs(answers: Sequence[Answer]) -> str:
    """Return the Cllr of authors against somebody else, and of the true author against others."""
    own, of_others, pairs = [], [], []
    for each in answers:
        ratios, author = each["log10_lrs"], each["author"]
        if author == SOMEBODY_ELSE:
            of_others += list(ratios.values())
        else:
            own.append(ratios[author])
            pairs += [ratios[author] - ratios[name] for name in ratios if name != author]
    nats = float(np.log(10))
    against = cllr(nats * np.array(own), nats * np.array(of_others))
    between = cllr(nats * np.array(pairs), -nats * np.array(pairs))
    return f"against H0 {against:.3f}, of pairs {between:.3f}"


def main() -> None:
    """Answer the cases of a corpus, or measure all answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", type=Path, help="folder of the corpora")
    parser.add_argument("priors", type=Path, help="folder of the priors, CORPUS.json")
    parser.add_argument("results", type=Path, help="file of the answers")
    parser.add_argument("--corpus", help="answer the cases of this corpus")
    options = parser.parse_args()
    if options.corpus:
        sources = read_sources(options.corpora, "development", [options.corpus])
        with options.results.open("a", encoding="utf-8") as file:
            for answer in answer_corpus(sources, options.priors / f"{options.corpus}.json"):
                file.write(json.dumps(answer) + "\n")
        return
    answers = list(map(json.loads, options.results.read_text("utf-8").splitlines()))
    of_corpus = defaultdict(list)
    for answer in answers:
        of_corpus[answer["source"].partition("/")[0]].append(answer)
        of_corpus[f"{len(answer['log10_lrs'])} authors"].append(answer)
    for title, own in {**of_corpus, "all": answers}.items():
        print_measures(title, own)


if __name__ == "__main__":
    main()
