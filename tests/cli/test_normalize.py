"""`--normalize`: what an edition decides changes no answer of any command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Change = Callable[[str], str]
Conventions = Mapping[str, Change]
STACK = ("--method", "language-models", "--order", "2", "--calibrate")
LANGUAGE_MODELS = ("--method", "language-models", "--order", "2")


@pytest.fixture(scope="module")
def plain(
    tmp_path_factory: pytest.TempPathFactory,
    sentences: Callable[[str, int, int], str],
    with_plain_sentences: Change,
) -> Path:
    """Known texts with everything that editions change, in one edition."""
    folder = tmp_path_factory.mktemp("known") / "plain"
    for author in ("ada", "ben"):
        (folder / author).mkdir(parents=True)
        for number in range(4):
            text = with_plain_sentences(sentences(author, 40, number))
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def edited(plain: Path, conventions: Conventions) -> Path:
    """The same texts, each in another edition, and all of ben's with no-break spaces."""
    folder = plain.with_name("edited")
    changes = [each for name, each in conventions.items() if "space" not in name]
    for number, path in enumerate(sorted(plain.glob("*/*.txt"))):
        text = changes[number](path.read_text(encoding="utf-8"))
        if path.parent.name == "ben":
            text = conventions["no-break spaces"](text)
        copy = folder / path.relative_to(plain)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def letters(
    tmp_path: Path,
    sentences: Callable[[str, int, int], str],
    with_plain_sentences: Change,
    conventions: Conventions,
) -> list[Path]:
    """A questioned text, first as it is and then in other conventions."""
    text = with_plain_sentences(sentences("ada", 14, 9))
    paths = []
    for name in ("plain", "curly quotes", "no-break spaces", "soft hyphens", "ligatures"):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text(conventions.get(name, str)(text), encoding="utf-8")
    return paths


def _answers(run: Run, *args: str | Path) -> list[dict[str, Any]]:
    ended = run(*args, "--json")
    assert ended.code == 0, ended.err
    # The digest is that of the text before it is normalised.
    return [each | {"path": None, "sha256": None} for each in json.loads(ended.out)["questioned"]]


@pytest.mark.parametrize("options", [LANGUAGE_MODELS, STACK], ids=["models", "stack"])
def test_train_and_attribute(
    run: Run,
    plain: Path,
    edited: Path,
    letters: list[Path],
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    for known in (plain, edited):
        assert run("train", known, "-o", tmp_path / known.name, *options).code == 0
    first, *others = _answers(run, "attribute", tmp_path / "plain", *letters)
    assert first["ranking"][0]["author"] == "ada"
    assert [each for each in others if each != first] == []
    assert _answers(run, "attribute", tmp_path / "edited", *letters) == [first, *others]


def test_without_rules_the_edition_decides(
    run: Run, plain: Path, letters: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "raw"
    ended = run("train", plain, "-o", path, *LANGUAGE_MODELS, "--normalize", "none")
    assert ended.code == 0, ended.err
    ended = run("attribute", path, *letters, "--json")
    assert json.loads(ended.out)["normalization"] == "none"
    first, *others = _answers(run, "attribute", path, *letters)
    assert len([each for each in others if each != first]) >= 2


@pytest.mark.parametrize("rules", ["modern", "edition,-quote"])
def test_unknown_rules_are_refused(run: Run, plain: Path, tmp_path: Path, rules: str) -> None:
    ended = run("train", plain, "-o", tmp_path / "model", "--normalize", rules)
    assert ended.code == 2
    assert "choose" in ended.err


def test_explain(run: Run, plain: Path, letters: list[Path], tmp_path: Path) -> None:
    assert run("train", plain, "-o", tmp_path / "model", *STACK).code == 0
    first, second = (
        json.loads(run("explain", tmp_path / "model", path, "--json").out) for path in letters[:2]
    )
    assert first["normalization"] == "edition"
    assert first | {"path": None} == second | {"path": None}


def test_evaluate(run: Run, plain: Path, edited: Path) -> None:
    options = (*LANGUAGE_MODELS, "--folds", "2", "--sentences", "5", "--json")
    of_plain, of_edited = (
        json.loads(run("evaluate", known, *options).out) for known in (plain, edited)
    )
    assert of_plain["settings"]["normalization"] == "edition"
    assert of_plain | {"corpus": None} == of_edited | {"corpus": None}


def test_compare(run: Run, plain: Path, edited: Path) -> None:
    of_plain, of_edited = (
        json.loads(run("compare", known, "--order", "2", "--folds", "2", "--json").out)
        for known in (plain, edited)
    )
    assert of_plain["normalization"] == "edition"
    assert of_plain | {"corpus": None} == of_edited | {"corpus": None}


def test_perplexity(run: Run, plain: Path, letters: list[Path], tmp_path: Path) -> None:
    model = tmp_path / "lm"
    assert run("lm", "fit", *sorted(plain.glob("ada/*")), "-o", model, "--order", "2").code == 0
    printed = json.loads(run("lm", "perplexity", model, *letters, "--json").out)
    first, *others = ({**each, "path": None} for each in printed["texts"])
    assert [each for each in others if each != first] == []


def test_nearest(run: Run, plain: Path, tmp_path: Path) -> None:
    model = tmp_path / "network"
    small = ("--lm", "feedforward", "--embedding-dim", "3", "--hidden-dim", "4", "--epochs", "1")
    assert run("lm", "fit", plain / "ada" / "0.txt", "-o", model, *small).code == 0
    found = [
        json.loads(run("lm", "nearest", model, word, "--json", "--min-count", "1").out)["found"][0]
        for word in ("engine", "eng\u00adine", "en\u200bgine", "engi\ufeffne")
    ]
    assert [each["token"] for each in found] == ["engine"] * 4
    assert all(each["nearest"] == found[0]["nearest"] for each in found)


def test_the_changes_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sea.txt"
    path.write_text("“The sea,” he said, “is wel\u00adcome\u00a0here.”", encoding="utf-8")
    shown = run("corpus", "show", path).out
    assert '    "The sea," he said, "is welcome here."' in shown
    assert "  normalised: quotes (4): [" in shown
    assert "wel<U+00AD>come" in shown
    assert "welcome<U+00A0>here" in shown
    of_all = json.loads(run("corpus", "show", path, "--json").out)
    assert of_all["normalization"] == "edition"
    assert {each["rule"]: each["n"] for each in of_all["changes"]} == {
        "invisible": 1,
        "quotes": 4,
        "spaces": 1,
    }
    raw = run("corpus", "show", path, "--normalize", "none").out
    assert "normalised" not in raw
    assert "“The sea,” he said" in raw
