from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from byline.errors import BylineWarning, UsageError
from byline.experiments.reproductions.ge_sun_2016.results import experiment_results
from byline.experiments.runner.plan import Job

MakeRun = Callable[..., Path]
JOB = "by-sentence.1.kn4.course-03"


def change(path: Path, **values: Any) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    content |= values
    kept = {key: value for key, value in content.items() if value is not ...}
    path.write_text(json.dumps(kept), encoding="utf-8")


@pytest.mark.parametrize(
    "values",
    [
        {"measures": ...},
        {"measures": {"validation": {}}},
        {"measures": {"validation": {}, "test": {"score": {"log_prob": "x"}}}},
        {"history": ...},
        {"n_unk_types": ...},
        {"execution": {"cpu_seconds": None}},
    ],
)
def test_a_damaged_record_is_ignored_with_a_warning(
    values: Mapping[str, Any], make_run: MakeRun
) -> None:
    path = make_run()
    change(path / "jobs" / f"{JOB}.json", **values)
    with pytest.warns(BylineWarning, match=rf"{JOB}.*damaged"):
        found = experiment_results(path)
    assert found["jobs"]["done"] == 35
    assert {tuple(e["seeds"]) for e in found["accuracy"] if e["model"] == "kn4"} == {(0,)}


def test_a_damaged_trial_is_ignored(make_run: MakeRun, searching: Mapping[str, Any]) -> None:
    path = make_run(searching)
    change(path / "jobs" / "search.nn4.course-08.002.json", history=[{"epoch": 1}])
    with pytest.warns(BylineWarning, match="damaged"):
        found = experiment_results(path)
    assert [trial["trial"] for trial in found["search"][0]["trials"]] == [0, 1]


@pytest.mark.parametrize(
    "changes",
    [
        {"split": "by-page"},
        {"seed": 7},
        {"model": "other"},
        {"author": "course-04"},
        {"trial": 0},  # the experiment has no search
    ],
)
def test_records_of_no_job_are_ignored_with_a_warning(
    changes: dict[str, Any], make_run: MakeRun
) -> None:
    path = make_run()
    before = experiment_results(path)
    record = json.loads((path / "jobs" / f"{JOB}.json").read_text(encoding="utf-8"))
    places = ("split", "seed", "model", "author", "trial")
    job = Job(**({place: record[place] for place in places} | changes))
    stray = json.dumps(record | changes | {"job": job.name})
    (path / "jobs" / f"{job.name}.json").write_text(stray, encoding="utf-8")
    with pytest.warns(BylineWarning, match=re.escape(job.name)):
        assert experiment_results(path) == before


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({"authors": ..., "corpora": ...}, "authors"),
        ({"authors": "Ada"}, "authors"),
        ({"corpora": {"texts": {}}}, "corpora"),
        ({"machine": ..., "versions": 3, "quick": "no"}, "quick"),
    ],
)
def test_an_incomplete_run_file_is_refused(
    values: Mapping[str, Any], missing: str, make_run: MakeRun
) -> None:
    path = make_run()
    change(path / "run.json", **values)
    with pytest.raises(UsageError, match=rf"run\.json.*{missing}"):
        experiment_results(path)


def test_arrays_of_the_wrong_length_are_reported(make_run: MakeRun) -> None:
    path = make_run()
    few: dict[str, Any] = {
        "log_prob": np.zeros(3),
        "n_counted": np.ones(3, dtype=np.int32),
        "n_unknown": np.ones(3, dtype=np.int32),
    }
    save_file(few, path / "jobs" / f"{JOB}.safetensors")
    with pytest.raises(
        UsageError, match=r"one value for each of the split's 96 test sentences; delete .*\.json"
    ):
        experiment_results(path)


def test_an_incomplete_profile_is_reported(make_run: MakeRun) -> None:
    path = make_run(profile=[{"author": "course-03"}])
    with pytest.raises(UsageError, match=r"profile\.json cannot be read"):
        experiment_results(path)
