"""What it costs to tell many authors apart: time and memory of the default, and how they grow.

Pseudo-authors are consecutive parts of the texts of a folder, AUTHOR/*.txt, each cut into texts of
equal length, of which all but the last one are known. Every number of authors has a process of its
own, so that the memory is its own; times are of that process and of those it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import regex
from joblib.externals.loky import get_reusable_executor

from byline.attribution import StackedAttributor, save_attributor
from byline.errors import BylineWarning

_WORD = regex.compile(r"\S+")


def main() -> None:
    """Measure each number of authors in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--authors", type=int, nargs="+", default=[10, 50, 200, 1000])
    parser.add_argument("--texts", type=int, default=4, help="known texts an author")
    parser.add_argument("--words", type=int, default=500, help="words of a text")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options)))
        return
    columns = ["authors", "known words", "train: wall", "CPU", "memory", "model file"]
    columns += ["attribute a text", "right"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for n_authors in options.authors:
        command = [sys.executable, __file__, str(options.folder), "--alone"]
        command += ["--authors", str(n_authors), "--texts", str(options.texts)]
        command += ["--words", str(options.words), "-j", str(options.jobs)]
        ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(_row(json.loads(ended.stdout.splitlines()[-1])), flush=True)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Train the default on some authors, and attribute a text of each."""
    [n_authors] = options.authors
    texts = list(islice(_texts(options.folder, options.words), n_authors * (options.texts + 1)))
    owners = [f"{number // (options.texts + 1):04}" for number in range(len(texts))]
    if len(set(owners)) < n_authors:
        raise SystemExit(f"{options.folder} has text for {len(set(owners)) - 1} authors only")
    is_asked = [number % (options.texts + 1) == options.texts for number in range(len(texts))]
    known = [place for place, asked in enumerate(is_asked) if not asked]
    asked = [place for place, asked in enumerate(is_asked) if asked]
    started, wall = _cpu(), time.perf_counter()
    stack = StackedAttributor(n_jobs=options.jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # pseudo-authors are small
        stack.fit([texts[place] for place in known], [owners[place] for place in known])
    get_reusable_executor().shutdown(wait=True)  # what processes took is told at their end
    trained, train_wall = _cpu() - started, time.perf_counter() - wall
    memory = _memory()
    wall = time.perf_counter()
    named = stack.predict([texts[place] for place in asked])
    attribute_wall = time.perf_counter() - wall
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        save_attributor(stack, path)
        size = path.stat().st_size
    return {
        "authors": n_authors,
        "words": options.words * len(known),
        "train_cpu": trained,
        "train_wall": train_wall,
        "memory": memory,
        "file": size,
        "attribute": attribute_wall / len(asked),
        "right": float((named == [owners[place] for place in asked]).mean()),
    }


def _texts(folder: Path, n_words: int) -> Any:
    """Cut all texts of a folder into texts of ``n_words``; the rest of each is left out."""
    for path in sorted(folder.glob("*/*.txt")):
        text = path.read_text(encoding="utf-8")
        starts = [word.start() for word in _WORD.finditer(text)]
        for first in range(0, len(starts) - n_words, n_words):
            yield text[starts[first] : starts[first + n_words]]


def _cpu() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _memory() -> int:
    """Return the most bytes that this process had, and the largest of those it started."""
    own, others = (
        resource.getrusage(whose).ru_maxrss
        for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return 1024 * (own + others)


def _row(found: dict[str, Any]) -> str:
    return (
        f"| {found['authors']:,} | {found['words']:,} | {found['train_wall']:.0f} s "
        f"| {found['train_cpu']:.0f} s | {found['memory'] / 2**30:.2f} GiB "
        f"| {found['file'] / 2**20:.0f} MiB | {1000 * found['attribute']:.0f} ms "
        f"| {found['right']:.1%} |"
    )


if __name__ == "__main__":
    main()
