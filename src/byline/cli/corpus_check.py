"""``byline corpus check`` and ``byline corpus mend``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.interruption import reports_unwritten_file
from byline.cli.options import JsonOption, KeepOption, KnownArgument, takes_settings
from byline.cli.output import check_output, console, print_json, write_text
from byline.cli.progress import show_progress

if TYPE_CHECKING:
    from byline.corpus.checking import CleaningStep

LanguageOption = Annotated[
    str | None,
    typer.Option(
        metavar="CODE",
        help="What the texts are meant to be in, e.g. en; else what most of them are in.",
        show_default=False,
    ),
]
FolderOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Folder to write, not there yet or empty; beside it a report of every change, "
        "FOLDER.changes.txt and .json.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CleaningSettings:
    """What to mend; all of it where nothing is named."""

    mojibake: Annotated[
        bool,
        typer.Option(
            "--mojibake", help="Decode anew what a wrong encoding has spoilt, also HTML entities."
        ),
    ] = False
    boilerplate: Annotated[
        bool,
        typer.Option(
            "--boilerplate",
            help="Leave out Project Gutenberg's header and licence, copyright, agencies' lines.",
        ),
    ] = False
    email: Annotated[
        bool,
        typer.Option("--email", help="Leave out headers, quoted lines and signatures of e-mails."),
    ] = False
    page_headers: Annotated[
        bool,
        typer.Option(
            "--page-headers", help="Leave out headers, footers and numbers of pages among lines."
        ),
    ] = False
    own_names: Annotated[
        bool,
        typer.Option(
            "--own-names", help="Leave out lines with the author's own name at the start or end."
        ),
    ] = False
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Of an author's twin texts, keep the longest."),
    ] = False

    def kinds(self) -> list[CleaningStep]:
        """List what is named, or all."""
        from byline.corpus.checking import CleaningStep

        named = [
            CleaningStep(field.name.replace("_", "-"))
            for field in fields(self)
            if getattr(self, field.name)
        ]
        return named or list(CleaningStep)


def check(
    known: KnownArgument,
    json: JsonOption = False,
    language: LanguageOption = None,
    keep: KeepOption = None,
) -> None:
    """Look for what to mend in known texts."""
    from byline.corpus.checking import examine, survey
    from byline.errors import CorpusError
    from byline.report.corpus import examination_summary, print_examination

    corpus, findings = survey(known, keep=keep or ())
    with show_progress("checking") as progress:
        examination = examine(
            corpus, language=language, findings=findings, unit="char", progress=progress
        )
    summary = examination_summary(examination, str(known))
    if json:
        print_json(summary)
    else:
        print_examination(console(), summary)
    if examination.has_errors:
        raise typer.Exit(CorpusError.exit_code)


@takes_settings(CleaningSettings)
@reports_unwritten_file("output")
def mend(
    known: KnownArgument,
    output: FolderOption,
    keep: KeepOption = None,
    *,
    settings: CleaningSettings,
) -> None:
    """Write known texts, mended, to a new folder."""
    from json import dumps

    from byline.corpus.checking import survey
    from byline.corpus.cleaning import check_folder, mend, write_folder
    from byline.corpus.reading import raise_errors
    from byline.report.corpus import cleaning_report, cleaning_summary, print_cleaning

    check_folder(output, known)
    as_text, as_json = (
        output.with_name(f"{output.name}.changes{end}") for end in (".txt", ".json")
    )
    check_output(as_text, known)
    check_output(as_json, known)
    corpus, findings = survey(known, keep=keep or ())
    raise_errors(known, findings)
    with show_progress("mending") as progress:
        mended = mend(corpus, settings.kinds(), progress)
    with show_progress("writing") as progress:
        files = write_folder(mended.corpus, output, progress)
    summary = cleaning_summary(mended, str(known), files)
    write_text(as_json, dumps(summary, ensure_ascii=False, indent=1) + "\n")
    write_text(as_text, cleaning_report(summary))
    print_cleaning(console(), summary, str(output), str(as_text))
