"""``--features``: a table of the user's own numeric features on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def write(path: Path, rows: dict[str, tuple[object, ...]], header: str = "text,age,one") -> Path:
    lines = [header, *(",".join(map(str, [name, *values])) for name, values in rows.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows: dict[str, tuple[object, ...]] = {
        f"{author}/{number}.txt": (age + number, 1)
        for author, age in (("ada", 20), ("ben", 60))
        for number in range(4)
    }
    return write(tmp_path / "known.csv", rows)


@pytest.fixture
def model(run: Run, known: Path, table: Path, tmp_path: Path) -> Path:
    path = tmp_path / "model.byline"
    ended = run("train", known, "-o", path, "--method", "delta", "--features", table)
    assert (ended.code, "1 feature has the same value in all known texts" in ended.err) == (0, True)
    return path


def test_an_answer_uses_the_features_of_the_text(
    run: Run, model: Path, questioned: Path, tmp_path: Path
) -> None:
    """The words are ada's in both; the values are once hers, and once ben's."""
    lead = {}
    for author, age in (("ada", 21), ("ben", 62)):
        own = write(tmp_path / "own.csv", {"letter.txt": (age, 1)})
        report = tmp_path / f"{author}.html"
        given = "attribute", model, questioned, "--features", own
        [text] = json.loads(run(*given, "--json", "--report", report).out)["questioned"]
        odds = {place["author"]: place["score"] for place in text["ranking"]}
        lead[author] = odds["ada"] - odds["ben"]
        assert "features" in report.read_text(encoding="utf-8")
        assert re.search(r"\bfeatures\s[+-]", run(*given).out)
    assert lead["ada"] > lead["ben"] + 0.5
    assert "features" in run("explain", model, questioned, "--features", own).out


def test_what_does_not_fit_is_refused(
    run: Run, model: Path, known: Path, questioned: Path, table: Path, tmp_path: Path
) -> None:
    ended = run("attribute", model, questioned)
    assert ended.code == 2
    assert "the model was trained with features (age and one); give --features" in ended.err
    other = write(tmp_path / "other.csv", {"another.txt": (1, 1)})
    ended = run("attribute", model, questioned, "--features", other)
    assert (ended.code, "1 text has no row: " in ended.err) == (3, True)
    lacking = write(tmp_path / "lacking.csv", {"letter.txt": (1,)}, "text,age")
    ended = run("attribute", model, questioned, "--features", lacking)
    assert (ended.code, "the features lack one" in ended.err) == (2, True)
    own = write(tmp_path / "own.csv", {"letter.txt": (21, 1)})
    again = "attribute", model, questioned, "--features", own, "--known", known, "--sensitivity"
    assert "--sensitivity cannot train models with --features again" in run(*again).err
    train = "train", known, "-o", tmp_path / "x"
    few = write(tmp_path / "few.csv", {"ada/0.txt": (1, 1)})
    ended = run(*train, "--method", "delta", "--features", few)
    assert "7 texts have no row: ada/1.txt, ada/2.txt" in ended.err
    ended = run(*train, "--method", "language-models", "--features", table)
    assert "--features needs a method that combines classifiers" in ended.err
    ended = run(*train, "--features", table, "--reference", known)
    assert "--features cannot be combined with --reference" in ended.err
    assert run(*train, "--method", "delta").code == 0
    ended = run("attribute", tmp_path / "x", questioned, "--features", own)
    assert "the model was trained without features; omit them" in ended.err


def test_they_are_evaluated(run: Run, known: Path, table: Path) -> None:
    given = "evaluate", known, "--method", "delta", "--features", table, "--folds", "2", "--json"
    ended = run(*given)
    assert ended.code == 0
    assert json.loads(ended.out)["accuracy"] == 1
