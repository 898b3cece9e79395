"""Malformed folders of runs, found by `fuzz/`: they are refused, or read with warnings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from byline.errors import BylineWarning, UsageError
from byline.experiments.reproductions.ge_sun_2016.results import experiment_results
from byline.experiments.runner.status import run_status

MakeRun = Callable[..., Path]
JOB = "by-lecture.0.kn4.course-03"
TRIAL = "search.nn4.course-08.000"
DEEP = "[" * 100_000
PROFILE: dict[str, Any] = {
    "author": "course-03",
    "n_sentences": 6936,
    "n_words": 129125,
    "words_per_sentence": 18.62,
    "vocabulary_original": 3006,
    "vocabulary_stemmed": 2040,
    "vocabulary_pruned": 1476,
    "coverage": {"500": 0.945},
    "unknown_share": 0.004,
}


@pytest.mark.parametrize("content", [DEEP, "[]", "\xff", "{", "9" * 5000, "null"])
def test_an_invalid_run_file_is_refused(content: str, make_run: MakeRun) -> None:
    path = make_run()
    (path / "run.json").write_bytes(content.encode("latin-1"))
    for read in (experiment_results, run_status):
        with pytest.raises(UsageError, match=r"run\.json"):
            read(path)


@pytest.mark.parametrize(
    "rows",
    [
        [PROFILE | {"words_per_sentence": "many"}],
        [PROFILE | {"n_words": float("nan")}],
        [PROFILE | {"n_words": 10**400}],
        [PROFILE | {"coverage": [0.9]}],
        [PROFILE | {"coverage": {"500": "most"}}],
        [PROFILE | {"author": 3}],
        [[]],
        "rows",
        None,
    ],
)
def test_a_profile_with_invalid_values_is_refused(rows: Any, make_run: MakeRun) -> None:
    path = make_run()
    (path / "profile.json").write_text(json.dumps({"rows": rows}), encoding="utf-8")
    with pytest.raises(UsageError, match=r"profile\.json cannot be read"):
        experiment_results(path)


def test_a_deeply_nested_profile_is_refused(make_run: MakeRun) -> None:
    path = make_run()
    (path / "profile.json").write_text(DEEP, encoding="utf-8")
    with pytest.raises(UsageError, match=r"profile\.json cannot be read \(it is nested too deeply"):
        experiment_results(path)


CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda record: record.update(history=[{"validation_cost": []}]),
    lambda record: record.update(history=[3]),
    lambda record: record.update(history=[{"validation_cost": float("nan")}]),
    lambda record: record.update(n_unk_types=10**30),
    lambda record: record.update(n_unk_types=-1),
    lambda record: record.update(measures={"validation": 3, "test": 3}),
    lambda record: record["measures"]["validation"].update({how: {} for how in ("score", "skip")}),
    lambda record: record["execution"].update(cpu_seconds=float("inf")),
    lambda record: record.update(stopped=["x"]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_records_with_invalid_values_are_ignored(
    change: Callable[[dict[str, Any]], object], make_run: MakeRun
) -> None:
    path = make_run()
    file = path / "jobs" / f"{JOB}.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    change(record)
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.warns(BylineWarning, match=rf"{JOB}\.json"):
        run_status(path)


def test_a_trial_without_a_cost_is_ignored(make_run: MakeRun, searching: Any) -> None:
    path = make_run(searching)
    file = path / "jobs" / f"{TRIAL}.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    record["history"][0]["validation_cost"] = None
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.warns(BylineWarning, match=TRIAL):
        run_status(path)


def test_a_deeply_nested_record_is_ignored(make_run: MakeRun) -> None:
    path = make_run()
    (path / "jobs" / f"{JOB}.json").write_text(DEEP, encoding="utf-8")
    with pytest.warns(BylineWarning, match=JOB):
        run_status(path)


@pytest.mark.parametrize("key", ["n_documents", "n_sentences", "n_tokens"])
def test_corpus_sizes_must_be_numbers(key: str, make_run: MakeRun) -> None:
    path = make_run()
    run_info = json.loads((path / "run.json").read_text(encoding="utf-8"))
    run_info["corpora"]["texts"][key] = "many"
    (path / "run.json").write_text(json.dumps(run_info), encoding="utf-8")
    with pytest.raises(UsageError, match=rf"corpora\.texts\.{key}"):
        run_status(path)


@pytest.mark.parametrize(
    ("name", "value"), [("log_prob", np.nan), ("log_prob", np.inf), ("n_counted", -1)]
)
def test_invalid_scores_are_refused(name: str, value: float, make_run: MakeRun) -> None:
    path = make_run()
    file = path / "jobs" / f"{JOB}.safetensors"
    arrays = {key: array.copy() for key, array in load_file(file).items()}
    arrays[name][0] = value
    save_file(arrays, file)
    with pytest.raises(UsageError, match=r"has an invalid score or count; delete .*\.json"):
        experiment_results(path)
