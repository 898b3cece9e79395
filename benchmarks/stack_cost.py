"""Measure time and memory of the default classifier by the number of authors.

Pseudo-authors are consecutive parts of the texts in folders, AUTHOR/*.txt, each divided into texts
of equal length, of which all but the last are known. With ``--parted`` the texts in FOLDER/train
are known and those in FOLDER/test are questioned, undivided. Every number of authors has its own
process. Times and memory are those of this process and the processes it starts; shared memory, such
as libraries, counts in each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import compress, islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import regex
from joblib.externals.loky import get_reusable_executor

from byline.attribution import StackedAttributor, profile_attributor, save_attributor
from byline.corpus import read_corpus
from byline.errors import BylineWarning

RECALLS = 1, 10, 100
_WORD = regex.compile(r"\S+")
Labelled = tuple[list[str], list[str]]  # texts, and their authors


def main() -> None:
    """Measure each number of authors in its own process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--authors", type=int, nargs="+", default=[10, 50, 200, 1000])
    parser.add_argument("--texts", type=int, default=4, help="known texts per author")
    parser.add_argument("--words", type=int, default=500, help="words per text")
    parser.add_argument(
        "--asked", type=int, default=200, help="largest number of texts to attribute"
    )
    parser.add_argument("--parted", action="store_true", help="use train/ and test/, undivided")
    parser.add_argument("--profiles", action="store_true", help="measure --method profiles")
    parser.add_argument("--drawn", action="store_true", help="draw lines at random, for any number")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options)))
        return
    columns = ["authors", "known words", "train: wall", "CPU", "memory", "model file"]
    columns += ["attribute a text", "memory"]
    columns += [f"recall at {n}" for n in RECALLS] + ["log loss"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for n_authors in options.authors[:1] if options.parted else options.authors:
        command = [sys.executable, __file__, *map(str, options.folders), "--alone"]
        command += ["--authors", str(n_authors), "--texts", str(options.texts)]
        command += ["--words", str(options.words), "-j", str(options.jobs)]
        command += ["--asked", str(options.asked)]
        command += ["--parted"] * options.parted
        command += ["--profiles"] * options.profiles + ["--drawn"] * options.drawn
        ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(_row(json.loads(ended.stdout.splitlines()[-1])), flush=True)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Train the default on some authors, and attribute texts of each."""
    if options.parted:
        known, questioned = _parted(options.folders[0])
    else:
        [n_authors] = options.authors
        known, questioned = pseudo_authors(
            options.folders, n_authors, options.texts, options.words, drawn=options.drawn
        )
    step = max(1, len(questioned[0]) // options.asked)
    asked, owners = (own[::step][: options.asked] for own in questioned)
    started, wall = cpu_seconds(), time.perf_counter()
    make = profile_attributor if options.profiles else StackedAttributor
    stack = make(n_jobs=options.jobs)
    with PeakMemory() as training, warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # about pseudo-authors with little text
        stack.fit(*known)
        get_reusable_executor().shutdown(wait=True)  # the time of processes is known when they end
    trained, train_wall = cpu_seconds() - started, time.perf_counter() - wall
    wall = time.perf_counter()
    with PeakMemory() as attributing:
        stack.attribute(asked)
    attribute_wall = time.perf_counter() - wall
    scores = stack.score_texts(asked)
    own = np.searchsorted(stack.classes_, owners)
    true = np.take_along_axis(scores.log_odds, own[:, np.newaxis], axis=1)
    ranks = (scores.log_odds > true).sum(axis=1)
    surprise = -scores.log_probabilities()[np.arange(len(own)), own]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        save_attributor(stack, path)
        size = path.stat().st_size
    return {
        "authors": len(stack.classes_),
        "words": sum(len(_WORD.findall(text)) for text in known[0]),
        "train_cpu": trained,
        "train_wall": train_wall,
        "train_memory": training.bytes,
        "file": size,
        "attribute": attribute_wall / len(asked),
        "attribute_memory": attributing.bytes,
        "recall": [float((ranks < n).mean()) for n in RECALLS],
        "log_loss": float(surprise.mean()),
    }


class PeakMemory:
    """Measure the peak memory, in bytes, of this process and the processes it started.

    Looked at twice a second in ``/proc``, as Linux has it.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watch.join()

    def _look(self) -> None:
        ended = False
        while not ended:
            self.bytes = max(self.bytes, _resident(os.getpid()))
            ended = self._ended.wait(0.5)


def _resident(process: int) -> int:
    pages = 0
    with suppress(FileNotFoundError, ProcessLookupError):  # the process has just ended
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    children: list[str] = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            children += listed.read_text().split()
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(_resident(int(child)) for child in children)


def _parted(folder: Path) -> tuple[Labelled, Labelled]:
    """Read training texts and questioned texts."""
    known, asked = read_corpus(folder / "train"), read_corpus(folder / "test")
    return (known.texts, known.authors), (asked.texts, asked.authors)


def pseudo_authors(
    folders: list[Path], n_authors: int, n_known: int, n_words: int, *, drawn: bool = False
) -> tuple[Labelled, Labelled]:
    """Make pseudo-authors; return the known texts, and the last text of each as questioned."""
    n_texts = n_known + 1
    make = _drawn_texts if drawn else _texts
    texts = list(islice(make(folders, n_words), n_authors * n_texts))
    if len(texts) < n_authors * n_texts:
        raise SystemExit(f"the texts suffice for {len(texts) // n_texts} authors only")
    owners = [f"{number // n_texts:04}" for number in range(len(texts))]
    is_known = [number % n_texts < n_known for number in range(len(texts))]
    known = list(compress(texts, is_known)), list(compress(owners, is_known))
    return known, (texts[n_known::n_texts], owners[n_known::n_texts])


def _files(folders: list[Path]) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.glob("*/*.txt"))]


def _texts(folders: list[Path], n_words: int) -> Iterator[str]:
    """Divide all texts of the folders into texts of ``n_words``; the rest of each is left out."""
    for path in _files(folders):
        text = path.read_text(encoding="utf-8")
        starts = [word.start() for word in _WORD.finditer(text)]
        for first in range(0, len(starts) - n_words, n_words):
            yield text[starts[first] : starts[first + n_words]]


def _drawn_texts(folders: list[Path], n_words: int) -> Iterator[str]:
    """Draw texts of about ``n_words``, each from the lines of one text of the folders, for ever.

    Such texts are like real ones in their numbers of n-grams. Who wrote them cannot be found out.
    """
    rng = np.random.default_rng(0)
    lines = [path.read_text("utf-8").splitlines() for path in _files(folders)]
    while True:
        own = lines[rng.integers(len(lines))]
        drawn: list[str] = []
        n_drawn = 0
        while n_drawn < n_words:
            drawn.append(own[rng.integers(len(own))])
            n_drawn += len(_WORD.findall(drawn[-1]))
        yield "\n".join(drawn)


def cpu_seconds() -> float:
    """Return the time of this process and of those it started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _row(found: dict[str, Any]) -> str:
    return (
        f"| {found['authors']:,} | {found['words']:,} | {found['train_wall']:.0f} s "
        f"| {found['train_cpu']:.0f} s | {found['train_memory'] / 2**30:.2f} GiB "
        f"| {found['file'] / 2**20:.0f} MiB | {1000 * found['attribute']:.0f} ms "
        f"| {found['attribute_memory'] / 2**30:.2f} GiB "
        + "".join(f"| {share:.1%} " for share in found["recall"])
        + f"| {found['log_loss']:.2f} |"
    )


if __name__ == "__main__":
    main()
