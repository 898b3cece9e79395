from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from byline.corpus import extract_text, read_corpus, read_text
from byline.corpus.readers import archive as archives
from byline.corpus.readers import zipped
from byline.errors import BylineWarning, CorpusError

Make = Callable[..., bytes]
Write = Callable[[Mapping[str, str | bytes]], Path]


def prose(seed: str) -> str:
    return " ".join(f"The {seed} came home on day {day} and slept." for day in range(150))


@pytest.fixture
def write(make_zip: Make, tmp_path: Path) -> Write:
    def write_zip(members: Mapping[str, str | bytes]) -> Path:
        path = tmp_path / "known.zip"
        path.write_bytes(make_zip(members))
        return path

    return write_zip


def test_an_archive_is_read_as_the_folder_in_it(write: Write) -> None:
    path = write({"smith/a.txt": prose("cat"), "jones/book/b.txt": prose("dog")})
    corpus = read_corpus(path)
    assert corpus.name == "known.zip"
    assert corpus.paths == ["jones/book/b.txt", "smith/a.txt"]
    assert corpus.authors == ["jones", "smith"]
    assert corpus.works == ["jones/book", "smith/a.txt"]
    assert corpus.texts[1] == prose("cat")


@pytest.mark.parametrize(
    "names", [["smith/a.txt", "jones/b.txt"], ["Smith_a.txt", "Smith_b.txt", "Jones_c.txt"]]
)
def test_a_folder_that_wraps_the_corpus_is_removed(write: Write, names: list[str]) -> None:
    corpus = read_corpus(write({f"known/{name}": prose(name) for name in names}))
    assert sorted(corpus.paths) == sorted(names)
    assert {author.casefold() for author in corpus.candidates} == {"jones", "smith"}


def test_a_folder_of_one_author_is_that_author(write: Write) -> None:
    path = write({"smith/a.txt": prose("cat"), "smith/b.txt": prose("dog")})
    assert read_corpus(path, min_authors=1).candidates == ["smith"]


def test_other_formats_in_an_archive_are_read(write: Write, files: Path) -> None:
    pytest.importorskip("lxml")
    book, letter = (files / "pandoc.epub").read_bytes(), (files / "libreoffice.docx").read_bytes()
    with pytest.warns(BylineWarning):  # little text
        corpus = read_corpus(write({"smith/a.epub": book, "jones/b.docx": letter}))
    assert all(text.startswith("The flood") for text in corpus.texts)
    assert corpus[1].excluded[0].kind == "covers and title pages"
    assert corpus[1].metadata == {"title": "The River"}


def test_other_members_of_an_archive_give_warnings(write: Write) -> None:
    path = write(
        {
            "smith/a.txt": prose("cat"),
            "jones/b.txt": prose("dog"),
            "__MACOSX/smith/._a.txt": b"\0",
            "README.txt": "About.",
            "smith/more.zip": b"PK",
            "smith/scan.png": b"",
        }
    )
    with pytest.warns(BylineWarning) as caught:
        read_corpus(path)
    messages = "\n".join(str(warning.message) for warning in caught)
    assert "known.zip: 1 hidden or system entry was skipped" in messages
    assert "1 file about the corpus was skipped: README.txt" in messages
    assert "1 archive was skipped: smith/more.zip. Unpack each archive where it is." in messages
    assert "1 file of unknown format was skipped: smith/scan.png" in messages


@pytest.mark.parametrize("name", ["../../a.txt", "/etc/a.txt", "C:/a.txt", "smith\\..\\a.txt"])
def test_members_with_paths_outside_the_archive_are_refused(write: Write, name: str) -> None:
    with pytest.raises(CorpusError, match=r"has members with paths outside the archive"):
        read_corpus(write({name: prose("cat"), "smith/b.txt": prose("dog")}))


def test_members_with_the_same_name_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "known.zip", "w") as archive:
        for name, seed in (("smith/a.txt", "cat"), ("smith\\a.txt", "cow"), ("jones/b.txt", "dog")):
            archive.writestr(name, prose(seed))
    with pytest.raises(CorpusError, match=r"several members with the same name \(smith/a\.txt\)"):
        read_corpus(tmp_path / "known.zip")


