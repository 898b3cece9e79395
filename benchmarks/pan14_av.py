"""Measure authorship verification on the training part of PAN 2014, with LambdaG and a baseline.

The folder has SET/train/PROBLEM/{known*.txt,unknown.txt} and SET/train/truth.tsv. Problems share
texts. They are divided into ten folds such that problems with common texts are in one fold where
possible. The answers of a fold are based on those other problems that share no text with it. (Texts
that share half of their sequences of eight words count as one.) The settings of Byline were chosen
on other corpora, none on these problems.

    python benchmarks/pan14_av.py CORPORA/pan14_av
    python benchmarks/pan14_av.py CORPORA/pan14_av --export FOLDER  # for pan14_lambdag.py
    python benchmarks/pan14_av.py CORPORA/pan14_av --lambdag FOLDER  # of its SET.scores.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.feature_extraction.text import TfidfVectorizer

from byline.attribution.calibration import errors_by_chance, reliability_of_confidences
from byline.attribution.verification import (
    AuthorshipVerifier,
    VerificationCalibrator,
    VerificationProblem,
    c_at_1,
    roc_auc,
)
from byline.attribution.verification.problems import normalize_space
from byline.corpus import read_text

SETS = ("en_essays", "en_novels", "gr_articles", "sp_articles")
N_FOLDS = 10
RUN = 8  # words
SHARED = 0.5
CONFIDENT = 0.9

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to problems, each (n_problems,).

    Attributes
    ----------
    probabilities : float64
        Unbounded probabilities that the author is the same.
    stated : float64
        The probabilities that a user sees: bounded by what the calibration problems support.
    given : float64
        The unbounded probabilities, and 0.5 for answers that are withheld.
    """

    probabilities: Floats
    stated: Floats
    given: Floats

    @classmethod
    def of(cls, log_odds: Floats, rule: VerificationCalibrator) -> Answers:
        """Convert log-odds to answers."""
        return cls(expit(log_odds), expit(rule.bounds.apply(log_odds)), rule.answers(log_odds))

    @classmethod
    def none(cls, n_problems: int) -> Answers:
        """Return space for answers."""
        return cls(np.zeros(n_problems), np.zeros(n_problems), np.zeros(n_problems))

    def put(self, places: Indices, answers: Answers) -> None:
        """Set the answers to some of the problems."""
        self.probabilities[places] = answers.probabilities
        self.stated[places] = answers.stated
        self.given[places] = answers.given

    def only(self, chosen: Booleans) -> Answers:
        """Return the answers to some of the problems."""
        return Answers(self.probabilities[chosen], self.stated[chosen], self.given[chosen])


# Training problems, their answers, questioned problems -> answers
Method = Callable[[list[VerificationProblem], Booleans, list[VerificationProblem]], Answers]


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """Problems by name, whether the author is the same, and the texts that each has by number."""

    names: list[str]
    problems: list[VerificationProblem]
    same: Booleans
    texts: list[frozenset[int]]


def read_set(folder: Path) -> ProblemSet:
    """Read the problems of a set and number their distinct texts."""
    lines = (folder / "truth.tsv").read_text(encoding="utf-8-sig").splitlines()
    truth = dict(line.split() for line in lines if line.strip())
    problems = [_read_problem(folder / name) for name in truth]
    numbers = number_texts([text for problem in problems for text in problem.texts])
    texts = [frozenset(numbers[normalize_space(text)] for text in each.texts) for each in problems]
    same = np.array([answer == "Y" for answer in truth.values()])
    return ProblemSet(list(truth), problems, same, texts)


def _read_problem(folder: Path) -> VerificationProblem:
    known = tuple(map(read_text, sorted(folder.glob("known*.txt"))))
    return VerificationProblem(known, read_text(folder / "unknown.txt"))


def number_texts(texts: Sequence[str]) -> dict[str, int]:
    """Assign numbers to texts; texts that share half of the shorter's sequences have the same."""
    names = sorted(set(map(normalize_space, texts)))
    runs = [_runs(name) for name in names]
    having: dict[tuple[str, ...], list[int]] = defaultdict(list)
    numbers = list(range(len(names)))
    for place, own in enumerate(runs):
        shared: dict[int, int] = defaultdict(int)
        for run in own:
            for other in having[run]:
                shared[other] += 1
            having[run].append(place)
        for other, n in shared.items():
            if n >= SHARED * min(len(own), len(runs[other])):
                numbers = [numbers[other] if n == numbers[place] else n for n in numbers]
    return dict(zip(names, numbers, strict=True))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def folds(data: ProblemSet) -> Iterator[tuple[Indices, Indices]]:
    """Yield training problems and held-out problems."""
    for held_out in np.array_split(np.array(_by_shared_texts(data.texts)), N_FOLDS):
        seen = frozenset[int]().union(*(data.texts[n] for n in held_out))
        training = [n for n, texts in enumerate(data.texts) if not texts & seen]
        yield np.array(training), held_out


def _by_shared_texts(texts: Sequence[frozenset[int]]) -> list[int]:
    """Order problems such that each has as many texts as possible in common with the last ones."""
    left, order = set(range(len(texts))), list[int]()
    recent: frozenset[int] = frozenset()
    while left:
        best = max(left, key=lambda n: (len(texts[n] & recent), -n))
        recent = recent | texts[best] if texts[best] & recent else texts[best]
        left.remove(best)
        order.append(best)
    return order


def byline(
    known: list[VerificationProblem], same: Booleans, asked: list[VerificationProblem]
) -> Answers:
    """Answer with Byline's verifier."""
    verifier = AuthorshipVerifier().fit(known, same)
    return Answers.of(verifier.decision_function(asked), verifier.calibrator_)


