"""Open-set cases of published corpora: the problems of PAN 2019, and random halves of CCAT50."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.experiments.benchmarks.ccat50 import CCAT50, training_texts
from byline.experiments.benchmarks.tasks import (
    read_labelled_texts,
    require_folder,
    subfolders,
    texts_by_author,
)
from byline.experiments.small_cases.division import Side, authors_on_side
from byline.experiments.small_cases.sources import BY_NONE_OF_THE_CANDIDATES as UNNAMED
from byline.experiments.small_cases.sources import read_tab_rows
from byline.formatting import join_names
from byline.typography import Normalization

PAN19, OPEN_SET = "pan19", "open-set"
PAN19_LAYOUT = (
    "problems.tsv, PROBLEM/known/CANDIDATE/*.txt, PROBLEM/unknown/*.txt and PROBLEM/truth.tsv"
)
TASKS = ("test", "late", "early", "mixed")
N_KNOWN, N_QUESTIONED = 22, 18  # texts per author, of the tasks within train/
MIN_CANDIDATES = 3


@dataclass(frozen=True, slots=True)
class OpenSetCase:
    """Known texts of candidates, and questioned texts by them and by others.

    Attributes
    ----------
    name : str
    language : str
        ISO 639 code.
    known, questioned : Corpus
    unnamed : str
        The author's name of questioned texts by unknown authors, if these have no names.
    """

    name: str
    language: str
    known: Corpus
    questioned: Corpus
    unnamed: str = ""

    def digest(self, *settings: object) -> str:
        """Identify the case and settings; another text changes the result."""
        texts = [
            [(each.author, each.path, each.text) for each in corpus]
            for corpus in (self.known, self.questioned)
        ]
        content = [self.name, self.language, self.unnamed, *settings, texts]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def read_pan19(data: Path, problems: Sequence[str] = (), side: Side = "both") -> list[OpenSetCase]:
    """Read problems of the cross-domain attribution task of PAN 2019.

    Parameters
    ----------
    data : Path
        The folder of the corpus.
    problems : sequence of str
        Only these; by default, all in the folder.
    side : {"development", "test", "both"}
        Only problems of this side of the division, unless some are named.

    Raises
    ------
    UsageError
        A problem does not exist.
    CorpusError
        The folder is not the corpus, or a problem is not complete.
    """
    require_folder(data, PAN19, PAN19_LAYOUT, "problems.tsv")
    languages = dict(row[:2] for row in read_tab_rows(data / "problems.tsv")[1:])
    present = [folder.name for folder in subfolders(data) if folder.name in languages]
    unknown = sorted(set(problems) - set(present))
    if unknown:
        raise UsageError(f"{data} has no problem {join_names(unknown)}; use {join_names(present)}")
    chosen = problems or (present if side == "both" else authors_on_side(side, PAN19, present))
    if not chosen:
        raise CorpusError(
            f"{data} has no problem that is in problems.tsv (on the side: {side}); "
            "download the corpus again"
        )
    return [_problem(data, name, languages[name]) for name in dict.fromkeys(chosen)]


def _problem(data: Path, name: str, language: str) -> OpenSetCase:
    folder = data / name
    asked = [(author, folder / "unknown" / file) for file, author in _truth(folder / "truth.tsv")]
    with warnings.catch_warnings():
        # What a user could do about his own texts does not concern the texts of a corpus.
        warnings.simplefilter("ignore", BylineWarning)
        known = read_labelled_texts(texts_by_author(folder / "known"), data)
        questioned = read_labelled_texts(asked, data)
    return _checked(OpenSetCase(name, language, known, questioned, UNNAMED), data)


def _truth(path: Path) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in read_tab_rows(path)]


def draw_ccat50(
    data: Path, task: str = "test", draws: int = 12, seed: int = 0
) -> list[OpenSetCase]:
    """Draw half of the authors of CCAT50 as candidates; the others are unknown authors.

    Parameters
    ----------
    data : Path
        The folder of the corpus.
    task : {"test", "late", "early", "mixed"}
        Test: train on the candidates' texts in train40.tsv, and question all texts of test/, which
        are later. The others use train/ only: 22 known texts per candidate, and 18 questioned texts
        per author, which are later, earlier or random.
    draws : int
        Number of draws.
    seed : int
        Seed of the first draw; each further one has the next number.

    Raises
    ------
    UsageError
        There is no such task.
    CorpusError
        The folder is not the corpus.
    """
    if task not in TASKS:
        raise UsageError(f"{OPEN_SET} has no task {task}; use {', '.join(TASKS)}")
    if task == "test":
        [loaded] = CCAT50.load(data, ("test",), seed)
        [fold] = loaded.folds
        known, questioned = fold.known, fold.questioned
    else:
        known = questioned = training_texts(data)
    return [_draw(data, known, questioned, task, seed + number) for number in range(draws)]


def _draw(data: Path, known: Corpus, questioned: Corpus, task: str, seed: int) -> OpenSetCase:
    names = known.candidates
    candidates = set(np.random.default_rng(seed).permutation(names)[: len(names) // 2].tolist())
    if task != "test":
        own = {author: _in_order(known, author, task, seed) for author in names}
        first = [text for author in names for text in own[author][:N_KNOWN]]
        questioned = Corpus([t for name in names for t in own[name][-N_QUESTIONED:]], known.name)
        known = Corpus(first, known.name)
    chosen = [place for place, author in enumerate(known.authors) if author in candidates]
    return _checked(OpenSetCase(f"{task} {seed}", "en", known.select(chosen), questioned), data)


def _in_order(texts: Corpus, author: str, task: str, seed: int) -> list[Document]:
    """Sort an author's texts by time, or shuffle them for ``mixed``."""
    own = [text for text in texts if text.author == author]
    by_time = sorted(own, key=lambda text: int(Path(text.path).stem))
    if task == "mixed":
        return [by_time[i] for i in np.random.default_rng(seed).permutation(len(by_time))]
    return by_time if task == "late" else by_time[::-1]


def _checked(case: OpenSetCase, data: Path) -> OpenSetCase:
    """Return a case with normalised texts, after a check of its authors."""
    candidates, asked = set(case.known.candidates), set(case.questioned.authors)
    if len(candidates) < MIN_CANDIDATES or not asked & candidates or asked <= candidates:
        raise CorpusError(
            f"{data}, {case.name}: open-set attribution needs {MIN_CANDIDATES} candidates, "
            "questioned texts by candidates, and questioned texts by others; download the corpus "
            "again"
        )
    apply = Normalization.parse("edition").apply
    return OpenSetCase(
        case.name,
        case.language,
        case.known.map_texts(apply),
        case.questioned.map_texts(apply),
        case.unnamed,
    )
