"""Reproduce the SRI columns of Ge & Sun (2016), Table 2, with the settings of their program.

Settings: stemmed sentences without pruning; ten random splits 8:1:1 by sentence, with the shuffle
of the program; orders 1 to 4; the default smoothing of SRILM, which is Good-Turing with Katz
back-off (the paper states Kneser-Ney, but the program sets no smoothing flag). The validation part
is scored without sentence boundaries. Interpolated modified Kneser-Ney is measured on the same
splits for comparison.

    python benchmarks/sri_columns.py CORPORA/lectures16/stemmed PAPER/table2.csv
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from lectures import texts

from byline.array_types import Floats
from byline.experiments.runner.partitions import by_sentence
from byline.lm import NgramLM, Scoring
from byline.text import Vocabulary

ORDERS = (1, 2, 3, 4)


def perplexities(lines: list[list[str]], seed: int, smoothing: str) -> list[float]:
    """Return the perplexity of the validation part for each order."""
    training, validation, _ = by_sentence(len(lines), seed)
    words = dict.fromkeys(word for i in training for word in lines[i])
    vocabulary = Vocabulary(("<unk>", *words), (0,) * (len(words) + 1))
    known = [vocabulary.encode(lines[i]) for i in training]
    held_out = [vocabulary.encode(lines[i]) for i in validation]
    scoring = Scoring.like_ge_sun_2016()
    found = []
    for order in ORDERS:
        if smoothing == "good-turing":
            model = NgramLM.like_srilm(order=order)
        else:
            model = NgramLM(order=order, open_vocabulary=False)
        model.fit(known, vocabulary_size=vocabulary.size)
        found.append(model.measure([held_out], scoring).perplexity)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("table2", type=Path, help="the printed table as CSV")
    parser.add_argument("--splits", type=int, default=10)
    options = parser.parse_args()
    with options.table2.open(encoding="utf-8") as file:
        printed = {row["id"]: row for row in csv.DictReader(file)}
    for smoothing in ("good-turing", "modified-kneser-ney"):
        head = "mean (standard deviation), published value, difference, for orders 1 to 4"
        print(f"\n{smoothing}, {options.splits} splits: {head}")
        means, deviations = [], []
        for number, lines in texts(options.stemmed).items():
            rows = np.array([perplexities(lines, s, smoothing) for s in range(options.splits)])
            means.append(rows.mean(axis=0))
            deviations.append(rows.std(axis=0))
            _print_row(str(number), means[-1], deviations[-1], printed[str(number)])
        mean = np.mean(means, axis=0)
        _print_row("Avg.", mean, np.mean(deviations, axis=0), printed["Avg."])


def _print_row(course: str, means: Floats, deviations: Floats, printed: dict[str, str]) -> None:
    cells = []
    for order, mean, deviation in zip(ORDERS, means, deviations, strict=True):
        target = float(printed[f"srilm_{order}gram_mean"])
        cells.append(f"{mean:6.1f} ({deviation:4.1f}) {target:6.1f} {mean - target:+6.1f}")
    print(f"{course:>4}  " + "   ".join(cells), flush=True)


if __name__ == "__main__":
    main()
