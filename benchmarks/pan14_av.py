"""Compare LambdaG on the training problems of PAN 2014 with `byline benchmark pan14`.

LambdaG has an environment of its own. This script writes the problems for it, and measures its
scores as the command measures Byline: calibrated on the same folds, which share no text.

    python benchmarks/pan14_av.py CORPORA/pan14_av --export FOLDER  # for pan14_lambdag.py
    python benchmarks/pan14_av.py CORPORA/pan14_av --lambdag FOLDER --results FILE
        # of its SET.scores.json, and of `byline benchmark pan14 --results FILE`
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byline.attribution.verification import c_at_1, roc_auc
from byline.attribution.verification.problems import normalize_space
from byline.experiments.pan14.answers import VerificationAnswers, answers_by_scores
from byline.experiments.pan14.benchmark import FoldAnswers
from byline.experiments.pan14.problem_sets import PAN14, SETS, ProblemSet, folds, read_sets
from byline.experiments.results_file import ResultLines

Booleans = NDArray[np.bool_]


def lambdag(data: ProblemSet, scores: Path) -> tuple[VerificationAnswers, Booleans]:
    """Answer by LambdaG's scores, calibrated on the same folds, and mark problems with a score."""
    found = json.loads(scores.read_text(encoding="utf-8"))["scores"]
    has = np.array([name in found for name in data.names])
    column = np.array([[found.get(name, 0.0)] for name in data.names])
    parts = []
    for training, held_out in folds(data):
        scored = training[has[training]]
        answers = answers_by_scores(column[scored], data.same[scored], column[held_out])
        parts.append((held_out.tolist(), answers))
    return VerificationAnswers.join(len(data.names), parts), has


def of_results(data: ProblemSet, results: Path, method: str) -> VerificationAnswers:
    """Find the answers of a method to all problems of a set."""
    known = ResultLines(results, PAN14, FoldAnswers.from_dict).read()
    digests = [data.digest(number, method) for number, _ in enumerate(folds(data))]
    missing = [digest for digest in digests if digest not in known]
    if missing:
        raise SystemExit(f"{results} has no answers to {len(missing)} folds of {data.name}")
    pairs = zip(folds(data), digests, strict=True)
    parts = [(held_out.tolist(), known[digest].answers) for (_, held_out), digest in pairs]
    return VerificationAnswers.join(len(data.names), parts)


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


def report(name: str, same: Booleans, answers: VerificationAnswers, chosen: Booleans) -> None:
    """Print a row of the table; as in PAN, withheld answers count as 0.5 in the AUC."""
    given = np.array(answers.given)[chosen]
    probabilities = np.array(answers.probabilities)[chosen]
    auc, c1 = roc_auc(same[chosen], given), c_at_1(same[chosen], given)
    print(
        f"| {name} | {len(given)} | {auc:.3f} | {c1:.3f} | {auc * c1:.3f} | "
        f"{roc_auc(same[chosen], probabilities):.3f} | {np.mean(given == 0.5):.0%} |",
        flush=True,
    )


def main() -> None:
    """Write the problems, or print a table per set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of the sets")
    parser.add_argument(
        "--set", choices=list(SETS), action="append", help="only this set; may be repeated"
    )
    parser.add_argument("--export", type=Path, help="write SET.json for pan14_lambdag.py here")
    parser.add_argument("--lambdag", type=Path, help="folder of its SET.scores.json")
    parser.add_argument("--results", type=Path, help="file of `byline benchmark pan14 --results`")
    options = parser.parse_args()
    if (options.export is None) == (options.lambdag is None):
        parser.error("give either --export, or --lambdag with --results")
    if options.lambdag is not None and options.results is None:
        parser.error("--lambdag needs --results")
    for data in read_sets(options.folder, options.set or ()):
        if options.export:
            export(data, options.export / f"{data.name}.json")
            continue
        own, has = lambdag(data, options.lambdag / f"{data.name}.scores.json")
        print(f"\n{data.name}: {int(has.sum())} of {len(has)} problems have a score of LambdaG")
        print("| method | problems | AUC | c@1 | product | AUC of all | withheld |")
        print(f"|---{'|---' * 6}|")
        for method in ("default", "cosine"):
            report(method, data.same, of_results(data, options.results, method), has)
        report("LambdaG", data.same, own, has)


if __name__ == "__main__":
    main()
