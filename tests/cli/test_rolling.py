"""``byline rolling``: chapters, tables, reports and errors."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from byline.cli.rolling import TABLES


@pytest.fixture
def book(tmp_path: Path, sentences: object) -> Path:
    """Return a book of five chapters by ada, except the third, which is by ben."""
    chapters = [
        f"CHAPTER {number}\n\n{sentences('ben' if number == 3 else 'ada', 50, 80 + number)}"  # type: ignore[operator]
        for number in range(1, 6)
    ]
    path = tmp_path / "book.txt"
    path.write_text("\n\n".join(chapters), encoding="utf-8")
    return path


def test_the_chapter_by_another_author_is_named(run: object, model: Path, book: Path) -> None:
    ended = run("rolling", model, book)  # type: ignore[operator]
    assert (ended.code, ended.err) == (0, "")
    printed = " ".join(ended.out.split())
    assert "CHAPTER 3 is attributed to ben" in printed
    assert "4 other chapters are attributed to ada." in printed
    assert "CHAPTER 5" in ended.out
    assert "\x1b" not in ended.out


def test_json_tables_and_report_agree(run: object, model: Path, book: Path, tmp_path: Path) -> None:
    folder, report = tmp_path / "tables", tmp_path / "book.html"
    given = ("--json", "--csv", folder, "--report", report)
    document = json.loads(run("rolling", model, book, *given).out)  # type: ignore[operator]
    assert [chapter["author"] for chapter in document["chapters"]] == [
        *("ada", "ada", "ben", "ada", "ada"),
    ]
    assert sorted(path.name for path in folder.iterdir()) == sorted(TABLES.values())
    rows = list(csv.DictReader((folder / "chapters.csv").read_text().splitlines()))
    assert [row["author"] for row in rows] == ["ada", "ada", "ben", "ada", "ada"]
    changes = list(csv.DictReader((folder / "changes.csv").read_text().splitlines()))
    assert [int(row["sentence"]) for row in changes] == [
        point["sentence"] for point in document["change_points"]
    ]
    assert document["path"] == str(book)
    page = report.read_text(encoding="utf-8")
    assert document["finding"].partition("(")[0] in page
    assert "<h1>Rolling attribution: book.txt</h1>" in page


def test_chapters_can_be_left_out_or_required(run: object, model: Path, book: Path) -> None:
    without = run("rolling", model, book, "--no-chapters", "--json")  # type: ignore[operator]
    assert json.loads(without.out)["chapters"] == []
    book.write_text(book.read_text().replace("CHAPTER", "The year"), encoding="utf-8")
    ended = run("rolling", model, book, "--chapters")  # type: ignore[operator]
    assert ended.code == 2
    assert "Byline recognises no chapters in" in ended.err
    assert run("rolling", model, book).code == 0  # type: ignore[operator]


def test_a_folder_that_cannot_be_created_is_refused_before_work(
    run: object, model: Path, book: Path, tmp_path: Path
) -> None:
    for folder in (book, tmp_path / "none" / "tables"):
        ended = run("rolling", model, book, "--csv", folder)  # type: ignore[operator]
        assert ended.code != 0
        assert ("is not a folder" if folder == book else "does not exist; create it") in ended.err
