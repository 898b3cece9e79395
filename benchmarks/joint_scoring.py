"""Score sentences under the models of many authors: Byline's joint index compared with KenLM.

A tenth of every text is scored. The rest is cut into chunks of consecutive sentences, one per
author. The times of both programs include the conversion of words to ids. KenLM loads ARPA files
that Byline wrote, and the scores of sentences are compared.

    python benchmarks/joint_scoring.py CORPORA/lectures16/stemmed --authors 16 64 256 1024 4096
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.lm import NgramLM
from byline.lm.arpa_format.writing import write_arpa
from byline.lm.ngrams.counts import add_sentence_boundaries
from byline.lm.ngrams.joint_index import JointNgramIndex
from byline.text import Vocabulary

Lines = list[list[str]]
LOG_10 = np.log(10)
ORDER = 4
COLUMNS = (
    *("authors", "n-grams", "distinct", "index MiB", "fit s", "build s", "score s", "M/s"),
    *("look-ups", "entries", "kenlm score s", "M/s", "ratio", "full_scores s", "ratio", "diff"),
)


def split(path: Path) -> tuple[Lines, Lines]:
    """Return nine tenths for training, and a random tenth to score."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    is_test = np.zeros(len(lines), dtype=np.bool_)
    chosen = np.random.default_rng(0).permutation(len(lines))[: round(len(lines) / 10)]
    is_test[chosen] = True
    known = [line for line, test in zip(lines, is_test, strict=True) if not test]
    return known, [line for line, test in zip(lines, is_test, strict=True) if test]


