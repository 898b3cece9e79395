"""``--open-set``: an author who may be none of the candidates, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.cli.options import open_set_criterion
from byline.errors import UsageError

WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])
Run = Callable[..., Any]
MODELS = ("--method", "language-models", "--calibrate", "--samples", "1", "--order", "1")


def _write(author: str, seed: int) -> str:
    """Write twelve sentences in which words have the author's own order of frequency."""
    frequencies = np.arange(1, len(WORDS) + 1) ** -1.5
    rng = np.random.default_rng([seed, *author.encode()])
    own = np.random.default_rng([*author.encode()]).permutation(WORDS)
    drawn = rng.choice(own, (12, 8), p=frequencies / frequencies.sum())
    return " ".join(" ".join(sentence).capitalize() + "." for sentence in drawn)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of four authors with six texts each."""
    folder = tmp_path_factory.mktemp("four")
    for author in ("alder", "brook", "cedar", "dogwood"):
        (folder / author).mkdir()
        for number in range(6):
            (folder / author / f"{number}.txt").write_text(_write(author, number))
    return folder


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A new text by alder, and one by an unknown author."""
    folder = tmp_path_factory.mktemp("asked")
    paths = folder / "own.txt", folder / "strange.txt"
    for path, author in zip(paths, ("alder", "hazel"), strict=True):
        path.write_text(" ".join(_write(author, seed) for seed in (50, 51, 52)))
    return paths


def test_a_text_is_attributed_or_rejected(
    run: Run, four: Path, asked: tuple[Path, Path], tmp_path: Path
) -> None:
    model = tmp_path / "model"
    ended = run("train", four, "-o", model, *MODELS, "--open-set")
    assert ended.code == 0
    assert "Open set: a text is attributed if it is more probable " in ended.out
    rate = ("--open-set", "--false-attribution-rate", "0.3")
    ended = run("attribute", model, *asked, "--json", *rate)
    own, strange = json.loads(ended.out)["questioned"]
    assert own["open_set"]["accepted"]
    assert own["ranking"][0]["author"] == "alder"
    assert not strange["open_set"]["accepted"]
    assert strange["open_set"]["false_attribution_rate"] == 0.3
    assert strange["ranking"] == []
    assert strange["declined"].startswith("Attributed to none of the candidates; ")
    shown = run("attribute", model, *asked, *rate).out
    assert "Attributed to alder (p " in " ".join(shown.split())
    assert "Attributed to none of the candidates; " in " ".join(shown.split())
    ended = run("attribute", model, *asked, "--json")
    entries = json.loads(ended.out)["questioned"]
    assert [entry["open_set"] for entry in entries] == [None, None]
    assert f"note: {model} was trained with --open-set; add this option if" in ended.err


def test_the_report_states_the_decision(
    run: Run, four: Path, asked: tuple[Path, Path], tmp_path: Path
) -> None:
    model, report = tmp_path / "model", tmp_path / "case.html"
    assert run("train", four, "-o", model, *MODELS, "--open-set").code == 0
    rate = ("--open-set", "--false-attribution-rate", "0.3")
    assert run("attribute", model, *asked, *rate, "--report", report).code == 0
    written = " ".join(report.read_text(encoding="utf-8").split())
    assert "Attributed to none of the candidates; " in written
    assert "Attributed to alder." in written and "<li>p = " in written
    assert "--open-set" in written  # the command to repeat it


def test_a_model_without_open_set_calibration_names_the_option(
    run: Run, model: Path, questioned: Path
) -> None:
    ended = run("attribute", model, questioned, "--open-set")
    assert ended.code == 2
    assert "train a model with --open-set" in " ".join(ended.err.split())


def test_it_needs_three_authors_and_a_stack(run: Run, known: Path, tmp_path: Path) -> None:
    ended = run("train", known, "-o", tmp_path / "model", *MODELS, "--open-set")
    assert ended.code == 5
    assert "add a third author" in " ".join(ended.err.split())
    alone = ("--method", "language-models", "--open-set")
    ended = run("train", known, "-o", tmp_path / "model", *alone)
    assert ended.code == 2
    assert "--calibrate" in ended.err


def test_rates() -> None:
    assert open_set_criterion(False, None) is None
    assert open_set_criterion(True, None) == "even-odds"
    assert open_set_criterion(True, 0.2) == 0.2
    with pytest.raises(UsageError, match="needs open_set=True"):
        open_set_criterion(False, 0.2)
    with pytest.raises(UsageError, match="between 0 and 1"):
        open_set_criterion(True, 5)
