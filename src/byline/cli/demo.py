"""``byline demo``: an example on texts that are installed with Byline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.output import check_html, console, reports_unwritten_file, write_report, write_text
from byline.cli.progress import show_progress
from byline.errors import OutputError, UsageError
from byline.formatting import quantity

if TYPE_CHECKING:
    from byline.corpus import Corpus

SEED = 0


def demo(
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
) -> None:
    """Show an example: attribute State of the Union addresses to US presidents."""
    if write is not None:
        _write_corpus(write, author or [])
    elif author:
        raise typer.BadParameter("--author requires --write")
    else:
        _demonstrate(report=report)


@reports_unwritten_file("report")
def _demonstrate(*, report: Path) -> None:
    from byline.attribution import AuthorshipAttributor
    from byline.corpus.demo import read_demo
    from byline.experiments import demonstrate
    from byline.report import demo_html, demo_summary, print_demo

    check_html(report)
    corpus = read_demo()
    attributor = AuthorshipAttributor(random_state=SEED)  # faster than the default, a stack
    with show_progress("training") as progress:
        demonstration = demonstrate(corpus, attributor, random_state=SEED, progress=progress)
    summary = demo_summary(demonstration)
    write_report(report, demo_html(summary))
    print_demo(console(), summary)


def _write_corpus(folder: Path, authors: Sequence[str]) -> None:
    from byline.corpus.demo import read_demo

    corpus = _by(authors, read_demo())
    _make(folder)
    for text in corpus:
        path = folder / text.author / text.path
        _make(path.parent, empty=False)
        write_text(path, text.text)
    texts = quantity(len(corpus), "text")
    typer.echo(f"{folder}: {texts} by {quantity(len(corpus.candidates), 'author')}")


def _by(authors: Sequence[str], corpus: Corpus) -> Corpus:
    """Select the texts by ``authors``; all texts if there are none."""
    if unknown := [name for name in authors if name not in corpus.candidates]:
        known = ", ".join(corpus.candidates)
        raise UsageError(f"--author {unknown[0]}: the demo has no such author; use one of {known}")
    return corpus.select(
        [i for i, text in enumerate(corpus) if text.author in authors or not authors]
    )


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
