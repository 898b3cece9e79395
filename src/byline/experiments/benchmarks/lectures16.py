"""lectures16: the transcripts of Ge & Sun (2016), by sentence or by lecture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from byline.corpus import Corpus, Document, read_text
from byline.errors import CorpusError
from byline.experiments.benchmarks.tasks import (
    Benchmark,
    NamedFold,
    Task,
    join_consecutive_texts,
    read_labelled_texts,
    require_folder,
    text_files,
    texts_by_author,
)
from byline.experiments.runner.partitions import by_sentence
from byline.experiments.splits import split

NAME = "lectures16"
STEMMED = "stemmed/course-NN.txt, one tokenised sentence per line"
RAW = "raw/course-NN/lecture-NNN.txt"
# Two courses of one instructor: they are candidates, but their sentences are not questioned.
ONE_INSTRUCTOR = ("course-07", "course-16")
LENGTHS = (1, 3, 5, 10)
# Number of known sentences per document; the kernel of single sentences would not fit into memory.
KNOWN_LENGTH = 20
N_FOLDS = 5
N_SPLIT = 10  # one tenth is the test part, one tenth the validation part


def _sentences(data: Path, seed: int) -> Task:
    [folder] = require_folder(data, NAME, STEMMED, "stemmed")
    known: list[Document] = []
    validation: list[Document] = []
    questioned: list[Document] = []
    for path in text_files(folder):
        own = _sentences_of(path, data)
        training, validating, test = by_sentence(len(own), seed)
        known += _joined([own[index] for index in training])
        validation += [own[index] for index in validating]
        if path.stem not in ONE_INSTRUCTOR:
            questioned += [own[index] for index in test]
    return Task(
        name="sentences",
        protocol=f"The paper's split 8:1:1 of every course's sentences (seed {seed}), with the "
        f"shuffle of its authors' program. Training sentences are joined to documents of "
        f"{KNOWN_LENGTH}. The questioned texts are test sentences, single and joined in the order "
        "drawn, of all courses except 7 and 16, which are candidates by one instructor. No setting "
        "was chosen on them. Stacks estimate their weights on the validation part of all courses, "
        "single and joined. The settings of the mixtures were chosen on the validation part, too.",
        folds=(
            NamedFold(
                Corpus(known, NAME), Corpus(questioned, NAME), "test", _of_all_lengths(validation)
            ),
        ),
        full_size=11662,
        lengths=LENGTHS,
        form="tokenised",
        held_out="sentence",
    )


def _of_all_lengths(sentences: Sequence[Document]) -> Corpus:
    """Return single and joined sentences, in the same lengths as the questioned texts."""
    single = Corpus(sentences, NAME)
    return Corpus(chain(*(join_consecutive_texts(single, length) for length in LENGTHS)), NAME)


def _joined(sentences: Sequence[Document]) -> list[Document]:
    """Join training sentences to documents, in the order drawn; the last may be shorter."""
    groups = (
        sentences[start : start + KNOWN_LENGTH] for start in range(0, len(sentences), KNOWN_LENGTH)
    )
    return [
        replace(
            group[0],
            text="\n".join(sentence.text for sentence in group),
            path=f"{group[0].path}, and {len(group) - 1} more",
        )
        for group in groups
    ]


def _sentences_of(path: Path, data: Path) -> list[Document]:
    place = path.relative_to(data).as_posix()
    lines = [line for line in read_text(path).split("\n") if line.strip()]
    if len(lines) < N_SPLIT:
        raise CorpusError(
            f"{path} has {len(lines)} sentences, but a split 8:1:1 requires {N_SPLIT} or more; "
            "download the corpus again"
        )
    return [
        Document(path.stem, line, f"{place}, sentence {number}", place)
        for number, line in enumerate(lines, start=1)
    ]


def _lectures(data: Path, seed: int) -> Task:
    texts = _read_lectures(data)
    folds = split(texts, "document", N_FOLDS, random_state=seed)
    return Task(
        name="lectures",
        protocol=f"One fifth of every course's lectures was held out in turn (seed {seed}), and "
        "the others were the training texts. Courses 7 and 16, which have one instructor, are "
        "questioned too. No setting was chosen on the held-out lectures.",
        folds=tuple(
            NamedFold(fold.known, fold.questioned, f"fold {number}")
            for number, fold in enumerate(folds, start=1)
        ),
        full_size=1296,
    )


def _same_instructor(data: Path, seed: int) -> Task:
    texts = _read_lectures(data)
    sought, own = ONE_INSTRUCTOR
    missing = [course for course in ONE_INSTRUCTOR if course not in texts.candidates]
    if missing:
        raise CorpusError(f"{data / 'raw'} has no {', '.join(missing)}; download the corpus again")
    known = Corpus([document for document in texts if document.author != own], NAME)
    questioned = Corpus(
        [
            Document(sought, document.text, document.path)
            for document in texts
            if document.author == own
        ],
        NAME,
    )
    return Task(
        name="same-instructor",
        protocol="Trained on all courses except 16 and tested on the lectures of course 16. The "
        "correct answer is course 7, by the same instructor on another subject. No setting was "
        "chosen on the lectures.",
        folds=(NamedFold(known, questioned, own),),
        full_size=44,
    )


def _read_lectures(data: Path) -> Corpus:
    [folder] = require_folder(data, NAME, RAW, "raw")
    return read_labelled_texts(texts_by_author(folder), data, empty="skip")


LECTURES16 = Benchmark(
    NAME,
    {"sentences": _sentences, "lectures": _lectures, "same-instructor": _same_instructor},
    default_tasks=("sentences", "lectures", "same-instructor"),
)
