from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from byline.cli.known_options import KnownTextSettings
from byline.cli.options import ExtraText
from byline.cli.texts import read_known_texts, read_texts
from byline.corpus import (
    Document,
    ExcludedPart,
    Keep,
    ReadingOptions,
    decode_text,
    extract_text,
    read_corpus,
    read_text,
)
from byline.corpus.extraction import ExclusionCounter, excerpt, join_paragraphs, merge_excluded
from byline.corpus.readers.formats import (
    ENCRYPTED_WORD,
    EPUB,
    FLAT_ODT,
    HTML,
    KINDLE,
    LATEX,
    MARKDOWN,
    ODT,
    OFFICE,
    OLD_WORD,
    PDF,
    RTF,
    TEI,
    WORD,
    ZIP,
    Format,
    recognize,
)  # fmt: skip
from byline.corpus.readers.layout import different_author_findings
from byline.errors import BylineWarning, CorpusError, MissingExtraError, UsageError

pytest.importorskip("lxml")
pytest.importorskip("pypdfium2")
Make = Callable[..., bytes]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def prose(seed: str) -> str:
    return " ".join(f"The {seed} came home on day {day} and slept." for day in range(150))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", None),
        (b"Some words.", None),
        (b"\x00\x01\x02", None),
        (OLE + bytes(500), OLD_WORD),
        (OLE + "EncryptedPackage".encode("utf-16-le"), ENCRYPTED_WORD),
        (b"{\\rtf1 text}", RTF),
        (bytes(60) + b"BOOKMOBI", KINDLE),
        (b"\n%PDF-1.7", PDF),
        (b"\xef\xbb\xbf<!DOCTYPE html><p>", HTML),
        (b"<!-- menu --> <HTML lang='en'>", HTML),
        # 414 bytes for which a pattern that tries every comment again would never end.
        (b"<!---->" * 58 + b"The rope", None),
        (b"<!-- -->\n" * 58 + b"<html>", HTML),
        (b"<!-- <html>" * 300, None),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', HTML),
        (b'<?xml version="1.0"?><TEI>', TEI),
        (b"<TEI.2>", TEI),
        (
            b'<?xml ?><o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
            FLAT_ODT,
        ),
        (b"% draft\n\\documentclass{article}", LATEX),
        (b"---\ntitle: River\n---\n", MARKDOWN),
        (b"--- a dash", None),
        (b"PK\x03\x04 and no more", None),
    ],
)
def test_formats_are_recognised_by_their_content(data: bytes, expected: Format | None) -> None:
    assert recognize(data) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (["[Content_Types].xml", "word/document.xml"], WORD),
        (["[Content_Types].xml", "xl/workbook.xml"], OFFICE),
        (["META-INF/container.xml"], EPUB),
        (["smith/a.txt"], ZIP),
        ([], ZIP),
    ],
)
def test_archives_are_recognised_by_their_members(
    make_zip: Make, members: list[str], expected: Format
) -> None:
    assert recognize(make_zip(dict.fromkeys(members, "<x/>"))) == expected


