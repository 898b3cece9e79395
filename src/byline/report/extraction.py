"""Report what was extracted from files, and what was excluded: as a dict, and on the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from rich.console import Console
from rich.text import Text

from byline.corpus import Corpus, ExcludedPart, ExtractedText
from byline.corpus.extraction import merge_excluded
from byline.formatting import printable, quantity
from byline.typography import RULES, Normalization
from byline.typography.scripts import count_words

SCHEMA = 3
Summary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TextDetails:
    """A text, and what its file states about it.

    Attributes
    ----------
    path : str
    text : str
    author, title : str or None
        The author of a known text is the one that a model uses.
    excluded : tuple of ExcludedPart
    warnings : tuple of str
    """

    path: str
    text: str
    author: str | None = None
    title: str | None = None
    excluded: tuple[ExcludedPart, ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of_file(cls, path: str, extracted: ExtractedText) -> TextDetails:
        """Return the details of one file."""
        return cls(
            path=path,
            text=extracted.text,
            author=extracted.author,
            title=extracted.title,
            excluded=extracted.excluded,
            warnings=extracted.warnings,
        )

    @classmethod
    def of_corpus(cls, corpus: Corpus) -> list[TextDetails]:
        """Return the details of each document; reading the corpus has given its warnings."""
        return [
            cls(each.path, each.text, each.author, each.metadata.get("title"), each.excluded)
            for each in corpus
        ]


def extraction_summary(
    texts: Sequence[TextDetails],
    path: str,
    limit: int | None = None,
    *,
    normalization: Normalization,
) -> Summary:
    """Summarise extracted texts.

    Parameters
    ----------
    texts : sequence of TextDetails
    path : str
        The path of the file or corpus.
    limit : int or None
        The number of characters of each text in the summary; None for all.
    normalization : Normalization
        The rules by which the texts are normalised.

    Returns
    -------
    dict
        "schema", "path", "normalization", "texts", and "excluded" and "changes" of all texts
        together. Each text has "path", "author" and "title" (or None), "n_paragraphs", "n_words",
        "n_characters" and "text" (up to ``limit``) after normalisation, "excluded", "changes" and
        "warnings". Each excluded kind has "kind", "n" and "example"; each rule that changed a text
        has "rule", "n" and "examples" with "before" and "after".
    """
    summaries = [_text_summary(text, limit, normalization) for text in texts]
    return {
        "schema": SCHEMA,
        "path": path,
        "normalization": str(normalization),
        "texts": summaries,
        "excluded": _as_dicts(merge_excluded(text.excluded for text in texts)),
        "changes": _merge_changes([each["changes"] for each in summaries]),
    }


def _text_summary(details: TextDetails, limit: int | None, normalization: Normalization) -> Summary:
    text = normalization.apply(details.text)
    return {
        "path": details.path,
        "author": details.author,
        "title": details.title,
        "n_paragraphs": len(text.split("\n\n")) if text else 0,
        "n_words": count_words(text),
        "n_characters": len(text),
        "text": text[:limit],
        "excluded": _as_dicts(details.excluded),
        "changes": [
            {
                "rule": change.rule,
                "n": change.number,
                "examples": [{"before": old, "after": new} for old, new in change.examples],
            }
            for change in normalization.changes(details.text)
        ],
        "warnings": list(details.warnings),
    }


def _as_dicts(excluded: Sequence[ExcludedPart]) -> list[dict[str, Any]]:
    return [asdict(each) for each in excluded]


def _merge_changes(of_texts: Sequence[Sequence[Summary]]) -> list[Summary]:
    """Add up the changes of each rule, with the examples of the first text that it changed."""
    merged: dict[str, Summary] = {}
    for change in chain.from_iterable(of_texts):
        known = merged.setdefault(change["rule"], change | {"n": 0})
        known["n"] += change["n"]
    return [merged[rule] for rule in RULES if rule in merged]


def print_extraction(console: Console, summary: Summary) -> None:
    """Print each text with what was excluded from it, and a total for several texts.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `extraction_summary` returns it.
    """
    for text in summary["texts"]:
        _print_text(console, text)
    if len(summary["texts"]) > 1:
        listed = ", ".join(f"{each['kind']} ({each['n']:,})" for each in summary["excluded"])
        total = quantity(len(summary["texts"]), "text")
        _print(console, f"{total}. Excluded from them: {listed or 'nothing'}.", style="bold")
        changed = ", ".join(f"{each['rule']} ({each['n']:,})" for each in summary["changes"])
        if changed:
            _print(console, f"Normalised in them: {changed}.", style="bold")


def _print_text(console: Console, text: Summary) -> None:
    by = f" by {text['author']}" if text["author"] else ""
    title = f" “{text['title']}”" if text["title"] else ""
    _print(console, f"{text['path']}:{title}{by}", style="bold")
    counts = (
        (text["n_paragraphs"], "paragraph"),
        (text["n_words"], "word"),
        (text["n_characters"], "character"),
    )
    _print(console, f"  text: {', '.join(quantity(*each) for each in counts)}")
    for paragraph in filter(None, text["text"].split("\n")):
        _print(console, f"    {paragraph}")
    n_more = text["n_characters"] - len(text["text"])
    if n_more:
        _print(console, f"    ... and {quantity(n_more, 'more character')}")
    for each in text["excluded"]:
        example = f": {each['example']}" if each["example"] else ""
        _print(console, f"  excluded: {each['kind']} ({each['n']:,}){example}")
    for each in text["changes"]:
        [example, *_] = each["examples"]
        before, after = _visible(example["before"]), _visible(example["after"])
        _print(console, f"  normalised: {each['rule']} ({each['n']:,}): [{before}] -> [{after}]")
    for warning in text["warnings"]:
        _print(console, f"  warning: {warning}")


def _visible(text: str) -> str:
    """Return a text in one line, with the code points of characters that cannot be seen."""
    return "".join(
        f"<U+{ord(c):04X}>" if c != " " and unicodedata.category(c) in ("Cf", "Zs") else c
        for c in " ".join(text.split("\n"))
    )


def _print(console: Console, line: str, style: str = "") -> None:
    """Print a line, wrapped under its indentation, with control characters as escapes."""
    shown = line.lstrip()
    indent = len(line) - len(shown)
    for wrapped in Text(printable(shown)).wrap(console, max(20, console.width - indent)):
        wrapped.rstrip()
        console.print(Text(" " * indent + wrapped.plain, style), soft_wrap=True)
