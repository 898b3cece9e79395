"""Random splits 8:1:1 of every author's text, and the vocabularies of the authors on a split."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.array_types import Booleans, Ids
from byline.errors import TrainingError
from byline.experiments.runner.id_corpus import IdCorpus

MIN_COUNT = 2
MIN_FREQUENCY = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """One random split: the numbers of the sentences in each part, per author.

    Attributes
    ----------
    training, validation, test : tuple of (n,) int32
        One array per author, in the order of the corpus's authors. Sentences are in the order in
        which they were drawn.
    """

    training: tuple[Ids, ...]
    validation: tuple[Ids, ...]
    test: tuple[Ids, ...]

    @property
    def tested(self) -> Ids:
        """Test sentences of all authors, concatenated."""
        return np.concatenate(self.test)


def partition(corpus: IdCorpus, unit: str, seed: int) -> Partition:
    """Split every author's text.

    Sentences are split as in the program of Ge & Sun (2016). They are shuffled; the first tenth is
    the test part, the next eight tenths are the training part, and the rest is the validation part.
    The shuffle is that of the program, so that a seed gives the same parts. Documents are shuffled
    in the same way. Whole documents are added to the test part until it has a tenth of the author's
    sentences, and then to the validation part.

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


def _split(corpus: IdCorpus, author: int, unit: str, seed: int) -> tuple[Ids, Ids, Ids]:
    own = corpus.sentence_numbers(author)
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


def _by_sentence(own: Ids, seed: int) -> tuple[Ids, Ids, Ids]:
    training, validation, test = by_sentence(len(own), seed)
    return own[training], own[validation], own[test]


def by_sentence(n: int, seed: int) -> tuple[list[int], list[int], list[int]]:
    """Split the numbers below ``n`` into the same parts as the program of Ge & Sun (2016).

    Returns
    -------
    training, validation, test : lists of int
    """
    order = shuffled(n, seed)
    test_end, training_end = round(0.1 * n), round(0.9 * n)
    return order[test_end:training_end], order[training_end:], order[:test_end]


def _by_document(own: Ids, document_of: Ids, seed: int) -> tuple[Ids, Ids, Ids]:
    documents = np.unique(document_of)
    groups = [own[document_of == documents[i]] for i in shuffled(len(documents), seed)]
    sizes = np.cumsum([len(group) for group in groups])
    # A part ends with the first document that brings it to a tenth of the sentences or more.
    test_end = int(np.searchsorted(sizes, len(own) / 10)) + 1
    validation_end = int(np.searchsorted(sizes, sizes[test_end - 1] + len(own) / 10)) + 1
    return (
        _concatenate(groups[validation_end:]),
        _concatenate(groups[test_end:validation_end]),
        _concatenate(groups[:test_end]),
    )


def _concatenate(groups: Sequence[Ids]) -> Ids:
    return np.concatenate([np.empty(0, dtype=np.int32), *groups])


def shuffled(n: int, seed: int) -> list[int]:
    """Shuffle the numbers below ``n`` as the program of Ge & Sun (2016) does."""
    generator = random.Random(seed)  # noqa: S311
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = int(generator.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


@dataclass(frozen=True, slots=True, eq=False)
class AuthorVocabularies:
    """The vocabulary of each author's models on one split.

    Attributes
    ----------
    tokens : (n_tokens,) int32
        The corpus's tokens, with 0 for tokens that were pruned before the split.
    own : (n_authors, n_types) bool
        Which words are in each author's vocabulary: the words of the training text, without rare
        words if these are pruned.
    """

    tokens: Ids
    own: Booleans

    def vocabulary_size(self, author: int) -> int:
        """Return the size of an author's vocabulary, ``<unk>`` included."""
        return int(self.own[author].sum()) + 1

    def n_unk_types(self, author: int) -> int:
        """Return the number of types that an author's ``<unk>`` represents.

        They are the words that are only in other authors' vocabularies, and one type for all words
        that are in no vocabulary.
        """
        return int(self.own.any(axis=0).sum() - self.own[author].sum()) + 1

    def encode(self, author: int) -> Ids:
        """Return all tokens as ids of an author's vocabulary, (n_tokens,); 0 is unknown."""
        ids = np.where(self.own[author], np.cumsum(self.own[author]), 0).astype(np.int32)
        return ids[self.tokens]


def author_vocabularies(
    corpus: IdCorpus, parts: Partition, *, words: str, prune: str
) -> AuthorVocabularies:
    """Find the vocabulary of every author.

    Parameters
    ----------
    corpus : IdCorpus
    parts : Partition
    words : {"pruned", "all"}
        "pruned": words that occur once, or with a frequency below 1/100,000, become ``<unk>``. The
        frequency is relative to tokens and sentence ends (Ge & Sun 2016, "Data Preparation").
    prune : {"author", "training"}
        "author": words are pruned in an author's whole text first, as in the paper, and then in the
        training part. "training": words are pruned in the training part only.
    """
    tokens = corpus.tokens
    if words == "pruned" and prune == "author":
        tokens = tokens.copy()
        for author in range(len(corpus.authors)):
            own = corpus.sentence_numbers(author)
            start, end = corpus.offsets[own[0]], corpus.offsets[own[-1] + 1]
            tokens[start:end] *= _known(corpus, tokens, own)[tokens[start:end]]
    known = [_known(corpus, tokens, part, pruned=words == "pruned") for part in parts.training]
    return AuthorVocabularies(tokens, np.array(known))


def _known(corpus: IdCorpus, tokens: Ids, sentences: Ids, *, pruned: bool = True) -> Booleans:
    """Return which ids are words of these sentences, (n_types,)."""
    ids = np.concatenate(corpus.sentences(sentences, tokens))
    counts = np.bincount(ids, minlength=corpus.n_types)
    known: Booleans = counts > 0
    if pruned:
        frequency = counts / (len(ids) + len(sentences))
        known = (counts >= MIN_COUNT) & (frequency >= MIN_FREQUENCY)
    known[0] = False  # a literal <unk>
    return known
