"""Prepare the courses of Ge & Sun (2016) for the benchmarks: prune, split, and encode them.

`CORPORA/lectures16/stemmed` contains one text per course, with one stemmed sentence per line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from byline.experiments.runner.partitions import by_sentence
from byline.text import Vocabulary

Sentences = list[NDArray[np.int32]]


@dataclass(frozen=True)
class Course:
    """One course: its number, the parts of one split, and the size of its vocabulary."""

    number: int
    training: Sentences
    validation: Sentences
    test: Sentences
    vocabulary_size: int


def texts(folder: Path) -> dict[int, list[list[str]]]:
    """Return the stemmed sentences of every course, by course number."""
    return {
        int(path.stem.rpartition("-")[2]): [
            line.split() for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for path in sorted(folder.glob("course-*.txt"))
    }


def pruned_vocabulary(sentences: list[list[str]]) -> Vocabulary:
    """Keep words more frequent than max(1/n, 1/100,000), where n includes one end per sentence."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return Vocabulary.from_counts(counts, n_sentences=len(sentences))


def prepare(number: int, sentences: list[list[str]], seed: int) -> Course:
    """Prune the whole course as in the paper, split it, and prune it by the training part."""
    known = set(pruned_vocabulary(sentences).tokens)
    sentences = [[w if w in known else "<unk>" for w in sentence] for sentence in sentences]
    parts = [[sentences[i] for i in part] for part in by_sentence(len(sentences), seed)]
    vocabulary = pruned_vocabulary(parts[0])
    training, validation, test = (
        [vocabulary.encode(sentence) for sentence in part] for part in parts
    )
    return Course(number, training, validation, test, vocabulary.size)