def chunks(texts: Sequence[Lines], n_authors: int) -> list[Lines]:
    """Cut all texts into the same number of chunks, in total ``n_authors``."""
    n = n_authors // len(texts)
    return [text[i * len(text) // n : (i + 1) * len(text) // n] for text in texts for i in range(n)]


def cpu_seconds(task: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the median CPU seconds of a task, and its result."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = task()
        seconds.append(time.process_time() - start)
    return median(seconds), result


def mebibytes(index: JointNgramIndex) -> float:
    """Return the size of all arrays of an index."""
    arrays: list[NDArray[Any]] = [index.tree.keys]
    for matrix in (index.weights, index.backoffs, index.shortest):
        rare = matrix.rare
        arrays += [matrix.common, matrix.common_rows, rare.data, rare.indices, rare.indptr]
    return sum(array.nbytes for array in arrays) / 2**20


def counts(index: JointNgramIndex, sentences: list[NDArray[np.int32]]) -> tuple[float, float]:
    """Return the look-ups per scored token, and the entries found per scored token."""
    stream = add_sentence_boundaries(sentences, index.tree.vocabulary_size, sentence_end=True)
    n_tokens = sum(len(sentence) + 1 for sentence in sentences)
    sizes = np.diff(index.weights.rare.indptr)
    sizes[index.weights.common_rows >= 0] = index.n_models  # common rows have a value per model
    look_ups = entries = 0
    for positions, _, nodes in index.tree.ngrams_ending_at_each(stream, index.order):
        look_ups += len(positions)
        entries += int(sizes[nodes[nodes >= 0]].sum())
    return look_ups / n_tokens, entries / n_tokens


@contextmanager
def silent() -> Iterator[None]:
    """Suppress the messages of the KenLM library on standard error."""
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        yield
    os.dup2(kept, 2)
    os.close(kept)


def kenlm_models(models: Sequence[NgramLM], words: Sequence[str]) -> list[Any]:
    """Load models into KenLM through ARPA files."""
    import kenlm

    loaded = []
    with tempfile.TemporaryDirectory() as folder, silent():
        path = str(Path(folder) / "model.arpa")
        for model in models:
            write_arpa(path, model, words)
            config = kenlm.Config()
            config.show_progress = False
            loaded.append(kenlm.Model(path, config))
    return loaded


def row(
    texts: Sequence[Lines], test: Lines, n_authors: int, n_kenlm: int, repeats: int
) -> list[str]:
    """Measure the times for one number of authors."""
    words = dict.fromkeys(chain.from_iterable(chain.from_iterable(texts)))
    vocabulary = Vocabulary(("<unk>", *words), (0,) * (len(words) + 1))
    known = [[vocabulary.encode(line) for line in chunk] for chunk in chunks(texts, n_authors)]
    fit, models = cpu_seconds(
        lambda: [NgramLM(order=ORDER).fit(text, vocabulary_size=vocabulary.size) for text in known],
        1,
    )
    build, index = cpu_seconds(lambda: JointNgramIndex.from_models(models), 1)
    score, totals = cpu_seconds(
        lambda: index.score_sentences([vocabulary.encode(line) for line in test]), repeats
    )
    n_scores = sum(len(line) + 1 for line in test) * len(models)
    look_ups, entries = counts(index, [vocabulary.encode(line) for line in test])
    cells = [
        *(f"{len(models):,}", f"{index.n_entries:,}", f"{len(index.tree.keys):,}"),
        *(f"{mebibytes(index):.0f}", f"{fit:.2f}", f"{build:.2f}"),
        *(f"{score:.3f}", f"{n_scores / score / 1e6:.1f}", f"{look_ups:.2f}", f"{entries:.1f}"),
    ]
    sample = np.unique(np.linspace(0, len(models) - 1, min(n_kenlm, len(models))).astype(int))
    return [*cells, *kenlm_cells(models, sample, vocabulary.tokens, test, totals, score, repeats)]


def kenlm_cells(
    models: Sequence[NgramLM],
    sample: NDArray[np.int_],
    words: Sequence[str],
    test: Lines,
    totals: NDArray[np.float64],
    byline_seconds: float,
    repeats: int,
) -> list[str]:
    """Measure KenLM on a sample of the models, and extrapolate to all models."""
    try:
        loaded = kenlm_models([models[i] for i in sample], words)
    except ImportError:
        return ["not installed"]
    known = set(words)
    sentences = [" ".join(w if w in known else "<unk>" for w in line) for line in test]
    factor = len(models) / len(sample)
    score, found = cpu_seconds(lambda: [[m.score(s) for s in sentences] for m in loaded], repeats)
    full, _ = cpu_seconds(
        lambda: [sum(t[0] for t in m.full_scores(s)) for m in loaded for s in sentences], 1
    )
    difference = np.abs(np.array(found).T * LOG_10 - totals[:, sample]).max()
    n_scores = sum(len(line) + 1 for line in test) * len(models)
    return [
        *(
            f"{score * factor:.3f}",
            f"{n_scores / score / factor / 1e6:.1f}",
            f"{score * factor / byline_seconds:.1f}",
        ),
        *(f"{full * factor:.3f}", f"{full * factor / byline_seconds:.1f}", f"{difference:.1e}"),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", type=Path, help="folder of *.txt, one sentence per line")
    parser.add_argument("--authors", type=int, nargs="+", default=[16, 64, 256, 1024, 4096])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--kenlm-models",
        type=int,
        default=256,
        help="number of models with which KenLM is timed; the time is extrapolated",
    )
    options = parser.parse_args()
    parts = [split(path) for path in sorted(options.texts.glob("*.txt"))]
    texts, test = [known for known, _ in parts], [line for _, lines in parts for line in lines]
    n_scored = sum(len(line) + 1 for line in test)
    print(f"{len(test):,} sentences, {n_scored:,} scored tokens; look-ups and entries per token;")
    print("ratio: CPU time of KenLM divided by that of Byline; diff: maximum per sentence, nats")
    print(" | ".join(COLUMNS))
    for n_authors in options.authors:
        print(
            " | ".join(row(texts, test, n_authors, options.kenlm_models, options.repeats)),
            flush=True,
        )


if __name__ == "__main__":
    main()
