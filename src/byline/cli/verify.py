"""``byline verify``: verify whether a given author wrote texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.attribute import check_report
from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.options import (
    CaseOption,
    JsonOption,
    KnownArgument,
    NormalizeOption,
    SpeakerOption,
)
from byline.cli.output import console, print_json, reports_unwritten_file, write_text
from byline.cli.progress import show_progress
from byline.cli.provenance import command_line, material, read_details
from byline.cli.texts import STANDARD_INPUT

if TYPE_CHECKING:
    from byline.corpus import Corpus, Document
    from byline.report.verification_case import MaterialText


@reads_known_texts
@reports_unwritten_file("report")
def verify_texts(
    context: typer.Context,
    known: KnownArgument,
    texts: Annotated[
        list[Path],
        typer.Argument(metavar="TEXT", help="Questioned texts; - reads standard input."),
    ],
    author: Annotated[
        str,
        typer.Option(metavar="AUTHOR", help="The author in question, one of the authors in KNOWN."),
    ],
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS",
            help="Reference texts by other authors, to be used instead of those in KNOWN.",
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="Language of the texts by its ISO 639 code, such as tr, for lower-casing.",
        ),
    ] = "en",
    normalize: NormalizeOption = "edition",
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random samples.")] = 0,
    json: JsonOption = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a forensic report as one HTML file."),
    ] = None,
    case: CaseOption = None,
    speaker: SpeakerOption = None,
    *,
    reading: KnownTextSettings,
) -> None:
    """Verify whether a given author wrote texts, using texts by other authors as reference."""
    from byline.attribution.caveats import reading_caveats, verification_convention_caveats
    from byline.attribution.verification import verify_author
    from byline.cli.texts import read_known_texts, read_questioned_texts
    from byline.formatting import printable
    from byline.report.verification import print_verification, verification_summary
    from byline.report.verification_case import (
        VerificationOrigin,
        verification_case_html,
        verification_case_summary,
    )

    for place in (known, reference):
        check_report(report, place, case, *texts)
    details = read_details(case, is_shown=json or report is not None)
    options = reading.options(normalize)
    corpus = read_known_texts(
        known, reading, options, min_authors=1, unit="char", language=language
    )
    options = replace(options, line_rules=corpus.line_rules)
    others = (
        corpus
        if reference is None
        else read_known_texts(
            reference, reading.of_other(reference), options, min_authors=1, unit="char"
        )
    )
    own = _by(corpus, author)
    population = _not_by(others, author, warn=reference is not None)
    questioned = read_questioned_texts(texts, options, speaker)
    with show_progress("verifying") as progress:
        found = verify_author(
            own,
            population,
            [each.text for each in questioned],
            [printable(path) for path in texts],
            language=language,
            normalization=normalize,
            random_state=seed,
            progress=progress,
        )
    caveats = [
        (
            *verification_convention_caveats(answer),
            *reading_caveats(each.text, language=language, left_out=each.left_out),
        )
        for answer, each in zip(found, questioned, strict=True)
    ]
    summary = verification_summary(found, others.name, normalization=normalize, caveats=caveats)
    if json or report is not None:
        origin = VerificationOrigin(
            command=command_line(context),
            seed=seed,
            material=(
                *_questioned_material(texts, [each.text for each in questioned]),
                *material("known text", known, own),
                *material("reference text", reference or known, population),
            ),
            details=details,
        )
        summary = verification_case_summary(summary, found, origin)
    if report is not None:
        write_text(report, verification_case_html(summary))
    if json:
        print_json(summary)
    else:
        print_verification(console(), summary)


def _questioned_material(paths: Sequence[Path], texts: Sequence[str]) -> Iterator[MaterialText]:
    """Describe the questioned texts, in their order."""
    from byline.corpus import Document

    for path, text in zip(paths, texts, strict=True):
        name = "standard input" if path == STANDARD_INPUT else str(path)
        yield from material("questioned text", Path(), [Document("", text, name)], named=False)


def _by(corpus: Corpus, author: str) -> list[Document]:
    """Return the documents by an author.

    Raises
    ------
    UsageError
        There are none.
    """
    from byline.errors import UsageError
    from byline.formatting import join_names

    own = [document for document in corpus if document.author == author]
    if not own:
        names = join_names(corpus.candidates)
        raise UsageError(f"{corpus.name} has no text by {author!r}; choose from {names}")
    return own


def _not_by(corpus: Corpus, author: str, *, warn: bool) -> list[Document]:
    """Return the documents by other authors.

    Warns
    -----
    BylineWarning
        ``warn`` is true, and there are documents by the author.
    """
    import warnings

    from byline.errors import BylineWarning
    from byline.formatting import quantity

    others = [document for document in corpus if document.author != author]
    if warn and len(others) < len(corpus):
        left_out = quantity(len(corpus) - len(others), "text")
        message = (
            f"{left_out} by {author} in {corpus.name} cannot be used as reference; leave them out"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return others
