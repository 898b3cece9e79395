"""federalist: 51 essays by Hamilton and 14 by Madison, and the 12 that both claimed."""

from __future__ import annotations

from pathlib import Path

from byline.corpus import Corpus
from byline.experiments.benchmarks.tasks import (
    Benchmark,
    NamedFold,
    Task,
    read_labelled_texts,
    require_folder,
    text_files,
)

NAME = "federalist"
LAYOUT = "known/Hamilton/*.txt, known/Madison/*.txt and disputed/DISPUTED/*.txt"
AUTHORS = ("Hamilton", "Madison")


def _leave_one_out(data: Path, seed: int) -> Task:
    known = _known(data)
    return Task(
        name="leave-one-out",
        protocol="Each essay of undisputed authorship was held out in turn, and all others were "
        "the training texts. No setting was chosen on the essays.",
        folds=tuple(_without(known, index) for index in range(len(known))),
        full_size=65,
    )


def _without(known: Corpus, index: int) -> NamedFold:
    others = [other for other in range(len(known)) if other != index]
    name = f"essay {Path(known[index].path).stem}"
    return NamedFold(known.select(others), known.select([index]), name)


def _disputed(data: Path, seed: int) -> Task:
    known = _known(data)
    [folder] = require_folder(data, NAME, LAYOUT, "disputed/DISPUTED")
    questioned = read_labelled_texts([("Madison", path) for path in text_files(folder)], data)
    return Task(
        name="disputed",
        protocol="Trained on the essays of undisputed authorship and tested on the disputed ones. "
        "The correct answer is Madison, to whom historians attribute all of them (Mosteller & "
        "Wallace 1963).",
        folds=(NamedFold(known, questioned, "disputed"),),
        full_size=12,
    )


def _known(data: Path) -> Corpus:
    folders = require_folder(data, NAME, LAYOUT, *(f"known/{author}" for author in AUTHORS))
    return read_labelled_texts(
        [(folder.name, path) for folder in folders for path in text_files(folder)], data
    )


FEDERALIST = Benchmark(
    NAME,
    {"leave-one-out": _leave_one_out, "disputed": _disputed},
    default_tasks=("leave-one-out", "disputed"),
)
