"""Keywords and n-grams of authors, with their rates and concordance lines."""

from __future__ import annotations

from dataclasses import dataclass

from byline.attribution.keyness.concordance import Context

PER = 10_000  # words, for rates


def rate(count: float, n_words: float) -> float:
    """Return the number of occurrences per 10,000 words; 0 for a text without words.

    Examples
    --------
    >>> rate(3, 1000)
    30.0
    """
    return PER * count / n_words if n_words else 0.0


@dataclass(frozen=True, slots=True)
class Keyword:
    """An n-gram that an author uses more than others do.

    Attributes
    ----------
    ngram : tuple of str
        Words and punctuation marks, as the encoder normalises them.
    log_odds : float
        See `log_odds_ratios`.
    z : float
        The z-score, or the lower z-score without the author's text that contains the n-gram most
        often.
    count, other_count : int
        Occurrences in the author's known texts, and in the others'.
    n_documents : int
        Number of the author's known texts that contain it.
    n_other_authors : int
        Number of other authors who use it.
    lines : tuple of Context
        Concordance lines from the author's known texts; empty if it occurs only in titles, tables
        of contents and headings.
    questioned_count : int or None
        Occurrences in the questioned text; None without a questioned text.
    questioned_lines : tuple of Context
        Concordance lines from the questioned text.

    Examples
    --------
    >>> line = Context("ada/1.txt", before="the sea ", hit="and", after=" the wind")
    >>> Keyword(("and",), 0.9, 3.1, 120, 40, 8, 2, (line,)).count
    120
    """

    ngram: tuple[str, ...]
    log_odds: float
    z: float
    count: int
    other_count: int
    n_documents: int
    n_other_authors: int
    lines: tuple[Context, ...]
    questioned_count: int | None = None
    questioned_lines: tuple[Context, ...] = ()


@dataclass(frozen=True, slots=True)
class AuthorKeywords:
    """The keywords of one author compared with others.

    Attributes
    ----------
    author : str
        The author whose keywords they are.
    others : tuple of str
        The authors compared with.
    n_words, other_words : int
        Number of words in the author's known texts, and in the others'.
    n_documents : int
        Number of the author's known texts.
    ngrams : tuple of Keyword
        The keywords in descending order of z.
    n_names : int
        Number of keywords that were left out because they contain names.
    questioned_words : int or None
        Number of words in the questioned text, if there is one.

    See Also
    --------
    keywords_of_authors, keywords_in_text : Find keywords.

    Examples
    --------
    >>> found = AuthorKeywords("Ada", ("Ben",), 5000, 7000, 8, ngrams=())
    >>> found.questioned_words is None
    True
    """

    author: str
    others: tuple[str, ...]
    n_words: int
    other_words: int
    n_documents: int
    ngrams: tuple[Keyword, ...]
    n_names: int = 0
    questioned_words: int | None = None
