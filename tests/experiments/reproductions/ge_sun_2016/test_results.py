from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from byline.errors import UsageError
from byline.experiments.reproductions.ge_sun_2016.errata.evidence import NO_FIGURES
from byline.experiments.reproductions.ge_sun_2016.results import experiment_results

MakeRun = Callable[..., Path]
RULE = "sum-of-perplexities"
KEYS = (
    *("schema", "title", "quick", "corpora", "versions", "machine", "authors", "seed", "splits"),
    *("config", "models", "jobs", "profile", "perplexity", "counting", "accuracy", "comparisons"),
    *("confusion", "pair_claim", "search", "costs", "search_costs", "errata"),
)
PROFILE = {
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


def errata_of(found: Mapping[str, Any]) -> dict[str, str]:
    return {erratum["title"]: erratum["text"] for erratum in found["errata"]}


def test_results_are_json_and_reproducible(make_run: MakeRun, searching: Mapping[str, Any]) -> None:
    path = make_run(searching, profile=[PROFILE])
    found = experiment_results(path)
    assert set(KEYS) <= set(found)
    assert found["schema"] == 2
    assert found["title"] == "A small experiment"
    assert found["splits"][0] == {
        "split": "by-sentence",
        "corpus": "texts",
        "unit": "sentence",
        "prune": "author",
        "seeds": [0, 1],
    }
    (network,) = (model for model in found["models"] if model["model"] == "nn4")
    assert (network["label"], network["kind"], network["words"]) == (
        "Neural",
        "feedforward",
        "pruned",
    )
    assert network["settings"]["embedding_dim"] == 100
    # 4 authors, 3 models and 3 splits; 3 trials, and one author's tuned model on 2 splits.
    assert found["jobs"] == {"total": 41, "done": 41, "failed": 0, "failures": []}
    text = json.dumps(found, allow_nan=False)
    assert json.dumps(experiment_results(path), allow_nan=False) == text
    assert json.loads(text) == found


def test_a_complete_run_has_all_figures_of_the_errata(make_run: MakeRun) -> None:
    authors = ("course-01", "course-02", "course-03", "course-07", "course-16")
    found = experiment_results(make_run(profile=[PROFILE], authors=authors))
    lacking = [title for title, text in errata_of(found).items() if NO_FIGURES in text]
    # The profile has only course 3, not the course of the misprinted row.
    assert lacking == ["14,902 sentences is a misprint of 14,092"]
    assert all(erratum["figures"] for erratum in found["errata"] if erratum["title"] not in lacking)


def test_errata_cite_the_figures_of_the_run(make_run: MakeRun) -> None:
    texts = errata_of(experiment_results(make_run(profile=[PROFILE])))
    order = texts["The rows of Table 1 are not in the order of their IDs"]
    assert "Of 1 row, 1 describes another course" in order
    smoothing = texts["The n-grams do not use Kneser-Ney smoothing"]
    # The means are 60.5, 70.5, 80.5 and 90.5; 43.2, 114.1, 45.9 and 64.6 are printed for the same
    # courses. With Kneser-Ney smoothing, perplexities are 1.02 times as high, on the test part.
    assert "75.5 here; 67.0 are printed" in smoothing
    assert "77.0 (Kneser-Ney)" in smoothing
    factor = texts["The printed neural perplexities are the recorded ones times 0.82"]
    assert "average 82.1" in factor
    assert "77.0 over 4 courses; 79.3 is recorded" in factor
    parts = texts["The n-grams are scored on the validation files, the network on the test files"]
    assert "Good-Turing: 75.5 on the validation part and 77.0 on the test part." in parts
    # 77.0 against 75.5.
    assert "+2.0 %" in texts["The reduction in perplexity"]


def test_a_run_without_finished_jobs(make_run: MakeRun) -> None:
    path = make_run()
    shutil.rmtree(path / "jobs")
    (path / "jobs").mkdir()
    found = experiment_results(path)
    assert found["jobs"]["done"] == 0
    for key in ("perplexity", "counting", "accuracy", "comparisons", "confusion", "search"):
        assert found[key] == []
    assert [cost["left_hours"] for cost in found["costs"]] == [None] * 6
    lacking = [title for title, text in errata_of(found).items() if NO_FIGURES in text]
    assert len(lacking) == len(found["errata"]) - 1  # the printed averages need no results
    json.dumps(found, allow_nan=False)


def test_failed_jobs_are_listed_and_the_others_counted(make_run: MakeRun) -> None:
    found = experiment_results(make_run(failed=["by-sentence.1.nn4.course-16"]))
    assert found["jobs"]["failed"] == 1
    assert found["jobs"]["failures"] == [
        {"job": "by-sentence.1.nn4.course-16", "error": "the cost is not finite"}
    ]
    seeds = {
        (e["split"], e["model"]): e["seeds"] for e in [*found["accuracy"], *found["confusion"]]
    }
    assert seeds["by-sentence", "nn4"] == [0]
    assert seeds["by-sentence", "kn4"] == [0, 1]


def test_an_experiment_other_than_the_papers(make_run: MakeRun) -> None:
    ours: dict[str, Any] = {
        "published": None,
        "evaluation": {"excluded_from_mean": [], "same_person": [], "highlighted_author": None},
    }
    authors = ("Ada", "Ben", "Cy")
    found = experiment_results(make_run(ours, authors=authors))
    assert found["errata"] == []
    assert found["pair_claim"] == []
    assert {c["claim"] for c in found["comparisons"]} == {None}
    assert found["accuracy"][0]["mean"]["authors"] == list(authors)
    json.dumps(found, allow_nan=False)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the folder of an experiment"):
        experiment_results(tmp_path)


def test_missing_arrays_are_reported(make_run: MakeRun) -> None:
    path = make_run()
    (path / "jobs" / "by-sentence.0.kn4.course-03.safetensors").unlink()
    with pytest.raises(UsageError, match=r"by-sentence\.0\.kn4\.course-03\.safetensors cannot be"):
        experiment_results(path)
    (path / "splits" / "by-sentence.0.safetensors").write_bytes(b"nonsense")
    with pytest.raises(UsageError, match=r"0\.safetensors cannot be read.*to restore it"):
        experiment_results(path)


def test_impossible_sentences_have_infinite_costs(make_run: MakeRun) -> None:
    path = make_run()
    before = experiment_results(path)
    file = path / "jobs" / "by-sentence.0.kn4.course-08.safetensors"
    arrays = load_file(file)
    own = np.repeat(np.arange(4), 24) == 2
    save_file(arrays | {"log_prob": np.where(own, -np.inf, arrays["log_prob"])}, file)
    found = experiment_results(path)
    json.dumps(found, allow_nan=False)
    kept, shares = (
        next(
            row["accuracy"]["1"]
            for entry in of["accuracy"]
            if (entry["split"], entry["model"], entry["rule"]) == ("by-sentence", "kn4", RULE)
            for row in entry["stages"]
            if row["author"] == "course-08"
        )
        for of in (before, found)
    )
    # Its own model gives probability zero to its sentences of seed 0, which are half of all.
    assert shares <= 0.5 < kept


def test_courses_of_one_field_and_others(make_run: MakeRun) -> None:
    authors = ("course-01", "course-02", "course-07", "course-16")
    found = experiment_results(
        make_run({"evaluation": {"highlighted_author": None}}, authors=authors)
    )
    (entry,) = (
        entry
        for entry in found["confusion"]
        if (entry["split"], entry["rule"], entry["model"]) == ("by-sentence", RULE, "nn4")
    )
    shares = np.array(entry["shares"])
    same = (shares[0, 1] + shares[1, 0]) / 2
    # Of twelve pairs, two are of one field and two of one instructor.
    others = (shares.sum() - np.trace(shares) - 2 * same - shares[2, 3] - shares[3, 2]) / 8
    (field,) = (e for e in found["errata"] if e["title"] == "Courses of one field")
    values = {figure["what"]: figure["value"] for figure in field["figures"]}
    assert values["Neural: same field / other pairs"] == f"{same:.2%} / {others:.2%}".replace(
        "%", " %"
    )


def test_a_damaged_profile_is_reported(make_run: MakeRun) -> None:
    path = make_run(profile=[PROFILE])
    (path / "profile.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match=r"profile\.json cannot be read"):
        experiment_results(path)
