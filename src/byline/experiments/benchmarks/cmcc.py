"""cmcc: the same people on the same topics in the same genres, so that each can be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from byline.corpus import Corpus
from byline.errors import CorpusError
from byline.experiments.benchmarks.folder import (
    by_author,
    read_documents,
    require_folder,
    subfolders,
)
from byline.experiments.benchmarks.tasks import Benchmark, NamedFold, Task

NAME = "cmcc"
LAYOUT = "GENRE/AUTHOR/TOPIC.txt"


def _leaving_out(what: str, place: int) -> Callable[[Path, int], Task]:
    """Make the task that leaves out each value of one part of the paths GENRE/AUTHOR/TOPIC."""

    def load(data: Path, seed: int) -> Task:
        texts = _read(data)
        values = [Path(path).with_suffix("").parts[place] for path in texts.paths]
        if len(set(values)) < 2:
            raise CorpusError(
                f"{data}: all texts are of one {what}, {values[0]}; {NAME} has six, "
                f"laid out as {LAYOUT}"
            )
        # What is held out to choose weights within the known texts is another topic or genre too.
        as_works = Corpus(
            (replace(text, work=value) for text, value in zip(texts, values, strict=True)),
            texts.name,
        )
        return Task(
            name=what,
            protocol=f"All texts of one {what} were held out, in turn, and learnt from those of "
            f"all other {what}s; nothing was chosen on the held-out texts.",
            folds=tuple(_fold(as_works, values, value, what) for value in sorted(set(values))),
            full_size=756,
        )

    return load


def _fold(texts: Corpus, values: Sequence[str], value: str, what: str) -> NamedFold:
    known = [index for index, other in enumerate(values) if other != value]
    questioned = [index for index, other in enumerate(values) if other == value]
    return NamedFold(texts.select(known), texts.select(questioned), f"{what} {value}")


def _read(data: Path) -> Corpus:
    require_folder(data, NAME, LAYOUT)
    return read_documents(
        [file for genre in subfolders(data) for file in by_author(genre)],
        data,
    )


CMCC = Benchmark(
    NAME,
    {"topic": _leaving_out("topic", 2), "genre": _leaving_out("genre", 0)},
    usual=("topic", "genre"),
)
