"""``byline benchmark small-cases``: the whole command, on small corpora."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from byline.attribution import NgramRidge
from byline.cli import main
from byline.experiments.small_cases import answers, run


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Return a function that runs ``byline benchmark`` in this process."""

    def run_byline(*args: str | Path) -> Ended:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main(["benchmark", *map(str, args)])
        printed = capfd.readouterr()
        return Ended(int(ended.value.code or 0), printed.out, printed.err)

    return run_byline


def _without_time(summary: str) -> dict[str, Any]:
    return {**json.loads(summary), "cpu_seconds": 0}


@pytest.mark.usefixtures("fast")
def test_text_json_and_figures(
    call: Any, corpora: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    results, figures = tmp_path / "results.jsonl", tmp_path_factory.mktemp("figures")
    ended = call("small-cases", corpora, "--results", results, "--figures", figures)
    assert ended.code == 0
    for words in (
        "cmcc, test side",
        "pan19, test side",
        "2x1x40",
        "3x2x40/topic",
        "characters",
    ):
        assert words in ended.out
    # pan19 has two candidates and no topics.
    assert "Note: the corpus does not have the texts for 3x2x40/topic." in ended.out
    assert len(results.read_text(encoding="utf-8").splitlines()) == 6
    assert not any(word in results.read_text(encoding="utf-8") for word in ("s11ly", "s12ness"))
    drawn = (figures / "differences.svg").read_text(encoding="utf-8")
    svg = ElementTree.fromstring(drawn)  # noqa: S314
    texts = {each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert {"cmcc", "pan19", "2x1x40", "50", "whole"} <= texts

    ended = call("small-cases", corpora, "--results", results, "--json")
    document = json.loads(ended.out)
    assert (document["schema"], document["benchmark"]) == (1, "small-cases")
    assert (document["side"], document["grid"], document["seed"]) == ("test", "short", 0)
    assert document["corpora"] == ["cmcc", "pan19"]
    assert document["n_cases"] == 6
    assert {cell["corpus"] for cell in document["cells"]} == {"cmcc", "pan19"}
    assert set(document["cells"][0]["methods"]) == {
        *("default", "characters", "burrows-delta", "char-ngram-svm")
    }
    assert document["counts"]["n_small"] == len(document["cells"])


@pytest.mark.usefixtures("fast")
def test_settings_replace_the_grid(call: Any, corpora: Path) -> None:
    options = ("--corpus", "cmcc", "--settings", "2x1x40/topic", "--side", "both", "--json")
    ended = call("small-cases", corpora, *options)
    document = json.loads(ended.out)
    assert {cell["settings"] for cell in document["cells"]} == {"2x1x40/topic"}
    assert document["side"] == "both"
    twice = call("small-cases", corpora, *options, "--settings", "2x1x40/topic")
    assert _without_time(twice.out) == _without_time(ended.out)


@pytest.mark.usefixtures("fast")
def test_a_second_run_continues(
    call: Any, corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, answered = tmp_path / "results.jsonl", list[str]()
    arguments = ("small-cases", corpora, "--corpus", "cmcc", "--json")
    at_once = call(*arguments)

    def stop_at_third(case: Any, *args: Any) -> Any:
        if len(answered) == 2:
            raise KeyboardInterrupt
        answered.append(case.settings.name)
        return answers.answer_case(case, *args)

    monkeypatch.setattr(run, "answer_case", stop_at_third)
    interrupted = call(*arguments, "--results", results)
    assert interrupted.code == 130
    assert "the finished cases are in" in interrupted.err
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2
    with results.open("a", encoding="utf-8") as stream:
        stream.write('{"digest": "12')  # a line that was being written
    monkeypatch.setattr(run, "answer_case", answers.answer_case)
    completed = call(*arguments, "--results", results)
    # Two of the four cases were answered by the first run, and none twice.
    lines = list(map(json.loads, results.read_text(encoding="utf-8").splitlines()))
    assert len({line["digest"] for line in lines}) == len(lines) == 4
    assert _without_time(completed.out) == _without_time(at_once.out)
    monkeypatch.setattr(run, "answer_case", None)
    assert _without_time(call(*arguments, "--results", results).out) == _without_time(at_once.out)
    # Another seed has other cases.
    monkeypatch.setattr(run, "answer_case", answers.answer_case)
    call(*arguments, "--results", results, "--seed", "1")
    assert len(results.read_text(encoding="utf-8").splitlines()) == 8


@pytest.mark.usefixtures("fast")
def test_the_first_case_of_all_settings_comes_first(call: Any, corpora: Path) -> None:
    path = corpora / "results.jsonl"
    call("small-cases", corpora, "--results", path, "--grid", "full", "--side", "development")
    lines = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    assert [(line["corpus"], line["settings"], line["number"]) for line in lines[:4]] == [
        ("cmcc", "2x1x40", 0),
        ("cmcc", "3x2x40/topic", 0),
        ("pan19", "2x1x40", 0),
        ("cmcc", "2x1x40", 1),
    ]
    assert {name for line in lines for name in line["candidates"]} <= {
        *("S1", "S3", "S4", "candidate1", "candidate2")
    }


@pytest.mark.usefixtures("fast")
def test_results_of_other_methods_are_refused(
    call: Any, corpora: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("small-cases", corpora, "--corpus", "cmcc", "--results", corpora / "r.jsonl")
    monkeypatch.setattr(run, "MOST_CASES", {"short": 1})
    assert call(*arguments).code == 0
    monkeypatch.setattr(run, "MOST_CASES", {"short": 2})
    monkeypatch.setattr(
        answers, "default_base_classifiers", lambda *_, **__: [("other", NgramRidge())]
    )
    ended = call(*arguments)
    assert ended.code == 2
    assert "not all answered by the same methods" in ended.err


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("small-cases", "--task", "test"), 2, "small-cases does not have --task"),
        (("small-cases", "--method", "default"), 2, "small-cases does not have --method"),
        (("small-cases", "--no-baselines"), 2, "small-cases does not have --no-baselines"),
        (("small-cases", "--decisions", "d.jsonl"), 2, "small-cases does not have --decisions"),
        (("cmcc", "--grid", "short"), 2, "cmcc does not have --grid"),
        (("cmcc", "--side", "test", "--corpus", "cmcc"), 2, "does not have --side, --corpus"),
        (("cmcc", "--results", "r.jsonl"), 2, "cmcc does not have --results"),
        (("small-cases", "--settings", "3x6"), 2, "'3x6' is not the name of settings"),
        (("small-cases", "--settings", "1x6x150"), 2, "is not the name of settings"),
        (("small-cases", "--settings", "9x1x40"), 3, "has no texts on this side (test) for any"),
        (("small-cases", "--corpus", "ccat10"), 2, "there is no corpus ccat10"),
        (("small-cases", "--corpus", "ccat50"), 3, "has no folder ccat50"),
        (("cmcc", "--figures", "figures"), 2, "cmcc does not have --figures"),
        (("small-cases", "--grey"), 2, "give --figures FOLDER too"),
        (("small-cases", "--results", "no/where.jsonl"), 7, "does not exist"),
    ],
)
def test_wrong_options(
    call: Any, corpora: Path, args: tuple[str, ...], code: int, words: str
) -> None:
    name, *options = args
    ended = call(name, corpora, *options)
    assert ended.code == code
    assert words in ended.err.replace("\n", " ").replace("│ ", "")
