"""Telling words and n-grams for readers: plain dicts, and text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.cells import chop_cells, set_cell_size
from rich.console import Console
from rich.text import Text

from byline.attribution.keyness import AuthorKeywords, Context, Keyword
from byline.corpus.scripts import join_words
from byline.formatting import isolated, number
from byline.report.terminal import empty_table, plain, shorten_name

N_SHOWN = 5  # n-grams of an author on the terminal
AROUND = 20  # characters on either side of an n-gram on the terminal
LONGEST = 12  # characters of an n-gram that shorten nothing
PER = 10_000  # words and marks, that uses are told of beside counts

Summary = dict[str, Any]


def keywords_summary(found: Iterable[AuthorKeywords]) -> list[Summary]:
    """Summarise what tells authors from others.

    Parameters
    ----------
    found : iterable of AuthorKeywords

    Returns
    -------
    list of dict
        "author", "others" (names), "n_tokens" and "other_tokens" (words and marks of the known
        texts), "n_documents", "questioned_tokens" (None without a questioned text) and "ngrams",
        the most keywords first: "ngram", "log_odds" (natural logarithm), "z", "count",
        "other_count", "rate" and "other_rate" (a 10,000 words and marks), "n_documents",
        "n_other_authors", "context" ("path", "before", "hit", "after"), "questioned_count" and
        "questioned_context".
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
    """Print what tells each author from the others, with one line of context each.

    Parameters
    ----------
    console : rich.console.Console
    keywords : list of dict
        As `keywords_summary` returns it.
    """
    for entry in keywords:
        others = entry["others"][0] if len(entry["others"]) == 1 else "all others"
        console.print(
            plain(f"{isolated(entry['author'])}, told from {isolated(others)}"), style="bold"
        )
        if not entry["ngrams"]:
            console.print("  no word or n-gram stands out")
        else:
            _print_ngrams(console, entry["ngrams"][:N_SHOWN])


def _print_ngrams(console: Console, ngrams: Sequence[Mapping[str, Any]]) -> None:
    asked = ngrams[0]["questioned_count"] is not None
    table = empty_table("", "uses", "others’", *(["here"] * asked), "in context", texts=1)
    table.columns[-1].justify = "left"
    for ngram in ngrams:
        counts = [number(ngram[key], 0) for key in ("count", "other_count")]
        if asked:
            counts.append(number(ngram["questioned_count"], 0))
        line = _one_line(ngram["questioned_context"] or ngram["context"])
        table.add_row(shorten_name(ngram["ngram"]), *counts, line)
    console.print(table)


def _one_line(context: Mapping[str, Any]) -> Text:
    """Write a context so that the n-grams of several stand one below another."""
    before, hit, after = (context[part] for part in ("before", "hit", "after"))
    behind = chop_cells(f"[{hit}]{after}", AROUND + LONGEST)[0]
    return plain(set_cell_size(before[::-1], AROUND)[::-1] + behind)


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
