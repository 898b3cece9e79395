"""``byline demo``: the whole path on real texts that come with a package, and those as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.interruption import reports_unwritten_file
from byline.cli.output import check_output, console, write_text
from byline.cli.progress import show_progress
from byline.errors import OutputError, UsageError

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
            help="Write the addresses as known texts, AUTHOR/NAME.txt, into a new folder, "
            "and do nothing else.",
        ),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AUTHOR", help="With --write, this author's texts alone; may be repeated."
        ),
    ] = None,
) -> None:
    """See it work on the State of the Union addresses."""
    if write is not None:
        _write_corpus(write, author or [])
    elif author:
        raise typer.BadParameter("--author goes with --write")
    else:
        _demonstrate(report=report)


@reports_unwritten_file("report")
def _demonstrate(*, report: Path) -> None:
    from byline.attribution import AuthorshipAttributor
    from byline.corpus.demo import read_demo
    from byline.experiments import demonstrate
    from byline.report import demo_html, demo_summary, print_demo

    check_output(report)
    corpus = read_demo()
    attributor = AuthorshipAttributor(random_state=SEED)  # alone, language models take seconds
    with show_progress("learning") as progress:
        demonstration = demonstrate(corpus, attributor, random_state=SEED, progress=progress)
    summary = demo_summary(demonstration)
    write_text(report, demo_html(summary))
    out = console()
    print_demo(out, summary)
    out.print(f"Report: {report}", soft_wrap=True)


def _write_corpus(folder: Path, authors: Sequence[str]) -> None:
    from byline.corpus.demo import read_demo

    corpus = _by(authors, read_demo())
    _make(folder)
    for text in corpus:
        path = folder / text.author / text.path
        _make(path.parent, empty=False)
        write_text(path, text.text)
    typer.echo(f"{folder}: {len(corpus)} texts by {len(corpus.candidates)} authors")


def _by(authors: Sequence[str], corpus: Corpus) -> Corpus:
    """Select the texts by ``authors``; by default all."""
    if strangers := [name for name in authors if name not in corpus.candidates]:
        known = ", ".join(corpus.candidates)
        raise UsageError(f"--author {strangers[0]}: the demo has no such author, but {known}")
    return corpus.select(
        [i for i, text in enumerate(corpus) if text.author in authors or not authors]
    )


def _make(folder: Path, *, empty: bool = True) -> None:
    """Make a folder where there is none; one that must be ``empty`` may have nothing in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if empty and any(folder.iterdir()):
            raise OutputError(f"{folder} has something in it; name a new folder")
    except OSError as error:
        raise OutputError(f"{folder}: {error.strerror or error}; name another folder") from error
