"""The part of ``byline benchmark`` that runs the benchmark of small cases."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import typer

from byline.cli.figure_options import FigureSettings
from byline.cli.output import CommandInterrupted, check_output, console, print_json
from byline.cli.progress import show_progress


class GridName(StrEnum):
    """Selections of settings of small cases."""

    SHORT = "short"
    FULL = "full"


class SideName(StrEnum):
    """Sides of the division of the corpora."""

    DEVELOPMENT = "development"
    TEST = "test"
    BOTH = "both"


def check_options_of_benchmark(benchmark: str, options: Mapping[str, object]) -> None:
    """Report options that a benchmark does not have.

    Parameters
    ----------
    benchmark : str
    options : mapping of option to value
        Values that are not given are None, empty or False.

    Raises
    ------
    typer.BadParameter
        An option is given.
    """
    given = [option for option, value in options.items() if value]
    if given:
        raise typer.BadParameter(f"the benchmark {benchmark} does not have {', '.join(given)}")


def run_small_cases_command(
    data: Path,
    *,
    grid: GridName | None,
    side: SideName | None,
    settings: list[str] | None,
    corpora: list[str] | None,
    seed: int,
    jobs: int,
    json: bool,
    results: Path | None,
    figures: FigureSettings,
) -> None:
    """Run the benchmark and print its result.

    Parameters
    ----------
    data : Path
    grid : GridName or None
        By default, short.
    side : SideName or None
        By default, test.
    settings : list of str or None
        Names of settings, in place of the grid's.
    corpora : list of str or None
    seed : int
    jobs : int
    json : bool
        Print one JSON document.
    results : Path or None
        A file for the answers to each case.
    figures : FigureSettings
        Where the heat map is written.
    """
    from byline.experiments.small_cases.run import run_small_cases
    from byline.report.figures.studies import small_cases_figures
    from byline.report.small_cases import print_small_cases, small_cases_summary

    check_output(results, data)
    figures.check(data, results)
    try:
        with show_progress("small-cases") as progress:
            result = run_small_cases(
                data,
                side=(side or SideName.TEST).value,
                grid=(grid or GridName.SHORT).value,
                settings=tuple(settings or ()),
                corpora=tuple(corpora or ()),
                seed=seed,
                jobs=jobs,
                results=results,
                progress=progress,
            )
    except KeyboardInterrupt as interruption:
        raise CommandInterrupted(after_interruption(results)) from interruption
    summary = small_cases_summary(result)
    figures.write(lambda: small_cases_figures(summary))
    if json:
        print_json(summary)
    else:
        print_small_cases(console(), summary)


def after_interruption(results: Path | None) -> str:
    """State, after an interruption, how a benchmark is continued."""
    if results is None:
        return "interrupted; with --results FILE, a second run continues where the first one ended"
    return f"interrupted; the finished cases are in {results}: run the same command to continue"
