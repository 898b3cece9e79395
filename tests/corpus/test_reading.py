from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import decode_text, read_corpus, read_text
from byline.errors import BylineWarning, CorpusError
from byline.formatting import printable


def test_a_questioned_text_is_joined(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("The boat left\nthe harbour. It\nrained.\n", encoding="utf-8")
    assert read_text(path) == "The boat left the harbour. It rained."
    assert read_text(str(path)) == read_text(path)


@pytest.mark.parametrize("content", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"\xff\xfe", b"WEBVTT\n\n"])
def test_an_empty_questioned_text_is_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "q.vtt"
    path.write_bytes(content)
    assert read_text(path) == ""


def test_a_guessed_encoding_gives_a_warning(tmp_path: Path) -> None:
    text = "Elle était née près de la forêt, où sa mère chantait. Ça dura tout l'été. " * 9
    path = tmp_path / "q.txt"
    path.write_bytes(text.encode("cp1252"))
    with pytest.warns(BylineWarning, match=r"q\.txt is not UTF-8\. Byline reads it as ") as caught:
        assert read_text(path) == text.strip()
    assert caught[0].filename == __file__


def test_bytes_are_read_like_a_file() -> None:
    cue = b"1\n00:00:01,000 --> 00:00:02,000\nThe boat\nleft.\n"
    assert decode_text(cue, "standard input") == "The boat left."
    with pytest.raises(CorpusError, match=r"^standard input is not a text"):
        decode_text(b"a\0", "standard input")
    with pytest.warns(BylineWarning, match=r"^standard input is not UTF-8"):
        decode_text(
            "Où était la forêt? Là-bas, près du château. ".encode("cp1252") * 9, "standard input"
        )


def test_a_folder_is_not_a_questioned_text(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"is a folder\. Name the texts in it one by one"):
        read_text(tmp_path)


@pytest.mark.parametrize("read", [read_text, read_corpus])
def test_a_missing_path_is_an_error(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(CorpusError, match=r"gone.*(No such file|does not exist)"):
        read(tmp_path / "gone")


@pytest.mark.parametrize("read", [read_text, read_corpus])
@pytest.mark.parametrize("path", ["a\0b", "a" * 5000], ids=["nul", "long"])
def test_an_impossible_path_is_a_corpus_error(read: object, path: str) -> None:
    assert callable(read)
    with pytest.raises(CorpusError):
        read(path)


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_file_gives_a_text_or_a_corpus_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        try:
            text = read_text(path)
        except CorpusError as error:
            assert str(path) in str(error)
        else:
            text.encode("utf-8")
            assert "\n" not in text.replace("\n\n", "")


@given(st.text())
@settings(deadline=None)
def test_a_printable_name_is_one_line_of_unicode(name: str) -> None:
    shown = printable(name)
    shown.encode("utf-8")
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown


def test_min_authors_allows_one(tmp_path: Path) -> None:
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "1.txt").write_text("The cat came home late. " * 300, encoding="utf-8")
    assert read_corpus(tmp_path, min_authors=1).candidates == ["ann"]
    with pytest.raises(
        CorpusError, match=r"At least 2 authors are needed, but the corpus has 1 \(ann\)"
    ):
        read_corpus(tmp_path)


_LETTERS = [
    ("ada", "The river rose, and nobody heard it at night. " * 200),
    ("ada", ""),
    ("ben", " \n\t\n"),
    ("ben", "The sea was calm, and the lamp burned until morning. " * 200),
]


def _write_folder(folder: Path) -> Path:
    for number, (author, text) in enumerate(_LETTERS, start=1):
        (folder / author).mkdir(exist_ok=True, parents=True)
        (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


def _write_table(folder: Path) -> Path:
    rows = [json.dumps({"author": author, "text": text}) for author, text in _LETTERS]
    table = folder / "letters.jsonl"
    table.write_text("\n".join(rows), encoding="utf-8")
    return table


@pytest.mark.parametrize(
    ("write", "empty"),
    [
        (_write_folder, "ada/2.txt and ben/3.txt"),
        (_write_table, "letters.jsonl, line 2 and letters.jsonl, line 3"),
    ],
)
def test_empty_texts_are_left_out_with_a_warning(
    tmp_path: Path, write: Callable[[Path], Path], empty: str
) -> None:
    with pytest.warns(BylineWarning) as caught:
        corpus = read_corpus(write(tmp_path))
    assert corpus.authors == ["ada", "ben"]
    assert corpus.texts == [_LETTERS[0][1].strip(), _LETTERS[3][1].strip()]
    [message] = [str(warning.message) for warning in caught]
    assert f"2 texts are empty and ignored: {empty}." in message


def test_a_large_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    sentence = "The quick brown fox ran over\nthe lazy dog by the river. And then it\nslept.\n"
    path.write_text(sentence * 200_000, encoding="utf-8")  # 15 MB
    assert len(read_text(path)) == len(sentence) * 200_000 - 1


def test_questioned_subtitles_without_cues_give_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "q.srt"
    path.write_text("Nothing but words.", encoding="utf-8")
    with pytest.warns(
        BylineWarning, match=r"1 file has the suffix of subtitles .*q\.srt"
    ) as caught:
        assert read_text(path) == "Nothing but words."
    assert caught[0].filename == __file__


def test_characters_need_no_spaces(tmp_path: Path) -> None:
    for author, text in (("a", "去年夏天森林在村子附近燃烧。"), ("b", "我的哥哥在那里出生了。")):
        (tmp_path / f"{author}.txt").write_text(text * 600, encoding="utf-8")
    assert read_corpus(tmp_path, unit="char").candidates == ["a", "b"]
    with pytest.warns(BylineWarning, match='unit="char"'):
        read_corpus(tmp_path)
