"""Random splits 8:1:1 of every author's text, before anything is learnt."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.errors import LearningError
from byline.experiments.runner.corpora import IdCorpus

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """One random split: numbers of sentences, a list an author each, in the order drawn.

    Attributes
    ----------
    training, validation, test : tuple of (n,) int32
        In the order of the corpus's authors.
    """

    training: tuple[Numbers, ...]
    validation: tuple[Numbers, ...]
    test: tuple[Numbers, ...]

    @property
    def tested(self) -> Numbers:
        """Test sentences of all authors, end to end."""
        return np.concatenate(self.test)


def partition(corpus: IdCorpus, unit: str, seed: int) -> Partition:
    """Split every author's text.

    Sentences are split as the program of Ge & Sun (2016) does it: shuffled, a tenth tests, the next
    eight tenths train, the rest validates; with its own shuffle, so that a seed gives its very
    parts. Documents are shuffled likewise; whole ones test, and then validate, until they hold a
    tenth of the author's sentences each.

    Parameters
    ----------
    corpus : IdCorpus
    unit : {"sentence", "document"}
    seed : int

    Raises
    ------
    LearningError
        An author's text is too short for three parts.
    """
    parts = [_split(corpus, author, unit, seed) for author in range(len(corpus.authors))]
    return Partition(*zip(*parts, strict=True))


def _split(corpus: IdCorpus, author: int, unit: str, seed: int) -> tuple[Numbers, Numbers, Numbers]:
    own = corpus.sentences_of(author)
    if unit == "sentence":
        parts = _by_sentence(own, seed)
    else:
        parts = _by_document(own, corpus.document_of[own], seed)
    if not all(map(len, parts)):
        raise LearningError(
            f"{corpus.authors[author]} has too few {unit}s to be split 8:1:1 into training, "
            "validation and test; add text, or leave the author out"
        )
    return parts


def _by_sentence(own: Numbers, seed: int) -> tuple[Numbers, Numbers, Numbers]:
    training, validation, test = by_sentence(len(own), seed)
    return own[training], own[validation], own[test]


def by_sentence(n: int, seed: int) -> tuple[list[int], list[int], list[int]]:
    """Split the numbers below ``n`` as the program of Ge & Sun (2016) does: its very parts.

    Returns
    -------
    training, validation, test : lists of int
    """
    order = shuffled(n, seed)
    test_end, training_end = round(0.1 * n), round(0.9 * n)
    return order[test_end:training_end], order[training_end:], order[:test_end]


def _by_document(
    own: Numbers, document_of: NDArray[np.int32], seed: int
) -> tuple[Numbers, Numbers, Numbers]:
    documents = np.unique(document_of)
    groups = [own[document_of == documents[i]] for i in shuffled(len(documents), seed)]
    sizes = np.cumsum([len(group) for group in groups])
    # The first document with which a part has its tenth, or more, is the last of that part.
    test_end = int(np.searchsorted(sizes, len(own) / 10)) + 1
    validation_end = int(np.searchsorted(sizes, sizes[test_end - 1] + len(own) / 10)) + 1
    return (
        _joined(groups[validation_end:]),
        _joined(groups[test_end:validation_end]),
        _joined(groups[:test_end]),
    )


def _joined(groups: Sequence[Numbers]) -> Numbers:
    return np.concatenate([np.empty(0, dtype=np.int32), *groups])


def shuffled(n: int, seed: int) -> list[int]:
    """Shuffle the numbers below ``n`` as the program of Ge & Sun (2016) does."""
    draw = random.Random(seed)  # noqa: S311
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = int(draw.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order
