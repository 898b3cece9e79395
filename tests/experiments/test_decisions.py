from __future__ import annotations

from pathlib import Path

import pytest

from byline.errors import OutputError, UsageError
from byline.experiments import Decision, read_decisions, write_decisions

DECISIONS = [
    Decision("smith/\u00e9.txt", 0, None, "Smith", "Jones", 2, True),
    Decision("odd\udce9.txt", 1, 5, "Smith", "Smith", 1, False, 0.75),
]


def test_written_decisions_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    write_decisions(path, DECISIONS)
    assert len(path.read_bytes().splitlines()) == 2
    assert read_decisions(path) == DECISIONS
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    write_decisions(path, DECISIONS)

    def broken() -> object:
        yield DECISIONS[0]
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"decisions\.jsonl cannot be written \(No space left"):
        write_decisions(path, broken())  # type: ignore[arg-type]
    assert read_decisions(path) == DECISIONS
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write_decisions(tmp_path / "missing" / "decisions.jsonl", DECISIONS)


@pytest.mark.parametrize("line", ["{", "[1]", '{"path": "a"}'])
def test_invalid_lines_are_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "decisions.jsonl"
    write_decisions(path, DECISIONS)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(UsageError, match="line 3: this is not a decision"):
        read_decisions(path)


def test_the_probability_is_optional(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(
        '{"path": "a.txt", "fold": 0, "sentences": null, "author": "A", "predicted": "A", '
        '"rank": 1, "declined": false}\n'
    )
    assert read_decisions(path) == [Decision("a.txt", 0, None, "A", "A", 1, False, None)]
