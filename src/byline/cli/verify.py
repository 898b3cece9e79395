"""``byline verify``: verify whether a given author wrote texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.attribute import check_report
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.options import (
    CaseOption,
    JsonOption,
    KnownArgument,
    NormalizeOption,
    SpeakerOption,
)
from byline.cli.output import console, print_json, reports_unwritten_file, write_report
from byline.cli.progress import show_progress
from byline.cli.provenance import command_line, material, read_details
from byline.cli.texts import STANDARD_INPUT

if TYPE_CHECKING:
    from byline.report.verification_case import MaterialText


@reads_known_texts
@makes_figures
@reports_unwritten_file("report")
def verify_command(
    context: typer.Context,
    known: KnownArgument,
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT", help="Files with questioned texts; - reads standard input."),
    ],
    authors: Annotated[
        list[str],
        typer.Option(
            "--author",
            metavar="AUTHOR",
            help="Verify this author, one of those in KNOWN. Repeat the option to ask which of "
            "several authors wrote the texts, or whether somebody else did.",
        ),
    ],
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS",
            help="Use these texts by other authors as reference, instead of those in KNOWN.",
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="Set the language of the texts by its ISO 639 code, such as tr. It determines "
            "lower-casing.",
        ),
    ] = "en",
    normalize: NormalizeOption = "edition",
    seed: Annotated[int, typer.Option(min=0, help="Set the seed of all random samples.")] = 0,
    json: JsonOption = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a forensic report as one HTML file."),
    ] = None,
    case: CaseOption = None,
    speaker: SpeakerOption = None,
    *,
    reading: KnownTextSettings,
    figures: FigureSettings,
) -> None:
    """Verify whether a given author wrote texts, using texts by other authors as reference.

    With several authors in question, find out which of them wrote each text, or whether somebody
    else did.
    """
    from byline.answering import verify_texts
    from byline.cli.texts import read_known_texts, read_questioned_texts
    from byline.formatting import printable
    from byline.report.figures.cases import verification_figures
    from byline.report.verification_answers import (
        print_verification_answers,
        verification_answers_case,
        verification_answers_html,
        verification_answers_summary,
    )
    from byline.report.verification_case import VerificationOrigin

    authors = list(map(printable, authors))  # as names of folders and columns are read
    _check_authors(authors)
    for place in (known, reference):
        check_report(report, place, case, *texts)
    figures.check(known, reference, case, *texts)
    details = read_details(case, is_shown=json or report is not None)
    options = reading.options(normalize)
    corpus = read_known_texts(
        known, reading, options, min_authors=1, unit="char", language=language
    )
    options = replace(options, line_rules=corpus.line_rules)
    others = (
        None
        if reference is None
        else read_known_texts(
            reference, reading.of_other(reference), options, min_authors=1, unit="char"
        )
    )
    questioned = read_questioned_texts(texts, options, speaker)
    with show_progress("verifying") as progress:
        answers = verify_texts(
            corpus,
            authors,
            [each.text for each in questioned],
            reference=others,
            paths=[printable(path) for path in texts],
            language=language,
            normalization=normalize,
            random_state=seed,
            left_out=[each.left_out for each in questioned],
            progress=progress,
        )
    if json or report is not None or figures.figures is not None:
        own = answers[0].material
        origin = VerificationOrigin(
            command=command_line(context),
            seed=seed,
            material=(
                *_questioned_material(texts, [each.text for each in questioned]),
                *material("known text", known, own.known),
                *material("reference text", reference or known, own.population),
            ),
            details=details,
        )
        described = verification_answers_case(answers, origin)
    if report is not None:
        write_report(report, verification_answers_html(described))
    figures.write(lambda: verification_figures(described))
    if json:
        print_json(described)
    else:
        print_verification_answers(console(), verification_answers_summary(answers))


def _questioned_material(paths: Sequence[Path], texts: Sequence[str]) -> Iterator[MaterialText]:
    """Describe the questioned texts, in their order."""
    from byline.corpus import Document

    for path, text in zip(paths, texts, strict=True):
        name = "standard input" if path == STANDARD_INPUT else str(path)
        yield from material("questioned text", Path(), [Document("", text, name)], named=False)


def _check_authors(authors: Sequence[str]) -> None:
    """Check that each author in question is named once.

    Raises
    ------
    UsageError
        An author is named twice.
    """
    from byline.errors import UsageError

    for author in authors:
        if authors.count(author) > 1:
            raise UsageError(f"--author names {author!r} more than once; name each author once")
