"""Properties of every text in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, extract_text, read_corpus
from byline.corpus.extraction import join_paragraphs
from byline.corpus.readers.formats import BY_SUFFIX
from byline.corpus.readers.pdf.lines import PdfLine, PdfPage
from byline.corpus.readers.pdf.paragraphs import build_paragraphs
from byline.errors import BylineError

pytest.importorskip("lxml")
pytest.importorskip("pypdfium2")
Make = Callable[..., bytes]
few = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
# XML has no controls, and reads a carriage return as a line break.
characters = st.characters(
    codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"
)
paragraphs = st.lists(st.text(characters, min_size=1, max_size=60), min_size=1, max_size=6)
words = st.text(st.sampled_from("abcdefgh"), min_size=1, max_size=9)
sentences = st.lists(words, min_size=30, max_size=60).map(lambda chosen: f"{' '.join(chosen)}.")
MAGIC = [
    b"",
    b"PK\x03\x04",
    b"PK\x05\x06" + bytes(18),
    b"%PDF-1.4\n",
    b"<?xml ?>",
    b"<html>",
    b"{\\rtf",
    b"From: a@b\nMessage-ID: 1\n",
    b"From a@b Mon Mar  4 10:12:00 2024\nFrom: a\n\n",
    b"01/03/2024, 08:18 - Ann: a\n" * 3,
    b'[{"type": "message", "ts": 1, "user": 1, "text": ',
]


@few
@given(paragraphs)
def test_a_word_document_returns_its_paragraphs(make_word: Make, texts: list[str]) -> None:
    body = "".join(f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text in texts)
    assert extract_text(make_word(body), "a.docx").text == join_paragraphs(texts)


@few
@given(st.lists(sentences, min_size=1, max_size=5), st.integers(30, 60))
def test_lines_broken_at_a_margin_return_their_paragraphs(texts: list[str], width: int) -> None:
    """Each paragraph is indented, and its lines are as full as possible."""
    placed: list[PdfLine] = []
    for text in texts:
        for i, row in enumerate(_broken(text, width)):
            left, top = 40.0 if i else 60.0, 10_000 - 14.0 * len(placed)
            placed.append(PdfLine(row, left, left + 6 * len(row), top - 12, top))
    assert build_paragraphs([PdfPage(0, 10_000, tuple(placed))]) == texts


def _broken(text: str, width: int) -> list[str]:
    rows = [""]
    for word in text.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return rows


authors = st.sampled_from(["ann", "bob"])
names = st.sampled_from(["a.txt", "b.md", "work/c.txt", "scan.jpg", ".hidden"])
members = st.dictionaries(
    st.tuples(authors, names).map("/".join),
    st.integers(0, 9).map(lambda n: f"The {n}. cat came home and slept until the morning. " * 20),
    min_size=1,
)


@few
@given(members)
@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_an_archive_is_read_as_the_folder_that_it_unpacks_to(
    make_zip: Make, tmp_path_factory: pytest.TempPathFactory, files_in_it: Mapping[str, str]
) -> None:
    root = tmp_path_factory.mktemp("known")
    for name, content in files_in_it.items():
        path = root / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (root / "known.zip").write_bytes(make_zip({"note.jpg": b"", **files_in_it}))
    (root / "unpacked" / "note.jpg").write_bytes(b"")
    assert _read(root / "known.zip") == _read(root / "unpacked")


def _read(path: Path) -> tuple[object, ...] | None:
    corpus: Corpus | None = None
    with suppress(BylineError):
        corpus = read_corpus(path, min_authors=1)
    return None if corpus is None else tuple(corpus)


@few
@given(st.sampled_from(MAGIC), st.binary(max_size=300), st.sampled_from([*BY_SUFFIX, ".txt", ""]))
def test_any_bytes_give_a_text_or_a_byline_error(start: bytes, rest: bytes, suffix: str) -> None:
    name = f"a{suffix}"
    try:
        found = extract_text(start + rest, name)
    except BylineError as error:
        assert str(error).startswith(name)
    else:
        found.text.encode()
