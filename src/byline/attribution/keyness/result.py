"""Keywords in context: where an n-gram stands in a text, and what stands around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.attribution.keyness.counts import split_units
from byline.corpus.scripts import is_unspaced
from byline.text import TextEncoder
from byline.text.alignment import align_tokens

AROUND = 29  # characters shown on either side
CUT = "…"


@dataclass(frozen=True, slots=True)
class Context:
    """One place where an n-gram stands, as it is written there.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    before, hit, after : str
        What stands before the n-gram, the n-gram, and what stands behind it; white space is one
        space each. An ellipsis stands for what is left out.
    """

    path: str | None
    before: str
    hit: str
    after: str


def find_contexts(
    encoder: TextEncoder, ngrams: NgramVocabulary, text: str, columns: list[int], path: str | None
) -> dict[int, Context]:
    """Find the first place of n-grams in a text that has them.

    Parameters
    ----------
    encoder : TextEncoder
    ngrams : NgramVocabulary
    text : str
    columns : list of int
        Of the n-grams that are looked for.
    path : str or None
        Where the text came from.

    Returns
    -------
    dict of column to Context
        Those that were found.
    """
    units = split_units(encoder, text)
    places = align_tokens(encoder, text, encoder.tokenize(text), end_tokens=True)
    found, starts, ends = ngrams.occurrences(units)
    contexts = {}
    for column in columns:
        hits = np.flatnonzero(found == column)
        if len(hits):
            first = hits[starts[hits].argmin()]
            start, end = places.starts[starts[first]], places.ends[ends[first] - 1]
            contexts[column] = keyword_context(text, int(start), int(end), path)
    return contexts


def keyword_context(text: str, start: int, end: int, path: str | None = None) -> Context:
    """Show what stands around a part of a text, in whole words where spaces part them."""
    before = " ".join(text[max(0, start - AROUND) : start].split())
    after = " ".join(text[end : end + AROUND].split())
    if start > AROUND:
        before = CUT + (before if is_unspaced(before) else before.partition(" ")[2])
    if end + AROUND < len(text):
        after = (after if is_unspaced(after) else after.rpartition(" ")[0]) + CUT
    space = " "
    return Context(
        path=path,
        before=before + space * text[start - 1 : start].isspace(),
        hit=" ".join(text[start:end].split()),
        after=space * text[end : end + 1].isspace() + after,
    )


@dataclass(frozen=True, slots=True)
class Keyword:
    """An n-gram that an author uses more than others do.

    Attributes
    ----------
    ngram : tuple of str
        Words and marks, as the encoder writes them.
    log_odds : float
        See `log_odds_ratios`.
    z : float
        The same, or where it is lower, z without the author's text that has the n-gram most often.
    count, other_count : int
        Uses in the author's known texts, and in the others'.
    n_documents : int
        The author's known texts that have it.
    n_other_authors : int
        The others who use it at all.
    context : Context
        Where it stands first in the text of the author's that has it most often.
    questioned_count : int or None
        Uses in the questioned text; None where there is none.
    questioned_context : Context or None
        Where it stands first there.
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
    """What tells one author from others.

    Attributes
    ----------
    author : str
    others : tuple of str
        Whom it is told from.
    n_tokens, other_tokens : int
        Words and marks of the author's known texts, and of the others'.
    n_documents : int
        Known texts of the author.
    ngrams : tuple of Keyword
        The most telling first.
    questioned_tokens : int or None
        Words and marks of the questioned text.
    """

    author: str
    others: tuple[str, ...]
    n_tokens: int
    other_tokens: int
    n_documents: int
    ngrams: tuple[Keyword, ...]
    questioned_tokens: int | None = None
