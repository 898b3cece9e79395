from __future__ import annotations

from pathlib import Path

import pytest

from byline.corpus import Corpus, Document
from byline.corpus.checking import read_for_checking
from byline.corpus.cleaning import check_folder, write_folder
from byline.errors import OutputError

CORPUS = Corpus(
    [
        Document("Ada", "The rope\nis long.\r\n", "Ada/1.txt"),
        Document("Ada", "Größe\x85", "Ada/2.txt"),
        Document("Ben", "A ship.", "t.csv, row 3"),
    ],
    "c",
)


def test_texts_are_written_unchanged(tmp_path: Path) -> None:
    files = write_folder(CORPUS, tmp_path / "out")
    assert [str(file) for file in files] == ["Ada/1.txt", "Ada/2.txt", "Ben/000003.txt"]
    for document, file in zip(CORPUS, files, strict=True):
        assert (tmp_path / "out" / file).read_bytes() == document.text.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_written_folder_is_read_as_the_same_corpus(tmp_path: Path) -> None:
    write_folder(CORPUS, tmp_path / "out")
    corpus, findings = read_for_checking(tmp_path / "out")
    assert corpus.authors == CORPUS.authors
    assert [text.split() for text in corpus.texts] == [text.split() for text in CORPUS.texts]
    assert findings == []


def test_an_empty_folder_is_accepted(tmp_path: Path) -> None:
    write_folder(CORPUS, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Ada", "Ben"]


def test_existing_files_are_not_changed(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"is not empty\. Name a new folder"):
        write_folder(CORPUS, tmp_path)
    with pytest.raises(OutputError, match=r"is a file\. Name a new folder"):
        write_folder(CORPUS, tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_a_folder_inside_the_known_texts_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"is inside .*, which must stay unchanged"):
        check_folder(tmp_path / "out", tmp_path)
    check_folder(tmp_path / "out", tmp_path / "known")


def test_a_missing_parent_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"the folder .* does not exist"):
        check_folder(tmp_path / "a" / "b")


def test_an_interruption_leaves_no_files(tmp_path: Path) -> None:
    def interrupt(done: int, total: int, what: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(CORPUS, tmp_path / "out", interrupt)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OutputError, match=r"Cannot write to .*: No space left on device"):
        write_folder(CORPUS, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
