"""``byline attribute``: the likely authors of questioned texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from byline.cli.interruption import writes
from byline.cli.options import JsonOption
from byline.cli.output import check_output, console, print_json, write_text


@writes("report")
def attribute(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model of `byline train`.")],
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT...", help="Questioned texts; - is standard input."),
    ],
    json: JsonOption = False,
    top: Annotated[
        int | None, typer.Option(min=1, help="Candidates to show; 5, or with --json all.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report, with reasons.")
    ] = None,
) -> None:
    """Rank the likely authors of texts, with the words that decided."""
    from byline.attribution import explain_answer, load_attributor
    from byline.cli.texts import read_texts
    from byline.corpus.names import printable
    from byline.report import attribution_html, attribution_summary, print_attribution

    check_output(report, model, *texts)
    attributor = load_attributor(model)
    contents = read_texts(texts)
    found = attributor.attribute(contents, paths=[printable(path) for path in texts])
    if json:
        print_json(
            attribution_summary([replace(each, ranking=each.ranking[:top]) for each in found])
        )
    if json and report is None:
        return
    evidence = [
        explain_answer(attributor, attribution, text)
        for attribution, text in zip(found, contents, strict=True)
    ]
    summary = attribution_summary(found, evidence)
    if report is not None:
        write_text(report, attribution_html(summary))
    if not json:
        print_attribution(console(), summary, top=top or 5)
