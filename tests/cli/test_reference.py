"""``--reference``: cases are simulated with texts by other people, from texts to the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.attribution.stacking.reference import simulation

Run = Callable[..., Any]
WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])
FAST = ("--method", "language-models", "--calibrate", "--samples", "1", "--order", "1")


def _write(folder: Path, author: str, n_texts: int, n_sentences: int = 10) -> None:
    """Write texts in which words have the author's own order of frequency."""
    frequencies = 1 / np.arange(1, len(WORDS) + 1)
    own = np.random.default_rng([*author.encode()]).permutation(WORDS)
    (folder / author).mkdir(parents=True)
    for number in range(n_texts):
        rng = np.random.default_rng([number, *author.encode()])
        drawn = rng.choice(own, (n_sentences, 8), p=frequencies / frequencies.sum())
        text = " ".join(" ".join(sentence).capitalize() + "." for sentence in drawn)
        (folder / author / f"{number}.txt").write_text(text)


@pytest.fixture(scope="module", autouse=True)
def few_cases() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "MOST_CASES", 6)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Known texts by three authors, and a reference of four others and one of the three."""
    base = tmp_path_factory.mktemp("reference")
    for author in ("alder", "brook", "cedar"):
        _write(base / "known", author, 3)
    for author in ("elder", "fir", "hazel", "juniper"):
        _write(base / "fan-fiction", author, 5, 12)
    _write(base / "fan-fiction", "alder", 2)
    copied = (base / "known" / "brook" / "0.txt").read_text()
    (base / "fan-fiction" / "elder" / "copied.txt").write_text(copied)
    _write(base / "asked", "cedar", 5)
    return base


@pytest.fixture(scope="module")
def asked(folder: Path) -> Path:
    return folder / "asked" / "cedar" / "4.txt"


def test_cases_like_this_one_are_stated_everywhere(
    run: Run, folder: Path, asked: Path, tmp_path: Path
) -> None:
    model, report = tmp_path / "model", tmp_path / "report.html"
    known = folder / "known"
    ended = run("train", known, "--reference", folder / "fan-fiction", "-o", model, *FAST)
    assert ended.code == 0
    assert "6 simulated cases like this one from the reference corpus fan-fiction" in ended.out
    said = ended.err.replace("\u2068", "").replace("\u2069", "")
    assert "3 texts of the reference were left out: 2 by alder, who is a candidate; 1 that " in said

    [entry] = json.loads(run("attribute", model, asked, "--json").out)["questioned"]
    cases = entry["cases_like_this_one"]
    assert (cases["name"], cases["n_authors"], cases["n_texts"]) == ("fan-fiction", 4, 20)
    assert (cases["n_cases"], cases["n_candidates"]) == (6, 3)
    assert 0 <= cases["accuracy"] <= 1
    assert entry["similar_cases"] is None
    basis = "9 held-out known texts and 6 simulated cases from the reference corpus fan-fiction"
    assert entry["calibration_basis"] == basis

    shown = " ".join(run("attribute", model, asked, "--report", report).out.split())
    assert "Cases like this one: 6 simulated cases with 3 candidates each" in shown
    assert f"calibrated on {basis}." in shown
    page = report.read_text(encoding="utf-8")
    section = page.split(">Cases like this one</h2>")[1].split("<h2")[0]
    for expected in ("fan-fiction", "simulated-reliability", "Tippett plot", "log loss", "Cllr"):
        assert expected in section


def test_a_model_without_a_reference_has_no_such_section(
    run: Run, folder: Path, asked: Path, tmp_path: Path
) -> None:
    model, report = tmp_path / "model", tmp_path / "report.html"
    assert run("train", folder / "known", "-o", model, *FAST).code == 0
    assert "Cases like this one" not in run("attribute", model, asked, "--report", report).out
    assert "Cases like this one" not in report.read_text(encoding="utf-8")
    [entry] = json.loads(run("attribute", model, asked, "--json").out)["questioned"]
    assert entry["cases_like_this_one"] is None


def test_with_one_text_per_author_the_cases_are_the_only_measure(
    run: Run, folder: Path, asked: Path, tmp_path: Path
) -> None:
    for author in ("alder", "brook", "cedar"):
        (tmp_path / "known" / author).mkdir(parents=True)
        text = (folder / "known" / author / "0.txt").read_text()
        (tmp_path / "known" / author / "0.txt").write_text(text)
    model, report = tmp_path / "model", tmp_path / "report.html"
    given = "--reference", folder / "fan-fiction", "-o", model
    assert run("train", tmp_path / "known", *given, *FAST).code == 0
    assert run("attribute", model, asked, asked, "--report", report).code == 0
    page = " ".join(report.read_text(encoding="utf-8").split())
    assert "because no known text was held out" in page
    assert "6 cases like this one were simulated with texts by other people" in page
    assert "questioned texts of all lengths" in page


def test_an_evaluation_simulates_cases_in_each_fold(run: Run, folder: Path) -> None:
    given = "--reference", folder / "fan-fiction", "--folds", "2", "--json"
    ended = run("evaluate", folder / "known", *given, *FAST)
    assert ended.code == 0
    assert ended.err.count("were left out: ") == 1  # stated once, not in each fold
    with_reference = json.loads(ended.out)
    without = json.loads(run("evaluate", folder / "known", "--folds", "2", "--json", *FAST).out)
    assert with_reference["n_questioned"] == without["n_questioned"] == 9
    assert with_reference["calibration"] != without["calibration"]
    note = "the answers rest on simulated cases from the reference corpus fan-fiction ("
    assert any(each.startswith(note) for each in with_reference["caveats"])
    assert not any("reference" in each for each in without["caveats"])


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_language_models_alone_cannot_use_a_reference(
    run: Run, folder: Path, tmp_path: Path, command: str
) -> None:
    output = ("-o", tmp_path / "model") if command == "train" else ()
    given = "--reference", folder / "fan-fiction", "--method", "language-models"
    ended = run(command, folder / "known", *given, *output)
    assert ended.code == 2
    assert "--reference needs --method stacked or delta" in ended.err


def test_a_reference_by_the_candidates_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    known = folder / "known"
    ended = run("train", known, "--reference", known, "-o", tmp_path / "model", *FAST)
    assert ended.code != 0
    assert "known has texts by 0 authors other than the candidates" in ended.err
    assert "Add texts by other people" in ended.err
    assert not (tmp_path / "model").exists()


def test_a_missing_reference_is_an_error(run: Run, folder: Path, tmp_path: Path) -> None:
    given = "--reference", tmp_path / "nowhere", "-o", tmp_path / "model"
    ended = run("train", folder / "known", *given, *FAST)
    assert ended.code != 0
    assert "nowhere" in ended.err
