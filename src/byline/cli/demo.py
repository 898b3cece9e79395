"""``byline demo``: an example on texts that are installed with Byline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.output import check_html, console, reports_unwritten_file, write_text
from byline.cli.provenance import command_line
from byline.errors import OutputError
from byline.formatting import join_names, quantity

if TYPE_CHECKING:
    from rich.console import Console

    from byline.corpus import Corpus, Document

QUESTIONED = "1814-Madison-1.txt"


@makes_figures
def demo(
    context: typer.Context,
    report: Annotated[Path, typer.Option(metavar="FILE", help="HTML report to write.")] = Path(
        "byline-demo.html"
    ),
    write: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Only write the addresses as known texts, AUTHOR/NAME.txt, to a new folder.",
        ),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AUTHOR", help="With --write: write this author's texts only; may be repeated."
        ),
    ] = None,
    *,
    figures: FigureSettings,
) -> None:
    """Show an example: train a model of four US presidents, and attribute another address."""
    if write is not None:
        _write_corpus(write, author or [])
    elif author:
        raise typer.BadParameter("--author requires --write")
    else:
        _demonstrate(context=context, report=report, figures=figures)


@reports_unwritten_file("report")
def _demonstrate(*, context: typer.Context, report: Path, figures: FigureSettings) -> None:
    """Do what `byline train` and `byline attribute --known --report` do with a user's texts."""
    from byline.answering import KnownCorpus, answer
    from byline.cli.attribute import write_case
    from byline.cli.train import TrainSettings, train_with_progress
    from byline.corpus.demo import CANDIDATES, read_demo
    from byline.report import print_attribution
    from byline.report.case import CaseInput, CaseOrigin, case_summary

    check_html(report)
    figures.check()
    known, questioned = _hold_out(read_demo(CANDIDATES))
    out = console()
    _print_question(out, known, questioned, CANDIDATES)
    attributor = train_with_progress(known, TrainSettings())
    given = KnownCorpus.of(known, attributor)
    answers = answer(attributor, [questioned.text], given, paths=[questioned.path])
    text = CaseInput("questioned text", questioned.path, answers[0].text_sha256, "text")
    origin = CaseOrigin(command_line(context), (text,), known.name, given.differences)
    summary = case_summary(answers, origin, known)
    write_case(summary, report, figures)
    print_attribution(out, summary, top=len(CANDIDATES))
    _print_truth(out, questioned)


def _hold_out(corpus: Corpus) -> tuple[Corpus, Document]:
    """Separate the questioned text of the demo from the known texts."""
    [questioned] = [text for text in corpus if text.path == QUESTIONED]
    return corpus.select(i for i, text in enumerate(corpus) if text != questioned), questioned


def _print_question(
    out: Console, known: Corpus, questioned: Document, candidates: Sequence[str]
) -> None:
    out.print(
        f"Who wrote {questioned.path}? The candidates are {join_names(candidates, None)}. A model "
        f"is trained on {quantity(len(known), 'other address', 'other addresses')} by them. The "
        "questioned text is not among the training texts.\n"
    )


def _print_truth(out: Console, questioned: Document) -> None:
    out.print(f"\nThe actual author is {questioned.author}.")
    out.print(
        "\nWith your own texts, in one folder per author:\n"
        "  byline train KNOWN -o authors.byline\n"
        "  byline attribute authors.byline TEXT --known KNOWN --report case.html",
        soft_wrap=True,
    )


def _write_corpus(folder: Path, authors: Sequence[str]) -> None:
    from byline.corpus.demo import read_demo

    corpus = read_demo(authors)
    _make(folder)
    for text in corpus:
        path = folder / text.author / text.path
        _make(path.parent, empty=False)
        write_text(path, text.text)
    texts = quantity(len(corpus), "text")
    typer.echo(f"{folder}: {texts} by {quantity(len(corpus.candidates), 'author')}")


def _make(folder: Path, *, empty: bool = True) -> None:
    """Create a folder if there is none; with ``empty``, refuse a folder that has files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if empty and any(folder.iterdir()):
            raise OutputError(f"{folder} is not empty; name a new folder")
    except OSError as error:
        raise OutputError(
            f"{folder} cannot be created: {error.strerror or error}; name another folder"
        ) from error
