"""The part of ``byline evaluate`` that measures how much text is needed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.figure_options import FigureSettings
from byline.cli.options import given_options, takes_settings
from byline.cli.output import (
    CommandInterrupted,
    check_output,
    check_output_folder,
    console,
    print_json,
    write_files,
    write_report,
)
from byline.cli.progress import show_progress
from byline.cli.small_cases import after_interruption
from byline.named_settings import setting

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor, StackedAttributor
    from byline.corpus import Corpus

LEARNING_CURVE_PANEL = "Learning curve"
PASSAGES = 5
TABLES = ("points", "curves")


def _option(help: str, *names: str, **given: Any) -> Any:  # noqa: A002
    return typer.Option(
        *names, help=help, show_default=False, rich_help_panel=LEARNING_CURVE_PANEL, **given
    )


@dataclass(frozen=True, kw_only=True)
class LearningCurveSettings:
    """Whether and how a learning curve is measured."""

    learning_curve: Annotated[
        bool,
        _option(
            "Measure accuracy and calibration by the number of known words per author and by the "
            "length of the questioned text. Trains on random samples of the known texts of each "
            "fold, smallest first. --jobs sets the number of samples at a time.",
            "--learning-curve",
        ),
    ] = False
    known_words: Annotated[
        list[int] | None,
        _option(
            "Use samples of N known words per author; repeat it. By default 200, 500, 1,000 and so "
            "on, up to the known words of the author with the least. Authors with less than the "
            "largest N are left out.",
            "--known-words",
            metavar="N",
            min=1,
        ),
    ] = None
    text_words: Annotated[
        list[int] | None,
        _option(
            "Attribute passages of N words; may be repeated. By default 50, 100, 200 and so on, up "
            "to 5,000 if half of the held-out texts are so long.",
            "--text-words",
            metavar="N",
            min=1,
        ),
    ] = None
    passages: Annotated[
        int,
        _option(
            f"Attribute at most N passages of each length per author and fold. The default is "
            f"{PASSAGES}.",
            "--passages",
            metavar="N",
            min=1,
        ),
    ] = PASSAGES
    repetitions: Annotated[
        int,
        _option(
            "Take N random samples of each size per fold. The default is 1.",
            "--repetitions",
            metavar="N",
            min=1,
        ),
    ] = 1
    results: Annotated[
        Path | None,
        _option(
            "Add the answers after each training to this file. A second run with the same file "
            "continues where the first one ended.",
            "--results",
            metavar="FILE",
        ),
    ] = None
    csv: Annotated[
        Path | None,
        _option(
            "Write the measured points (points.csv) and the fitted curves (curves.csv) to a "
            "folder.",
            "--csv",
            metavar="FOLDER",
        ),
    ] = None

    def check(self, others: dict[str, bool], report: Path | None, *inputs: Path | None) -> None:
        """Check, before texts are read, that the options fit together and outputs can be written.

        Parameters
        ----------
        others : dict of str to bool
            Whether options that a learning curve does not have were given.
        report : Path or None
            Another output.
        *inputs : Path or None

        Raises
        ------
        typer.BadParameter
            Options contradict each other.
        OutputError
            An output cannot be written.
        """
        if not self.learning_curve:
            own = given_options(self, [field.name for field in fields(self)])
            if own:
                raise typer.BadParameter(
                    f"{setting(own[0])} needs {setting('learning_curve', True)}; add it"
                )
            return
        wrong = [option for option, is_given in others.items() if is_given]
        if wrong:
            raise typer.BadParameter(f"--learning-curve cannot be combined with {wrong[0]}")
        check_output(self.results, *inputs)
        check_output_folder(self.csv, *inputs)
        if self.results is not None:
            tables = [] if self.csv is None else [self.csv / f"{name}.csv" for name in TABLES]
            if any(self.results.resolve() == each.resolve() for each in (report, *tables) if each):
                raise typer.BadParameter(
                    f"{setting('results', str(self.results))}: another output has the same name; "
                    "choose another file"
                )


takes_learning_curve = takes_settings(LearningCurveSettings, "curve")


def evaluate_learning_curve_command(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    curve: LearningCurveSettings,
    shared: dict[str, Any],
    report: Path | None,
    figures: FigureSettings,
    *,
    jobs: int,
    json: bool,
) -> None:
    """Measure a learning curve, and print or write it.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
    curve : LearningCurveSettings
    shared : dict
        How texts are held out.
    report : Path or None
    figures : FigureSettings
    jobs : int
        Number of samples that are trained on at a time.
    json : bool
        Print one JSON document.
    """
    from byline.experiments import evaluate_learning_curve
    from byline.report.figures.learning import learning_curve_figures
    from byline.report.learning_curve import (
        learning_curve_html,
        learning_curve_summary,
        learning_curve_tables,
        print_learning_curve,
    )

    try:
        with show_progress("evaluating") as progress:
            found = evaluate_learning_curve(
                corpus,
                attributor,
                known_words=tuple(curve.known_words or ()),
                text_words=tuple(curve.text_words or ()),
                passages=curve.passages,
                repetitions=curve.repetitions,
                jobs=jobs,
                results=curve.results,
                progress=progress,
                **shared,
            )
    except KeyboardInterrupt as interruption:
        raise CommandInterrupted(after_interruption(curve.results)) from interruption
    summary = learning_curve_summary(found)
    if report is not None:
        write_report(report, learning_curve_html(summary))
    if curve.csv is not None:
        tables = learning_curve_tables(summary)
        write_files(curve.csv, {f"{name}.csv": each.to_csv() for name, each in tables.items()})
    figures.write(lambda: learning_curve_figures(summary))
    if json:
        print_json(summary)
    else:
        print_learning_curve(console(), summary)
