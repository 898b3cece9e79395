"""Find the keywords of authors, or those of two candidates that occur in a questioned text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.keyness.concordance import Concordance
from byline.attribution.keyness.counts import (
    SENTENCE_END,
    NgramCounts,
    count_word_tokens,
    log_odds_ratios,
    tokens_and_ends,
)
from byline.attribution.keyness.places import NgramPlaces
from byline.attribution.keyness.result import AuthorKeywords, Keyword
from byline.corpus import Corpus, Document

MAX_KEYWORDS = 10
N_LINES = 3  # concordance lines per keyword
MIN_Z = 3.0  # by chance, about a hundred of a hundred thousand n-grams exceed this value
# Of all known texts. A larger prior hides the keywords of an author who wrote most of the texts; a
# smaller one selects only frequent words.
PRIOR_SHARE = 0.1
MIN_TEXTS = 2  # by the author, that contain the n-gram; n-grams of one text are names and topics


def keywords_of_authors(
    counts: NgramCounts, *, at_most: int = MAX_KEYWORDS, keep_names: bool = False
) -> list[AuthorKeywords]:
    """Find the n-grams that distinguish each author from all others.

    The prior is a tenth of the counts of all known texts. A keyword has a z-score of at least 3,
    also without the author's text that contains it most often, and occurs in at least two of the
    author's texts. For an author with a single text, only the z-score counts. If one n-gram is
    part of another, the one with the higher z-score is kept.

    Parameters
    ----------
    counts : NgramCounts
        The n-grams of the known texts.
    at_most : int
        Largest number of keywords per author.
    keep_names : bool
        Whether n-grams with names can be keywords, see `name_words`.

    Returns
    -------
    list of AuthorKeywords
        One entry per author, in alphabetical order.

    See Also
    --------
    keywords_in_text : The keywords of two candidates that occur in a questioned text.
    log_odds_ratios : The measure of keyness.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> texts = [("Ada", "the sea " * 60), ("Ada", "the sea " * 50), ("Ben", "the ship " * 80)]
    >>> documents = [Document(who, text, str(n)) for n, (who, text) in enumerate(texts)]
    >>> corpus = Corpus(documents, "texts")
    >>> for found in keywords_of_authors(NgramCounts.of(corpus), at_most=1):
    ...     print(found.author, [keyword.ngram for keyword in found.ngrams])
    Ada [('the', 'sea')]
    Ben [('the', 'ship')]
    """
    names = counts.authors
    return [
        _Comparison(
            counts, name, [other for other in names if other != name], keep_names=keep_names
        ).keywords(at_most)
        for name in names
    ]


def keywords_in_text(
    counts: NgramCounts,
    text: str,
    first: str,
    second: str,
    *,
    path: str | None = None,
    at_most: int = MAX_KEYWORDS,
    keep_names: bool = False,
) -> tuple[AuthorKeywords, AuthorKeywords]:
    """Find the n-grams of a questioned text that distinguish two candidates.

    Parameters
    ----------
    counts : NgramCounts
        The n-grams of the known texts.
    text : str
        The questioned text.
    first, second : str
        The candidates.
    path : str, optional
        Where the text came from.
    at_most : int
        Largest number of keywords per candidate.
    keep_names : bool
        Whether n-grams with names can be keywords, see `name_words`.

    Returns
    -------
    pair of AuthorKeywords
        The keywords of the first candidate compared with the second, and the reverse.

    Raises
    ------
    UsageError
        There is no known text by a candidate.

    See Also
    --------
    keywords_of_authors : All keywords of each author.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> texts = [("Ada", "the sea " * 60), ("Ada", "the sea " * 50), ("Ben", "the ship " * 80)]
    >>> documents = [Document(who, text, str(n)) for n, (who, text) in enumerate(texts)]
    >>> corpus = Corpus(documents, "texts")
    >>> ada, ben = keywords_in_text(NgramCounts.of(corpus), "A calm sea.", "Ada", "Ben")
    >>> [keyword.ngram for keyword in ada.ngrams], ben.ngrams
    ([('sea',)], ())
    """
    questioned = _QuestionedText.of(counts, text, path)
    return (
        _Comparison(counts, first, [second], keep_names=keep_names).keywords(at_most, questioned),
        _Comparison(counts, second, [first], keep_names=keep_names).keywords(at_most, questioned),
    )


@dataclass(frozen=True, slots=True)
class _QuestionedText:
    """The n-grams of a questioned text: their counts, (n_ngrams,), and where they occur."""

    counts: Floats
    n_words: int
    concordance: Concordance

    @classmethod
    def of(cls, counts: NgramCounts, text: str, path: str | None) -> _QuestionedText:
        text = counts.encoder.normalize(text)
        units = tokens_and_ends(counts.encoder, text)
        table = counts.ngrams.counts([units])
        corpus = Corpus([Document("", text, path or "")], "questioned text")
        return cls(
            table.toarray()[0].astype(np.float64),
            count_word_tokens(units),
            Concordance(NgramPlaces(counts.encoder, counts.ngrams, corpus, table)),
        )

    def add_occurrences(self, columns: list[int], ngrams: Sequence[Keyword]) -> list[Keyword]:
        """Add the count and the concordance lines in this text to each keyword."""
        return [
            replace(
                ngram,
                questioned_count=int(self.counts[column]),
                questioned_lines=self.concordance.lines(column, N_LINES),
            )
            for column, ngram in zip(columns, ngrams, strict=True)
        ]


class _Comparison:
    """One author's n-gram counts compared with those of others."""

    def __init__(
        self, counts: NgramCounts, author: str, others: Sequence[str], *, keep_names: bool
    ) -> None:
        self._counts, self._keep_names = counts, keep_names
        self._author, self._others = author, tuple(others)
        [self._own], self._theirs = counts.indices_of([author]), counts.indices_of(others)
        self._own_counts, self._other_counts = (
            counts.counts_of([self._own]),
            counts.counts_of(self._theirs),
        )
        self._n_documents = int((counts.owners == self._own).sum())
        self._log_odds, self._z = self._ratios(self._own_counts, counts.totals_of([self._own]))
        if self._n_documents > 1:
            self._leave_one_text_out()

    def _ratios(self, counts: Floats, totals: Floats) -> tuple[Floats, Floats]:
        return log_odds_ratios(
            counts,
            totals,
            self._other_counts,
            self._counts.totals_of(self._theirs),
            PRIOR_SHARE * self._counts.total_counts,
            PRIOR_SHARE * self._counts.totals_of(range(len(self._counts.authors))),
        )

    def _leave_one_text_out(self) -> None:
        """Lower z to its value without the text that contains the n-gram most often."""
        columns = np.flatnonzero(self._z >= MIN_Z)
        counts, totals = self._own_counts.copy(), self._counts.totals_of([self._own])
        most, of_text = self._counts.most_in_one_text(self._own, columns)
        counts[columns] -= most
        totals[columns] -= of_text
        self._z = np.minimum(self._z, self._ratios(counts, totals)[1])

    def keywords(self, at_most: int, questioned: _QuestionedText | None = None) -> AuthorKeywords:
        """Choose keywords; if there is a questioned text, only those that occur in it."""
        frequencies = self._counts.document_frequencies(self._own)
        is_keyword = (self._z >= MIN_Z) & (frequencies >= min(MIN_TEXTS, self._n_documents))
        if questioned is not None:
            is_keyword &= questioned.counts > 0
        is_name = is_keyword & self._counts.has_name & (not self._keep_names)
        columns = self._without_overlaps(np.flatnonzero(is_keyword & ~is_name), at_most)
        ngrams = self._described(columns, frequencies)
        if questioned is not None:
            ngrams = questioned.add_occurrences(columns, ngrams)
        return AuthorKeywords(
            author=self._author,
            others=self._others,
            n_words=self._counts.n_words([self._own]),
            other_words=self._counts.n_words(self._theirs),
            n_documents=self._n_documents,
            ngrams=tuple(ngrams),
            n_names=int(is_name.sum()),
            questioned_words=None if questioned is None else questioned.n_words,
        )

    def _described(self, columns: Sequence[int], frequencies: Integers) -> list[Keyword]:
        table = self._counts.table[:, columns].toarray()  # (n_documents, n_chosen)
        concordance = self._concordance()
        return [
            Keyword(
                ngram=self._counts.ngrams.ngram(column),
                log_odds=float(self._log_odds[column]),
                z=float(self._z[column]),
                count=int(self._own_counts[column]),
                other_count=int(self._other_counts[column]),
                n_documents=int(frequencies[column]),
                n_other_authors=self._n_others_in(own > 0),
                lines=concordance.lines(column, N_LINES),
            )
            for column, own in zip(columns, table.T, strict=True)
        ]

    def _concordance(self) -> Concordance:
        """Return the concordance of the author's texts, in the order of their paths."""
        counts = self._counts
        own = np.flatnonzero(counts.owners == self._own).tolist()
        own.sort(key=lambda document: counts.corpus[document].path)
        corpus = Corpus([counts.corpus[document] for document in own], self._author)
        table = sparse.csr_array(counts.table[own])
        return Concordance(NgramPlaces(counts.encoder, counts.ngrams, corpus, table))

    def _without_overlaps(self, columns: Integers, at_most: int) -> list[int]:
        """Choose n-grams by z, except those that contain or are part of one chosen before."""
        chosen: dict[int, tuple[str, ...]] = {}
        for column in columns[np.argsort(-self._z[columns], kind="stable")].tolist():
            ngram = self._counts.ngrams.ngram(column)
            if SENTENCE_END not in ngram and not _overlaps(ngram, chosen.values()):
                chosen[column] = ngram
                if len(chosen) == at_most:
                    break
        return list(chosen)

    def _n_others_in(self, documents: Booleans) -> int:
        """Count the other authors who wrote one of these texts."""
        return len(set(self._counts.owners[documents].tolist()) & set(self._theirs))


def _overlaps(ngram: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    """Return whether an n-gram contains, or is part of, one of the others."""
    return any(_is_part(ngram, other) or _is_part(other, ngram) for other in others)


def _is_part(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    n = len(part)
    return any(whole[place : place + n] == part for place in range(len(whole) - n + 1))
