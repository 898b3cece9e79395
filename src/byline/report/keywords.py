"""Keywords as JSON-serialisable dictionaries and as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.console import Console
from rich.text import Text

from byline.attribution.keyness import AuthorKeywords, Context, Keyword
from byline.attribution.keyness.result import ELLIPSIS
from byline.formatting import isolated, number
from byline.report.terminal import empty_table, plain, shorten_name
from byline.typography.scripts import is_unspaced, join_words

N_SHOWN = 5  # keywords per author on the terminal
CONTEXT_WIDTH = 20  # characters on either side of an n-gram on the terminal
HIT_WIDTH = 12  # characters of an n-gram that do not shorten its context
PER = 10_000  # tokens, for relative frequencies
RATES = f"Author, others: occurrences per {PER:,} tokens of their known texts."
RATES_AND_COUNT = f"{RATES} Questioned: number of occurrences in the questioned text."

Summary = dict[str, Any]


def keywords_summary(found: Iterable[AuthorKeywords]) -> list[Summary]:
    """Summarise the keywords of authors.

    Parameters
    ----------
    found : iterable of AuthorKeywords
        The keywords of one or more authors.

    Returns
    -------
    list of dict
        "author", "others" (names), "n_tokens" and "other_tokens" (tokens of the known texts),
        "n_documents", "questioned_tokens" (None without a questioned text) and "ngrams", in
        descending order of z: "ngram", "log_odds" (natural logarithm), "z", "count",
        "other_count", "rate" and "other_rate" (per 10,000 tokens), "n_documents",
        "n_other_authors", "context" ("path", "before", "hit", "after"), "questioned_count" and
        "questioned_context".

    Examples
    --------
    >>> from byline.attribution.keyness import AuthorKeywords
    >>> [entry] = keywords_summary([AuthorKeywords("Ada", ("Ben",), 5000, 7000, 8, ngrams=())])
    >>> entry["author"], entry["others"]
    ('Ada', ['Ben'])
    """
    return [
        {
            "author": entry.author,
            "others": list(entry.others),
            "n_tokens": entry.n_tokens,
            "other_tokens": entry.other_tokens,
            "n_documents": entry.n_documents,
            "questioned_tokens": entry.questioned_tokens,
            "ngrams": [_ngram(entry, ngram) for ngram in entry.ngrams],
        }
        for entry in found
    ]


def print_keywords(console: Console, keywords: Sequence[Mapping[str, Any]]) -> None:
    """Print the keywords of each author, with one concordance line each.

    Parameters
    ----------
    console : rich.console.Console
    keywords : list of dict
        As `keywords_summary` returns it.
    """
    for entry in keywords:
        others = entry["others"][0] if len(entry["others"]) == 1 else "all others"
        heading = f"Keywords of {isolated(entry['author'])}, compared with {isolated(others)}"
        console.print(plain(heading), style="bold")
        if not entry["ngrams"]:
            console.print("  none")
            continue
        _print_ngrams(console, entry["ngrams"][:N_SHOWN])
        console.print(f"  {RATES if entry['questioned_tokens'] is None else RATES_AND_COUNT}")


def _print_ngrams(console: Console, ngrams: Sequence[Mapping[str, Any]]) -> None:
    has_questioned = ngrams[0]["questioned_count"] is not None
    columns = ["author", "others", *(["questioned"] * has_questioned)]
    table = empty_table("", *columns, "in context", texts=1)
    table.columns[-1].justify = "left"
    for ngram in ngrams:
        values = [number(ngram[key], 1) for key in ("rate", "other_rate")]
        if has_questioned:
            values.append(number(ngram["questioned_count"], 0))
        line = _one_line(ngram["questioned_context"] or ngram["context"])
        table.add_row(shorten_name(ngram["ngram"]), *values, line)
    console.print(table)


def _one_line(context: Mapping[str, Any]) -> Text:
    """Write a concordance line whose hit begins at a fixed position."""
    before, hit, after = (context[part] for part in ("before", "hit", "after"))
    left = _shorten(before[::-1], CONTEXT_WIDTH)
    rest = _shorten(f"[{hit}]{after}", CONTEXT_WIDTH + HIT_WIDTH)
    return plain(set_cell_size(left, CONTEXT_WIDTH)[::-1] + rest)


def _shorten(text: str, width: int) -> str:
    """Cut a text at the last space that fits, if its script has spaces, and mark the cut."""
    if cell_len(text) <= width:
        return text
    kept = chop_cells(text, width - 1)[0]
    if not is_unspaced(text) and not text[len(kept)].isspace():
        kept = kept.rpartition(" ")[0]
    return kept + ELLIPSIS


def _ngram(entry: AuthorKeywords, ngram: Keyword) -> Summary:
    return {
        "ngram": join_words(ngram.ngram),
        "log_odds": ngram.log_odds,
        "z": ngram.z,
        "count": ngram.count,
        "other_count": ngram.other_count,
        "rate": PER * ngram.count / entry.n_tokens,
        "other_rate": PER * ngram.other_count / max(entry.other_tokens, 1),
        "n_documents": ngram.n_documents,
        "n_other_authors": ngram.n_other_authors,
        "context": _context(ngram.context),
        "questioned_count": ngram.questioned_count,
        "questioned_context": ngram.questioned_context and _context(ngram.questioned_context),
    }


def _context(context: Context) -> Summary:
    return {
        "path": context.path,
        "before": context.before,
        "hit": context.hit,
        "after": context.after,
    }
