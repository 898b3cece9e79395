"""cmcc: texts by the same people on the same topics in the same genres, for cross-topic tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from byline.corpus import Corpus
from byline.errors import CorpusError
from byline.experiments.benchmarks.tasks import (
    Benchmark,
    NamedFold,
    Task,
    read_labelled_texts,
    require_folder,
    subfolders,
    texts_by_author,
)

NAME = "cmcc"
LAYOUT = "GENRE/AUTHOR/TOPIC.txt"


def _leaving_out(what: str, place: int) -> Callable[[Path, int], Task]:
    """Make the task that holds out each topic or genre in turn, by the paths GENRE/AUTHOR/TOPIC."""

    def load(data: Path, seed: int) -> Task:
        texts = _read(data)
        values = [Path(path).with_suffix("").parts[place] for path in texts.paths]
        if len(set(values)) < 2:
            raise CorpusError(
                f"{data}: all texts have the same {what}, {values[0]}, but {NAME} has six. "
                f"The layout of the corpus is {LAYOUT}"
            )
        # Texts that are held out to estimate weights then have another topic or genre too.
        as_works = Corpus(
            (replace(text, work=value) for text, value in zip(texts, values, strict=True)),
            texts.name,
        )
        return Task(
            name=what,
            protocol=f"All texts of one {what} were held out in turn, and the texts of all other "
            f"{what}s were the training texts. No setting was chosen on the held-out texts.",
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
    return read_labelled_texts(
        [file for genre in subfolders(data) for file in texts_by_author(genre)],
        data,
    )


CMCC = Benchmark(
    NAME,
    {"topic": _leaving_out("topic", 2), "genre": _leaving_out("genre", 0)},
    default_tasks=("topic", "genre"),
)