def test_folders_with_backslashes_are_not_files(write: Write) -> None:
    texts = {"smith\\a.txt": prose("cat"), "jones\\b.txt": prose("dog")}
    assert read_corpus(write({"smith\\": "", "jones\\": "", **texts})).candidates == [
        "jones",
        "smith",
    ]


def test_backslashes_between_folders_are_understood(write: Write) -> None:
    corpus = read_corpus(write({"smith\\a.txt": prose("cat"), "jones\\b.txt": prose("dog")}))
    assert corpus.candidates == ["jones", "smith"]


def test_names_in_utf8_without_the_flag_are_decoded(write: Write) -> None:
    path = write({"brontë/a.txt": prose("cat"), "müller/b.txt": prose("dog")})
    flagged = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = flagged.find(mark)
        while at >= 0:
            flagged[at + place + 1] &= ~0x08  # "the name is UTF-8"
            at = flagged.find(mark, at + 4)
    path.write_bytes(bytes(flagged))
    assert read_corpus(path).candidates == ["brontë", "müller"]


def test_names_in_another_encoding_give_a_warning(write: Write) -> None:
    path = write({"br?n/a.txt": prose("cat"), "jones/b.txt": prose("dog")})
    path.write_bytes(path.read_bytes().replace(b"br?n", b"br\x81n"))  # ü in code page 437
    with pytest.warns(BylineWarning, match=r"1 name in the archive is not UTF-8 .*brün/a\.txt"):
        assert read_corpus(path).candidates == ["brün", "jones"]


def test_an_archive_of_one_text_is_a_questioned_text(write: Write) -> None:
    path = write({"folder/letter.txt": "It rose\nat night. And it\nfell.", ".DS_Store": b""})
    assert read_text(path) == "It rose at night. And it fell."
    assert extract_text(path.read_bytes(), "standard input").text == read_text(path)


def test_an_archive_of_several_texts_or_none_is_not_a_questioned_text(write: Write) -> None:
    with pytest.raises(
        CorpusError,
        match=r"contains 2 texts \(a\.txt and b\.txt\), but one questioned text is needed",
    ):
        read_text(write({"a.txt": "One.", "b.txt": "Two."}))
    with pytest.raises(CorpusError, match=r"contains no text, but one questioned text is needed"):
        read_text(write({"a.png": b""}))
    with pytest.raises(CorpusError, match=r"known\.zip contains no text\. Byline reads "):
        read_corpus(write({"a.png": b""}))


@pytest.mark.parametrize("name", ["letter.txt", "letter.docx", "letter.pdf"])
@pytest.mark.parametrize("member", ["a.txt", "a.png"])
def test_an_archive_with_another_suffix_is_to_be_unpacked(
    make_zip: Make, name: str, member: str
) -> None:
    """Renaming it to .zip would lead to the next error if it contains no text."""
    with pytest.raises(CorpusError, match=rf"^{name} is a ZIP archive, .*\. Unpack it and use"):
        extract_text(make_zip({member: "It rose."}), name)


def test_an_archive_with_another_suffix_within_a_corpus_is_to_be_unpacked(
    write: Write, make_zip: Make
) -> None:
    path = write({"smith/a.txt": make_zip({"b.txt": "It rose."}), "jones/b.txt": prose("dog")})
    with pytest.raises(CorpusError, match=r"smith/a\.txt is a ZIP archive, .*\. Unpack it and use"):
        read_corpus(path)


def test_a_questioned_text_in_an_archive_keeps_its_warnings(write: Write) -> None:
    text = "Elle était née près de la forêt, où sa mère chantait. Ça dura tout l'été. " * 9
    path = write({"letter.txt": text.encode("cp1252")})
    with pytest.warns(BylineWarning, match=r"known\.zip, letter\.txt is not UTF-8"):
        assert read_text(path) == text.strip()


def test_bad_members_are_listed_like_bad_files(write: Write) -> None:
    path = write({"smith/a.txt": b"one\0", "jones/b.txt": b"\xff\xfeab\0", "jones/c.txt": "Fine."})
    with pytest.raises(CorpusError, match=r"known\.zip has 2 errors:\n.*jones/b.*\n.*smith/a"):
        read_corpus(path)


