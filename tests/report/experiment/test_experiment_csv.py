from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from byline.report import experiment_summary, experiment_tables

Outcome = dict[str, Any]


def rows_of(outcome: Outcome, name: str) -> list[dict[str, str]]:
    table = experiment_tables(experiment_summary(outcome))[name]
    return list(csv.DictReader(io.StringIO(table.to_csv())))


def test_a_summary_is_json_without_what_is_no_number(
    unknown: Callable[[float | None], Outcome],
) -> None:
    summary = experiment_summary(unknown(float("nan")))
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary == experiment_summary(unknown(None))
    assert summary["perplexity"][0]["columns"][0]["average"]["mean"] is None


def test_the_same_tables_are_always_there(outcome: Outcome, begun: Outcome) -> None:
    full, empty = (experiment_tables(experiment_summary(made)) for made in (outcome, begun))
    assert {name: table.columns for name, table in full.items()} == {
        name: table.columns for name, table in empty.items()
    }
    assert {name for name, table in full.items() if not table.rows} == set()
    assert {name for name, table in empty.items() if table.rows} == {"splits"}


def test_rows_have_a_value_for_every_column(outcome: Outcome) -> None:
    for name, table in experiment_tables(experiment_summary(outcome)).items():
        assert all(len(row) == len(table.columns) for row in table.rows)
        for place, column in enumerate(table.columns):
            assert any(row[place] not in (None, "") for row in table.rows), (name, column)
        shown = [value for row in table.rows for value in row]
        assert not [value for value in shown if isinstance(value, list | dict)]


def test_perplexities_are_whole(outcome: Outcome) -> None:
    rows = rows_of(outcome, "perplexity")
    columns = [column for table in outcome["perplexity"] for column in table["columns"]]
    assert len(rows) == sum(len(column["rows"]) for column in columns)
    first, stored = rows[0], columns[0]["rows"][0]
    assert (first["split"], first["model"], first["author"]) == (
        "by-sentence",
        "ngram1",
        "course-01",
    )
    assert float(first["mean"]) == stored["mean"]
    assert float(first["published_mean"]) == stored["published"]["mean"]
    assert first["seeds"] == "0 1 2 3 4 5 6 7 8 9"
    assert first["recorded_mean"] == ""


def test_averages_have_no_author(outcome: Outcome) -> None:
    rows = rows_of(outcome, "perplexity-average")
    assert [float(row["mean"]) for row in rows[:2]] == [255.0, 80.2]
    assert "author" not in rows[0]


def test_every_cell_of_a_confusion_matrix_is_a_row(outcome: Outcome) -> None:
    rows = rows_of(outcome, "confusion")
    assert len(rows) == len(outcome["confusion"]) * 16 * 16
    entry = outcome["confusion"][0]
    assert [float(row["share"]) for row in rows[:16]] == entry["shares"][0]
    assert {row["author"] for row in rows[:16]} == {"course-01"}


def test_curves_and_stages_have_a_row_a_length(outcome: Outcome) -> None:
    rows = rows_of(outcome, "accuracy")
    assert len(rows) == len(outcome["accuracy"]) * 2 * 20
    assert {(row["of"], row["author"]) for row in rows} == {
        ("mean", ""),
        ("highlighted", "course-01"),
    }
    stages = rows_of(outcome, "stages")
    assert len(stages) == len(outcome["accuracy"]) * 14 * 3


def test_an_outcome_without_an_author_alone(outcome: Outcome) -> None:
    for entry in outcome["accuracy"]:
        entry["highlighted"] = None
    assert {row["of"] for row in rows_of(outcome, "accuracy")} == {"mean"}


def test_settings_of_the_search_have_columns(outcome: Outcome) -> None:
    rows = rows_of(outcome, "search")
    trial = outcome["search"][0]["trials"][0]
    assert rows[0]["embedding_dim"] == str(trial["settings"]["embedding_dim"])
    assert [row["stopped"] for row in rows[:6]] == ["", "", "", "unpromising", "", "failed"]
    assert sum(row["best"] == "True" for row in rows) == 3


def test_an_erratum_without_figures_has_a_row(outcome: Outcome) -> None:
    assert [row["what"] for row in rows_of(outcome, "errata")] == ["Good-Turing, order 4", ""]
