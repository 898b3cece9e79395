"""Run the benchmark of verification: cross-validated answers to the problems of each set."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Self

import numpy as np

from byline.array_types import Booleans
from byline.attribution.calibration import errors_by_chance, reliability_of_confidences
from byline.attribution.verification import c_at_1, roc_auc
from byline.errors import BylineWarning, TrainingError
from byline.experiments.open_set.scores import f_05_u
from byline.experiments.pan14.answers import VERIFICATION_METHODS, VerificationAnswers
from byline.experiments.pan14.problem_sets import PAN14, ProblemSet, folds, read_sets
from byline.experiments.results_file import ResultLines
from byline.processes.parallel import run_parallel
from byline.progress import Progress

CONFIDENT = 0.9  # stated probabilities of the answer


@dataclass(frozen=True, slots=True)
class FoldAnswers:
    """The answers of one method to the problems of one fold.

    Attributes
    ----------
    digest : str
        Identifies the set, the fold and the method.
    problem_set : str
    fold : int
    method : str
    answers : VerificationAnswers
    n_training : int
    cpu_seconds : float
    """

    digest: str
    problem_set: str
    fold: int
    method: str
    answers: VerificationAnswers
    n_training: int
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Return what `to_dict` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is something else.
        """
        digest, name, method = (values[key] for key in ("digest", "problem_set", "method"))
        if not all(isinstance(each, str) for each in (digest, name, method)):
            raise TypeError
        answers = VerificationAnswers.from_dict(values["answers"])
        numbers = int(values["n_training"]), float(values["cpu_seconds"])
        return cls(digest, name, int(values["fold"]), method, answers, *numbers)


@dataclass(frozen=True, slots=True)
class VerificationMetrics:
    """Metrics of a method on the problems of a set, as in the evaluation of PAN 2014.

    Attributes
    ----------
    problem_set, method, title : str
    n, n_same : int
        Number of problems, and of those with the same author.
    auc : float
        Area under the ROC curve, in which a withheld answer counts as 0.5.
    c_at_1 : float
    product : float
        Of these two, the score of PAN 2014.
    auc_of_all : float
        If no answer is withheld.
    f_05_u : float
    withheld_rate : float
    ece, ece_by_chance : float
        Calibration error of the stated probabilities; and its mean if they are right.
    n_confident, n_confident_wrong : int
        Number of stated probabilities above .9 or below .1, and of those that are wrong.
    n_training : (int, int)
        Smallest and largest number of training problems of a fold.
    cpu_seconds : float
    """

    problem_set: str
    method: str
    title: str
    n: int
    n_same: int
    auc: float
    c_at_1: float
    product: float
    auc_of_all: float
    f_05_u: float
    withheld_rate: float
    ece: float
    ece_by_chance: float
    n_confident: int
    n_confident_wrong: int
    n_training: tuple[int, int]
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class VerificationBenchmark:
    """The result of the benchmark.

    Attributes
    ----------
    data : str
    sets : tuple of VerificationMetrics
        Set by set, the methods in their order.
    mean_products : dict of method to float
    """

    data: str
    sets: tuple[VerificationMetrics, ...]
    mean_products: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return {"benchmark": PAN14, **asdict(self)}


