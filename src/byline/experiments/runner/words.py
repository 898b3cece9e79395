"""Which words each author's models know, on one split."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.experiments.runner.corpora import IdCorpus
from byline.experiments.runner.partitions import Numbers, Partition

MIN_COUNT = 2
MIN_FREQUENCY = 1e-5
Mask = NDArray[np.bool_]


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
    own: Mask

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


def learn_words(corpus: IdCorpus, parts: Partition, *, words: str, prune: str) -> Words:
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
) -> Mask:
    """Which ids are words of these sentences: (n_types,) bool."""
    ids = np.concatenate(corpus.cut(sentences, tokens))
    counts = np.bincount(ids, minlength=corpus.n_types)
    known: Mask = counts > 0
    if pruned:
        frequency = counts / (len(ids) + len(sentences))
        known = (counts >= MIN_COUNT) & (frequency >= MIN_FREQUENCY)
    known[0] = False  # a literal <unk>
    return known
