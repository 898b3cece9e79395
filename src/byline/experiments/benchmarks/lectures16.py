"""lectures16: the transcripts of Ge & Sun (2016), by their split of sentences and by lecture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from byline.corpus import Corpus, Document, read_text
from byline.errors import CorpusError
from byline.experiments.benchmarks.folder import (
    by_author,
    read_documents,
    require_folder,
    text_files,
)
from byline.experiments.benchmarks.tasks import Benchmark, NamedFold, Task, join_consecutive_texts
from byline.experiments.runner.partitions import by_sentence
from byline.experiments.splits import split

NAME = "lectures16"
STEMMED = "stemmed/course-NN.txt, one tokenised sentence a line"
RAW = "raw/course-NN/lecture-NNN.txt"
# One instructor gave both: they are candidates, and are not asked about.
ONE_INSTRUCTOR = ("course-07", "course-16")
LENGTHS = (1, 3, 5, 10)
# Known sentences in a document: over single ones a kernel would not fit into memory.
KNOWN_LENGTH = 20
N_FOLDS = 5
N_SPLIT = 10  # a tenth tests, a tenth validates


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
        protocol=f"The paper's split 8:1:1 of every course's sentences (seed {seed}), as its "
        f"authors' program shuffles them; known ones are joined to documents of {KNOWN_LENGTH}; "
        "test sentences of all courses but 7 and 16, which are candidates of one instructor, are "
        "asked about alone and joined in the order drawn; nothing was chosen on them. The "
        "validation part of all courses, alone and joined likewise, weighs the members of a stack; "
        "no other classifier reads it, but the settings of the mixtures were chosen on it.",
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
    """Sentences alone and joined, as they are asked about."""
    alone = Corpus(sentences, NAME)
    return Corpus(chain(*(join_consecutive_texts(alone, length) for length in LENGTHS)), NAME)


def _joined(sentences: Sequence[Document]) -> list[Document]:
    """Join known sentences to documents, in the order drawn; the last may be shorter."""
    runs = (
        sentences[start : start + KNOWN_LENGTH] for start in range(0, len(sentences), KNOWN_LENGTH)
    )
    return [
        replace(
            run[0],
            text="\n".join(sentence.text for sentence in run),
            path=f"{run[0].path}, and {len(run) - 1} more",
        )
        for run in runs
    ]


def _sentences_of(path: Path, data: Path) -> list[Document]:
    place = path.relative_to(data).as_posix()
    lines = [line for line in read_text(path).split("\n") if line.strip()]
    if len(lines) < N_SPLIT:
        raise CorpusError(
            f"{path} has {len(lines)} sentences; {N_SPLIT} or more are needed to be split 8:1:1"
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
        protocol=f"A fifth of every course's lectures was held out, in turn (seed {seed}), and "
        "learnt from the others; courses 7 and 16 are one instructor and are asked about too; "
        "nothing was chosen on the held-out lectures.",
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
        raise CorpusError(f"{data / 'raw'} has no {', '.join(missing)}; fetch the corpus again")
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
        protocol="Learnt from all courses but 16, asked about the lectures of course 16; right is "
        "course 7, of the same instructor on another subject; nothing was chosen on them.",
        folds=(NamedFold(known, questioned, own),),
        full_size=44,
    )


def _read_lectures(data: Path) -> Corpus:
    [folder] = require_folder(data, NAME, RAW, "raw")
    return read_documents(by_author(folder), data, empty="skip")


LECTURES16 = Benchmark(
    NAME,
    {"sentences": _sentences, "lectures": _lectures, "same-instructor": _same_instructor},
    usual=("sentences", "lectures", "same-instructor"),
)
