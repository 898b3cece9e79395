from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus.decoding import decode, read_bytes
from byline.errors import CorpusError

FRENCH = "L'été dernier, la forêt brûlait près du château où mon frère était né. Ça a duré. " * 20
GREEK = "Το καλοκαίρι το δάσος κάηκε κοντά στο χωριό όπου γεννήθηκε ο αδελφός μου. " * 20
RUSSIAN = "Прошлым летом лес горел рядом с деревней, где родился мой брат. " * 20
JAPANESE = "去年の夏、兄が生まれた村の近くで森が燃えました。とても悲しかったです。" * 20


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("text", [FRENCH, GREEK, JAPANESE])
def test_byte_order_marks_are_removed(text: str, encoding: str) -> None:
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    decoded = decode(marks.get(encoding, b"") + text.encode(encoding), "a.txt")
    assert decoded.text == text
    assert decoded.guessed_encoding is None


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "cp1252"),
        (FRENCH, "iso8859-15"),
        (GREEK, "cp1253"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        ("Ordinary words in sixteen bits without a mark. " * 10, "utf-16-le"),
    ],
)
def test_other_encodings_are_guessed(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding), "a.txt")
    assert decoded.text == text
    assert decoded.guessed_encoding is not None


def test_the_first_non_ascii_byte_may_come_late() -> None:
    text = "Nothing but ordinary words in this line.\n" * 20_000 + FRENCH
    assert decode(text.encode("cp1252"), "a.txt").text == text


def test_byte_order_marks_inside_joined_files_are_removed() -> None:
    assert decode("\ufeffone \ufefftwo".encode(), "a.txt").text == "one two"


def test_damaged_utf8_is_not_decoded_by_another_encoding() -> None:
    good = FRENCH.encode()
    with pytest.raises(CorpusError, match=r"^a\.txt cannot be decoded: the byte 0xff at offset 7 "):
        decode(good[:7] + b"\xff" + good[7:], "a.txt")


def test_utf8_cut_inside_a_character_is_an_error_with_the_offset() -> None:
    data = ("é" * 40).encode()[:-1]  # 79 bytes; the broken character begins at byte 78
    with pytest.raises(CorpusError, match="0xc3 at offset 78 is invalid in a file that is UTF-8"):
        decode(data, "a.txt")


def test_a_byte_that_the_guessed_encoding_lacks_is_named() -> None:
    data = FRENCH.encode("cp1252") * 150  # longer than what the detector looks at
    with pytest.raises(CorpusError, match=f"0x81 at offset {len(data):,} is neither UTF-8 nor cp"):
        decode(data + b"\x81", "a.txt")


def test_quotation_marks_of_windows_may_come_after_the_detector_looked() -> None:
    text = FRENCH * 150 + "«\u201cFin\u201d»"
    assert decode(text.encode("cp1252"), "a.txt").text == text


def test_utf16_with_an_odd_byte_is_an_error_with_the_offset() -> None:
    with pytest.raises(CorpusError, match=r"0x62 at offset 4 is not valid utf-16-le"):
        decode(b"\xff\xfea\x00b", "a.txt")


def test_undecodable_bytes_are_an_error_with_file_and_offset() -> None:
    with pytest.raises(CorpusError, match=r"a\.txt .*offset \d+"):
        decode(bytes(range(256)), "a.txt")


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"abc\x00def", 3),
        ("é\0".encode(), 2),
        (b"\xff\xfe" + "ab\0c".encode("utf-16-le"), 4),
        (b"\x01\x02\x03\x04\x05\x06 picture", 0),
    ],
)
def test_binary_content_is_an_error_with_the_offset(data: bytes, offset: int) -> None:
    with pytest.raises(CorpusError, match=f"control character 0x.. at byte offset {offset}[.]"):
        decode(data, "a.txt")


def test_stray_control_characters_are_accepted() -> None:
    assert decode(b"one page\x0canother\x1a", "a.txt").text == "one page\x0canother\x1a"


def test_colour_codes_of_a_terminal_are_read_as_utf8() -> None:
    assert decode(b"\x1b[1mbold\x1b[0m words", "a.txt").guessed_encoding is None


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_a_text_or_a_corpus_error(data: bytes) -> None:
    try:
        decoded = decode(data, "a.txt")
    except CorpusError as error:
        assert str(error).startswith("a.txt ")
    else:
        decoded.text.encode("utf-8")


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff")))
@settings(deadline=None)
def test_utf8_is_decoded_unchanged(text: str) -> None:
    assert decode(text.encode(), "a.txt").text == text


def test_a_file_above_the_limit_is_refused_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(257 * 2**20)  # a hole: no disk is used
    with pytest.raises(CorpusError, match=r"huge\.txt is larger than 268 MB.*Divide it into"):
        read_bytes(path, "huge.txt")


def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"zero is larger than 1\.0 MB"):
        read_bytes(Path("/dev/zero"), "zero", limit=2**20)


def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"from a pipe",))
    writer.start()
    assert read_bytes(path, "pipe") == b"from a pipe"
    writer.join()


def test_missing_and_forbidden_files_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CorpusError, match=r"gone\.txt cannot be read: No such file"):
        read_bytes(tmp_path / "gone.txt", "gone.txt")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CorpusError, match=r"a\.txt cannot be read: Permission denied"):
        read_bytes(tmp_path / "a.txt", "a.txt")


def test_a_path_with_nul_is_an_error() -> None:
    with pytest.raises(CorpusError, match="cannot be opened"):
        read_bytes(Path("a\0b"), "a")


@pytest.mark.parametrize("text", ["text\x1b[31mred", "é \x1b[31mred\x1b[0m", "\x1b(B" + FRENCH])
def test_an_escape_character_does_not_cause_a_guess(text: str) -> None:
    decoded = decode(text.encode(), "a.txt")
    assert (decoded.text, decoded.guessed_encoding) == (text, None)
