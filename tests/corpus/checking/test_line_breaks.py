from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from byline.corpus import Corpus, Document, unwrap
from byline.corpus.checking import restore_line_breaks
from byline.corpus.checking.line_breaks import original_lines
from byline.corpus.reading import read_corpus_with_findings

LINES = "The rope is\nlong and so\nis the day.\n\nIt is\ncold and\nthe wind is up.\n"
READ = unwrap(LINES)


def test_a_plain_text_has_the_lines_of_its_file() -> None:
    assert READ != LINES
    assert original_lines(LINES.encode(), "a.txt", READ) == LINES


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_every_line_end_becomes_one_character(line_end: str) -> None:
    assert original_lines(LINES.replace("\n", line_end).encode(), "a.txt", READ) == LINES


def test_other_encodings_are_decoded() -> None:
    text = LINES.replace("cold", "größer")
    assert original_lines(text.encode("utf-16"), "a.txt", unwrap(text)) == text


@pytest.mark.parametrize("name", ["a.srt", "a.docx", "a.csv, row 7", "a"])
def test_other_formats_have_no_original_lines(name: str) -> None:
    assert original_lines(LINES.encode(), name, READ) is None


def test_a_different_text_has_no_original_lines() -> None:
    assert original_lines(LINES.encode(), "a.txt", READ + " More.") is None
    assert original_lines(b"\x00\x01", "a.txt", READ) is None


def test_documents_without_a_file_are_unchanged(tmp_path: Path) -> None:
    (tmp_path / "Ada").mkdir()
    (tmp_path / "Ada" / "a.txt").write_text(LINES, encoding="utf-8")
    corpus = Corpus([Document("Ada", READ, "Ada/a.txt"), Document("Ada", READ, "Ada/b.txt")], "c")
    assert restore_line_breaks(corpus, tmp_path).texts == [LINES, READ]
    assert restore_line_breaks(corpus, tmp_path / "table.csv").texts == [READ, READ]


def test_line_breaks_of_texts_in_a_zip_are_restored(tmp_path: Path) -> None:
    other = LINES.replace("rope", "road")
    with zipfile.ZipFile(tmp_path / "known.zip", "w") as archive:
        archive.writestr("known/Ada/a.txt", LINES)
        archive.writestr("known/Bea/b.txt", other)
    corpus, findings = read_corpus_with_findings(tmp_path / "known.zip")
    assert not findings
    assert corpus.texts == [READ, unwrap(other)]
    assert restore_line_breaks(corpus, tmp_path / "known.zip").texts == [LINES, other]


def test_line_breaks_are_restored_if_file_names_have_escapes(tmp_path: Path) -> None:
    (tmp_path / "Ada\n").mkdir()
    (tmp_path / "Ada\n" / "a.txt").write_text(LINES, encoding="utf-8")
    corpus = Corpus([Document("Ada", READ, "Ada\\x0a/a.txt")], "c")
    assert restore_line_breaks(corpus, tmp_path).texts == [LINES]
