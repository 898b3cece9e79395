"""``byline corpus``: known texts before anything is learnt from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli import corpus_check
from byline.cli.options import JsonOption, KeepOption, Kept
from byline.cli.output import console, print_json
from byline.cli.texts import extract, name_of

if TYPE_CHECKING:
    from byline.report.extraction import TextDetails

_OF_ONE, _OF_EACH = 2000, 200  # characters shown of a text

app = typer.Typer(
    help="Look at known texts, check and mend them, before anything is learnt.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _group() -> None:
    """Keep this a group of commands however many there are."""


@app.command("show")
def show(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="One file of any format, a folder or ZIP of texts, or a table; - is standard "
            "input.",
        ),
    ],
    keep: KeepOption = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help=f"Characters to show of each text, 0 for all; by default {_OF_ONE:,} of one "
            f"file, {_OF_EACH} of each of several, and all with --json.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show what is taken for text, and what is left out: notes, headers, menus."""
    from byline.report.extraction import extraction_summary, print_extraction

    texts = _texts(path, keep or [])
    usual = None if json else _OF_ONE if len(texts) == 1 else _OF_EACH
    summary = extraction_summary(texts, name_of(path), usual if limit is None else limit or None)
    if json:
        print_json(summary)
    else:
        print_extraction(console(), summary)


def _texts(path: Path, keep: list[Kept]) -> list[TextDetails]:
    from byline.corpus import Keep, read_corpus
    from byline.corpus.reading import is_corpus_path
    from byline.report.extraction import TextDetails

    if is_corpus_path(path):
        corpus = read_corpus(path, min_authors=1, unit="char", keep=map(Keep, keep))
        return TextDetails.of_corpus(corpus)
    return [TextDetails.of_file(name_of(path), extract(path, keep))]


app.command("check")(corpus_check.check)
app.command("mend")(corpus_check.mend)
