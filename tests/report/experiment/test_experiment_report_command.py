from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from byline.cli import experiment
from byline.errors import OutputError, UsageError
from byline.report import experiment_summary, experiment_tables

Outcome = dict[str, Any]
report = partial(experiment.report, figures=None, grey=False)


@pytest.fixture
def runs(tmp_path: Path, outcome_of: Callable[..., Outcome], monkeypatch: Any) -> Path:
    """Return the folder of a run whose results are replaced by invented ones."""
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "run.json").write_text("{}", encoding="utf-8")
    made = outcome_of(["Ada", "Ben", "Zoe"])
    monkeypatch.setattr(
        "byline.experiments.reproductions.ge_sun_2016.results.experiment_results", lambda path: made
    )
    return folder


def files_of(folder: Path) -> set[str]:
    found = folder.rglob("*")
    return {path.relative_to(folder).as_posix() for path in found if path.is_file()}


def test_report_summary_and_tables_are_in_one_folder(
    runs: Path, tmp_path: Path, outcome_of: Callable[..., Outcome], capsys: Any
) -> None:
    report(runs=runs, output=tmp_path / "my report.html")
    summary = experiment_summary(outcome_of(["Ada", "Ben", "Zoe"]))
    tables = {f"my report-tables/{name}.csv" for name in experiment_tables(summary)}
    assert files_of(tmp_path) == {"my report.html", "my report.json", "runs/run.json", *tables}
    stored = json.loads((tmp_path / "my report.json").read_text(encoding="utf-8"))
    assert stored == summary
    html = (tmp_path / "my report.html").read_text(encoding="utf-8")
    assert "my report-tables/perplexity.csv" in html
    printed = capsys.readouterr().err
    for name in ("my report.html", "my report.json", "my report-tables"):
        assert name in printed


def test_the_command_line_takes_a_run_and_a_file(
    runs: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    app = typer.Typer()
    app.command()(experiment.report)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, [str(runs)]).exit_code == 0
    assert CliRunner().invoke(app, [str(runs), "-o", "other.html"]).exit_code == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"runs"} | {
        f"{stem}{end}" for stem in ("report", "other") for end in (".html", ".json", "-tables")
    }


def test_reports_are_reproducible(runs: Path, tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        report(runs=runs, output=tmp_path / "report.html")
        made.append({path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()})
    assert made[0] == made[1]


def test_a_report_may_be_written_to_the_folder_of_the_run(runs: Path) -> None:
    report(runs=runs, output=runs / "report.html")
    assert (runs / "report-tables" / "accuracy.csv").is_file()


@pytest.mark.parametrize("name", ["run.html", "report.json", "no/report.html", "runs", "", "/"])
def test_forbidden_outputs_are_refused_early(
    name: str, runs: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(
        "byline.experiments.reproductions.ge_sun_2016.results.experiment_results", pytest.fail
    )
    monkeypatch.chdir(tmp_path)
    output = runs / name if name == "run.html" else Path(name)
    with pytest.raises(OutputError):
        report(runs=runs, output=output)
    assert files_of(tmp_path) == {"runs/run.json"}


@pytest.mark.parametrize("folder", ["jobs", "splits", "corpora"])
def test_files_of_a_run_are_not_replaced(folder: str, runs: Path, tmp_path: Path) -> None:
    (runs / folder).mkdir()
    record = {"schema": 1, "title": "", "jobs": {}}  # though it could pass for a summary
    (runs / folder / "by-sentence.0.kn4.Ada.json").write_text(json.dumps(record))
    (tmp_path / "elsewhere").symlink_to(runs / folder)
    before = files_of(tmp_path)
    for place in (runs / folder, tmp_path / "elsewhere"):
        with pytest.raises(OutputError, match=r"would be inside .*; choose another place"):
            report(runs=runs, output=place / "by-sentence.0.kn4.Ada.html")
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("content", ['{"name": "mine", "title": "x"}', "[1]", "no JSON", ""])
def test_a_file_that_is_not_a_summary_is_not_replaced(
    content: str, runs: Path, tmp_path: Path
) -> None:
    (tmp_path / "package.json").write_text(content, encoding="utf-8")
    with pytest.raises(OutputError, match="is not a summary written by Byline"):
        report(runs=runs, output=tmp_path / "package.html")
    assert files_of(tmp_path) == {"runs/run.json", "package.json"}
    assert (tmp_path / "package.json").read_text(encoding="utf-8") == content


@pytest.mark.parametrize("name", ["report.html", "report.json"])
def test_special_files_are_refused(name: str, runs: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(OutputError, match="not a regular file"):
        report(runs=runs, output=tmp_path / "report.html")
    assert {path.name for path in tmp_path.iterdir()} == {"runs", name}


def test_a_file_where_the_tables_go_is_refused(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "report-tables").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="is not a folder"):
        report(runs=runs, output=tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_an_older_report_is_kept_if_writing_fails(
    runs: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    report(runs=runs, output=tmp_path / "report.html")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OutputError, match="No space left"):
        report(runs=runs, output=tmp_path / "report.html")
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        report(runs=tmp_path / "nothing", output=tmp_path / "report.html")
    assert files_of(tmp_path) == set()
