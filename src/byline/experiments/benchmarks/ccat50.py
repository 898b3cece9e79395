"""ccat50: 50 Reuters journalists, 50 texts each to learn from and 50 later ones to attribute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from byline.corpus import Corpus
from byline.corpus.decoding import decode, read_bytes
from byline.errors import CorpusError
from byline.experiments.benchmarks.folder import by_author, read_documents, require_folder
from byline.experiments.benchmarks.tasks import Benchmark, NamedFold, Task

NAME = "ccat50"
LAYOUT = "train/AUTHOR/NUMBER.txt, test/AUTHOR/NUMBER.txt and train40.tsv"
LISTED = "train40.tsv"
# Of an author's 50 texts about a quarter: 38 are left, nearly the 40 of the protocol.
HELD_OUT_SHARE = 12 / 50


def _test(data: Path, seed: int) -> Task:
    known, _ = _listed_and_left_out(data)
    questioned = read_documents(by_author(data / "test"), data)
    return Task(
        name="test",
        protocol="Learnt from the 40 texts an author of train40.tsv, tested on all texts under "
        "test/, which are of a later time; nothing was chosen on the test texts.",
        folds=(NamedFold(known, questioned, "test"),),
        full_size=2500,
    )


def _validation(data: Path, seed: int) -> Task:
    known, left_out = _listed_and_left_out(data)
    return Task(
        name="validation",
        protocol="Learnt from the 40 texts an author of train40.tsv, tested on the other 10 under "
        "train/, which share stories and weeks with them; test/ was not read.",
        folds=(NamedFold(known, left_out, "validation"),),
        full_size=500,
    )


def _by_time(name: str, *, last: bool) -> Callable[[Path, int], Task]:
    def load(data: Path, seed: int) -> Task:
        texts = _training_texts(data)
        held_out = _at_an_end_of_time(texts, last=last)
        known = [index for index in range(len(texts)) if index not in held_out]
        return Task(
            name=name,
            protocol=f"Tested on the {'last' if last else 'first'} 12 of each author's 50 texts "
            "under train/, by the Reuters item number, which rises with time, and learnt from the "
            "other 38; test/ was not read.",
            folds=(NamedFold(texts.select(known), texts.select(sorted(held_out)), name),),
            full_size=600,
        )

    return load


def _at_an_end_of_time(texts: Corpus, *, last: bool) -> set[int]:
    """Find the texts at one end of each author's time."""
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
            f"{path} of {NAME} is not named by a Reuters item number, by which texts are put in "
            "order of time; fetch the corpus again"
        )
    return int(stem)


def _training_texts(data: Path) -> Corpus:
    require_folder(data, NAME, LAYOUT, "train", "test", LISTED)
    return read_documents(by_author(data / "train"), data)


def _listed_and_left_out(data: Path) -> tuple[Corpus, Corpus]:
    """Part the training texts by whether train40.tsv lists them."""
    texts = _training_texts(data)
    listed = set(_paths_listed(data / LISTED))
    missing = sorted(listed - set(texts.paths))
    if missing:
        raise CorpusError(
            f"{data / LISTED} lists {len(missing)} texts that are not there, {missing[0]} first; "
            "fetch the corpus again"
        )
    inside = [index for index, path in enumerate(texts.paths) if path in listed]
    outside = [index for index, path in enumerate(texts.paths) if path not in listed]
    if not inside or not outside:
        raise CorpusError(
            f"{data / LISTED} lists {len(inside)} of {len(texts)} texts under train; "
            "some to learn from and some to validate on are needed"
        )
    return texts.select(inside), texts.select(outside)


def _paths_listed(listing: Path) -> list[str]:
    """Paths of the lines AUTHOR, tab, FILE."""
    paths = []
    content = decode(read_bytes(listing, str(listing)), str(listing)).text
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            author, tab, file = line.partition("\t")
            if not tab:
                raise CorpusError(f"{listing}, line {number}: not AUTHOR, tab, FILE: {line!r}")
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
    usual=("test",),
)
