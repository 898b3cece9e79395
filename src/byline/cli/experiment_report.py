"""``byline experiment report``: what a run has come to, as files for readers and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from byline.cli.output import check_output, console
from byline.errors import OutputError
from byline.files import replacing

RunsArgument = Annotated[
    Path, typer.Argument(metavar="RUNS", help="Run directory, of a finished run or not.")
]
ReportOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="HTML report to write; its summary as JSON and a folder of CSV tables go beside it.",
    ),
]
# Files of a run directory that a summary must not take the place of.
OF_A_RUN = ("run.json", "profile.json")


def report(runs: RunsArgument, output: ReportOption = Path("report.html")) -> None:
    """Write every table and figure of a run: HTML, JSON and CSV."""
    from byline.experiments.paper.outcome import outcome
    from byline.report import experiment_html, experiment_summary, experiment_tables

    summary_path, folder = _beside(output, runs)
    summary = experiment_summary(outcome(runs))
    tables = {f"{table.name}.csv": table.to_csv() for table in experiment_tables(summary)}
    html = experiment_html(summary, tables=folder.name)
    _make(folder)
    for name, content in tables.items():
        _write(folder / name, content)
    _write(summary_path, _as_json(summary))
    _write(output, html)
    out = console()
    out.print(f"Report: {output}", soft_wrap=True)
    out.print(f"Summary: {summary_path}", soft_wrap=True)
    out.print(f"Tables: {folder} ({len(tables)} CSV files)", soft_wrap=True)


def _beside(output: Path, runs: Path) -> tuple[Path, Path]:
    """Name the summary and the folder of tables; refuse what cannot be written, before work."""
    summary = output.with_suffix(".json")
    if summary == output:
        raise OutputError(f"{output} is to be the HTML report; name a file like report.html")
    for path in (output, summary):
        check_output(path, *(runs / name for name in OF_A_RUN))
    folder = output.with_name(f"{output.stem}-tables")
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is no folder, and the tables go there; name another report")
    return summary, folder


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make {folder}: {error.strerror}; name another report") from error


def _write(path: Path, content: str) -> None:
    with replacing(path) as stream:
        stream.write(content.encode("utf-8"))


def _as_json(summary: dict[str, Any]) -> str:
    return json.dumps(summary, ensure_ascii=True, allow_nan=False, indent=2) + "\n"
