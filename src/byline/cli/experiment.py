"""``byline experiment``: run an experiment of many jobs, show its status, and write reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.options import JsonOption
from byline.cli.output import (
    CommandInterrupted,
    check_html,
    check_output,
    check_output_folder,
    check_outside,
    console,
    json_text,
    print_json,
    reports_unwritten_file,
    write_files,
    write_report,
)
from byline.cli.process_options import ClusterOption
from byline.cli.progress import SECONDS_BETWEEN_LINES, Log, show_bar
from byline.errors import ExperimentError, OutputError
from byline.formatting import duration

if TYPE_CHECKING:
    from byline.experiments.runner.status import ReportRunProgress, RunProgress

MIN_SECONDS_SHOWN = 60.0  # of an estimate that leaves out job types of unknown duration


@contextmanager
def show_run_progress(title: str) -> Iterator[ReportRunProgress]:
    """Show the progress of a run: as a bar on a terminal, else as a line every 30 seconds."""
    if sys.stderr.isatty():
        with _bar(title) as report_progress:
            yield report_progress
    else:
        yield RunLines(title)


class RunLines(Log):
    """Progress of a run as lines in a log, at most one per 30 seconds."""

    def __call__(self, progress: RunProgress) -> None:
        """Write a line, if one is due."""
        if self.is_due(SECONDS_BETWEEN_LINES):
            done = f"{progress.done} of {progress.total} jobs"
            self.write(self.title, f"{done}, {_state(progress)}")


def _state(progress: RunProgress) -> str:
    """Describe what is running, what failed, and the time left."""
    parts = [f"{progress.running} running"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.seconds_left is not None:
        # Slow jobs run last. Before one is finished, an estimate of a few seconds would mislead.
        known = not progress.at_least or progress.seconds_left >= MIN_SECONDS_SHOWN
        more = "at least" if progress.at_least else "about"
        parts += [f"{more} {duration(progress.seconds_left)} left"] if known else []
    return ", ".join(parts)


@contextmanager
def _bar(title: str) -> Iterator[ReportRunProgress]:
    from rich.progress import MofNCompleteColumn

    with show_bar(title, MofNCompleteColumn(), width=30) as show:

        def report_progress(progress: RunProgress) -> None:
            show(completed=progress.done, total=progress.total, what=_state(progress))

        yield report_progress


app = typer.Typer(
    help="Run an experiment of many training jobs and report its results.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUNS", help="The folder of `byline experiment run -o RUNS`.")
]


@app.command("run")
def run(
    config: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG",
            help="A TOML file, or the name of one that ships with Byline: ge_sun_2016.toml.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="RUNS",
            help="Folder of the run. Jobs that are finished there are not repeated.",
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder from which relative paths in the configuration start. The default is the "
            "folder of the configuration, or the working directory for one that ships with Byline.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Run the small version in the section [quick] of the configuration."
        ),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Number of processes, with one thread each; by default one per core.",
            show_default=False,
        ),
    ] = None,
    cluster: ClusterOption = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Run only one of N shares of the jobs, for a batch system: 1/8, ..., 8/8.",
            show_default=False,
        ),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Retry failed jobs.")
    ] = False,
) -> None:
    """Run an experiment. If it is interrupted, run the same command again to resume."""
    from byline.experiments.runner.config import find_config
    from byline.experiments.runner.loop import ALL_JOBS, JobShare, run_experiment

    if cluster is not None and jobs is not None:
        raise typer.BadParameter(
            "--jobs and --cluster exclude each other: the workers of the cluster run the jobs. "
            "Leave out --jobs"
        )
    path, shipped = find_config(config)
    try:
        with show_run_progress("experiment") as progress:
            end = run_experiment(
                path,
                output,
                data=data or (Path() if shipped else path.parent),
                quick=quick,
                n_jobs=jobs or _n_cores(),
                cluster=cluster,
                share=ALL_JOBS if shard is None else JobShare.parse(shard),
                retry_failed=retry_failed,
                progress=progress,
            )
    except KeyboardInterrupt as interruption:
        if not (output / "run.json").exists():
            raise
        message = f"finished jobs are in {output}; run the same command again to resume"
        raise CommandInterrupted(message) from interruption
    typer.echo(f"{output}: {end.done} of {end.total} jobs finished")


def _n_cores() -> int:
    """Return the number of cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


