"""``byline attribute-table``: the texts of a table of any size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from byline.report import answer_lines, answer_table

Run = Callable[..., Any]


@pytest.fixture
def table(sentences: Callable[[str, int, int], str], tmp_path: Path) -> Path:
    path = tmp_path / "posts.jsonl"
    authors = [("ada", "ben")[n % 2] for n in range(9)]
    rows = [{"id": n, "text": sentences(author, 3, 50 + n)} for n, author in enumerate(authors)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(answer_lines, "_MOST_TEXTS", 2)
    yield
    answer_lines.loaded_model.cache_clear()


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_line_is_the_answer_about_a_file(
    run: Run, model: Path, table: Path, tmp_path: Path
) -> None:
    ended = run("attribute-table", model, table, "-o", tmp_path / "answers.jsonl")
    assert ended.code == 0
    assert "9 of 9 texts attributed, 0 declined, 0 not readable" in ended.err
    answers = _lines(tmp_path / "answers.jsonl")
    assert [each["id"] for each in answers] == list(range(9))
    names = [each["ranking"][0]["author"] for each in answers]
    assert names == [("ada", "ben")[n % 2] for n in range(9)]
    question = tmp_path / "question.txt"
    question.write_text(_lines(table)[3]["text"], encoding="utf-8")
    [entry] = json.loads(run("attribute", model, question, "--json", "--no-evidence").out)[
        "questioned"
    ]
    assert answers[3].keys() == {"id", *entry}
    assert answers[3]["path"] == f"{table}, line 4"
    for name in ("sha256", "caveats", "declined", "similar_cases", "n_tokens"):
        assert answers[3][name] == entry[name]
    # The sums of a batch are rounded in another order.
    stated, alone = ([c["probability"] for c in each["ranking"]] for each in (answers[3], entry))
    assert stated == pytest.approx(alone, rel=1e-9)


def test_processes_and_interruptions_change_nothing(
    run: Run, model: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole.jsonl", tmp_path / "stopped.jsonl"
    run("attribute-table", model, table, "-o", whole, "-j", "2")
    compute, calls = answer_lines.answer_lines, []

    def interrupted(*args: Any) -> list[str]:
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return compute(*args)

    monkeypatch.setattr(answer_lines, "answer_lines", interrupted)
    ended = run("attribute-table", model, table, "-o", stopped)
    assert ended.code == 130
    assert "contains 4 answers; run the same command again to continue" in ended.err
    assert not stopped.exists()
    partial = tmp_path / "stopped.jsonl.partial"
    with partial.open("ab") as file:
        file.write(b'{"id": 4, "pa')  # as after a loss of power
    assert run("attribute-table", model, table, "-o", stopped, "--top", "1").code == 2
    ended = run("attribute-table", model, table, "-o", stopped)
    assert ended.code == 0
    assert "continuing after 4 texts" in ended.err
    assert len(calls) == 3 + 3  # of five batches, two were not computed again
    assert stopped.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.glob("*.partial*")) == []


def test_rows_without_a_text_are_reported(
    run: Run, model: Path, table: Path, tmp_path: Path
) -> None:
    with table.open("a", encoding="utf-8") as file:
        file.write('{"id": "x"}\n{"id": "y", "text": "\\ud800"}\n{"id": "z", "text": ""}\n')
    ended = run("attribute-table", model, table, "-o", tmp_path / "answers.jsonl")
    assert ended.code == 3
    assert "2 rows of " in ended.err
    assert "line 10: the object has no column text" in ended.err
    *_, x, y, z = _lines(tmp_path / "answers.jsonl")
    assert "error" in x
    assert y["error"] == "the text contains an unpaired surrogate"
    assert z["declined"] == "the text is empty"


def test_parquet_has_the_same_answers(
    run: Run, model: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    with table.open("a", encoding="utf-8") as file:
        file.write('{"id": "x"}\n{"text": ""}\n')
    lines, rows = tmp_path / "answers.jsonl", tmp_path / "answers.parquet"
    assert run("attribute-table", model, table, "-o", lines).code == 3  # a row has no text
    assert run("attribute-table", model, table, "-o", rows).code == 3
    monkeypatch.setattr(answer_table, "_ROWS_OF_GROUP", 4)
    assert run("attribute-table", model, table, "-o", tmp_path / "small.parquet").code == 3
    assert sorted(path.name for path in tmp_path.glob("*.partial*")) == []
    assert parquet.ParquetFile(rows).num_row_groups == 1
    assert parquet.ParquetFile(tmp_path / "small.parquet").num_row_groups == 3  # 4 + 4 + 3 rows
    read = parquet.read_table(rows).to_pylist()
    assert parquet.read_table(tmp_path / "small.parquet").to_pylist() == read
    for row, answer in zip(read, _lines(lines), strict=True):
        assert answer.keys() <= row.keys()
        assert row["id"] == (None if answer["id"] is None else str(answer["id"]))
        for name in row.keys() - {"id"}:
            value, wanted = row[name], answer.get(name)
            if name == "caveats" and value is not None:
                value = [each | {"figures": json.loads(each["figures"])} for each in value]
            elif isinstance(value, str) and not isinstance(wanted, str):
                value = json.loads(value)
            assert value == wanted, name


def test_a_damaged_run_is_not_continued(
    run: Run, model: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, output = tmp_path / "whole.jsonl", tmp_path / "answers.jsonl"
    run("attribute-table", model, table, "-o", whole)
    partial = tmp_path / "answers.jsonl.partial"
    record = tmp_path / "answers.jsonl.partial.json"
    compute = answer_lines.answer_lines
    monkeypatch.setattr(answer_lines, "answer_lines", _interrupt)
    assert run("attribute-table", model, table, "-o", output).code == 130
    monkeypatch.setattr(answer_lines, "answer_lines", compute)
    settings, answers = record.read_bytes(), whole.read_bytes().splitlines(keepends=True)
    for damaged in (b"\xff\x00", b"{}", b"", settings[:40]):
        record.write_bytes(damaged)
        ended = run("attribute-table", model, table, "-o", output)
        assert ended.code == 2
        assert "another model, table or settings" in ended.err
    record.unlink()
    assert run("attribute-table", model, table, "-o", output).code == 2
    record.write_bytes(settings)
    for damaged in (b"\xff\x00\n", b'{"id": 0,\n'):
        partial.write_bytes(b"".join([*answers[:3], damaged, *answers[4:6]]))
        ended = run("attribute-table", model, table, "-o", output)
        assert ended.code == 2
        assert "answers.jsonl.partial, line 4 is damaged. Delete this line" in ended.err
    partial.write_bytes(b"".join(answers[:3]))  # as the message advises
    assert run("attribute-table", model, table, "-o", output).code == 0
    assert output.read_bytes() == whole.read_bytes()


def _interrupt(*_: Any) -> list[str]:
    raise KeyboardInterrupt


def test_bad_input(run: Run, model: Path, table: Path, tmp_path: Path) -> None:
    text = tmp_path / "note.txt"
    text.write_text("It rained.", encoding="utf-8")
    assert run("attribute-table", model, text, "-o", tmp_path / "a.jsonl").code == 3
    assert run("attribute-table", model, table, "-o", table).code == 7
    assert run("attribute-table", model, tmp_path / "no.jsonl", "-o", tmp_path / "a").code == 3
    assert run("attribute-table", model, table, "-o", tmp_path / "a", "--open-set").code == 2
    assert not list(tmp_path.glob("a*"))
