"""Measure the time of `byline explore` for 100 novels, and of `byline rolling` for a long book.

The limit is the time of a short program that reads the same files and counts their words: no tool
can be faster than this without another way of counting. Novels of about 100,000 words are cut from
a folder of novels; where it has fewer than needed, the lines are used again in another order. The
long book has one million words.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

N_NOVELS, NOVEL_WORDS, BOOK_WORDS = 100, 100_000, 1_000_000
COUNTING = """
import re, sys
from collections import Counter
from pathlib import Path
for path in Path(sys.argv[1]).rglob("*.txt"):
    Counter(re.findall(r"[^\\W\\d_]+", path.read_text(encoding="utf-8").lower()))
"""


def main() -> None:
    """Write the novels and the book, run the commands, and print times and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="novels: AUTHOR/Title.txt")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes of `rolling`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        novels, book, known = root / "novels", root / "book" / "book.txt", root / "known"
        for number, (author, text) in enumerate(islice(_pieces(options.folder), N_NOVELS)):
            _write(novels / author / f"{number}.txt", text)
        _write(book, _book(options.folder))
        n_known: Counter[str] = Counter()
        for author, text in islice(_pieces(options.folder, 8_000), 400):
            n_known[author] += 1
            if n_known[author] <= 4:
                _write(known / author / f"{n_known[author]}.txt", text)
        byline = [sys.executable, "-m", "byline"]
        model = str(root / "known.byline")
        _seconds([*byline, "train", str(known), "-o", model])
        report = ["--report", str(root / "report.html")]
        jobs = ["-j", str(options.jobs)]
        for folder, title, command in (
            (novels, "explore, 100 novels", [*byline, "explore", str(novels), *report]),
            (book.parent, "rolling, 1 M words", [*byline, "rolling", model, str(book), *jobs]),
        ):
            limit, _ = _seconds([sys.executable, "-c", COUNTING, str(folder)])
            wall, cpu = _seconds(command)
            print(f"{title}: {wall:.1f} s, {cpu:.1f} s of CPU time; {wall / limit:.1f} x counting")


def _pieces(folder: Path, n_words: int = NOVEL_WORDS) -> Iterator[tuple[str, str]]:
    """Yield authors and parts of their novels, again and again with lines in another order."""
    for turn in count():
        for path in sorted(folder.glob("*/*.txt")):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            if turn:
                random.Random(f"{turn} {path.name}").shuffle(lines)  # noqa: S311
            piece: list[str] = []
            size = 0
            for line in lines:
                piece.append(line)
                size += len(line.split())
                if size >= n_words:
                    yield path.parent.name, "".join(piece)
                    piece, size = [], 0


def _book(folder: Path) -> str:
    """Return novels of the folder, joined until there are a million words."""
    text = ""
    for path in sorted(folder.glob("*/*.txt")):
        text += path.read_text(encoding="utf-8") + "\n\n"
        if len(text.split()) >= BOOK_WORDS:
            break
    return text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _seconds(command: Sequence[str]) -> tuple[float, float]:
    """Return the wall time and the CPU time of a command, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