def encrypted(data: bytes) -> bytes:
    """Mark every file in the archive as encrypted."""
    flagged = bytearray(data)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = flagged.find(mark)
        while at >= 0:
            flagged[at + place] |= 1
            at = flagged.find(mark, at + 4)
    return bytes(flagged)


def test_an_encrypted_archive_is_an_error(write: Write) -> None:
    path = write({"smith/a.txt": prose("cat"), "jones/b.txt": prose("dog")})
    path.write_bytes(encrypted(path.read_bytes()))
    with pytest.raises(
        CorpusError, match=r"is encrypted \(at smith/a\.txt\)\. Unpack it with its pass"
    ):
        read_corpus(path)


def test_a_long_name_is_shortened_in_errors(write: Write) -> None:
    path = write({f"smith/{'a' * 120}.txt": prose("cat"), "jones/b.txt": prose("dog")})
    path.write_bytes(encrypted(path.read_bytes()))
    # 100 characters: "smith/" and 94 letters
    with pytest.raises(CorpusError, match=r"is encrypted \(at smith/a{94}\.\.\.\)"):
        read_corpus(path)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_an_incomplete_archive_is_an_error(write: Write, share: float) -> None:
    path = write({"smith/a.txt": prose("cat"), "jones/b.txt": prose("dog")})
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(CorpusError, match=r"known\.zip is damaged or incomplete"):
        read_corpus(path)


def test_a_damaged_member_is_an_error(write: Write) -> None:
    path = write({"smith/a.txt": prose("cat"), "jones/b.txt": prose("dog")})
    data = bytearray(path.read_bytes())
    data[60:80] = bytes(20)
    path.write_bytes(bytes(data))
    with pytest.raises(CorpusError, match=r"is damaged or incomplete at smith/a\.txt"):
        read_corpus(path)


def test_a_zip_bomb_is_refused(write: Write) -> None:
    with pytest.raises(
        CorpusError, match=r"smith/a\.txt, which would unpack to 40 MB\. This is more than"
    ):
        read_corpus(write({"smith/a.txt": b" " * 40_000_000, "jones/b.txt": prose("dog")}))


def test_an_archive_that_unpacks_to_too_much_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zipped, "MAX_UNPACKED_BYTES", 10_000)
    path = write({f"smith/{i}.txt": prose(str(i)) for i in range(3)})
    with pytest.raises(CorpusError, match=r"unpacks to more than 0\.1 MB, the most that Byline"):
        read_corpus(path, min_authors=1)


def test_an_archive_of_too_much_text_is_refused(
    write: Write, make_word: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lxml")
    letter = make_word("<w:p><w:r><w:t>It rose. </w:t></w:r></w:p>" * 1000)
    monkeypatch.setattr(zipped, "MAX_UNPACKED_BYTES", 15_000)
    path = write({"smith/a.docx": letter, "smith/b.docx": letter})
    with pytest.raises(
        CorpusError, match=r"known\.zip contains more text than Byline reads from one arch"
    ):
        read_corpus(path)


def test_an_archive_of_too_many_members_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    few = {f"smith/{i}.txt": prose(str(i)) for i in range(4)}
    with pytest.raises(CorpusError, match=r"has more than 3 members\. Divide it"):
        read_corpus(write(few))
    with pytest.raises(CorpusError, match=r"has more than 3 members\. Divide it"):
        read_corpus(write({str(i): b"" for i in range(40)}))


def test_a_false_size_is_an_error(write: Write) -> None:
    path = write({"smith/a.txt": prose("cat")})
    data = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = archive.infolist()[0].file_size
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(CorpusError, match=r"is damaged or incomplete at smith/a\.txt"):
        read_corpus(path, min_authors=1)


def test_content_that_is_not_an_archive_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "known.zip"
    path.write_text("Some words.", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"known\.zip is not a ZIP archive"):
        read_corpus(path)


def test_an_archive_that_contains_only_archives_is_to_be_unpacked(
    write: Write, make_zip: Make
) -> None:
    path = write({"a.zip": make_zip({"b.txt": "It rose."})})
    with pytest.raises(CorpusError, match=r"contains no text, but other archives \(a\.zip\)\. Unp"):
        read_text(path)
    with pytest.raises(CorpusError, match=r"contains no text\. .* Unpack the archives in it\."):
        read_corpus(path)
