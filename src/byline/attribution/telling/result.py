"""What is said about n-grams that tell one author from others."""

from __future__ import annotations

from dataclasses import dataclass

from byline.attribution.telling.contexts import Context


@dataclass(frozen=True, slots=True)
class TellingNgram:
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
class AuthorTelling:
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
    ngrams : tuple of TellingNgram
        The most telling first.
    questioned_tokens : int or None
        Words and marks of the questioned text.
    """

    author: str
    others: tuple[str, ...]
    n_tokens: int
    other_tokens: int
    n_documents: int
    ngrams: tuple[TellingNgram, ...]
    questioned_tokens: int | None = None
