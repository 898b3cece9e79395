"""``byline experiment report``: the results of a run as HTML, JSON and CSV."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from byline.cli.interruption import reports_unwritten_file
from byline.cli.output import check_output, console
from byline.errors import OutputError
from byline.files import atomic_write

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


@reports_unwritten_file("output")
def report(runs: RunsArgument, output: ReportOption = Path("report.html")) -> None:
    """Write all tables and figures of a run as HTML, JSON and CSV."""
    from byline.experiments.reproductions.ge_sun_2016.results import experiment_results
    from byline.report import experiment_html, experiment_summary, experiment_tables

    summary_path, folder = _other_outputs(output, runs)
    summary = experiment_summary(experiment_results(runs))
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
        check_output(path, *(runs / name for name in FILES_OF_A_RUN))
        if path.exists() and not path.is_file():
            raise OutputError(f"{path} is not a regular file; name another report")
    for path in (output, summary, folder):
        _check_outside(path, runs)
    _check_summary(summary)
    _check_folder(folder)
    return summary, folder


def _check_outside(path: Path, runs: Path) -> None:
    """Refuse an output among the run's own files, also if the path leads there by a link."""
    target = Path(os.path.realpath(path))
    for name in FOLDERS_OF_A_RUN:
        if target.is_relative_to(os.path.realpath(runs / name)):
            raise OutputError(
                f"{path} would be among the files of the run, in {runs / name}; name another report"
            )


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


def _check_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise OutputError(
            f"{path} is not a folder, but the tables are written there; name another report"
        )
    if path.exists() and not os.access(path, os.W_OK):
        raise OutputError(
            f"{path} is not writable, but the tables are written there; name another report"
        )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot create {folder}: {error.strerror}; name another report"
        ) from error


def _write(path: Path, content: str) -> None:
    with atomic_write(path) as stream:
        stream.write(content.encode("utf-8"))


def _as_json(summary: dict[str, Any]) -> str:
    return json.dumps(summary, ensure_ascii=True, allow_nan=False, indent=2) + "\n"
