"""Fuzz the decisions of an evaluation, one JSON object per line."""

from __future__ import annotations

import tempfile
from pathlib import Path

from documents import change_json
from harness import fuzz, instrumented, on_a_line

with instrumented():
    from byline.experiments import Decision, read_decisions, write_decisions

FOLDER = tempfile.TemporaryDirectory()
FILE = Path(FOLDER.name) / "decisions.jsonl"
DECISIONS = [
    Decision("alder/1.txt", 0, None, "alder", "brook", 2, declined=False),
    Decision("brook/1.txt", 1, 5, "brook", "brook", 1, declined=True),
]


def read(data: bytes) -> None:
    """Read decisions; accepted decisions must be the same after writing and reading."""
    FILE.write_bytes(data)
    decisions = read_decisions(FILE)
    write_decisions(FILE, decisions)
    assert read_decisions(FILE) == decisions  # noqa: S101


if __name__ == "__main__":
    write_decisions(FILE, DECISIONS)
    fuzz(read, [FILE.read_bytes()], on_a_line(change_json))
