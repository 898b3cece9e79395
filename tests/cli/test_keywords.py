"""``byline keywords``: printed, as JSON, as CSV and as HTML."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
SEA = "The sea was calm, and so we saw Emma at the shore. "
LAND = "The field was green, and so we saw Anne at the gate. "


@pytest.fixture(scope="module")
def novels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two texts by each of three authors, with title pages."""
    folder = tmp_path_factory.mktemp("novels")
    for author, text in (("Ada", SEA), ("Ben", LAND), ("Cy", LAND)):
        (folder / author).mkdir()
        for number in range(2):
            body = f"{author} {number} wrote this. {text * (110 + 7 * number)}"
            (folder / author / f"{number}.txt").write_text(f"THE SEA\n\nBy {author}\n\n{body}\n")
    return folder


def test_two_folders_are_compared(run: Run, novels: Path) -> None:
    ended = run("keywords", novels / "Ada", novels / "Ben")
    assert ended.code == 0, ended.err
    assert ended.err == ""
    assert "Ada: 2 texts, 2,738 words, 13 slices of 200 words\n" in ended.out
    assert "Used more often by Ada than by Ben (3 of 3)" in ended.out
    # 110 + 117 times in the texts and twice in the titles, in 2,738 words: 836.4 per 10,000
    assert re.search(r"^ sea +0\.85 +836\.4 +7\.3 +100 % +15 % +0\.0\d $", ended.out, re.MULTILINE)
    assert "more keywords with names are not listed (--keep-names lists them).\n" in ended.out


def test_one_author_and_all_others(run: Run, novels: Path) -> None:
    ended = run("keywords", "Ada", "--known", novels, "--json", "--measure", "log-likelihood")
    found = json.loads(ended.out)
    assert [group["name"] for group in found["groups"]] == ["Ada", "all other authors"]
    assert [group["n_texts"] for group in found["groups"]] == [2, 4]
    assert {"sea", "calm", "shore"} == {entry["word"] for entry in found["preferred"]}
    assert found["measure"] == "log-likelihood"


def test_two_files_with_names(run: Run, novels: Path) -> None:
    files = (novels / "Ada/0.txt", novels / "Ben/1.txt")
    ended = run("keywords", *files, "--keep-names", "--slice", "50", "--json")
    found = json.loads(ended.out)
    assert [group["name"] for group in found["groups"]] == ["0", "1"]
    assert "emma" in {entry["word"] for entry in found["preferred"]}
    assert (found["slice_size"], found["names_kept"], found["n_names"]) == (50, True, 0)


def test_tables_have_all_keywords_and_the_report_the_first(
    run: Run, novels: Path, tmp_path: Path
) -> None:
    report, folder = tmp_path / "keywords.html", tmp_path / "tables"
    options = ("--top", "1", "--csv", folder, "--report", report)
    ended = run("keywords", "Ada", "Ben", "--known", novels, *options)
    assert ended.code == 0, ended.err
    with (folder / "keywords.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["word"] for row in rows if row["side"] == "preferred"} == {"sea", "calm", "shore"}
    assert all(row["score"] == row["zeta"] for row in rows)
    with (folder / "concordance.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == 10
    assert (folder / "words_preferred.txt").read_text("utf-8").split() == [
        row["word"] for row in rows if row["side"] == "preferred"
    ]
    page = report.read_text(encoding="utf-8")
    assert "<title>Keywords: " in page
    assert page.count("<details>") == 2
    assert "THE SEA" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Ada"], "use: byline keywords AUTHOR --known KNOWN"),
        (["Ada", "Ada", "--known", "{novels}"], "A and B are the same author"),
        (["Eve", "--known", "{novels}"], "has no text by 'Eve'; choose from Ada, Ben and Cy"),
        (["{novels}/Ada", "{novels}/Ben", "--slice", "9000"], "Choose shorter slices"),
        (["{novels}/Ada", "{novels}/Ben", "--csv", "{novels}/Ada/0.txt"], "is not a folder"),
        (["{novels}/Ada", "{novels}/Ben", "--csv", "{novels}/no/where"], "does not exist; create"),
        (["{novels}/Ada", "{novels}/no"], "no"),
    ],
)
def test_impossible_arguments_are_refused(
    run: Run, novels: Path, arguments: list[str], message: str
) -> None:
    ended = run("keywords", *(each.format(novels=novels) for each in arguments))
    assert ended.code not in (0, 70)
    assert message in ended.err