def baseline(
    known: list[VerificationProblem], same: Booleans, asked: list[VerificationProblem]
) -> Answers:
    """Answer by the cosine of tf-idf weighted character 4-grams, calibrated in the same way."""
    vectors = TfidfVectorizer(analyzer="char", ngram_range=(4, 4), sublinear_tf=True, min_df=2)
    vectors.fit(sorted({text for problem in known for text in problem.texts}))

    def cosines(problems: list[VerificationProblem]) -> Floats:
        first = vectors.transform("\n".join(problem.known) for problem in problems)
        second = vectors.transform(problem.questioned for problem in problems)
        return np.asarray(first.multiply(second).sum(axis=1)).reshape(-1, 1)

    return _calibrated(cosines(known), same, cosines(asked))


def _calibrated(scores: Floats, same: Booleans, asked: Floats) -> Answers:
    rule = VerificationCalibrator.fit(scores, same)
    return Answers.of(rule.log_odds(asked), rule)


def run(data: ProblemSet, method: Method) -> Answers:
    """Answer every problem after training on problems that share no text with its fold."""
    answers = Answers.none(len(data.names))
    for training, held_out in folds(data):
        known, asked = ([data.problems[n] for n in part] for part in (training, held_out))
        answers.put(held_out, method(known, data.same[training], asked))
    return answers


def lambdag(data: ProblemSet, scores: Path) -> tuple[Answers, Booleans]:
    """Answer by LambdaG's scores, calibrated on the same folds, and mark problems with a score."""
    found = json.loads(scores.read_text(encoding="utf-8"))["scores"]
    has = np.array([name in found for name in data.names])
    column = np.array([[found.get(name, 0.0)] for name in data.names])
    answers = Answers.none(len(data.names))
    for training, held_out in folds(data):
        scored = training[has[training]]
        answers.put(held_out, _calibrated(column[scored], data.same[scored], column[held_out]))
    return answers, has


def export(data: ProblemSet, path: Path) -> None:
    """Write problems, each with the texts of unrelated problems as reference."""
    texts = sorted({normalize_space(text) for problem in data.problems for text in problem.texts})
    raw = {normalize_space(text): text for problem in data.problems for text in problem.texts}
    places = {text: place for place, text in enumerate(texts)}
    problems = []
    for name, problem, own in zip(data.names, data.problems, data.texts, strict=True):
        others = [p for p, n in zip(data.problems, data.texts, strict=True) if not n & own]
        *known, questioned = (places[normalize_space(text)] for text in problem.texts)
        references = sorted(
            {places[normalize_space(text)] for other in others for text in other.texts}
        )
        problems.append(
            {"name": name, "known": known, "questioned": questioned, "references": references}
        )
    record = {"texts": [raw[text] for text in texts], "problems": problems}
    path.write_text(json.dumps(record), encoding="utf-8")


def report(name: str, same: Booleans, answers: Answers, seconds: float) -> None:
    """Print a row of the table; as in PAN, declined answers count as 0.5 in the AUC."""
    auc, c1 = roc_auc(same, answers.given), c_at_1(same, answers.given)
    confidences, is_correct = confidences_of(answers.stated, same)
    error = reliability_of_confidences(confidences, is_correct).ece
    confident = confidences > CONFIDENT
    print(
        f"| {name} | {len(same)} | {auc:.3f} | {c1:.3f} | {auc * c1:.3f} | "
        f"{roc_auc(same, answers.probabilities):.3f} | {np.mean(answers.given == 0.5):.0%} | "
        f"{error:.3f} | {errors_by_chance(confidences).mean():.3f} | "
        f"{np.count_nonzero(confident & ~is_correct)} of {np.count_nonzero(confident)} | "
        f"{seconds:.0f} s |",
        flush=True,
    )


def confidences_of(stated: Floats, same: Booleans) -> tuple[Floats, Booleans]:
    """Return the probabilities of the more probable answers, and whether these are correct."""
    return np.maximum(stated, 1 - stated), (stated > 0.5) == same


def main() -> None:
    """Print a table per set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of the sets")
    parser.add_argument(
        "--set", choices=SETS, action="append", help="only this set; may be repeated"
    )
    parser.add_argument("--export", type=Path, help="write SET.json for pan14_lambdag.py here")
    parser.add_argument("--lambdag", type=Path, help="folder of its SET.scores.json")
    options = parser.parse_args()
    for name in options.set or SETS:
        data = read_set(options.folder / name / "train")
        if options.export:
            export(data, options.export / f"{name}.json")
            continue
        sizes = [len(training) for training, _ in folds(data)]
        print(f"\n{name}: {len(data.names)} problems, trained on {min(sizes)} to {max(sizes)}")
        print(
            "| method | problems | AUC | c@1 | product | AUC of all | withheld | ECE | "
            "ECE by chance | wrong beyond 90 % | CPU |"
        )
        print(f"|---{'|---' * 10}|")
        for title, method in (("Byline", byline), ("cosine of 4-grams", baseline)):
            started = time.process_time()
            answers = run(data, method)
            report(title, data.same, answers, time.process_time() - started)
            if options.lambdag:
                own, has = lambdag(data, options.lambdag / f"{name}.scores.json")
                report(f"{title}, those that LambdaG has", data.same[has], answers.only(has), 0)
        if options.lambdag:
            seconds = json.loads((options.lambdag / f"{name}.scores.json").read_text())["seconds"]
            report("LambdaG", data.same[has], own.only(has), seconds)


if __name__ == "__main__":
    main()
