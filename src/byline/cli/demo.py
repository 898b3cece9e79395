"""``byline demo``: the whole path on real texts that come with a package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from byline.cli.interruption import writes
from byline.cli.output import check_output, console, write_text
from byline.cli.progress import progress_shown

SEED = 0


@writes("report")
def demo(
    report: Annotated[Path, typer.Option(metavar="FILE", help="HTML report to write.")] = Path(
        "byline-demo.html"
    ),
) -> None:
    """See it work on the State of the Union addresses."""
    from byline.attribution import AuthorshipAttributor
    from byline.corpus.demo import read_demo
    from byline.experiments import demonstrate
    from byline.report import demo_html, demo_summary, print_demo

    check_output(report)
    corpus = read_demo()
    attributor = AuthorshipAttributor(random_state=SEED)  # alone, language models take seconds
    with progress_shown("learning") as progress:
        demonstration = demonstrate(corpus, attributor, random_state=SEED, progress=progress)
    summary = demo_summary(demonstration)
    write_text(report, demo_html(summary))
    out = console()
    print_demo(out, summary)
    out.print(f"Report: {report}", soft_wrap=True)
