"""``byline benchmark pan14`` on invented problems, and its metrics with known values."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.cli import main
from byline.experiments.pan14 import benchmark
from byline.experiments.pan14.answers import VerificationAnswers
from byline.experiments.pan14.benchmark import FoldAnswers, run_verification_benchmark

WORDS = np.array([a + b for a in ("ba", "de", "fi", "go", "ku", "lo") for b in "lmnrstvz"])


def _write(author: int, seed: int) -> str:
    own = np.random.default_rng(author).permutation(WORDS)
    shares = 1 / np.arange(1, len(own) + 1) ** 0.7
    rng = np.random.default_rng([author, seed])
    chosen = [rng.choice(own, size=9, p=shares / shares.sum()) for _ in range(12)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Forty problems: every author's text with one by the same and one by the next author."""
    folder = tmp_path / "pan14" / "en_essays" / "train"
    truth = []
    for author in range(20):
        for is_same in (True, False):
            name = f"P{author:02}{'Y' if is_same else 'N'}"
            (folder / name).mkdir(parents=True)
            asked = author if is_same else (author + 1) % 20
            (folder / name / "known01.txt").write_text(_write(author, is_same), encoding="utf-8")
            (folder / name / "unknown.txt").write_text(_write(asked, 5 + is_same), encoding="utf-8")
            truth.append(f"{name}\t{'Y' if is_same else 'N'}")
    (folder / "truth.tsv").write_text("\n".join(truth) + "\n", encoding="utf-8")
    return tmp_path / "pan14"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    def run_byline(*args: str | Path) -> Ended:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main(["benchmark", "pan14", *map(str, args)])
        printed = capfd.readouterr()
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    return run_byline


def test_the_command_prints_scores_and_continues(
    run: Callable[..., Ended], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.jsonl"
    ended = run(data, "--results", results)
    assert ended.code == 0, ended.err
    assert "Mean product over the sets: default" in ended.out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 20  # folds x methods

    def refuse(*_: Any) -> FoldAnswers:
        raise AssertionError("a fold was answered again")

    monkeypatch.setattr(benchmark, "answer_fold", refuse)
    found = json.loads(run(data, "--results", results, "--json").out)
    assert (found["schema"], found["benchmark"]) == (1, "pan14")
    first, second = found["sets"]
    assert (first["method"], second["method"]) == ("default", "cosine")
    assert (first["n"], first["n_same"]) == (40, 20)
    assert first["auc"] > 0.8  # the invented authors differ clearly
    assert first["product"] == pytest.approx(first["auc"] * first["c_at_1"])
    assert found["mean_products"]["default"] == first["product"]


def test_sets_and_the_baseline_are_options(run: Callable[..., Ended], data: Path) -> None:
    assert run(data, "--task", "dutch").code == 2
    ended = run(data, "--task", "en_novels")
    assert (ended.code, "it has no en_novels" in ended.err) == (3, True)
    for option in ("--draws", "--method", "--seed"):
        ended = run(data, option, "1")
        assert (ended.code, f"pan14 does not have {option}" in ended.err) == (2, True)


def test_too_few_problems_are_an_error_with_the_fold(run: Callable[..., Ended], data: Path) -> None:
    truth = data / "en_essays" / "train" / "truth.tsv"
    truth.write_text("\n".join(truth.read_text().splitlines()[:12]) + "\n")
    ended = run(data, "--no-baselines")
    assert (ended.code, "en_essays, fold 1: verification needs at least" in ended.err) == (5, True)


def test_metrics_of_given_answers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ten "yes" problems are certain, all others withheld."""

    def answer(problems: Any, number: int, training: Any, held_out: Any, method: str) -> Any:
        names = [problems.names[place] for place in held_out.tolist()]
        sure = [name.endswith("Y") and int(name[1:3]) < 10 for name in names]
        answers = VerificationAnswers(
            tuple(0.95 if each else 0.5 for each in sure),
            tuple(0.92 if each else 0.5 for each in sure),
            tuple(not each for each in sure),
        )
        return FoldAnswers(
            problems.digest(number, method), "en_essays", number, method, answers, 9, 1.5
        )

    monkeypatch.setattr(benchmark, "answer_fold", answer)
    [metrics] = run_verification_benchmark(data, baselines=False).sets
    assert metrics.auc == pytest.approx(0.75)  # half of the true ones are above, the others tie
    assert metrics.c_at_1 == pytest.approx((10 + 30 * 10 / 40) / 40)
    assert metrics.product == pytest.approx(0.75 * metrics.c_at_1)
    assert metrics.withheld_rate == pytest.approx(0.75)
    assert metrics.f_05_u == pytest.approx(12.5 / (12.5 + 0.25 * 30))
    assert (metrics.n_confident, metrics.n_confident_wrong) == (10, 0)
    assert metrics.n_training == (9, 9)
    assert metrics.cpu_seconds == pytest.approx(15.0)
