"""The texts of a table, row by row."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from byline.corpus.readers.columns import parse_columns
from byline.corpus.readers.table_stream import TableStream, TableText
from byline.errors import CorpusError

ROWS = [("a", "It rained."), ("b", 'He said "no", twice.\nThen he left.'), ("7", "Ça va, 日本")]


def read(path: Path, columns: str | None = None) -> list[TableText]:
    return list(TableStream(path, parse_columns(columns)))


def texts(rows: Sequence[TableText]) -> list[tuple[object, str | None]]:
    return [(row.identifier, row.text) for row in rows]


def test_every_format_has_the_same_texts(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in ROWS)
    cells = "id;author;text\n" + "".join(
        f'{name};x;"{text.replace(chr(34), chr(34) * 2)}"\n' for name, text in ROWS
    )
    contents = {
        "a.jsonl": lines.encode(),
        "b.ndjson": b"\xef\xbb\xbf" + lines.encode(),
        "c.jsonl.gz": gzip.compress(lines.encode()),
        "d.csv": cells.encode(),
        "e.csv.gz": gzip.compress(cells.encode()),
        "f.tsv": cells.replace(";", "\t").encode(),
        "g.csv": f"sep=;\n{cells}".encode(),
    }
    for name, content in contents.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert texts(read(path)) == ROWS, name


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "posts.parquet"
    names, contents = zip(*ROWS, strict=True)
    table = pyarrow.table({"Body": list(contents), "number": [1, 2, 3], "key": list(names)})
    parquet.write_table(table, path)
    assert texts(read(path, "text=body,id=key")) == ROWS
    with pytest.raises(CorpusError, match="has no column text"):
        read(path)
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(CorpusError, match="cannot be read as Parquet"):
        read(path)


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for number, rows in enumerate((ROWS[:2], [], ROWS[2:])):
        table = {"id": [name for name, _ in rows], "text": [text for _, text in rows]}
        schema = pyarrow.schema({"id": pyarrow.string(), "text": pyarrow.string()})
        parquet.write_table(pyarrow.table(table, schema), tmp_path / f"part-{number}.parquet")
    (tmp_path / "_SUCCESS").touch()
    stream = TableStream(tmp_path, {})
    found = list(stream)
    assert texts(found) == ROWS
    assert [row.place.rpartition("/")[2] for row in found] == [
        "part-0.parquet, row 1",
        "part-0.parquet, row 2",
        "part-2.parquet, row 1",
    ]
    assert stream.done == stream.total == 3
    (tmp_path / "part-1.parquet").write_bytes(b"PAR1")
    with pytest.raises(CorpusError, match="cannot be read as Parquet"):
        read(tmp_path)
    (tmp_path / "note.txt").touch()
    with pytest.raises(CorpusError, match="neither a file nor a folder of Parquet files"):
        read(tmp_path)


def test_an_error_of_a_row_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    rows = ['{"text": "one"}', "{", "[1]", '{"id": 2}', '{"text": 3}', '{"text": null}']
    rows += ['{"id": [1], "text": "no"}', "", '{"id": 9, "text": "two"}']
    path.write_text("\n".join(rows), encoding="utf-8")
    found = read(path)
    assert [row.text for row in found] == ["one", *[None] * 6, "two"]
    assert [row.place[-6:] for row in found] == [f"line {n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)]
    errors = ["valid JSON", "JSON object", "no column text", "not a string", "is missing", "the id"]
    for row, error in zip(found[1:7], errors, strict=True):
        assert error in str(row.error)
    path = tmp_path / "posts.csv"
    path.write_text("id,text\n1,one\n2\n3,three\n", encoding="utf-8")
    found = read(path)
    assert [row.text for row in found] == ["one", None, "three"]
    assert found[1].error == "the row has 1 cell, but the header has 2"


def test_what_is_no_table(tmp_path: Path) -> None:
    cases = {
        "a.txt": (b"It rained.", "not a table that can be read row by row"),
        "b.csv": (b"", "is empty"),
        "c.csv": (b'text\n"never closed', "quotation mark"),
        "d.jsonl": (b'{"text": "\xff"}\n', "line 1 is not UTF-8"),
        "e.jsonl.gz": (gzip.compress(b'{"text": "a"}\n' * 99)[:30], "cannot be read"),
    }
    for name, (content, message) in cases.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(CorpusError, match=message):
            read(path)
    with pytest.raises(CorpusError, match="is neither a file nor a folder"):
        read(tmp_path / "absent.jsonl")


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "posts.jsonl"
    path.write_text('{"text": "one"}\n' * 50, encoding="utf-8")
    stream = TableStream(path, {})
    shares = [stream.done / stream.total for _ in stream]
    assert shares == sorted(shares)
    assert stream.done == stream.total
