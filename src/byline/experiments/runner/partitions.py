"""Random splits 8:1:1 of every author's text, before anything is learnt."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans
from byline.errors import TrainingError
from byline.experiments.runner.id_corpus import IdCorpus

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
    TrainingError
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
        raise TrainingError(
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


MIN_COUNT = 2
MIN_FREQUENCY = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words by author.

    Attributes
    ----------
    tokens : (n_tokens,) int32
        The corpus's tokens, with 0 for those that were pruned before the split.
    own : (n_authors, n_types) bool
        Which words stand in each author's training text, often enough where it is pruned.
    """

    tokens: NDArray[np.int32]
    own: Booleans

    def vocabulary_size(self, author: int) -> int:
        """Ids of an author's models: own words, and ``<unk>``."""
        return int(self.own[author].sum()) + 1

    def n_lacking(self, author: int) -> int:
        """Events that an author's ``<unk>`` stands for among all authors' words.

        They are the words that others know and the author does not, and all else.
        """
        return int(self.own.any(axis=0).sum() - self.own[author].sum()) + 1

    def encode(self, author: int) -> NDArray[np.int32]:
        """All tokens as ids of an author's models: (n_tokens,) int32, 0 for unknown ones."""
        ids = np.where(self.own[author], np.cumsum(self.own[author]), 0).astype(np.int32)
        return ids[self.tokens]


def author_vocabularies(corpus: IdCorpus, parts: Partition, *, words: str, prune: str) -> Words:
    """Find every author's own words.

    Parameters
    ----------
    corpus : IdCorpus
    parts : Partition
    words : {"pruned", "all"}
        Whether words that stand there once, or with a frequency below 1/100,000, are ``<unk>``; a
        frequency is a share of tokens and sentence ends (Ge & Sun 2016, "Data Preparation").
    prune : {"author", "training"}
        Whether that is done in an author's whole text first, as in the paper; then in the training
        text, in any case.
    """
    tokens = corpus.tokens
    if words == "pruned" and prune == "author":
        tokens = tokens.copy()
        for author in range(len(corpus.authors)):
            own = corpus.sentences_of(author)
            start, end = corpus.offsets[own[0]], corpus.offsets[own[-1] + 1]
            tokens[start:end] *= _known(corpus, tokens, own)[tokens[start:end]]
    known = [_known(corpus, tokens, part, pruned=words == "pruned") for part in parts.training]
    return Words(tokens, np.array(known))


def _known(
    corpus: IdCorpus, tokens: NDArray[np.int32], sentences: Numbers, *, pruned: bool = True
) -> Booleans:
    """Which ids are words of these sentences: (n_types,) bool."""
    ids = np.concatenate(corpus.cut(sentences, tokens))
    counts = np.bincount(ids, minlength=corpus.n_types)
    known: Booleans = counts > 0
    if pruned:
        frequency = counts / (len(ids) + len(sentences))
        known = (counts >= MIN_COUNT) & (frequency >= MIN_FREQUENCY)
    known[0] = False  # a literal <unk>
    return known
