"""Fuzz tables (CSV, TSV, JSON Lines, Parquet) that are read as a corpus."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from harness import fuzz, instrumented, mutate_text

with instrumented():
    from byline.corpus import read_corpus

import pyarrow
from pyarrow import parquet

SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
COLUMNS = {
    "author": ["alder", "brook", "alder"],
    "text": ['The river rose, "he" said.\nIt fell.', "Nobody heard it.", "A dog slept."],
    "id": [1, 2, 3],
    "work": ["one", None, "two"],
}
CSV = b"""author,text,id,work,topic
alder,"The river rose, ""he"" said.
It fell.",1,one,water
brook,Nobody heard it.,2,,
alder,A dog slept.,3,two,dogs
"""
JSONL = rb"""{"author": "alder", "text": "The river \u00e9 rose.\nIt fell.", "id": 1, "topic": null}
{"author": "brook", "text": "Nobody heard it.", "id": "2", "year": 1.5, "tags": ["a", {"b": 1}]}
"""


def _parquet(**options: object) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(COLUMNS), file, **options)
    return file.getvalue()


SEEDS = [
    b"\0" + CSV,
    b"\0" + CSV.replace(b",", b";"),
    b"\1" + CSV.replace(b",", b"\t"),
    b"\2" + JSONL,
    b"\3" + _parquet(),
    b"\3" + _parquet(compression="none", use_dictionary=False, write_statistics=False),
]
FOLDER = tempfile.TemporaryDirectory()


def read(data: bytes) -> None:
    """Read a table with one of the suffixes."""
    path = Path(FOLDER.name) / ("known" + SUFFIXES[data[0] % len(SUFFIXES) if data else 0])
    path.write_bytes(data[1:])
    for document in read_corpus(path, min_authors=1):
        for text in (document.author, document.text, document.work, *document.metadata.values()):
            text.encode()


if __name__ == "__main__":
    fuzz(read, SEEDS, mutate_text)
