"""N-grams of known texts, counted text by text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from byline.array_types import Floats
from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.text import TextEncoder

ORDERS = (1, 3)
SENTENCE_END = "\n"  # behind each sentence; no token is that, and no n-gram reaches over it
Units = list[str]


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often n-grams of one to three words and marks stand in each known text.

    Attributes
    ----------
    corpus : Corpus
    encoder : TextEncoder
        What cuts texts into words.
    ngrams : NgramVocabulary
        Those in at least two known texts, or in one where an author has one text alone.
    table : (n_documents, n_ngrams) sparse float32
        Their counts.
    totals : (n_documents, n_orders) float64
        N-grams of each order in each text, rare ones too.
    """

    corpus: Corpus
    encoder: TextEncoder
    ngrams: NgramVocabulary
    table: sparse.csr_array
    totals: Floats

    @classmethod
    def of(cls, corpus: Corpus, encoder: TextEncoder | None = None) -> Self:
        """Count the n-grams of known texts.

        Parameters
        ----------
        corpus : Corpus
        encoder : TextEncoder, optional
            By default that of words in lower case. From one of characters the language is taken.
        """
        encoder = _of_words(encoder or TextEncoder())
        texts = [split_units(encoder, text) for text in corpus.texts]
        own = list(map(corpus.authors.count, corpus.candidates))
        ngrams = NgramVocabulary.learn(texts, ORDERS, 2 if min(own) > 1 else 1)
        totals = np.array(list(map(count_ngrams_by_order, texts)), dtype=np.float64)
        return cls(corpus, encoder, ngrams, ngrams.counts(texts), totals)

    @cached_property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return self.corpus.candidates

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """Each text's author, by place in `authors`, (n_documents,)."""
        return np.searchsorted(self.authors, self.corpus.authors).astype(np.int64)

    @cached_property
    def order_of(self) -> NDArray[np.int64]:
        """Order of each n-gram less one, (n_ngrams,)."""
        return np.repeat(np.arange(len(self.ngrams.sizes)), self.ngrams.sizes)

    def has(self, author: str) -> bool:
        """Whether there are known texts of an author."""
        return author in self.authors

    def places_of(self, authors: Sequence[str]) -> list[int]:
        """Places of authors in `authors`.

        Raises
        ------
        UsageError
            One has no known text.
        """
        strangers = [author for author in authors if not self.has(author)]
        if strangers:
            raise UsageError(
                f"there is no known text of {', '.join(strangers)} in {self.corpus.name}; there "
                f"are those of {', '.join(self.authors)}"
            )
        return list(map(self.authors.index, authors))

    def uses(self, authors: Sequence[int]) -> Floats:
        """Sum the uses of each n-gram in the texts of some authors, (n_ngrams,)."""
        return np.asarray(self._by_author[list(authors)].sum(axis=0), dtype=np.float64)

    @cached_property
    def all_uses(self) -> Floats:
        """Uses of each n-gram in all known texts, (n_ngrams,)."""
        return self.uses(range(len(self.authors)))

    def totals_of(self, authors: Sequence[int]) -> Floats:
        """All n-grams of each n-gram's order in the texts of some authors, (n_ngrams,)."""
        of_orders: Floats = self.totals[np.isin(self.owners, authors)].sum(axis=0)
        return of_orders[self.order_of]

    def n_tokens(self, authors: Sequence[int]) -> int:
        """Words and marks in the texts of some authors."""
        return int(self.totals[np.isin(self.owners, authors), 0].sum())

    def spread(self, author: int) -> NDArray[np.int64]:
        """How many texts of an author have each n-gram, (n_ngrams,)."""
        own = self.table[np.flatnonzero(self.owners == author)]
        return np.bincount(own.indices, minlength=own.shape[1])

    def most_in_one_text(self, author: int, columns: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Find for each n-gram the text of an author that has it most often.

        Parameters
        ----------
        author : int
        columns : (n_columns,) int64
            Of n-grams that the author uses.

        Returns
        -------
        uses, totals : (n_columns,) float64
            How often that text has it, and all n-grams of its order.
        """
        own = np.flatnonzero(self.owners == author)
        counts = self.table[own][:, columns].tocoo()
        order = np.lexsort((-counts.row, counts.data, counts.col))
        last = order[np.flatnonzero(np.diff(counts.col[order], append=-1))]  # of each column
        uses = counts.data[last].astype(np.float64)
        return uses, self.totals[own[counts.row[last]], self.order_of[columns]]

    @cached_property
    def _by_author(self) -> sparse.csr_array:
        """Counts joined author by author, (n_authors, n_ngrams)."""
        documents = np.arange(len(self.owners))
        shape = (len(self.authors), len(self.owners))
        joining = sparse.csr_array((np.ones(len(documents)), (self.owners, documents)), shape=shape)
        return sparse.csr_array(joining @ self.table)


def split_units(encoder: TextEncoder, text: str) -> Units:
    """Cut a text into words and marks, with a mark behind each sentence."""
    sentences = encoder.tokenize(text)
    return list(chain.from_iterable([*sentence, SENTENCE_END] for sentence in sentences))


def count_ngrams_by_order(units: Units) -> list[int]:
    """Count the n-grams of each order that do not reach over the end of a sentence."""
    ends = np.flatnonzero(np.array([unit == SENTENCE_END for unit in units], dtype=bool))
    lengths = np.diff(ends, prepend=-1) - 1
    return [int(np.maximum(lengths - n, 0).sum()) for n in range(ORDERS[1])]


def _of_words(encoder: TextEncoder) -> TextEncoder:
    if encoder.unit == "word":
        words: TextEncoder = clone(encoder)
        return words
    return TextEncoder(
        language=encoder.language,
        sentence_rule=encoder.sentence_rule,
        transcript_annotations=encoder.transcript_annotations,
    )


def log_odds_ratios(
    own: Floats,
    own_total: Floats,
    others: Floats,
    others_total: Floats,
    prior: Floats,
    prior_total: Floats,
) -> tuple[Floats, Floats]:
    """Log-odds ratios of n-grams in two groups of texts, and how far each is from chance.

    The measure of Monroe, Colaresi & Quinn (2008, "Fightin' Words", Political Analysis 16:372-403),
    section "Model-based approaches": a group's n-grams of one order are draws from a multinomial
    with an informative Dirichlet prior. The prior pulls rare n-grams towards equal odds, and the
    z-score, unlike a bare ratio, favours neither the rarest nor the most frequent. As all uses are
    taken for independent of one another, z is a measure to rank by, and no test.

    Parameters
    ----------
    own, others : (n_ngrams,) float64
        Uses of each n-gram in the one group, and in the other.
    own_total, others_total : (n_ngrams,) float64
        Uses of all n-grams of the same order in each group.
    prior : (n_ngrams,) float64
        Uses of each that are imagined in both groups beforehand, above 0: what a larger corpus has
        (as in Jurafsky et al. 2014).
    prior_total : (n_ngrams,) float64
        The same of all n-grams of the order.

    Returns
    -------
    log_odds : (n_ngrams,) float64
        Natural logarithms of the ratio of the n-gram's odds against all others; above 0 where the
        one group uses it more.
    z : (n_ngrams,) float64
        The same in standard deviations.
    """
    log_odds = _log_odds(own + prior, own_total + prior_total)
    log_odds -= _log_odds(others + prior, others_total + prior_total)
    return log_odds, log_odds / np.sqrt(1 / (own + prior) + 1 / (others + prior))


def _log_odds(uses: Floats, total: Floats) -> Floats:
    """Odds of an n-gram against all others; against one where there are no others."""
    odds: Floats = np.log(uses) - np.log(np.maximum(total - uses, 1.0))
    return odds
