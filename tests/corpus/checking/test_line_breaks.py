from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from byline.corpus import unwrap
from byline.corpus.checking import read_for_checking
from byline.corpus.reading import read_corpus_with_findings

LINES = "The rope is\nlong and so\nis the day.\n\nIt is\ncold and\nthe wind is up.\n"
READ = unwrap(LINES)


def write(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_plain_text_has_the_lines_of_its_file(tmp_path: Path, line_end: str) -> None:
    write(tmp_path, "Ada/a.txt", LINES.replace("\n", line_end).encode("utf-16"))
    write(tmp_path, "Ben/b.text", LINES.replace("\n", line_end).encode())
    corpus, findings = read_for_checking(tmp_path)
    assert corpus.texts == [LINES, LINES]
    assert not findings
    assert read_corpus_with_findings(tmp_path)[0].texts == [READ, READ]


def test_other_formats_have_paragraphs(tmp_path: Path) -> None:
    cue = b"1\n00:00:01,000 --> 00:00:02,000\nThe river\nrose."
    write(tmp_path, "Ada/a.srt", cue)
    write(tmp_path, "Ben/b.txt", LINES.encode())
    corpus, _ = read_for_checking(tmp_path)
    assert corpus.texts == ["The river rose.", LINES]
    (tmp_path / "known.csv").write_text(f'author,text\nAda,"{LINES}"\n', encoding="utf-8")
    assert read_for_checking(tmp_path / "known.csv")[0].texts == [READ]


def test_texts_in_a_zip_have_the_lines_of_their_files(tmp_path: Path) -> None:
    other = LINES.replace("rope", "road")
    with zipfile.ZipFile(tmp_path / "known.zip", "w") as archive:
        archive.writestr("known/Ada/a.txt", LINES)
        archive.writestr("known/Bea/b.txt", other)
    assert read_for_checking(tmp_path / "known.zip")[0].texts == [LINES, other]
    assert read_corpus_with_findings(tmp_path / "known.zip")[0].texts == [READ, unwrap(other)]
