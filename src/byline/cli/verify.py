"""``byline verify``: verify whether a given author wrote texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    from byline.attribution.caveats import Caveat
    from byline.attribution.verification import AuthorVerification
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
    authors: Annotated[
        list[str],
        typer.Option(
            "--author",
            metavar="AUTHOR",
            help="The author in question, one of the authors in KNOWN. Repeat the option to ask "
            "which of several authors wrote the texts, or whether somebody else did.",
        ),
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
    """Verify whether a given author wrote texts, using texts by other authors as reference.

    With several authors in question, find out which of them wrote each text, or whether somebody
    else did.
    """
    from byline.attribution.caveats import reading_caveats
    from byline.attribution.verification import verify_author, verify_authors
    from byline.cli.texts import read_known_texts, read_questioned_texts
    from byline.formatting import printable
    from byline.report.joint_verification import (
        joint_verification_summary,
        print_joint_verification,
    )
    from byline.report.joint_verification_case import (
        joint_verification_case_html,
        joint_verification_case_summary,
    )
    from byline.report.verification import print_verification, verification_summary
    from byline.report.verification_case import (
        VerificationOrigin,
        verification_case_html,
        verification_case_summary,
    )

    _check_authors(authors)
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
    own = {author: _by(corpus, author) for author in sorted(authors)}
    population = _not_by(others, list(own), warn=reference is not None)
    questioned = read_questioned_texts(texts, options, speaker)
    own_caveats = [
        tuple(reading_caveats(each.text, language=language, left_out=each.left_out))
        for each in questioned
    ]
    asked = ([each.text for each in questioned], [printable(path) for path in texts])
    with show_progress("verifying") as progress:
        settings: dict[str, Any] = {
            "language": language,
            "normalization": normalize,
            "random_state": seed,
            "progress": progress,
        }
        if len(own) > 1:
            joint = verify_authors(own, population, *asked, **settings)
        else:
            [known_by] = own.values()
            found = verify_author(known_by, population, *asked, **settings)
    origin = VerificationOrigin(
        command=command_line(context),
        seed=seed,
        material=(
            *_questioned_material(texts, [each.text for each in questioned]),
            *material("known text", known, list(chain.from_iterable(own.values()))),
            *material("reference text", reference or known, population),
        )
        if json or report is not None
        else (),
        details=details,
    )
    if len(own) > 1:
        separate = [each.separate for each in joint]
        summary = joint_verification_summary(
            joint,
            others.name,
            n_population=(len({each.author for each in population}), len(population)),
            normalization=normalize,
            caveats=list(map(_caveats, separate, own_caveats)),
        )
        if json or report is not None:
            summary = joint_verification_case_summary(summary, joint, origin)
        if report is not None:
            write_text(report, joint_verification_case_html(summary))
        if json:
            print_json(summary)
        else:
            print_joint_verification(console(), summary)
        return
    caveats = [_caveats([answer], more) for answer, more in zip(found, own_caveats, strict=True)]
    summary = verification_summary(found, others.name, normalization=normalize, caveats=caveats)
    if json or report is not None:
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


def _caveats(answers: Sequence[AuthorVerification], more: Sequence[Caveat]) -> list[Caveat]:
    """Return the caveats about conventions of editions, each once, and others."""
    from byline.attribution.caveats import verification_convention_caveats

    found = [each for answer in answers for each in verification_convention_caveats(answer)]
    return [*(each for place, each in enumerate(found) if each not in found[:place]), *more]


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


def _not_by(corpus: Corpus, authors: Sequence[str], *, warn: bool) -> list[Document]:
    """Return the documents by other authors.

    Warns
    -----
    BylineWarning
        ``warn`` is true, and there are documents by one of the authors.
    """
    import warnings

    from byline.errors import BylineWarning
    from byline.formatting import join_names, quantity

    others = [document for document in corpus if document.author not in authors]
    if warn and len(others) < len(corpus):
        left_out = quantity(len(corpus) - len(others), "text")
        message = (
            f"{left_out} by {join_names(authors)} in {corpus.name} cannot be used as reference; "
            "leave them out"
        )
        warnings.warn(message, BylineWarning, stacklevel=2)
    return others
