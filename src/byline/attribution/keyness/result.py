"""Keywords, with their counts and with the context in which they occur."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.keyness.counts import tokens_and_ends
from byline.text import TextEncoder
from byline.text.alignment import align_tokens
from byline.typography.scripts import is_unspaced

CONTEXT_LENGTH = 29  # characters shown on either side
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Context:
    """A concordance line: one occurrence of an n-gram, as it is written in the text.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    before, hit, after : str
        The text before the n-gram, the n-gram, and the text after it. Each run of white space is
        one space. An ellipsis stands for omitted text.

    Examples
    --------
    >>> Context("ada/1.txt", before="the sea ", hit="and", after=" the wind").hit
    'and'
    """

    path: str | None
    before: str
    hit: str
    after: str


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
    context : Context
        Its first occurrence in the author's text that contains it most often.
    questioned_count : int or None
        Occurrences in the questioned text; None without a questioned text.
    questioned_context : Context or None
        Its first occurrence in the questioned text.

    Examples
    --------
    >>> context = Context("ada/1.txt", before="the sea ", hit="and", after=" the wind")
    >>> Keyword(("and",), 0.9, 3.1, 120, 40, 8, 2, context).count
    120
    """

    ngram: tuple[str, ...]
    log_odds: float
    z: float
    count: int
    other_count: int
    n_documents: int
    n_other_authors: int
    context: Context
    questioned_count: int | None = None
    questioned_context: Context | None = None


@dataclass(frozen=True, slots=True)
class AuthorKeywords:
    """The keywords of one author compared with others.

    Attributes
    ----------
    author : str
        The author whose keywords they are.
    others : tuple of str
        The authors compared with.
    n_tokens, other_tokens : int
        Number of tokens in the author's known texts, and in the others'.
    n_documents : int
        Number of the author's known texts.
    ngrams : tuple of Keyword
        The keywords in descending order of z.
    questioned_tokens : int or None
        Number of tokens in the questioned text, if there is one.

    See Also
    --------
    keywords_of_authors, keywords_in_text : Find keywords.

    Examples
    --------
    >>> found = AuthorKeywords("Ada", ("Ben",), 5000, 7000, 8, ngrams=())
    >>> found.questioned_tokens is None
    True
    """

    author: str
    others: tuple[str, ...]
    n_tokens: int
    other_tokens: int
    n_documents: int
    ngrams: tuple[Keyword, ...]
    questioned_tokens: int | None = None


def find_contexts(
    encoder: TextEncoder, ngrams: NgramVocabulary, text: str, columns: list[int], path: str | None
) -> dict[int, Context]:
    """Find the first occurrence of n-grams in a text.

    Parameters
    ----------
    encoder : TextEncoder
        Splits the text into tokens.
    ngrams : NgramVocabulary
        The vocabulary that ``columns`` refer to.
    text : str
        The text to search.
    columns : list of int
        The columns of the n-grams to find.
    path : str or None
        Where the text came from.

    Returns
    -------
    dict of column to Context
        Without the n-grams that do not occur.
    """
    places = align_tokens(encoder, text, encoder.tokenize(text), end_tokens=True)
    found, starts, ends = ngrams.occurrences(tokens_and_ends(encoder, text))
    contexts = {}
    for column in columns:
        hits = np.flatnonzero(found == column)
        if len(hits):
            first = hits[starts[hits].argmin()]
            start, end = places.starts[starts[first]], places.ends[ends[first] - 1]
            contexts[column] = keyword_context(text, int(start), int(end), path)
    return contexts


def keyword_context(
    text: str, start: int, end: int, path: str | None = None, length: int = CONTEXT_LENGTH
) -> Context:
    """Return a part of a text with the text around it, cut at spaces if the script has them.

    Parameters
    ----------
    text : str
    start, end : int
        Offsets of the part in the text.
    path : str, optional
        Where the text came from.
    length : int
        Characters shown on either side.

    Examples
    --------
    >>> keyword_context("the sea and the wind", 8, 11).before
    'the sea '
    """
    before = " ".join(text[max(0, start - length) : start].split())
    after = " ".join(text[end : end + length].split())
    if start > length:
        before = ELLIPSIS + (before if is_unspaced(before) else before.partition(" ")[2])
    if end + length < len(text):
        after = (after if is_unspaced(after) else after.rpartition(" ")[0]) + ELLIPSIS
    space = " "
    return Context(
        path=path,
        before=before + space * text[start - 1 : start].isspace(),
        hit=" ".join(text[start:end].split()),
        after=space * text[end : end + 1].isspace() + after,
    )
