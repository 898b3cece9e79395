"""Measure time and memory of training n-gram models: Byline compared with nltk.lm and lambdag.

Each measurement runs in a separate process. It consists of the CPU seconds for reading the
tokenised text and for training, and of the peak memory after reading and after training.

    python benchmarks/training.py CORPORA/lectures16/stemmed
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any


def lines(paths: list[Path]) -> Iterator[list[str]]:
    """Yield the sentences of all files, as tokens."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield line.split()


def byline(paths: list[Path], order: int) -> tuple[Any, Callable[[], Any]]:
    """Train a complete model with modified Kneser-Ney."""
    import numpy as np

    from byline.lm import NgramLM

    warnings.simplefilter("ignore")
    words = {"<unk>": 0}
    text = [
        np.array([words.setdefault(word, len(words)) for word in line], dtype=np.int32)
        for line in lines(paths)
    ]
    return text, lambda: NgramLM(order=order).fit(text, vocabulary_size=len(words))


def nltk(paths: list[Path], order: int) -> tuple[Any, Callable[[], Any]]:
    """Count only, because nltk computes the smoothing when a score is requested."""
    lm, preprocessing = import_module("nltk.lm"), import_module("nltk.lm.preprocessing")
    text = list(lines(paths))
    return text, lambda: lm.KneserNeyInterpolated(order).fit(
        *preprocessing.padded_everygram_pipeline(order, text)
    )


def lambdag(paths: list[Path], order: int) -> tuple[Any, Callable[[], Any]]:
    """Count only, like nltk."""
    kneser_ney = import_module("lambdag.language_models.kneser_ney")
    model, text = kneser_ney.KneserNeyLanguageModel(order), list(lines(paths))

    def train() -> Any:
        for sentence in text:
            model.fit(sentence)

    return text, train


TRAINERS = {"byline": byline, "nltk": nltk, "lambdag": lambdag}


def peak() -> float:
    """Return the peak memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(name: str, paths: list[Path], order: int) -> None:
    """Train once, and print times and memory as JSON."""
    try:
        text, train = TRAINERS[name](paths, order)
    except ImportError:
        print(json.dumps(None))
        return
    read_seconds, read_peak = time.process_time(), peak()
    model = train()
    seconds = time.process_time() - read_seconds
    print(json.dumps([read_seconds, seconds, read_peak, peak()]))
    del text, model


def run(python: str, name: str, paths: list[Path], order: int) -> list[float] | None:
    """Measure in a separate process."""
    command = [python, __file__, *map(str, paths), "--order", str(order), "--measure", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[float] | None = json.loads(done.stdout)
    return found


def main() -> None:
    """Print the table, or measure one trainer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "texts", type=Path, nargs="+", help="folder of *.txt, one sentence per line"
    )
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument(
        "--repeats", type=int, default=5, help="repetitions with Byline; the others run once"
    )
    parser.add_argument(
        "--other-python",
        default=sys.executable,
        help="Python with the other packages",
    )
    parser.add_argument("--measure", choices=TRAINERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.texts, options.order)
        return
    files = [path for folder in options.texts for path in sorted(folder.glob("*.txt"))]
    print(f"order {options.order}; CPU seconds and MiB of the whole process, imports included")
    print("text | trainer | read s | train s | total s | MiB after reading | peak MiB")
    for title, paths in ((files[0].stem, files[:1]), (f"all {len(files)}", files)):
        for name in TRAINERS:
            python, repeats = options.other_python, 1
            if name == "byline":
                python, repeats = sys.executable, options.repeats
            found = [run(python, name, paths, options.order) for _ in range(repeats)]
            runs = [each for each in found if each is not None]
            if not runs:
                print(f"{title} | {name} | not installed; skipped", flush=True)
                continue
            read, train, read_peak, end_peak = (
                median(column) for column in zip(*runs, strict=True)
            )
            print(
                f"{title} | {name} | {read:.2f} | {train:.2f} | {read + train:.2f} | "
                f"{read_peak:.0f} | {end_peak:.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
