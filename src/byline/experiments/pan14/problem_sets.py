"""The problems of PAN 2014, and folds that share no text."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans
from byline.attribution.verification import VerificationProblem
from byline.attribution.verification.problems import normalize_space
from byline.corpus import read_text
from byline.errors import CorpusError, UsageError
from byline.experiments.benchmarks.tasks import require_folder
from byline.experiments.small_cases.sources import read_tab_rows
from byline.formatting import join_names

PAN14 = "pan14"
LAYOUT = "SET/train/truth.tsv, SET/train/PROBLEM/known*.txt and SET/train/PROBLEM/unknown.txt"
# The sets, with the language of their texts.
SETS = {"en_essays": "en", "en_novels": "en", "gr_articles": "el", "sp_articles": "es"}
N_FOLDS = 10
_RUN = 8  # words
_SHARED = 0.5
_ANSWERS = {"Y": True, "N": False}


@dataclass(frozen=True, slots=True, eq=False)
class ProblemSet:
    """Verification problems with known answers.

    Attributes
    ----------
    name, language : str
    names : list of str
        Of the problems.
    problems : list of VerificationProblem
    same : (n_problems,) bool
        Whether the author is the same.
    texts : list of frozenset of int
        The numbers of each problem's texts. Texts with the same number are equal, or nearly so.
    """

    name: str
    language: str
    names: list[str]
    problems: list[VerificationProblem]
    same: Booleans
    texts: list[frozenset[int]]

    def digest(self, *settings: object) -> str:
        """Identify the set and settings; another text changes the result."""
        texts = [(name, each.texts) for name, each in zip(self.names, self.problems, strict=True)]
        content = [self.name, self.language, *settings, texts, self.same.tolist()]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def read_sets(data: Path, names: Sequence[str] = ()) -> list[ProblemSet]:
    """Read sets of problems, by default all that are in the folder.

    Parameters
    ----------
    data : Path
        The folder of the sets.
    names : sequence of str
        Keys of `SETS`.

    Raises
    ------
    UsageError
        There is no such set.
    CorpusError
        The folder has none of the sets, or not one that was named, or a set is not complete.
    """
    unknown = sorted(set(names) - set(SETS))
    if unknown:
        raise UsageError(f"{PAN14} has no task {join_names(unknown)}; use {', '.join(SETS)}")
    require_folder(data, PAN14, LAYOUT, *names)
    chosen = [name for name in dict.fromkeys(names or SETS) if (data / name).is_dir()]
    if not chosen:
        raise CorpusError(
            f"{data} has no folder {join_names(list(SETS), None)}; the layout of the corpus is "
            f"{LAYOUT}"
        )
    return [read_set(data / name / "train", name) for name in chosen]


def read_set(folder: Path, name: str) -> ProblemSet:
    """Read the problems of a set, and number their distinct texts.

    Parameters
    ----------
    folder : Path
        With the problems and truth.tsv.
    name : str
        A key of `SETS`.

    Raises
    ------
    CorpusError
        A problem is not complete, or its answer is neither Y nor N.
    """
    truth = dict(row[:2] for row in read_tab_rows(folder / "truth.tsv"))
    wrong = sorted(problem for problem, answer in truth.items() if answer not in _ANSWERS)
    if wrong:
        raise CorpusError(
            f"{folder / 'truth.tsv'}: the answer to {join_names(wrong)} is neither Y nor N; "
            "download the corpus again"
        )
    problems = [_read_problem(folder / problem) for problem in truth]
    numbers = number_texts([text for problem in problems for text in problem.texts])
    texts = [frozenset(numbers[normalize_space(text)] for text in each.texts) for each in problems]
    same = np.array([_ANSWERS[answer] for answer in truth.values()])
    return ProblemSet(name, SETS[name], list(truth), problems, same, texts)


def _read_problem(folder: Path) -> VerificationProblem:
    known, unknown = sorted(folder.glob("known*.txt")), folder / "unknown.txt"
    if not known or not unknown.is_file():
        missing = "unknown.txt" if known else "known*.txt"
        raise CorpusError(f"{folder} has no file {missing}; download the corpus again")
    return VerificationProblem(tuple(map(read_text, known)), read_text(unknown))


def number_texts(texts: Sequence[str]) -> dict[str, int]:
    """Assign numbers to texts; nearly equal texts have the same number.

    Texts are nearly equal if they share half of the shorter one's sequences of eight words.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    dict of str to int
        By text with normalised white space.

    Examples
    --------
    >>> text = "one two three four five six seven eight nine"
    >>> number_texts([text, text.replace(" ", "  "), f"{text} ten", "another text"])
    {'another text': 0, 'one two three four five six seven eight nine': 1,
     'one two three four five six seven eight nine ten': 1}
    """
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
            if n >= _SHARED * min(len(own), len(runs[other])):
                first, second = sorted((numbers[other], numbers[place]))
                numbers = [first if number == second else number for number in numbers]
    return dict(zip(names, numbers, strict=True))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}


def folds(data: ProblemSet) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield training problems and held-out problems, which have no text in common.

    Problems with common texts are in one fold where possible; a training problem that shares a text
    with a held-out one is left out.
    """
    order = np.array(_by_shared_texts(data.texts))
    for held_out in np.array_split(order, min(N_FOLDS, len(order))):
        seen = frozenset[int]().union(*(data.texts[n] for n in held_out))
        training = [n for n, texts in enumerate(data.texts) if not texts & seen]
        yield np.array(training, dtype=np.intp), held_out


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
