"""Keywords as JSON-serialisable dictionaries and as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.console import Console
from rich.text import Text

from byline.attribution.keyness import AuthorKeywords, Keyword
from byline.attribution.keyness.concordance import ELLIPSIS
from byline.attribution.keyness.result import PER, rate
from byline.formatting import isolated, number
from byline.named_settings import setting
from byline.report.terminal import empty_table, plain, shorten_name
from byline.typography.scripts import is_unspaced, join_words

N_SHOWN = 5  # keywords per author on the terminal
CONTEXT_WIDTH = 20  # characters on either side of an n-gram on the terminal
HIT_WIDTH = 12  # characters of an n-gram that do not shorten its context
RATES = f"Occurrences per {PER:,} words: in the author's known texts, in those of the others"
ONLY_IN_HEADINGS = "(only in titles, contents or headings)"

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
        "author", "others" (names), "n_words" and "other_words" (of the known texts),
        "n_documents", "n_names" (keywords left out because they contain names),
        "questioned_words" (None without a questioned text) and "ngrams", in descending order of
        z: "ngram", "log_odds" (natural logarithm), "z", "count", "other_count", "rate" and
        "other_rate" (per 10,000 words), "n_documents", "n_other_authors", "lines" ("path",
        "before", "hit", "after"), and "questioned_count", "questioned_rate" (both None without a
        questioned text) and "questioned_lines".

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
            "n_words": entry.n_words,
            "other_words": entry.other_words,
            "n_documents": entry.n_documents,
            "n_names": entry.n_names,
            "questioned_words": entry.questioned_words,
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
        if entry["ngrams"]:
            _print_ngrams(console, entry)
        else:
            console.print("  none")
        if entry["n_names"]:
            console.print(f"  {names_sentence(entry['n_names'])}")
    if any(entry["ngrams"] for entry in keywords):
        in_text = keywords[0]["questioned_words"] is not None
        console.print(f"{RATES}{', and in the questioned text' * in_text}.")


def names_sentence(n_names: int) -> str:
    """State how many keywords were left out because they are names or contain names.

    Examples
    --------
    >>> names_sentence(1)
    '1 more keyword with a name is not listed (keep_names=True lists it).'
    >>> names_sentence(1200)
    '1,200 more keywords with names are not listed (keep_names=True lists them).'
    """
    option = setting("keep_names", True)
    if n_names == 1:
        return f"1 more keyword with a name is not listed ({option} lists it)."
    return f"{n_names:,} more keywords with names are not listed ({option} lists them)."


def _print_ngrams(console: Console, entry: Mapping[str, Any]) -> None:
    has_questioned = entry["questioned_words"] is not None
    columns = ["author", "others", *(["questioned"] * has_questioned)]
    rates = ["rate", "other_rate", *(["questioned_rate"] * has_questioned)]
    table = empty_table("", *columns, "in context", texts=1)
    table.columns[-1].justify = "left"
    for ngram in entry["ngrams"][:N_SHOWN]:
        lines = (*ngram["questioned_lines"], *ngram["lines"])
        line = _one_line(lines[0]) if lines else plain(ONLY_IN_HEADINGS)
        values = (number(ngram[each], 1) for each in rates)
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
    questioned = ngram.questioned_count
    return {
        "ngram": join_words(ngram.ngram),
        "log_odds": ngram.log_odds,
        "z": ngram.z,
        "count": ngram.count,
        "other_count": ngram.other_count,
        "rate": rate(ngram.count, entry.n_words),
        "other_rate": rate(ngram.other_count, entry.other_words),
        "n_documents": ngram.n_documents,
        "n_other_authors": ngram.n_other_authors,
        "lines": list(map(asdict, ngram.lines)),
        "questioned_count": questioned,
        "questioned_rate": None
        if questioned is None
        else rate(questioned, entry.questioned_words or 0),
        "questioned_lines": list(map(asdict, ngram.questioned_lines)),
    }