def run_verification_benchmark(
    data: Path,
    *,
    sets: Sequence[str] = (),
    baselines: bool = True,
    jobs: int = 1,
    results: Path | None = None,
    progress: Progress | None = None,
) -> VerificationBenchmark:
    """Answer the problems of each set by cross-validation, and measure the answers.

    Parameters
    ----------
    data : Path
        The folder of the sets.
    sets : sequence of str
        Only these; by default, all in the folder.
    baselines : bool
        Whether to measure the baseline.
    jobs : int
        Number of processes, each of which takes one fold after the other.
    results : Path, optional
        A file to which the answers to each fold are added. Folds whose answers are in it are not
        answered again.
    progress : Progress, optional
        Called after each fold.

    Raises
    ------
    UsageError, CorpusError
        See `read_sets`; or the file of results has something else.
    TrainingError
        A set has too few problems.
    OutputError
        The file of results cannot be read or written.
    """
    file = (
        None
        if results is None
        else ResultLines(results, f"benchmark {PAN14}", FoldAnswers.from_dict)
    )
    known = {} if file is None else file.read()
    read = read_sets(data, sets)
    names = list(VERIFICATION_METHODS)[: None if baselines else 1]
    plan = [
        (each, number, training, held_out, name)
        for each in read
        for number, (training, held_out) in enumerate(folds(each))
        for name in names
    ]
    digests = [each.digest(number, name) for each, number, _, _, name in plan]
    found = {digest: known[digest] for digest in digests if digest in known}
    missing = [call for call, digest in zip(plan, digests, strict=True) if digest not in found]
    for answers in run_parallel(answer_fold, missing, jobs):
        if file is not None:
            file.append(answers)
        found[answers.digest] = answers
        if progress is not None:
            progress(len(found), len(plan), f"{answers.problem_set}, fold {answers.fold + 1}")
    measured = tuple(
        _measure(
            each,
            name,
            [
                (call[3].tolist(), found[digest])
                for call, digest in zip(plan, digests, strict=True)
                if call[0] is each and call[4] == name
            ],
        )
        for each in read
        for name in names
    )
    means = {name: fmean(row.product for row in measured if row.method == name) for name in names}
    return VerificationBenchmark(str(data), measured, means)


def answer_fold(
    data: ProblemSet, number: int, training: Any, held_out: Any, method: str
) -> FoldAnswers:
    """Train a method on the training problems of a fold, and answer the others.

    Parameters
    ----------
    data : ProblemSet
    number : int
        Of the fold.
    training, held_out : (n,) int
        Places of the problems.
    method : str

    Raises
    ------
    TrainingError
        There are too few training problems.
    """
    start = time.process_time()
    known, asked = ([data.problems[place] for place in part] for part in (training, held_out))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        try:
            answers = VERIFICATION_METHODS[method].verify(
                known, data.same[training], asked, data.language
            )
        except TrainingError as error:
            raise TrainingError(f"{data.name}, fold {number + 1}: {error}") from error
    seconds = round(time.process_time() - start, 3)
    digest = data.digest(number, method)
    return FoldAnswers(digest, data.name, number, method, answers, len(known), seconds)


def _measure(
    data: ProblemSet, method: str, parts: Sequence[tuple[list[int], FoldAnswers]]
) -> VerificationMetrics:
    joined = [(places, each.answers) for places, each in parts]
    answers = VerificationAnswers.join(len(data.names), joined)
    same, withheld = data.same, np.array(answers.withheld)
    auc, c1 = roc_auc(same, answers.given), c_at_1(same, answers.given)
    stated = np.array(answers.stated)
    confidences, is_correct = np.maximum(stated, 1 - stated), (stated > 0.5) == same
    confident = confidences > CONFIDENT
    sizes = [each.n_training for _, each in parts]
    return VerificationMetrics(
        problem_set=data.name,
        method=method,
        title=VERIFICATION_METHODS[method].title,
        n=len(same),
        n_same=int(same.sum()),
        auc=auc,
        c_at_1=c1,
        product=auc * c1,
        auc_of_all=roc_auc(same, answers.probabilities),
        f_05_u=_f_05_u(same, np.array(answers.given) > 0.5, withheld),
        withheld_rate=float(withheld.mean()),
        ece=reliability_of_confidences(confidences, is_correct).ece,
        ece_by_chance=float(errors_by_chance(confidences).mean()),
        n_confident=int(confident.sum()),
        n_confident_wrong=int((confident & ~is_correct).sum()),
        n_training=(min(sizes), max(sizes)),
        cpu_seconds=sum(each.cpu_seconds for _, each in parts),
    )


def _f_05_u(same: Booleans, yes: Booleans, withheld: Booleans) -> float:
    counts = same & yes, ~same & yes, same & ~yes & ~withheld, withheld
    return f_05_u(*(int(each.sum()) for each in counts))
