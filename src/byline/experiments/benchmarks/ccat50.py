"""ccat50: 50 Reuters journalists, with 50 training texts and 50 later test texts each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from byline.corpus import Corpus
from byline.corpus.decoding import decode, read_bytes
from byline.errors import CorpusError
from byline.experiments.benchmarks.tasks import (
    Benchmark,
    NamedFold,
    Task,
    read_labelled_texts,
    require_folder,
    texts_by_author,
)

NAME = "ccat50"
LAYOUT = "train/AUTHOR/NUMBER.txt, test/AUTHOR/NUMBER.txt and train40.tsv"
LISTED = "train40.tsv"
# About a quarter of an author's 50 texts; 38 are left for training, nearly the 40 of the protocol.
HELD_OUT_SHARE = 12 / 50


def _test(data: Path, seed: int) -> Task:
    known, _ = _listed_and_left_out(data)
    questioned = read_labelled_texts(texts_by_author(data / "test"), data)
    return Task(
        name="test",
        protocol="Trained on the 40 texts per author in train40.tsv and tested on all texts in "
        "test/, which are later. No setting was chosen on the test texts.",
        folds=(NamedFold(known, questioned, "test"),),
        full_size=2500,
    )


def _validation(data: Path, seed: int) -> Task:
    known, left_out = _listed_and_left_out(data)
    return Task(
        name="validation",
        protocol="Trained on the 40 texts per author in train40.tsv and tested on the other 10 in "
        "train/, which are from the same weeks and partly on the same stories. test/ was not used.",
        folds=(NamedFold(known, left_out, "validation"),),
        full_size=500,
    )


def _by_time(name: str, *, last: bool) -> Callable[[Path, int], Task]:
    def load(data: Path, seed: int) -> Task:
        texts = training_texts(data)
        held_out = _at_an_end_of_time(texts, last=last)
        known = [index for index in range(len(texts)) if index not in held_out]
        return Task(
            name=name,
            protocol=f"Tested on the {'last' if last else 'first'} 12 of each author's 50 texts "
            "in train/, in the order of the Reuters item number, which increases with time, and "
            "trained on the other 38. test/ was not used.",
            folds=(NamedFold(texts.select(known), texts.select(sorted(held_out)), name),),
            full_size=600,
        )

    return load


def _at_an_end_of_time(texts: Corpus, *, last: bool) -> set[int]:
    """Return the indices of each author's first or last texts."""
    chosen: set[int] = set()
    for author in texts.candidates:
        own = [index for index, document in enumerate(texts) if document.author == author]
        own.sort(key=lambda index: _item_number(texts[index].path), reverse=last)
        chosen.update(own[: max(1, round(HELD_OUT_SHARE * len(own)))])
    return chosen


def _item_number(path: str) -> int:
    stem = Path(path).stem
    if not stem.isdecimal():
        raise CorpusError(
            f"{path} of {NAME} has no Reuters item number as its name, which gives the order of "
            "the texts in time; download the corpus again"
        )
    return int(stem)


def training_texts(data: Path) -> Corpus:
    """Read all texts in train/, with their authors.

    Raises
    ------
    CorpusError
        The folder is not the corpus.
    """
    require_folder(data, NAME, LAYOUT, "train", "test", LISTED)
    return read_labelled_texts(texts_by_author(data / "train"), data)


def _listed_and_left_out(data: Path) -> tuple[Corpus, Corpus]:
    """Divide the training texts into those that train40.tsv lists and the others."""
    texts = training_texts(data)
    listed = set(_paths_listed(data / LISTED))
    missing = sorted(listed - set(texts.paths))
    if missing:
        raise CorpusError(
            f"{data / LISTED} lists {len(missing)} texts that do not exist, the first is "
            f"{missing[0]}; download the corpus again"
        )
    inside = [index for index, path in enumerate(texts.paths) if path in listed]
    outside = [index for index, path in enumerate(texts.paths) if path not in listed]
    if not inside or not outside:
        raise CorpusError(
            f"{data / LISTED} lists {len(inside)} of {len(texts)} texts in train/, but both listed "
            "and other texts are required; download the corpus again"
        )
    return texts.select(inside), texts.select(outside)


def _paths_listed(listing: Path) -> list[str]:
    """Return the paths in the lines AUTHOR, tab, FILE."""
    paths = []
    content = decode(read_bytes(listing, str(listing)), str(listing)).text
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            author, tab, file = line.partition("\t")
            if not tab:
                raise CorpusError(
                    f"{listing}, line {number}: the line is not AUTHOR, tab, FILE: {line!r}; "
                    "download the corpus again"
                )
            paths.append(f"train/{author.strip()}/{file.strip()}")
    return paths


CCAT50 = Benchmark(
    NAME,
    {
        "test": _test,
        "validation": _validation,
        "validation-late": _by_time("validation-late", last=True),
        "validation-early": _by_time("validation-early", last=False),
    },
    default_tasks=("test",),
)
