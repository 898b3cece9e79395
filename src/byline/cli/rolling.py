"""``byline rolling``: follow the authors along a book, by chapters and by windows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.feature_options import QuestionedFeaturesOption, give_questioned_features
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.options import PERFORMANCE_PANEL, JsonOption, KeepOption, SpeakerOption
from byline.cli.output import (
    check_html,
    console,
    print_json,
    reports_unwritten_file,
    write_report,
)
from byline.errors import OutputError, UsageError

if TYPE_CHECKING:
    from byline.report.displays.display import Display

TABLES = {"chapters": "chapters.csv", "windows": "windows.csv", "change_points": "changes.csv"}


@makes_figures
@reports_unwritten_file("report")
def follow_book(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model file written by `byline train`.")
    ],
    book: Annotated[
        Path, typer.Argument(metavar="BOOK", help="A questioned text; - reads standard input.")
    ],
    chapters: Annotated[
        bool | None,
        typer.Option(
            "--chapters/--no-chapters",
            help="Attribute each chapter, or ignore chapters (default: attribute each chapter if "
            "at least three are found).",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Set the length of a window in sentences."),
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Set the distance between the starts of two windows in sentences.",
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write chapters.csv, windows.csv and changes.csv to a folder."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")
    ] = None,
    json: JsonOption = False,
    keep: KeepOption = None,
    speaker: SpeakerOption = None,
    features: QuestionedFeaturesOption = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Set the number of processes. With more than one, long books take less time.",
            rich_help_panel=PERFORMANCE_PANEL,
        ),
    ] = 1,
    *,
    pictures: FigureSettings,
) -> None:
    """Attribute a book chapter by chapter, and find the places where the author changes."""
    from byline.answering import reading_options
    from byline.attribution import load_attributor
    from byline.attribution.rolling import rolling_attribution
    from byline.cli.texts import display_name, read_questioned_texts
    from byline.report.displays.texts import rolling_display
    from byline.report.figures.texts import book_figures

    check_html(report, model, book)
    pictures.check(model, book)
    _check_folder(csv)
    attributor = load_attributor(model)
    [questioned] = read_questioned_texts([book], reading_options(attributor, keep or ()), speaker)
    give_questioned_features(attributor, features, [questioned.text], [book])
    found = () if chapters is False else questioned.chapters()
    if chapters and not found:
        raise UsageError(
            f"Byline recognises no chapters in {display_name(book) or book}. It needs at least "
            "three headings with consecutive numbers, each on a line of its own. Omit --chapters, "
            "or insert a line such as CHAPTER 1 before each chapter"
        )
    rolling = rolling_attribution(
        attributor, questioned.text, window=window, step=step, chapters=found, n_jobs=jobs
    )
    display = rolling_display(rolling)
    if csv is not None:
        _write_tables(csv, display)
    if report is not None:
        write_report(report, display.page())
    if pictures.figures is not None:
        pictures.write(book_figures(display.summary()))
    if json:
        print_json(display.summary())
    else:
        display.write(console())


def _check_folder(folder: Path | None) -> None:
    """Check that a folder for tables exists or can be created.

    Raises
    ------
    OutputError
        It is a file, or its parent folder does not exist.
    """
    if folder is None or folder.is_dir():
        return
    if folder.exists() or not folder.absolute().parent.is_dir():
        raise OutputError(
            f"{folder} is not a folder and cannot be created; give the name of a folder"
        )


def _write_tables(folder: Path, display: Display) -> None:
    """Write each table of a result as a file of comma-separated values.

    Raises
    ------
    OutputError
        The folder or a file cannot be written.
    """
    from byline.report.experiment_csv import CsvTable

    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: {error.strerror}; choose another folder") from error
    for name, file in TABLES.items():
        table = display.tables[name]()
        rows = tuple(map(tuple, table.rows))
        write_report(folder / file, CsvTable(name, tuple(table.columns), rows).to_csv())