def test_an_archive_that_contains_a_word_document_is_still_an_archive(make_zip: Make) -> None:
    inner = make_zip({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"})
    assert recognize(make_zip({"smith/a.docx": inner}, compression=0)) == ZIP


def test_open_documents_are_recognised(make_zip: Make) -> None:
    for kind, expected in (("text", ODT), ("spreadsheet", OFFICE)):
        data = make_zip({"mimetype": f"application/vnd.oasis.opendocument.{kind}"})
        assert recognize(data) == expected


def test_a_suffix_that_contradicts_the_content_is_an_error(files: Path, tmp_path: Path) -> None:
    for origin, name, message in (
        (
            "pandoc.docx",
            "a.txt",
            r"a\.txt has the content of a Word document, but .* ends in \.docx",
        ),
        (
            "pandoc.docx",
            "a.pdf",
            r"a\.pdf has the content of a Word document, but .* ends in \.docx",
        ),
        ("chromium.pdf", "a.docx", r"a\.docx has the content of a PDF, but .* ends in \.pdf"),
        (
            "pandoc.epub",
            "a.zip",
            r"a\.zip has the content of an EPUB e-book, but .* ends in \.epub",
        ),
    ):
        path = tmp_path / name
        path.write_bytes((files / origin).read_bytes())
        with pytest.raises(CorpusError, match=message):
            read_text(path)


def test_unsupported_formats_state_the_remedy(files: Path) -> None:
    data = (files / "libreoffice.doc").read_bytes()
    message = (
        r"is a Word document in the old format, which Byline does not read as a text\. Open it in "
        r"Word or LibreOffice and save it as \.docx, or run: soffice --headless --convert-to docx"
    )
    with pytest.raises(CorpusError, match=message):
        read_text(files / "libreoffice.doc")
    with pytest.raises(CorpusError, match=f"standard input {message}"):
        decode_text(data, "standard input")
    with pytest.raises(CorpusError, match=rf"a\.txt {message}"):
        decode_text(data, "a.txt")


def test_an_encrypted_word_document_states_the_remedy() -> None:
    data = OLE + bytes(500) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(CorpusError, match=r"^a\.docx is an encrypted Word document.*passwor"):
        extract_text(data, "a.docx")


@pytest.mark.parametrize("name", ["a.doc", "a.mobi", "a.pages", "a.xlsx", "a.py", "a.R"])
def test_a_suffix_of_an_unsupported_format_is_an_error(name: str) -> None:
    with pytest.raises(
        CorpusError, match=rf"^{name} has the suffix of .*, which Byline does not read\. "
    ):
        extract_text(b"Some words.", name)


def test_program_code_is_refused_as_a_text() -> None:
    with pytest.raises(
        CorpusError,
        match=r"^count\.py has the suffix of program code, which .* ends in \.txt\.$",
    ):
        extract_text(b"import os\n", "count.py")


@pytest.mark.parametrize("name", ["pandoc.docx", "chromium.pdf", "pandoc.epub", "pandoc.odt"])
def test_without_a_known_suffix_the_content_decides(files: Path, name: str) -> None:
    data, text = (files / name).read_bytes(), read_text(files / name)
    assert decode_text(data, "standard input") == text
    assert decode_text(data, "letter.final") == text


def test_markup_in_a_plain_text_gives_a_warning(tmp_path: Path) -> None:
    for name, content in (("a.txt", "<!doctype html><p>It rose."), ("b.txt", "<TEI><p>It</p>")):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with pytest.warns(
            BylineWarning, match="1 file begins like HTML or XML, .* all tags are read"
        ):
            assert read_text(path) == content


def test_keep_accepts_only_known_names(files: Path) -> None:
    text = read_text(files / "pandoc.docx", ReadingOptions(keep=["notes"]))
    assert text == read_text(files / "pandoc.docx", ReadingOptions(keep={Keep.NOTES, Keep.STAGE}))
    with pytest.raises(
        UsageError, match=r"keep has an unknown value: 'footnotes' is not .* notes, stage"
    ):
        read_text(files / "pandoc.docx", ReadingOptions(keep=["footnotes"]))


@pytest.mark.parametrize(
    ("package", "name"), [("lxml", "pandoc.docx"), ("lxml", "pandoc.epub"), ("lxml", "pandoc.odt")]
)
def test_a_missing_package_error_states_how_to_install_it(
    files: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str
) -> None:
    for loaded in [module for module in sys.modules if module.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, loaded, None)
    with pytest.raises(
        MissingExtraError, match=rf"{name}.* requires {package}\. .*byline\[formats\]"
    ):
        extract_text((files / name).read_bytes(), name)


def test_a_missing_pdf_package_error_states_how_to_install_it(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byline.corpus.readers.pdf.document.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"requires pypdfium2\. .*byline\[formats\]"):
        read_text(files / "chromium.pdf")


def test_a_folder_of_many_formats(files: Path, tmp_path: Path) -> None:
    for author, name in (("brook", "pandoc.docx"), ("smith", "chromium.pdf")):
        (tmp_path / author).mkdir()
        (tmp_path / author / f"a{Path(name).suffix}").write_bytes((files / name).read_bytes())
        (tmp_path / author / "b.txt").write_text(prose(author), encoding="utf-8")
    with pytest.warns(BylineWarning, match="The author's own name occurs at the start"):
        corpus = read_corpus(tmp_path)
    assert corpus.authors == ["brook", "brook", "smith", "smith"]
    assert corpus[0].metadata == {"title": "The River"}
    assert [item.kind for item in corpus[0].excluded] == ["tables of contents", "footnotes"]
    assert corpus[1].excluded == ()


def test_a_file_that_states_another_author_gives_a_warning(files: Path, tmp_path: Path) -> None:
    for author in ("jones", "smith"):
        (tmp_path / author).mkdir()
        (tmp_path / author / "b.txt").write_text(prose(author), encoding="utf-8")
    (tmp_path / "jones" / "a.docx").write_bytes((files / "pandoc.docx").read_bytes())
    with pytest.warns(
        BylineWarning,
        match=r"1 file states another author than the corpus: jones/a\.docx \(Ann Brook, not",
    ):
        read_corpus(tmp_path)


@pytest.mark.parametrize(
    ("label", "name", "agree"),
    [
        ("brook", "Ann Brook", True),
        ("Brontë", "Charlotte BRONTE", True),
        ("brook", "abrook", True),
        ("author-07", "Ann Brook", True),
        ("smith", "Microsoft Office User", True),
        ("smith", "", True),
        ("smith", "Ann Brook", False),
        ("魯迅", "魯迅", True),
    ],
)
def test_names_agree_if_they_share_a_word(label: str, name: str, agree: bool) -> None:
    findings = different_author_findings([Document(label, "x", "a.docx")], {"a.docx": name})
    assert findings == [] if agree else findings[0].code == "different-author-in-file"


def test_loose_e_books_have_the_authors_that_they_state(make_epub: Make, tmp_path: Path) -> None:
    for name, seed in (("flood", "cat"), ("wall", "dog"), ("bell", "cow")):
        data = make_epub({"a.xhtml": f"<body><p>{prose(seed)}</p></body>"})
        (tmp_path / f"{name}.epub").write_bytes(data)
    with pytest.warns(
        BylineWarning, match=r"authors are those that the files themselves state \(A"
    ):
        corpus = read_corpus(tmp_path, min_authors=1)
    assert corpus.authors == ["Ann Brook"] * 3
    assert corpus.works == ["bell.epub", "flood.epub", "wall.epub"]


def test_extraction_warnings_are_given_once(
    make_pdf: Make, make_word: Make, tmp_path: Path
) -> None:
    picture = b"q 300 0 0 300 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"
    line = [(40, 500, 12, "It rose at night and nobody had thought of the boats.")]
    for author in ("jones", "smith"):
        (tmp_path / author).mkdir()
        (tmp_path / author / "b.txt").write_text(prose(author), encoding="utf-8")
    (tmp_path / "jones" / "a.pdf").write_bytes(make_pdf(line, picture))
    (tmp_path / "smith" / "a.docx").write_bytes(make_word("<w:altChunk/>"))
    with pytest.warns(BylineWarning) as caught:
        read_corpus(tmp_path)
    messages = "\n".join(str(warning.message) for warning in caught)
    assert "The text of 2 files may be incomplete or wrong: " in messages
    assert "jones/a.pdf: 1 of 2 pages (2) have no text, because they are pictures" in messages
    assert "smith/a.docx: a file of another format is embedded" in messages


def test_excluded_parts_are_counted_by_kind() -> None:
    counter = ExclusionCounter()
    counter.add("footnotes")
    counter.add("page headers", "The\nRiver")
    counter.add("footnotes", "Seven  boats." + " and so on" * 20, 2)
    first, second = counter.parts()
    assert first == ExcludedPart("footnotes", 3, excerpt("Seven boats." + " and so on" * 20))
    assert len(first.example) <= 63
    assert second == ExcludedPart("page headers", 1, "The River")
    assert merge_excluded([(first,), (second, first)]) == (
        ExcludedPart("footnotes", 6, first.example), second,
    )  # fmt: skip


def test_paragraphs_contain_no_soft_hyphens_controls_or_surrogates() -> None:
    assert join_paragraphs(["ex\xadtra", "a\x00b\ud800", ""]) == "extra\n\na\ufffdb\ufffd"


def test_the_command_line_has_the_same_keep_values() -> None:
    assert [each.value for each in ExtraText] == [each.value for each in Keep]


def test_the_command_line_reports_excluded_parts(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_texts([files / "pandoc.docx", files / "pandoc.epub"])
    assert capsys.readouterr().err == (
        "note: Excluded from 2 files: tables of contents (1), footnotes (2), covers and title "
        "pages (1), navigation (1). Run `byline corpus show` to see them.\n"
    )
    for author in ("jones", "smith"):
        (tmp_path / author).mkdir()
        (tmp_path / author / "b.txt").write_text(prose(author), encoding="utf-8")
    read_known_texts(tmp_path, KnownTextSettings(), ReadingOptions(), unit="word")
    assert capsys.readouterr().err == ""
    data = (files / "pandoc.docx").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    [text] = read_texts([Path("-")], keep=["notes"])
    assert "There were seven boats" in text