@app.command("status")
def status(run: RunArgument, json: JsonOption = False) -> None:
    """Show which jobs are finished, failed and left, and the time that is left."""
    from byline.experiments.runner.status import run_status

    found = run_status(run)
    if json:
        print_json(found)
    else:
        _print_status(found)
    if found["failures"]:
        raise typer.Exit(ExperimentError.exit_code)


def _print_status(found: dict[str, Any]) -> None:
    from rich.table import Table

    from byline.formatting import number
    from byline.report.terminal import plain

    jobs, out = found["jobs"], console()
    out.print(plain(f"{found['title']}{' (quick)' if found['quick'] else ''}"))
    left = _left(found["seconds_left"], found["at_least"], jobs["left"])
    text = f"{jobs['done']} of {jobs['total']} jobs finished, {jobs['failed']} failed, {left}"
    out.print(text, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("finished", "failed", "left", "seconds per job"):
        table.add_column(heading, justify="right")
    for row in found["models"]:
        seconds = "" if row["mean_seconds"] is None else number(row["mean_seconds"], 1)
        label = f"{row['label']}{', search' if row['trials'] else ''}"
        numbers = [str(row[name]) for name in ("done", "failed", "left")]
        table.add_row(plain(label), *numbers, seconds)
    out.print(table)
    for failure in found["failures"]:
        out.print(plain(f"{failure['job']}: {failure['error']}"), soft_wrap=True)


def _left(seconds: float | None, at_least: bool, n_left: int) -> str:
    if not n_left:
        return "none left"
    if seconds is None:
        return f"{n_left} left"
    more = "at least " if at_least else "about "
    return f"{n_left} left: {more}{duration(seconds)} with one process"


RunsArgument = Annotated[
    Path, typer.Argument(metavar="RUNS", help="Folder of a run, which need not be finished.")
]
ReportOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="HTML report to write. A summary as JSON and a folder of CSV tables are written to "
        "the same folder.",
    ),
]
# Files and folders of a run that a report must not replace.
FILES_OF_A_RUN = ("run.json", "profile.json", "records.jsonl")
FOLDERS_OF_A_RUN = ("jobs", "splits", "corpora")
KEYS_OF_A_SUMMARY = {"schema", "title", "jobs"}


@makes_figures
@reports_unwritten_file("output")
def report(
    runs: RunsArgument,
    output: ReportOption = Path("report.html"),
    *,
    figures: FigureSettings,
) -> None:
    """Write all tables and figures of a run as HTML, JSON and CSV."""
    from byline.experiments.reproductions.ge_sun_2016.results import experiment_results
    from byline.report import experiment_html, experiment_summary, experiment_tables
    from byline.report.figures.studies import experiment_figures

    summary_path, folder = _other_outputs(output, runs)
    figures.check(runs)
    summary = experiment_summary(experiment_results(runs))
    tables = {f"{name}.csv": each.to_csv() for name, each in experiment_tables(summary).items()}
    html = experiment_html(summary, tables=folder.name)
    write_files(folder, tables)
    write_report(summary_path, json_text(summary))
    write_report(output, html)
    figures.write(lambda: experiment_figures(summary))


def _other_outputs(output: Path, runs: Path) -> tuple[Path, Path]:
    """Return the paths of the summary and of the folder of tables, after checking all outputs."""
    if not output.name:
        raise OutputError(f"-o {output} is not the name of a file; name one such as report.html")
    summary = output.with_suffix(".json")
    if summary == output:
        raise OutputError(
            f"{output} would be an HTML report with the name of a JSON file; "
            "name a file such as report.html"
        )
    folder = output.with_name(f"{output.stem}-tables")
    for path in (output, summary):
        check = check_html if path == output else check_output
        check(path, *(runs / name for name in FILES_OF_A_RUN))
    for path in (output, summary, folder):
        check_outside(path, *(runs / name for name in FOLDERS_OF_A_RUN))
    _check_summary(summary)
    check_output_folder(folder)
    return summary, folder


def _check_summary(path: Path) -> None:
    """Refuse to replace a file that is not the summary of an experiment."""
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not found.keys() >= KEYS_OF_A_SUMMARY:
        raise OutputError(
            f"{path} exists, but it is not a summary written by Byline and would be replaced; "
            "name another report"
        )


app.command("report")(report)
