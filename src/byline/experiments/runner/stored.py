"""Corpora of ids and their partitions, as bytes of safetensors files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from byline.errors import UsageError
from byline.experiments.runner.corpora import IdCorpus
from byline.experiments.runner.partitions import Partition

ARRAYS = ("tokens", "offsets", "author_of", "document_of")
PARTS = ("training", "validation", "test")


def corpus_to_bytes(corpus: IdCorpus) -> bytes:
    """Store a corpus without its authors' names."""
    arrays = {name: getattr(corpus, name) for name in ARRAYS}
    return save({**arrays, "n_types": np.array([corpus.n_types], dtype=np.int64)})


def read_corpus_file(path: Path, authors: Sequence[str]) -> IdCorpus:
    """Read a file of what `corpus_to_bytes` gave.

    Raises
    ------
    UsageError
        It is damaged.
    """
    try:
        arrays = load(path.read_bytes())
        n_types = int(arrays.pop("n_types")[0])
        return IdCorpus(authors=tuple(authors), n_types=n_types, **arrays)
    except (OSError, SafetensorError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} is damaged ({error}); delete it, and it is made again from the texts"
        ) from error


def partition_to_bytes(parts: Partition) -> bytes:
    """Store one split: arrays ``0.training``, ``0.validation``, ``0.test``, an author each."""
    return save(
        {
            f"{author}.{part}": numbers
            for part in PARTS
            for author, numbers in enumerate(getattr(parts, part))
        }
    )
