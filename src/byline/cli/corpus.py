"""The commands ``byline corpus show``, ``check`` and ``clean``, which prepare known texts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.known_options import FileSettings, reads_files
from byline.cli.options import (
    JsonOption,
    KnownArgument,
    NormalizeOption,
    SpeakerOption,
    takes_settings,
)
from byline.cli.output import check_output, console, print_json, reports_unwritten_file, write_text
from byline.cli.progress import show_progress
from byline.cli.texts import display_name, extract_file

if TYPE_CHECKING:
    from byline.corpus import Corpus, Finding
    from byline.corpus.checking import CleaningStep
    from byline.report.extraction import TextDetails

# How many characters of a single text, and of each of several texts, are shown by default.
_SHOWN_OF_ONE, _SHOWN_OF_EACH = 2000, 200

app = typer.Typer(
    help="Show, check and clean known texts before training.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PathArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="A file of any supported format, a folder or ZIP archive of texts, or a table. "
        "Use - for standard input.",
    ),
]
LimitOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        help="Maximum number of characters to show of each text; 0 shows all. Default: "
        f"{_SHOWN_OF_ONE:,} for a single file, {_SHOWN_OF_EACH} for each of several texts, all "
        "with --json.",
        show_default=False,
    ),
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        metavar="CODE",
        help="Language that the texts should be in, for example en. Default: the language of most "
        "texts.",
        show_default=False,
    ),
]
FolderOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="New or empty folder for the cleaned texts. All changes are listed in "
        "FOLDER.changes.txt and FOLDER.changes.json.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CleaningSettings:
    """The options that select cleaning steps. Without any of them, all steps run."""

    mojibake: Annotated[
        bool,
        typer.Option(
            "--mojibake",
            help="Repair wrongly decoded characters and HTML entities, and remove control "
            "characters.",
        ),
    ] = False
    boilerplate: Annotated[
        bool,
        typer.Option(
            "--boilerplate",
            help="Remove headers and licences of Project Gutenberg, copyright notices and credit "
            "lines of news agencies.",
        ),
    ] = False
    email: Annotated[
        bool,
        typer.Option("--email", help="Remove headers, quoted lines and signatures of e-mails."),
    ] = False
    page_headers: Annotated[
        bool,
        typer.Option("--page-headers", help="Remove page headers, footers and page numbers."),
    ] = False
    own_names: Annotated[
        bool,
        typer.Option(
            "--own-names",
            help="Remove lines with the author's own name at the start or end of a text.",
        ),
    ] = False
    duplicates: Annotated[
        bool,
        typer.Option(
            "--duplicates", help="Keep only the longest of near-duplicate texts by one author."
        ),
    ] = False

    def steps(self) -> list[CleaningStep]:
        """Return the selected cleaning steps, or all of them if none is selected."""
        from byline.corpus.checking import CleaningStep

        selected = [
            CleaningStep(field.name.replace("_", "-"))
            for field in fields(self)
            if getattr(self, field.name)
        ]
        return selected or list(CleaningStep)


@app.command("show")
@reads_files
def corpus_show(
    path: PathArgument,
    speaker: SpeakerOption = None,
    limit: LimitOption = None,
    normalize: NormalizeOption = "edition",
    json: JsonOption = False,
    *,
    reading: FileSettings,
) -> None:
    """Show what Byline reads as text.

    The output also lists the parts that Byline excludes, such as notes, page headers and menus, and
    what each rule of --normalize changes.
    """
    from byline.report.extraction import extraction_summary, print_extraction
    from byline.typography import Normalization

    texts = _read_details(path, reading, normalize, speaker)
    default = None if json else _SHOWN_OF_ONE if len(texts) == 1 else _SHOWN_OF_EACH
    shown = default if limit is None else limit or None
    rules = Normalization.parse(normalize)
    summary = extraction_summary(texts, display_name(path), shown, normalization=rules)
    if json:
        print_json(summary)
    else:
        print_extraction(console(), summary)


def _read_details(
    path: Path, reading: FileSettings, normalize: str, speaker: str | None
) -> list[TextDetails]:
    from byline.corpus import read_corpus
    from byline.corpus.reading import is_corpus_path
    from byline.report.extraction import TextDetails

    options = reading.options(normalize)
    if is_corpus_path(path):
        corpus = read_corpus(
            path,
            options,
            min_authors=1,
            unit="char",
            speakers=reading.speakers,
            columns=reading.columns,
            duplicates="keep",
        )
        return TextDetails.of_corpus(corpus)
    return [TextDetails.of_file(display_name(path), extract_file(path, options, speaker))]


@app.command("check")
@reads_files
def corpus_check(
    known: KnownArgument,
    json: JsonOption = False,
    language: LanguageOption = None,
    *,
    reading: FileSettings,
) -> None:
    """Find problems in known texts.

    The output ends with a command that fixes the problems that need no decision by you.
    """
    from byline.corpus.checking import examine
    from byline.errors import CorpusError
    from byline.report.corpus import examination_summary, print_examination

    corpus, findings = _read_for_checking(known, reading)
    with show_progress("checking") as progress:
        examination = examine(
            corpus, language=language, findings=findings, unit="char", progress=progress
        )
    summary = examination_summary(examination, str(known), reading.arguments())
    if json:
        print_json(summary)
    else:
        print_examination(console(), summary)
    if examination.has_errors:
        raise typer.Exit(CorpusError.exit_code)


def _read_for_checking(known: Path, reading: FileSettings) -> tuple[Corpus, list[Finding]]:
    from byline.corpus.checking import read_for_checking

    options = reading.options()
    return read_for_checking(known, options, speakers=reading.speakers, columns=reading.columns)


@app.command("clean")
@reads_files
@takes_settings(CleaningSettings)
@reports_unwritten_file("output")
def corpus_clean(
    known: KnownArgument,
    output: FolderOption,
    *,
    reading: FileSettings,
    settings: CleaningSettings,
) -> None:
    """Write cleaned copies of known texts.

    Without options that select cleaning steps, all steps run. Your own files stay unchanged.
    """
    from json import dumps

    from byline.corpus.cleaning import check_folder, clean_corpus, write_folder
    from byline.corpus.cleaning.folder import name_files
    from byline.corpus.reading import raise_errors
    from byline.report.corpus import cleaning_report, cleaning_summary, print_cleaning

    check_folder(output, known)
    as_text, as_json = (
        output.with_name(f"{output.name}.changes{suffix}") for suffix in (".txt", ".json")
    )
    check_output(as_text, known)
    check_output(as_json, known)
    corpus, findings = _read_for_checking(known, reading)
    raise_errors(known, findings)
    with show_progress("cleaning") as progress:
        cleaned = clean_corpus(corpus, settings.steps(), progress)
    summary = cleaning_summary(cleaned, str(known), name_files(cleaned.corpus))
    # The changes are listed first, so that there is never a cleaned folder without its list.
    try:
        write_text(as_json, dumps(summary, ensure_ascii=False, indent=1) + "\n")
        write_text(as_text, cleaning_report(summary))
        with show_progress("writing") as progress:
            write_folder(cleaned.corpus, output, progress)
    except BaseException:
        as_json.unlink(missing_ok=True)
        as_text.unlink(missing_ok=True)
        raise
    print_cleaning(console(), summary, str(output), str(as_text))
