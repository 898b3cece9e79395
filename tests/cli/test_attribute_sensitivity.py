"""``byline attribute --sensitivity``: its options, errors, output and interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run

from byline.answering import variations
from byline.attribution import StackedAttributor


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, run: Run, known: Path, tmp_path: Path) -> Path:
    """A model that is trained quickly, with few variations."""
    monkeypatch.setattr(variations, "KEPT_WORDS", (3,))
    path = tmp_path / "small.byline"
    assert run("train", known, "-o", path, "--method", "delta").code == 0
    return path


def test_the_answer_is_repeated(
    run: Run, small: Path, known: Path, questioned: Path, tmp_path: Path
) -> None:
    report = tmp_path / "case.html"
    given = ("attribute", small, questioned, "--known", known, "--sensitivity")
    ended = run(*given, "--json", "--report", report)
    assert ended.code == 0
    # 8 known texts, 5 seeds, one number of frequent words; there are only two candidates
    assert "note: --sensitivity trains 14 models like this one; Ctrl-C ends it early" in ended.err
    [entry] = json.loads(ended.out)["questioned"]
    found = entry["sensitivity"]
    assert found["verdict"].startswith("The first candidate is ada in all 14 variations. In")
    assert found["n_planned"] == found["n_computed"] == found["n_answered"] == 14
    assert found["n_changed"] == 0
    low, high = found["probability_range"]
    assert 0.5 < low <= high < 1
    assert {row["kind"] for row in found["variations"]} == {
        "known-texts",
        "random-samples",
        "masked-words",
    }
    html = report.read_text(encoding="utf-8")
    assert ">Sensitivity</h2>" in html
    assert "The first candidate is ada in all 14 variations" in html
    assert "without the text ada/0.txt" in html


def test_the_terminal_shows_the_verdict_and_the_table(
    run: Run, small: Path, known: Path, questioned: Path
) -> None:
    ended = run("attribute", small, questioned, "--known", known, "--sensitivity")
    printed = " ".join(ended.out.split())
    assert "Sensitivity: The first candidate is ada in all 14 variations. In" in printed
    assert "with other random samples (seed +5) ada" in printed
    assert "The candidates were not varied, because there are only two." in printed


def test_an_interruption_shows_what_is_finished(
    monkeypatch: pytest.MonkeyPatch, run: Run, small: Path, known: Path, questioned: Path
) -> None:
    fit, calls = StackedAttributor.fit, []

    def fit_three(self: StackedAttributor, *args: Any, **options: Any) -> StackedAttributor:
        calls.append(args)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return fit(self, *args, **options)

    monkeypatch.setattr(StackedAttributor, "fit", fit_three)
    ended = run("attribute", small, questioned, "--known", known, "--sensitivity", "--json")
    assert ended.code == 130
    assert "note: interrupted: the answer has only the variations until then" in ended.err
    found = json.loads(ended.out)["questioned"][0]["sensitivity"]
    assert found["n_computed"] == 3
    assert "Only 3 of 14 variations were computed before the interruption." in found["verdict"]


def test_it_needs_the_known_texts(run: Run, small: Path, questioned: Path) -> None:
    ended = run("attribute", small, questioned, "--sensitivity")
    assert ended.code == 2
    assert ended.err == (
        "error: --sensitivity trains models again, which needs the known texts; give them with "
        "--known\n"
    )


def test_it_needs_the_texts_of_the_training(
    run: Run, small: Path, known: Path, questioned: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    for path in sorted(known.glob("*/*.txt"))[1:]:
        copy = other / path.relative_to(known)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    ended = run("attribute", small, questioned, "--known", other, "--sensitivity")
    assert ended.code == 2
    assert "are not those that" in ended.err
    assert "(1 missing, 0 added), so that a change of the answer could not be" in ended.err
    assert "warning" not in ended.err


def test_without_the_option_nothing_is_repeated(
    run: Run, small: Path, known: Path, questioned: Path
) -> None:
    ended = run("attribute", small, questioned, "--known", known, "--json")
    assert "sensitivity" not in json.loads(ended.out)["questioned"][0]
