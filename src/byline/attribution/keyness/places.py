"""Where words and n-grams occur in texts, as offsets of characters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from scipy import sparse

from byline.array_types import Integers
from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.keyness.counts import tokens_and_ends
from byline.attribution.keyness.word_table import WordGroup
from byline.corpus import Corpus
from byline.text import TextEncoder
from byline.text.alignment import align_tokens
from byline.text.letters import letter_word_pattern

Spans = tuple[Integers, Integers]  # where each occurrence begins, and where it ends


class Places(Protocol):
    """The occurrences of words or n-grams, which are numbered, in the texts of a corpus."""

    @property
    def corpus(self) -> Corpus:
        """The texts."""

    def documents_with(self, item: int) -> Integers:
        """Return the texts that contain an item, in ascending order."""

    def spans(self, item: int, document: int) -> Spans:
        """Return where an item occurs in a text, in ascending order."""


class WordPlaces:
    """The occurrences of the words of a group of texts.

    Parameters
    ----------
    group : WordGroup

    Examples
    --------
    >>> from byline.attribution.keyness.word_table import WordTable
    >>> from byline.corpus import Corpus, Document
    >>> sea, land = (Corpus([Document("", text, text)], text) for text in ("The sea.", "A field."))
    >>> table = WordTable.of(sea, land)
    >>> places = WordPlaces(table.first)
    >>> [place.tolist() for place in places.spans(table.words.index("sea"), 0)]
    [[4], [7]]
    """

    def __init__(self, group: WordGroup) -> None:
        self._group = group
        self._all_spans = cache(self._find_all)

    @property
    def corpus(self) -> Corpus:
        """The texts."""
        return self._group.corpus

    def documents_with(self, item: int) -> Integers:
        """Return the texts that contain an item, in ascending order."""
        return np.flatnonzero([(text == item).any() for text in self._group.texts])

    def spans(self, item: int, document: int) -> Spans:
        """Return where an item occurs in a text, in ascending order."""
        found = self._group.texts[document] == item
        starts, ends = self._all_spans(document)
        return starts[found], ends[found]

    def _find_all(self, document: int) -> Spans:
        text = self.corpus[document].text
        spans = [match.span() for match in letter_word_pattern(text).finditer(text)]
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        return starts, ends


@dataclass(frozen=True, slots=True)
class _Located:
    """The n-grams of one text: their columns, and where each begins and ends."""

    columns: Integers
    starts: Integers
    ends: Integers


class NgramPlaces:
    """The occurrences of n-grams in texts.

    Parameters
    ----------
    encoder : TextEncoder
        Splits the texts into tokens.
    ngrams : NgramVocabulary
        The n-grams. An item is a column of this vocabulary.
    corpus : Corpus
        The texts, normalised by the encoder.
    table : (n_documents, n_ngrams) sparse
        The counts of the n-grams in these texts.

    Examples
    --------
    >>> from byline.attribution.keyness.counts import NgramCounts
    >>> from byline.corpus import Corpus, Document
    >>> corpus = Corpus([Document("Ada", "The sea. A sea.", "1")], "sea")
    >>> counts = NgramCounts.of(corpus)
    >>> places = NgramPlaces(counts.encoder, counts.ngrams, counts.corpus, counts.table)
    >>> sea = counts.ngrams.units.index("sea")
    >>> [place.tolist() for place in places.spans(sea, 0)]
    [[4, 11], [7, 14]]
    """

    def __init__(
        self,
        encoder: TextEncoder,
        ngrams: NgramVocabulary,
        corpus: Corpus,
        table: sparse.csr_array,
    ) -> None:
        self.corpus = corpus
        self._encoder, self._ngrams = encoder, ngrams
        self._table = sparse.csc_array(table)
        self._located = cache(self._locate)

    def documents_with(self, item: int) -> Integers:
        """Return the texts that contain an item, in ascending order."""
        first, last = self._table.indptr[item], self._table.indptr[item + 1]
        return np.sort(self._table.indices[first:last]).astype(np.int64)

    def spans(self, item: int, document: int) -> Spans:
        """Return where an item occurs in a text, in ascending order."""
        located = self._located(document)
        found = (located.columns == item) & (located.starts < located.ends)
        return located.starts[found], located.ends[found]

    def _locate(self, document: int) -> _Located:
        text = self.corpus[document].text
        tokens = align_tokens(self._encoder, text, self._encoder.tokenize(text), end_tokens=True)
        columns, firsts, ends = self._ngrams.occurrences(tokens_and_ends(self._encoder, text))
        order = np.argsort(firsts, kind="stable")
        return _Located(columns[order], tokens.starts[firsts[order]], tokens.ends[ends[order] - 1])
