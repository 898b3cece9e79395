"""``byline rolling``: follow the authors along a book, by chapters and by windows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from byline.cli.feature_options import QuestionedFeaturesOption, give_questioned_features
from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.options import (
    JsonOption,
    KeepOption,
    ModelArgument,
    SpeakerOption,
)
from byline.cli.output import (
    check_html,
    check_output_folder,
    console,
    print_json,
    reports_unwritten_file,
    write_files,
    write_report,
)
from byline.cli.process_options import jobs_option, runs_on_cluster
from byline.errors import UsageError

TABLES = {"chapters": "chapters.csv", "windows": "windows.csv", "change_points": "changes.csv"}


@runs_on_cluster
@makes_figures
@reports_unwritten_file("report")
def follow_book(
    model: ModelArgument,
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
        jobs_option("Set the number of processes. With more than one, long books take less time."),
    ] = 1,
    *,
    figures: FigureSettings,
) -> None:
    """Attribute a book chapter by chapter, and find the places where the author changes."""
    from byline.answering import reading_options
    from byline.attribution import load_attributor
    from byline.attribution.rolling import rolling_attribution
    from byline.cli.texts import display_name, read_questioned_texts
    from byline.report.displays.texts import rolling_display
    from byline.report.figures.texts import book_figures

    check_html(report, model, book)
    figures.check(model, book)
    check_output_folder(csv, model, book)
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
    display = rolling_display(rolling, display_name(book))
    if csv is not None:
        write_files(csv, {file: display.tables[name]().to_csv() for name, file in TABLES.items()})
    if report is not None:
        write_report(report, display.page())
    figures.write(lambda: book_figures(display.summary()))
    if json:
        print_json(display.summary())
    else:
        display.write(console())
