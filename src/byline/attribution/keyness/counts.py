"""Counts of the n-grams of known texts, and log-odds ratios from such counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.keyness.names import name_words
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.formatting import join_names
from byline.text import TextEncoder, letter_words

ORDERS = (1, 3)
SENTENCE_END = "\n"  # after each sentence; no token equals it, and no n-gram contains it


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """Counts of the n-grams of one to three tokens in each known text.

    A token is a word or a punctuation mark.

    Attributes
    ----------
    corpus : Corpus
        The known texts, normalised as the encoder reads them.
    encoder : TextEncoder
        Splits texts into sentences of tokens.
    ngrams : NgramVocabulary
        The n-grams that occur in at least two known texts. If an author has a single text: in one.
    table : (n_documents, n_ngrams) sparse float32
        The counts of these n-grams.
    totals : (n_documents, n_orders) float64
        The number of n-grams of each order in each text, including rare ones.
    words : (n_documents,) int64
        The number of words in each text: tokens with a letter or digit.

    See Also
    --------
    keywords_of_authors : The keywords of each author.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> texts = [("Ada", "The sea. The wind."), ("Ada", "The sea."), ("Ben", "A ship. A ship.")]
    >>> documents = [Document(who, text, str(n)) for n, (who, text) in enumerate(texts)]
    >>> corpus = Corpus(documents, "texts")
    >>> counts = NgramCounts.of(corpus)
    >>> counts.authors, counts.n_words([0])
    (['Ada', 'Ben'], 6)
    """

    corpus: Corpus
    encoder: TextEncoder
    ngrams: NgramVocabulary
    table: sparse.csr_array
    totals: Floats
    words: Integers

    @classmethod
    def of(cls, corpus: Corpus, encoder: TextEncoder | None = None) -> Self:
        """Count the n-grams of known texts.

        Parameters
        ----------
        corpus : Corpus
            The known texts.
        encoder : TextEncoder, optional
            By default, tokens are words in lower case. If the encoder's tokens are characters, only
            its language and its sentence rule are used.
        """
        encoder = _word_encoder(encoder or TextEncoder())
        corpus = corpus.map_texts(encoder.normalize)
        texts = [tokens_and_ends(encoder, text) for text in corpus.texts]
        own = list(map(corpus.authors.count, corpus.candidates))
        ngrams = NgramVocabulary.fit(texts, ORDERS, 2 if min(own) > 1 else 1)
        totals = np.array(list(map(count_ngrams_by_order, texts)), dtype=np.float64)
        words = np.array(list(map(count_word_tokens, texts)), dtype=np.int64)
        return cls(corpus, encoder, ngrams, ngrams.counts(texts), totals, words)

    @cached_property
    def authors(self) -> list[str]:
        """The authors in alphabetical order."""
        return self.corpus.candidates

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The author of each text, as an index of `authors`, (n_documents,)."""
        return np.searchsorted(self.authors, self.corpus.authors).astype(np.int64)

    @cached_property
    def order_of(self) -> NDArray[np.int64]:
        """The order of each n-gram minus one, (n_ngrams,)."""
        return np.repeat(np.arange(len(self.ngrams.sizes)), self.ngrams.sizes)

    def indices_of(self, authors: Sequence[str]) -> list[int]:
        """Return the indices of authors in `authors`.

        Raises
        ------
        UsageError
            There is no known text by one of them.
        """
        missing = [author for author in authors if author not in self.authors]
        if missing:
            raise UsageError(
                f"{self.corpus.name} has no text by {join_names(missing)}; choose from "
                f"{join_names(self.authors, None)}"
            )
        return list(map(self.authors.index, authors))

    def counts_of(self, authors: Sequence[int]) -> Floats:
        """Sum the counts of each n-gram over the texts by some authors, (n_ngrams,)."""
        return np.asarray(self._by_author[list(authors)].sum(axis=0), dtype=np.float64)

    @cached_property
    def total_counts(self) -> Floats:
        """Sum the counts of each n-gram over all known texts, (n_ngrams,)."""
        return self.counts_of(range(len(self.authors)))

    def totals_of(self, authors: Sequence[int]) -> Floats:
        """Count all n-grams of the same order in the texts by some authors, (n_ngrams,)."""
        of_orders: Floats = self.totals[np.isin(self.owners, authors)].sum(axis=0)
        return of_orders[self.order_of]

    def n_words(self, authors: Sequence[int]) -> int:
        """Count the words of the texts by some authors."""
        return int(self.words[np.isin(self.owners, authors)].sum())

    @cached_property
    def has_name(self) -> Booleans:
        """Whether each n-gram contains a name, see `name_words`, (n_ngrams,)."""
        names = name_words(self.corpus.texts, self.encoder.language)
        tokens = set(chain.from_iterable(self.encoder.tokenize("\n".join(sorted(names)))))
        is_name = [
            _is_name(unit, names | tokens, self.encoder.language) for unit in self.ngrams.units
        ]
        return self.ngrams.containing(np.array(is_name, dtype=bool))

    def document_frequencies(self, author: int) -> NDArray[np.int64]:
        """Count the texts by an author that contain each n-gram, (n_ngrams,)."""
        own = self.table[np.flatnonzero(self.owners == author)]
        return np.bincount(own.indices, minlength=own.shape[1])

    def most_in_one_text(self, author: int, columns: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Find for each n-gram the text by an author that contains it most often.

        Parameters
        ----------
        author : int
            Index of the author in `authors`.
        columns : (n_columns,) int64
            The columns of n-grams that the author uses.

        Returns
        -------
        counts, totals : (n_columns,) float64
            The count of the n-gram in that text, and of all n-grams of its order.
        """
        own = np.flatnonzero(self.owners == author)
        counts = self.table[own][:, columns].tocoo()
        order = np.lexsort((-counts.row, counts.data, counts.col))
        last = order[np.flatnonzero(np.diff(counts.col[order], append=-1))]  # of each column
        return counts.data[last].astype(np.float64), self.totals[
            own[counts.row[last]], self.order_of[columns]
        ]

    @cached_property
    def _by_author(self) -> sparse.csr_array:
        """Sums of the counts by author, (n_authors, n_ngrams)."""
        documents = np.arange(len(self.owners))
        shape = (len(self.authors), len(self.owners))
        joining = sparse.csr_array((np.ones(len(documents)), (self.owners, documents)), shape=shape)
        return sparse.csr_array(joining @ self.table)


def tokens_and_ends(encoder: TextEncoder, text: str) -> list[str]:
    """Split a text into tokens, with `SENTENCE_END` after each sentence."""
    sentences = encoder.tokenize(text)
    return list(chain.from_iterable([*sentence, SENTENCE_END] for sentence in sentences))


def count_word_tokens(units: Sequence[str]) -> int:
    """Count the tokens with a letter or digit, and not punctuation marks or sentence ends."""
    counts = Counter(units)
    return sum(count for unit, count in counts.items() if any(map(str.isalnum, unit)))


def _is_name(unit: str, names: Set[str], language: str) -> bool:
    """Return whether all words of a token are names; the ``s`` of ``jane's`` is not a word."""
    words = [word for word in letter_words(unit, language) if len(word) > 1]
    return bool(words) and set(words) <= names


def count_ngrams_by_order(units: Sequence[str]) -> list[int]:
    """Count the n-grams of each order that do not contain the end of a sentence."""
    ends = np.flatnonzero(np.array([unit == SENTENCE_END for unit in units], dtype=bool))
    lengths = np.diff(ends, prepend=-1) - 1
    return [int(np.maximum(lengths - n, 0).sum()) for n in range(ORDERS[1])]


def _word_encoder(encoder: TextEncoder) -> TextEncoder:
    if encoder.unit == "word":
        words: TextEncoder = clone(encoder.word_encoder())
        return words
    return TextEncoder(
        language=encoder.language,
        sentence_rule=encoder.sentence_rule,
        normalization=encoder.normalization,
    )


def log_odds_ratios(
    own: Floats,
    own_total: Floats,
    others: Floats,
    others_total: Floats,
    prior: Floats,
    prior_total: Floats,
) -> tuple[Floats, Floats]:
    """Compute log-odds ratios of n-grams in two groups of texts, with an informative prior.

    The n-grams of one order in a group are a sample from a multinomial distribution with a
    Dirichlet prior. The prior shrinks the ratios of rare n-grams towards equal odds, and the
    z-score, unlike a plain ratio, favours neither the rarest nor the most frequent n-grams. All
    occurrences are treated as independent, so z is a measure for ranking, not a test statistic.

    Parameters
    ----------
    own, others : (n_ngrams,) float64
        Counts of each n-gram in the first and in the second group.
    own_total, others_total : (n_ngrams,) float64
        Counts of all n-grams of the same order in each group.
    prior : (n_ngrams,) float64
        Prior counts of each n-gram, above 0, that are added to both groups. They come from a
        larger corpus (as in Jurafsky et al. 2014).
    prior_total : (n_ngrams,) float64
        Prior counts of all n-grams of the same order.

    Returns
    -------
    log_odds : (n_ngrams,) float64
        Natural logarithms of the ratio of the odds; above 0 if the first group uses the n-gram
        more.
    z : (n_ngrams,) float64
        The log-odds ratios in standard deviations.

    References
    ----------
    Monroe, Colaresi & Quinn (2008), Fightin' Words. Political Analysis 16:372-403, section
    "Model-based approaches".

    Examples
    --------
    >>> import numpy as np
    >>> own, others, prior = np.array([30.0]), np.array([10.0]), np.array([4.0])
    >>> total = np.array([1000.0])
    >>> log_odds, z = log_odds_ratios(own, total, others, total, prior, total / 10)
    >>> round(float(log_odds[0]), 2), round(float(z[0]), 2)
    (0.91, 2.85)
    """
    log_odds = _log_odds(own + prior, own_total + prior_total)
    log_odds -= _log_odds(others + prior, others_total + prior_total)
    return log_odds, log_odds / np.sqrt(1 / (own + prior) + 1 / (others + prior))


def _log_odds(counts: Floats, total: Floats) -> Floats:
    """Return the log-odds of n-grams; the count of all other n-grams is taken as at least one."""
    odds: Floats = np.log(counts) - np.log(np.maximum(total - counts, 1.0))
    return odds
