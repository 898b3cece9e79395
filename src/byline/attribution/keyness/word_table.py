"""The words of two groups of texts as ids of one vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from byline.array_types import Floats, Ids
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.text import letter_words


@dataclass(frozen=True, eq=False)
class WordGroup:
    """The words of one group of texts.

    Attributes
    ----------
    corpus : Corpus
        The texts; its name is the name of the group.
    texts : tuple of (n_tokens,) int32
        The word ids of each text.
    n_words : int
        Size of the vocabulary.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> sea, land = (Corpus([Document("", text, text)], text) for text in ("The sea.", "A field."))
    >>> WordTable.of(sea, land).first.counts.tolist()
    [0.0, 0.0, 1.0, 1.0]
    """

    corpus: Corpus
    texts: tuple[Ids, ...]
    n_words: int

    @cached_property
    def lengths(self) -> list[int]:
        """The number of words of each text."""
        return list(map(len, self.texts))

    @cached_property
    def n_tokens(self) -> int:
        """The number of words of all texts."""
        return sum(self.lengths)

    @cached_property
    def counts(self) -> Floats:
        """The count of each word in all texts, (n_words,)."""
        return np.bincount(np.concatenate(self.texts), minlength=self.n_words).astype(np.float64)

    @cached_property
    def document_frequencies(self) -> Floats:
        """The number of texts that contain each word, (n_words,)."""
        found = np.concatenate([np.unique(text) for text in self.texts])
        return np.bincount(found, minlength=self.n_words).astype(np.float64)


@dataclass(frozen=True, eq=False)
class WordTable:
    """Two groups of texts, and the words of both in alphabetical order.

    Attributes
    ----------
    words : list of str
        As `letter_words` returns them.
    first, second : WordGroup

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> sea, land = (Corpus([Document("", text, text)], text) for text in ("The sea.", "A field."))
    >>> table = WordTable.of(sea, land)
    >>> table.words, table.second.texts[0].tolist()
    (['a', 'field', 'sea', 'the'], [0, 1])
    """

    words: list[str]
    first: WordGroup
    second: WordGroup

    @classmethod
    def of(cls, first: Corpus, second: Corpus, language: str = "en") -> Self:
        """Split the texts of two groups into words.

        Raises
        ------
        UsageError
            A group has no words.
        """
        of_first, of_second = (
            [letter_words(text, language) for text in corpus.texts] for corpus in (first, second)
        )
        for corpus, texts in ((first, of_first), (second, of_second)):
            if not any(texts):
                raise UsageError(f"The texts of {corpus.name} have no words. Choose others.")
        words = sorted(set().union(*of_first, *of_second))
        ids = {word: number for number, word in enumerate(words)}
        return cls(words, _group(first, of_first, ids), _group(second, of_second, ids))


def _group(corpus: Corpus, texts: Sequence[list[str]], ids: dict[str, int]) -> WordGroup:
    numbered = tuple(np.array([ids[word] for word in text], dtype=np.int32) for text in texts)
    return WordGroup(corpus, numbered, len(ids))
