"""`byline corpus show`: what is extracted from a file or a corpus, and what is excluded."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

Run = Callable[..., Any]
TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>The River
</title><author>Ada Alder</author></titleStmt></fileDesc></teiHeader><text><body><p>The river rose.
<note>A stream &#x202e;of old.</note></p><p>It &#x9b;fell &#x202e;again.</p></body></text></TEI>"""


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    path = tmp_path / "river.xml"
    path.write_text(TEI, encoding="utf-8")
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    for name, text in (("ada/river.xml", TEI), ("ben/sea.txt", "The sea was calm. " * 30)):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_one_file_and_what_is_excluded_from_it(
    run: Run, edition: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(edition.parent)  # a long name would be broken at the hundredth column
    ended = run("corpus", "show", edition.name, "--normalize", "none")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        f"{edition.name}: “The River” by Ada Alder",
        "  text: 2 paragraphs, 6 words, 33 characters",
        "    The river rose.",
        "    It \\x9bfell \\u202eagain.",
        "  excluded: TEI headers (1): The River Ada Alder",
        "  excluded: notes (1): A stream \\u202eof old.",
    ]
    kept = run("corpus", "show", edition.name, "--normalize", "none", "--keep", "notes")
    assert "    A stream \\u202eof old." in kept.out.splitlines()
    assert "notes (1)" not in kept.out


def test_the_limit_on_characters(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("The river rose in the night. " * 400, encoding="utf-8")
    assert "... and 9,599 more characters" in run("corpus", "show", path).out  # 11,599 - 2,000
    assert "... and 11,589 more characters" in run("corpus", "show", path, "--limit", "10").out
    assert "more character" not in run("corpus", "show", path, "--limit", "0").out


def test_a_folder_a_zip_and_a_table(run: Run, library: Path, tmp_path: Path) -> None:
    ended = run("corpus", "show", library)
    assert ended.code == 0
    assert "ada/river.xml: “The River” by ada" in ended.out
    assert "ben/sea.txt: by ben" in ended.out
    assert "2 texts. Excluded from them: TEI headers (1), notes (1)." in ended.out
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(library.rglob("*.*")):
            file.write(path, path.relative_to(library).as_posix())
    assert run("corpus", "show", archive).out == ended.out
    table = tmp_path / "known.csv"
    table.write_text("author,text\nada,The river rose.\n", encoding="utf-8")
    assert "known.csv, row 2: by ada" in run("corpus", "show", table).out


def test_json_contains_the_whole_texts(run: Run, library: Path, edition: Path) -> None:
    document = json.loads(run("corpus", "show", library, "--normalize", "none", "--json").out)
    assert document["schema"] == 3
    river, sea = document["texts"]
    assert river["text"] == "The river rose.\n\nIt \x9bfell \u202eagain."
    assert (river["path"], river["author"], river["title"]) == ("ada/river.xml", "ada", "The River")
    assert (river["n_paragraphs"], river["n_words"], river["n_characters"]) == (2, 6, 33)
    assert sea["n_characters"] == len(sea["text"]) > 500
    assert [each["kind"] for each in document["excluded"]] == ["TEI headers", "notes"]
    [text] = json.loads(run("corpus", "show", edition, "--json", "--limit", "9").out)["texts"]
    assert (text["text"], text["author"], text["warnings"]) == ("The river", "Ada Alder", [])


def test_standard_input_is_recognised_by_its_content(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEI.encode())))
    ended = run("corpus", "show", "-")
    assert ended.out.splitlines()[0] == "standard input: “The River” by Ada Alder"


def test_warnings_about_a_text_are_printed(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<nav>a <a href='/'>b</a></nav><p>Yes.</p>", encoding="utf-8")
    ended = run("corpus", "show", page)
    assert f"warning: {page}: the article cannot be identified" in " ".join(ended.out.split())
    broken = tmp_path / "broken.xml"
    broken.write_text("<TEI><text>\n<p>", encoding="utf-8")
    ended = run("corpus", "show", broken)
    assert ended.code == 3
    assert ended.err.startswith(f"error: {broken}, line 2, column 4: the XML is not")
    assert run("corpus", "show", tmp_path / "none.txt").code == 3
