"""The file of results: what was written is found again, and no other file is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byline.errors import OutputError, UsageError
from byline.experiments.small_cases.answers import CaseAnswers
from byline.experiments.small_cases.results_file import ResultsFile


def _answers(digest: str) -> CaseAnswers:
    return CaseAnswers(
        *(digest, "toy", "2x1x150", 0, ["Ann", "Bob"], [50], [1], {"default": [0], "style": [1]}),
        *([[-0.5, -0.9]], [[0.4, -0.4]], {}, 1.5),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def test_what_was_written_is_read(path: Path) -> None:
    file = ResultsFile(path)
    assert file.read() == {}
    file.append(_answers("a"))
    file.append(_answers("b"))
    assert file.read() == {"a": _answers("a"), "b": _answers("b")}


@pytest.mark.parametrize("n_bytes", [1, 5, 40, 100])
@pytest.mark.parametrize("n_complete", [0, 2])
def test_an_incomplete_last_line_is_removed(path: Path, n_bytes: int, n_complete: int) -> None:
    file = ResultsFile(path)
    for digest in "ab"[:n_complete]:
        file.append(_answers(digest))
    complete = path.read_bytes() if n_complete else b""
    path.write_bytes(complete + json.dumps(_answers("c").to_dict()).encode()[:n_bytes])
    assert set(file.read()) == set("ab"[:n_complete])
    assert path.read_bytes() == complete
    file.append(_answers("c"))
    assert "c" in file.read()


@pytest.mark.parametrize("content", ["a\tb\n", "[1]\n", '{"digest": 1}\n', "no line end", "\n"])
def test_another_file_is_refused_and_stays(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"results\.jsonl, line 1: this is not a result"):
        ResultsFile(path).read()
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("digest", ["a"]),
        ("settings", "many"),
        ("number", "0"),
        ("candidates", None),
        ("lengths", 50),
        ("lengths", []),
        ("authors", [2]),
        ("authors", [1, 1]),
        ("answers", None),
        ("answers", {}),
        ("answers", {"default": [0]}),
        ("answers", {"style": [0], "svm": [0]}),
        ("answers", {"default": [0], "style": ["Ann"]}),
        ("log_probabilities", []),
        ("log_probabilities", [[-0.5]]),
        ("log_likelihood_ratios", [["0.4", "-0.4"]]),
        ("failures", {"style": 1}),
        ("cpu_seconds", None),
    ],
)
def test_a_damaged_result_is_refused(path: Path, name: str, value: object) -> None:
    file = ResultsFile(path)
    file.append(_answers("a"))
    damaged = json.dumps(_answers("b").to_dict() | {name: value})
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{damaged}\n")
    with pytest.raises(UsageError, match=r"results\.jsonl, line 2: this is not a result"):
        file.read()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot read"):
        ResultsFile(tmp_path).read()
    with pytest.raises(OutputError, match="cannot write to"):
        ResultsFile(tmp_path).append(_answers("a"))
