"""``byline experiment``: many fits, which survive anything, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from byline.cli.progress import SECONDS_BETWEEN_LINES, Log, duration, show_bar

if TYPE_CHECKING:
    from byline.experiments.runner.status import ReportRunProgress, RunProgress
from pathlib import Path
from typing import Annotated, Any

import typer

from byline.cli.experiment_report import report
from byline.cli.interruption import CommandInterrupted
from byline.cli.options import JsonOption
from byline.cli.output import console, print_json
from byline.errors import ExperimentError

SECONDS_WORTH_TELLING = 60.0


@contextmanager
def show_run_progress(title: str) -> Iterator[ReportRunProgress]:
    """Show where a run stands: in a bar on a terminal, else in a line every half a minute."""
    if sys.stderr.isatty():
        with _bar(title) as tell:
            yield tell
    else:
        yield RunLines(title)


class RunLines(Log):
    """Lines in a log, one in half a minute at most."""

    def __call__(self, progress: RunProgress) -> None:
        """Write a line, where one is due."""
        if self.is_due(SECONDS_BETWEEN_LINES):
            done = f"{progress.done} of {progress.total} jobs"
            self.write(self.title, f"{done}, {_state(progress)}")


def _state(progress: RunProgress) -> str:
    """Say what runs and what failed, and how long the rest will take."""
    parts = [f"{progress.running} running"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.seconds_left is not None:
        # The dear jobs come last: before one is done, a few seconds say nothing.
        known = not progress.at_least or progress.seconds_left >= SECONDS_WORTH_TELLING
        more = "at least" if progress.at_least else "about"
        parts += [f"{more} {duration(progress.seconds_left)} left"] if known else []
    return ", ".join(parts)


@contextmanager
def _bar(title: str) -> Iterator[ReportRunProgress]:
    from rich.progress import MofNCompleteColumn

    with show_bar(title, MofNCompleteColumn(), width=30) as show:

        def tell(progress: RunProgress) -> None:
            show(completed=progress.done, total=progress.total, what=_state(progress))

        yield tell


app = typer.Typer(
    help="Run an experiment of many jobs, and report what came of it.",
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
            help="Folder of the run; what is done there is not done again.",
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the configuration's relative paths start: by default its own folder, or "
            "the working directory of one that ships with Byline.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Do the small version that its section [quick] is.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Processes, with one thread each; by default one a core.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, tcp://HOST:PORT, whose workers do the jobs (extra dask).",
            show_default=False,
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Do one of N shares of the jobs alone: 1/8, ..., 8/8, for a batch system.",
            show_default=False,
        ),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Do jobs that failed again.")
    ] = False,
) -> None:
    """Do all jobs of an experiment. Whatever ends it, the same command goes on from there."""
    from byline.experiments.runner.config import find_config
    from byline.experiments.runner.loop import WHOLE, Share
    from byline.experiments.runner.run import run_experiment

    if cluster is not None and jobs is not None:
        raise typer.BadParameter("--jobs counts processes here; --cluster has its own")
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
                share=WHOLE if shard is None else Share.parse(shard),
                retry_failed=retry_failed,
                progress=progress,
            )
    except KeyboardInterrupt as interruption:
        if not (output / "run.json").exists():
            raise
        message = f"what is done is in {output}; the same command goes on from there"
        raise CommandInterrupted(message) from interruption
    typer.echo(f"{output}: {end.done} of {end.total} jobs done")


def _n_cores() -> int:
    """Count the cores that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


@app.command("status")
def status(run: RunArgument, json: JsonOption = False) -> None:
    """Say what is done, what failed, what is left and how long that will take."""
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

    from byline.report.terminal import plain

    jobs, out = found["jobs"], console()
    out.print(plain(f"{found['title']}{' (quick)' if found['quick'] else ''}"))
    left = _left(found["seconds_left"], found["at_least"], jobs["left"])
    text = f"{jobs['done']} of {jobs['total']} jobs done, {jobs['failed']} failed, {left}"
    out.print(text, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("done", "failed", "left", "seconds a job"):
        table.add_column(heading, justify="right")
    for row in found["models"]:
        seconds = "" if row["mean_seconds"] is None else f"{row['mean_seconds']:.1f}"
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
    return f"{n_left} left: {more}{duration(seconds)} of one process"


app.command("report")(report)
