"""What was taken for the text of files, and what was left out: as a dict, and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from byline.corpus import Corpus, ExcludedPart, ExtractedText
from byline.corpus.extraction import merge_excluded
from byline.corpus.scripts import count_words
from byline.formatting import printable, quantity

SCHEMA = 1
Summary = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TextDetails:
    """One text, and what its file says of it.

    Attributes
    ----------
    path : str
    text : str
    author, title : str or None
        Of known texts, the author they are learnt as.
    excluded : tuple of ExcludedPart
    notes : tuple of str
    """

    path: str
    text: str
    author: str | None = None
    title: str | None = None
    excluded: tuple[ExcludedPart, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of_file(cls, path: str, extracted: ExtractedText) -> TextDetails:
        """Describe what was extracted of one file."""
        return cls(
            path=path,
            text=extracted.text,
            author=extracted.author,
            title=extracted.title,
            excluded=extracted.excluded,
            notes=extracted.notes,
        )

    @classmethod
    def of_corpus(cls, corpus: Corpus) -> list[TextDetails]:
        """Describe each document of a corpus; warnings about it are said elsewhere."""
        return [
            cls(each.path, each.text, each.author, each.metadata.get("title"), each.excluded)
            for each in corpus
        ]


def extraction_summary(
    texts: Sequence[TextDetails], path: str, limit: int | None = None
) -> Summary:
    """Summarise texts.

    Parameters
    ----------
    texts : sequence of TextDetails
    path : str
        Of the file or corpus.
    limit : int or None
        Characters of each text that are in the summary; None for all.

    Returns
    -------
    dict
        "schema", "path", "texts" and "excluded", of all texts together. Of each text "path",
        "author" and "title" (or None), "n_paragraphs", "n_words", "n_characters", "text" (as much
        of it as ``limit`` allows), "excluded" and "notes". Of each kind of thing left out "what",
        "n" and "example".
    """
    return {
        "schema": SCHEMA,
        "path": path,
        "texts": [_text_summary(text, limit) for text in texts],
        "excluded": _listed(merge_excluded(text.excluded for text in texts)),
    }


def _text_summary(shown: TextDetails, limit: int | None) -> Summary:
    return {
        "path": shown.path,
        "author": shown.author,
        "title": shown.title,
        "n_paragraphs": len(shown.text.split("\n\n")) if shown.text else 0,
        "n_words": count_words(shown.text),
        "n_characters": len(shown.text),
        "text": shown.text[:limit],
        "excluded": _listed(shown.excluded),
        "notes": list(shown.notes),
    }


def _listed(excluded: Sequence[ExcludedPart]) -> list[dict[str, Any]]:
    return [asdict(each) for each in excluded]


def print_extraction(console: Console, summary: Summary) -> None:
    """Print each text, what was left out of it, and in the end what was of all.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `extraction_summary` returns it.
    """
    for text in summary["texts"]:
        _print_text(console, text)
    if len(summary["texts"]) > 1:
        listed = ", ".join(f"{each['what']} ({each['n']:,})" for each in summary["excluded"])
        total = quantity(len(summary["texts"]), "text")
        _print(console, f"{total}, and left out of them: {listed or 'nothing'}", style="bold")


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
        _print(console, f"  left out: {each['what']} ({each['n']:,}){example}")
    for note in text["notes"]:
        _print(console, f"  note: {note}")


def _print(console: Console, line: str, style: str = "") -> None:
    """Print a line, wrapped under its indent, with controls as escapes."""
    shown = line.lstrip()
    indent = len(line) - len(shown)
    for wrapped in Text(printable(shown)).wrap(console, max(20, console.width - indent)):
        wrapped.rstrip()
        console.print(Text(" " * indent + wrapped.plain, style), soft_wrap=True)
