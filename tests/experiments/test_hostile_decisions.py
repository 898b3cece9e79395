"""Malformed files of decisions, found by `fuzz/`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from byline.errors import UsageError
from byline.experiments import Decision, read_decisions

DECISION = Decision("alder/1.txt", 0, None, "alder", "brook", 2, declined=False)


@pytest.mark.parametrize(
    "line",
    [
        "null",
        "[" * 100_000,
        "9" * 5000,
        json.dumps(asdict(DECISION) | {"rank": "2"}),
        json.dumps(asdict(DECISION) | {"author": ["alder"]}),
        json.dumps(asdict(DECISION) | {"sentences": 0.5}),
        json.dumps(asdict(DECISION) | {"other": 1}),
    ],
)
def test_invalid_lines_are_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(json.dumps(asdict(DECISION)) + "\n" + line, encoding="utf-8")
    with pytest.raises(UsageError, match="line 2: this is not a decision of an evaluation"):
        read_decisions(path)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    with pytest.raises(UsageError, match="cannot be read"):
        read_decisions(path)
    path.write_bytes(b"\xe3")
    with pytest.raises(UsageError, match="cannot be read"):
        read_decisions(path)
