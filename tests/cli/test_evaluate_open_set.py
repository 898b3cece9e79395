"""``evaluate --open-set`` on the command line: tables, JSON, the report, and errors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Run = Callable[..., Any]
WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])
AUTHORS = ("alder", "brook", "cedar", "dogwood", "elder")
DELTA = ("--method", "delta", "--open-set")


def _write(author: str, seed: int) -> str:
    """Write fourteen sentences in which words have the author's own order of frequency."""
    own = np.random.default_rng(list(map(ord, author))).permutation(WORDS)
    shares = 1 / np.arange(1, len(own) + 1) ** 0.7
    rng = np.random.default_rng([seed, *map(ord, author)])
    chosen = [rng.choice(own, size=9, p=shares / shares.sum()) for _ in range(14)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


def _fill(folder: Path, authors: tuple[str, ...], n: int) -> Path:
    for author in authors:
        (folder / author).mkdir(parents=True)
        for number in range(n):
            (folder / author / f"{number}.txt").write_text(_write(author, number))
    return folder


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five authors with four texts each."""
    return _fill(tmp_path_factory.mktemp("five"), AUTHORS, 4)


def test_tables_json_and_report_agree(run: Run, five: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    given = ("evaluate", five, *DELTA, "--false-attribution-rate", "0.3")
    ended = run(*given, "--report", report)
    assert ended.code == 0
    found = json.loads(run(*given, "--json").out)
    assert (found["schema"], found["kind"]) == (1, "open-set")
    assert found["n_authors"] == 5
    # Each author's four texts are questioned as unknown; of the others, a quarter each time.
    assert (found["n_unknown"], found["n_unknown_authors"], found["n_known"]) == (20, 5, 20)
    assert [row["rate"] for row in found["by_rate"]] == ["even-odds", 0.05, 0.1, 0.2, 0.3]
    assert found["false_attribution_rate"] == 0.3
    assert found["accuracy"] > 0.9
    assert found["auc"] > 0.8  # the texts have clear differences
    for row in found["by_rate"]:
        low, high = row["false_attribution_interval"]
        assert low <= row["false_attribution_rate"] <= high
        assert row["missed_rate"] == pytest.approx(
            row["rejected_rate"] + row["misattribution_rate"]
        )
        assert 0 <= row["stated_missed_rate"] <= 1
    assert sorted(name for fold in found["folds"] for name in fold["unknown_authors"]) == list(
        AUTHORS
    )
    printed = " ".join(ended.out.split())
    html = report.read_text(encoding="utf-8")
    assert "20 documents by 5 authors; held out: authors and a part of the other" in printed
    assert f"AUC {found['auc']:.3f}" in printed
    assert f"<b>{found['auc']:.3f}</b>" in html
    for words in ("false attributions", "missed", "F0.5u", "macro-F1", "no rejection"):
        assert words in printed
    for words in ("<h2>False and missed attributions</h2>", "<bdi>dogwood</bdi>", "F0.5u"):
        assert words in html


def test_the_same_seed_gives_the_same_result(run: Run, five: Path) -> None:
    first, second, other = (
        json.loads(run("evaluate", five, *DELTA, "--folds", "1", "--seed", seed, "--json").out)
        for seed in ("0", "0", "1")
    )
    assert first == second
    assert first["folds"][0]["unknown_authors"] != other["folds"][0]["unknown_authors"]


def test_separate_texts_may_be_by_other_authors(run: Run, five: Path, tmp_path: Path) -> None:
    test = _fill(tmp_path / "test", ("alder", "hazel"), 3)
    ended = run("evaluate", five, *DELTA, "--test", test, "--json")
    assert ended.code == 0
    found = json.loads(ended.out)
    assert (found["n_known"], found["n_unknown"]) == (3, 3)
    assert found["folds"][0]["unknown_authors"] == ["hazel"]
    shutil.rmtree(test / "hazel")
    ended = run("evaluate", five, *DELTA, "--test", test)
    assert (ended.code, "all texts are by authors of" in ended.err) == (3, True)


def test_a_rate_that_cannot_be_set_is_refused(run: Run, five: Path) -> None:
    ended = run("evaluate", five, *DELTA, "--folds", "1", "--false-attribution-rate", "0.0001")
    assert (ended.code, "rate of 0.0001 cannot be set" in ended.err) == (2, True)


def test_three_authors_are_too_few(run: Run, five: Path, tmp_path: Path) -> None:
    folder = _fill(tmp_path / "three", AUTHORS[:3], 2)
    ended = run("evaluate", folder, *DELTA)
    assert (ended.code, "3 candidates must remain; add authors" in ended.err) == (5, True)
    assert run("evaluate", five, *DELTA, "--folds", "2").code == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--sentences", "3"), "--open-set cannot be combined with --sentences"),
        (("--baselines", "svm"), "--open-set cannot be combined with --baselines"),
        (("--split", "sentence"), "--open-set cannot be combined with --split sentence"),
        (("--false-attribution-rate", "5"), "a number between 0 and 1"),
    ],
)
def test_contradicting_options(run: Run, five: Path, options: tuple[str, ...], words: str) -> None:
    ended = run("evaluate", five, *DELTA, *options)
    assert (ended.code, words in " ".join(ended.err.split())) == (2, True)


def test_language_models_alone_are_refused(run: Run, five: Path) -> None:
    ended = run("evaluate", five, "--method", "language-models", "--open-set")
    assert (ended.code, "--open-set needs --method stacked or delta" in ended.err) == (2, True)
    ended = run("evaluate", five, "--method", "delta", "--false-attribution-rate", "0.1")
    assert (ended.code, "needs --open-set" in ended.err) == (2, True)


def test_three_authors_are_enough_with_a_reference_population(
    run: Run, five: Path, tmp_path: Path
) -> None:
    known, others = tmp_path / "three", tmp_path / "others"
    for author in AUTHORS[:3]:
        shutil.copytree(five / author, known / author)
    _fill(others, ("fir", "gorse", "hazel", "ivy", "juniper", "larch"), 4)
    ended = run("evaluate", known, *DELTA, "--folds", "1", "--reference", others, "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert [fold["n_candidates"] for fold in found["folds"]] == [2]
    assert "the answers rest on simulated cases from" in found["caveats"][-1]
