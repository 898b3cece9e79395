"""The n-grams that tell most: of each author among all, or of two candidates in one text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution.keyness.counts import (
    SENTENCE_END,
    NgramCounts,
    log_odds_ratios,
    split_units,
)
from byline.attribution.keyness.result import AuthorKeywords, Context, Keyword, find_contexts

AT_MOST = 10
LEAST_Z = 3.0  # of a hundred thousand n-grams, chance takes a hundred or so above this
# Of all known text. More hides an author who wrote most of it; less lists frequent words alone.
PRIOR_SHARE = 0.1
LEAST_TEXTS = 2  # of an author's, that must have an n-gram: one alone has names and topics

Places = NDArray[np.int64]


def keywords_of_authors(counts: NgramCounts, *, at_most: int = AT_MOST) -> list[AuthorKeywords]:
    """Find what tells each author from all others.

    The prior is a tenth of the uses in all known texts together. An n-gram is listed where its
    z-score is 3 or more, also without the author's text that has it most often, and two of the
    author's texts have it (of an author with one text alone: where its z-score is 3 or more). Of
    two n-grams of which one is a part of the other, the more telling one is.

    Parameters
    ----------
    counts : NgramCounts
    at_most : int
        N-grams of an author.

    Returns
    -------
    list of AuthorKeywords
        One an author, sorted by name.
    """
    names = counts.authors
    return [
        _Contrast(counts, name, [other for other in names if other != name]).most_telling(at_most)
        for name in names
    ]


def keywords_in_text(
    counts: NgramCounts,
    text: str,
    first: str,
    second: str,
    *,
    path: str | None = None,
    at_most: int = AT_MOST,
) -> tuple[AuthorKeywords, AuthorKeywords]:
    """Find what tells two candidates from each other and stands in a questioned text.

    Parameters
    ----------
    counts : NgramCounts
    text : str
        The questioned text.
    first, second : str
        The candidates.
    path : str, optional
        Where the text came from.
    at_most : int
        N-grams of a candidate.

    Returns
    -------
    pair of AuthorKeywords
        Of the first against the second, then the reverse.

    Raises
    ------
    UsageError
        A candidate has no known text.
    """
    questioned = _Questioned.of(counts, text, path)
    return (
        _Contrast(counts, first, [second]).most_telling(at_most, questioned),
        _Contrast(counts, second, [first]).most_telling(at_most, questioned),
    )


@dataclass(frozen=True, slots=True)
class _Questioned:
    """A questioned text, and its n-grams: (n_ngrams,) counts."""

    text: str
    path: str | None
    uses: Floats
    n_tokens: int

    @classmethod
    def of(cls, counts: NgramCounts, text: str, path: str | None) -> _Questioned:
        units = split_units(counts.encoder, text)
        uses = counts.ngrams.counts([units]).toarray()[0].astype(np.float64)
        return cls(text, path, uses, len(units) - units.count(SENTENCE_END))

    def looked_up(
        self, counts: NgramCounts, columns: list[int], ngrams: Sequence[Keyword]
    ) -> list[Keyword]:
        """Say how often n-grams stand in the text, and where first."""
        contexts = find_contexts(counts.encoder, counts.ngrams, self.text, columns, self.path)
        return [
            replace(
                ngram,
                questioned_count=int(self.uses[column]),
                questioned_context=contexts[column],
            )
            for column, ngram in zip(columns, ngrams, strict=True)
        ]


class _Contrast:
    """One author's use of all n-grams against others'."""

    def __init__(self, counts: NgramCounts, author: str, others: Sequence[str]) -> None:
        self._counts = counts
        self._author, self._others = author, tuple(others)
        [self._own], self._theirs = counts.places_of([author]), counts.places_of(others)
        self._uses, self._their_uses = counts.uses([self._own]), counts.uses(self._theirs)
        self._n_documents = int((counts.owners == self._own).sum())
        self._log_odds, self._z = self._ratios(self._uses, counts.totals_of([self._own]))
        if self._n_documents > 1:
            self._leave_most_out()

    def _ratios(self, uses: Floats, totals: Floats) -> tuple[Floats, Floats]:
        return log_odds_ratios(
            uses,
            totals,
            self._their_uses,
            self._counts.totals_of(self._theirs),
            PRIOR_SHARE * self._counts.all_uses,
            PRIOR_SHARE * self._counts.totals_of(range(len(self._counts.authors))),
        )

    def _leave_most_out(self) -> None:
        """Let no single text decide: take z without the one that has an n-gram most often."""
        columns = np.flatnonzero(self._z >= LEAST_Z)
        uses, totals = self._uses.copy(), self._counts.totals_of([self._own])
        most, of_text = self._counts.most_in_one_text(self._own, columns)
        uses[columns] -= most
        totals[columns] -= of_text
        self._z = np.minimum(self._z, self._ratios(uses, totals)[1])

    def most_telling(self, at_most: int, questioned: _Questioned | None = None) -> AuthorKeywords:
        """Choose n-grams, and look them up; with a questioned text, of those that it has."""
        spread = self._counts.spread(self._own)
        is_telling = (self._z >= LEAST_Z) & (spread >= min(LEAST_TEXTS, self._n_documents))
        if questioned is not None:
            is_telling &= questioned.uses > 0
        columns = self._without_parts(np.flatnonzero(is_telling), at_most)
        ngrams = self._described(columns, spread)
        if questioned is not None:
            ngrams = questioned.looked_up(self._counts, columns, ngrams)
        return AuthorKeywords(
            author=self._author,
            others=self._others,
            n_tokens=self._counts.n_tokens([self._own]),
            other_tokens=self._counts.n_tokens(self._theirs),
            n_documents=self._n_documents,
            ngrams=tuple(ngrams),
            questioned_tokens=None if questioned is None else questioned.n_tokens,
        )

    def _described(self, columns: Sequence[int], spread: Places) -> list[Keyword]:
        table = self._counts.table[:, columns].toarray()  # (n_documents, n_chosen)
        contexts = self._known_contexts(columns, table)
        return [
            Keyword(
                ngram=self._counts.ngrams.ngram(column),
                log_odds=float(self._log_odds[column]),
                z=float(self._z[column]),
                count=int(self._uses[column]),
                other_count=int(self._their_uses[column]),
                n_documents=int(spread[column]),
                n_other_authors=self._n_others_in(uses > 0),
                context=contexts[column],
            )
            for column, uses in zip(columns, table.T, strict=True)
        ]

    def _without_parts(self, columns: Places, at_most: int) -> list[int]:
        """Take the most telling n-grams but those that hold, or are part of, one taken before."""
        chosen: dict[int, tuple[str, ...]] = {}
        for column in columns[np.argsort(-self._z[columns], kind="stable")].tolist():
            ngram = self._counts.ngrams.ngram(column)
            if SENTENCE_END not in ngram and not _overlaps(ngram, chosen.values()):
                chosen[column] = ngram
                if len(chosen) == at_most:
                    break
        return list(chosen)

    def _n_others_in(self, documents: NDArray[np.bool_]) -> int:
        """How many of the others wrote some of these texts."""
        return len(set(self._counts.owners[documents].tolist()) & set(self._theirs))

    def _known_contexts(
        self, columns: Sequence[int], table: NDArray[np.float32]
    ) -> dict[int, Context]:
        """Find each n-gram in the author's text that has it most often, the first of such."""
        own = np.flatnonzero(self._counts.owners == self._own)
        wanted: dict[int, list[int]] = defaultdict(list)
        for column, place in zip(columns, table[own].argmax(axis=0).tolist(), strict=True):
            wanted[int(own[place])].append(column)
        contexts: dict[int, Context] = {}
        for document, of_document in wanted.items():
            known = self._counts.corpus[document]
            contexts |= find_contexts(
                self._counts.encoder, self._counts.ngrams, known.text, of_document, known.path
            )
        return contexts


def _overlaps(ngram: tuple[str, ...], others: Iterable[tuple[str, ...]]) -> bool:
    """Whether one of the others is a part of an n-gram, or the reverse."""
    return any(_is_part(ngram, other) or _is_part(other, ngram) for other in others)


def _is_part(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    n = len(part)
    return any(whole[place : place + n] == part for place in range(len(whole) - n + 1))
