from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text
from byline.errors import CorpusError

pytest.importorskip("lxml")
Make = Callable[..., bytes]
INSERTED = "<w:ins><w:r><w:t> long</w:t></w:r></w:ins>"
DELETED = "<w:del><w:r><w:delText> short</w:delText></w:r></w:del>"


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(*content: str) -> str:
    return f"<w:p>{''.join(content)}</w:p>"


def field(code: str, result: str) -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    return (
        mark.format("begin")
        + f"<w:r><w:instrText>{code}</w:instrText></w:r>"
        + mark.format("separate")
        + result
        + mark.format("end")
    )


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {item.kind: item.n for item in extracted.excluded}


def test_paragraphs_tables_and_links_are_text(make_word: Make) -> None:
    table = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>"
    body = (
        p(run("The flood"))
        + p(run("It rose "), "<w:hyperlink>", run("at night"), "</w:hyperlink>", run("."))
        + table.format(p(run("Two carts.")), p(run("A gate.")))
    )
    found = extract_text(make_word(body), "a.docx")
    assert found.text == "The flood\n\nIt rose at night.\n\nTwo carts.\n\nA gate."
    assert (found.author, found.title) == ("Ann Brook", "The River")
    assert (found.excluded, found.warnings) == ((), ())


def test_tracked_insertions_are_text_and_deletions_are_not(make_word: Make) -> None:
    moved = "<w:moveFrom><w:r><w:t> away</w:t></w:r></w:moveFrom>"
    body = p(run("A"), INSERTED, DELETED, moved, run(" rope."))
    found = extract_text(make_word(body), "a.docx")
    assert found.text == "A long rope."
    assert excluded(found) == {"deleted text": 2}
    assert found.excluded[0].example == "short"


def test_a_paragraph_whose_end_is_deleted_continues_in_the_next(make_word: Make) -> None:
    end = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    body = p(end, run("It rose ")) + p(run("And fell.")) + p(run("It rained."))
    assert extract_text(make_word(body), "a.docx").text == "It rose And fell.\n\nIt rained."


def test_notes_are_excluded_and_counted_unless_they_are_kept(make_word: Make) -> None:
    notes = (
        f'<w:footnote w:type="separator" w:id="0">{p(run("---"))}</w:footnote>'
        f'<w:footnote w:id="1">{p(run("Seven boats."))}</w:footnote>'
        f'<w:footnote w:id="2">{p(run("Two leaked."))}</w:footnote>'
    )
    ends = f"<w:endnote>{p(run('An old harbour.'))}</w:endnote>"
    mark = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    data = make_word(p(run("The boats."), mark), footnotes=notes, endnotes=ends)
    found = extract_text(data, "a.docx")
    assert found.text == "The boats."
    assert excluded(found) == {"footnotes": 2, "endnotes": 1}
    assert found.excluded[0].example == "Seven boats."
    kept = extract_text(data, "a.docx", ReadingOptions(keep=["notes"]))
    assert kept.text == "The boats.\n\nSeven boats.\n\nTwo leaked.\n\nAn old harbour."
    assert kept.excluded == ()


def test_headers_footers_and_comments_are_counted(make_word: Make) -> None:
    data = make_word(
        p(run("Text.")),
        header1=p(run("The River")),
        header2=p(),
        footer1=p(run("Draft")),
        comments=f"<w:comment>{p(run('Really?'))}</w:comment>",
    )
    found = extract_text(data, "a.docx")
    assert found.text == "Text."
    assert excluded(found) == {"page headers": 1, "page footers": 1, "comments": 1}


def test_field_codes_are_excluded_and_their_results_are_text(make_word: Make) -> None:
    simple = f'<w:fldSimple w:instr="REF x">{run("above")}</w:fldSimple>'
    body = p(run("See "), field("HYPERLINK x", run("the bell")), run(" "), simple, run("."))
    found = extract_text(make_word(body), "a.docx")
    assert found.text == "See the bell above."
    assert found.excluded[0].kind == "field codes"
    assert (found.excluded[0].n, found.excluded[0].example) == (2, "HYPERLINK x")


def test_a_table_of_contents_of_several_paragraphs_is_excluded(make_word: Make) -> None:
    inner = field("PAGEREF a", run("3"))
    toc = field("TOC \\o", f"{run('The flood')}{inner}</w:p><w:p>{run('The wall 5')}")
    found = extract_text(make_word(p(toc) + p(run("It rose."))), "a.docx")
    assert found.text == "It rose."
    assert excluded(found) == {"field codes": 1, "tables of contents": 1}


def test_a_table_of_contents_in_a_structured_tag_is_excluded(make_word: Make) -> None:
    about = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="{}"/></w:docPartObj></w:sdtPr>'
    part = "<w:sdt>" + about + "<w:sdtContent>" + p(run("Filled in.")) + "</w:sdtContent></w:sdt>"
    body = part.format("Table of Contents") + part.format("Cover Pages")
    found = extract_text(make_word(body), "a.docx")
    assert found.text == "Filled in."
    assert excluded(found) == {"tables of contents": 1}


def test_an_unclosed_field_removes_only_the_rest_of_its_paragraph(make_word: Make) -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF</w:instrText></w:r>'
    found = extract_text(make_word(p(run("One."), begin) + p(run("Two."))), "a.docx")
    assert found.text == "One.\n\nTwo."


def test_hidden_text_and_formulas_are_excluded(make_word: Make) -> None:
    hidden = "<w:r><w:rPr><w:vanish{}/></w:rPr><w:t> x</w:t></w:r>"
    math = '<m:oMath xmlns:m="urn:m"><m:r><m:t>a+b</m:t></m:r></m:oMath>'
    body = p(run("One"), hidden.format(""), hidden.format(' w:val="0"'), math, run("."))
    found = extract_text(make_word(body), "a.docx")
    assert found.text == "One x."
    assert excluded(found) == {"hidden text": 1, "formulas": 1}


def test_text_boxes_are_read_once(make_word: Make) -> None:
    box = f"<w:txbxContent>{p(run('In a box.'))}</w:txbxContent>"
    both = (
        '<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><w:drawing>'
        f"{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    body = p(run("Around"), f"<w:r>{both}</w:r>", run(" it."))
    assert extract_text(make_word(body), "a.docx").text == "In a box.\n\nAround it."


def test_special_characters_as_elements_are_read(make_word: Make) -> None:
    line = (
        "<w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t><w:tab/><w:t>ex&#173;tra</w:t></w:r>"
    )
    body = p(line, "<w:r><w:br/><w:t>Second line.</w:t></w:r>")
    found = extract_text(make_word(body), "a.docx")
    assert found.text.replace("\n", "|") == "well-known extra Second line."


def test_a_document_of_another_namespace_and_place_is_read(make_zip: Make) -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    data = make_zip(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": '<R><r Type="x/officeDocument" Target="/word/document2.xml"/></R>',
            "word/document2.xml": f'<d xmlns="{strict}"><body><p><r><t>It rose.</t></r></p>'
            "</body></d>",
        }
    )
    assert extract_text(data, "a.docx").text == "It rose."


def test_embedded_files_give_a_warning(make_word: Make) -> None:
    found = extract_text(make_word(p(run("One.")) + "<w:altChunk/>"), "a.docx")
    assert found.warnings == ("a.docx: a file of another format is embedded and not read",)


@pytest.mark.parametrize("name", ["libreoffice.docx", "pandoc.docx"])
def test_documents_of_common_programs(files: Path, name: str) -> None:
    found = extract_text(files / name)
    paragraphs = found.text.split("\n\n")
    assert "My aunt, who never hurried, was already there with a" in found.text
    assert paragraphs[paragraphs.index("The flood") + 1].startswith("The river rose in the night")
    assert "seven boats" not in found.text
    assert "\xad" not in found.text
    assert excluded(found)["footnotes"] == 1
    assert excluded(found)["tables of contents"] == 1
    assert (found.author in (None, "Ann Brook"), found.title) == (True, "The River")
    assert "There were seven boats, and two of them leaked." in (
        extract_text(files / name, options=ReadingOptions(keep=["notes"])).text.split("\n\n")
    )


def test_libreoffice_tracks_changes(files: Path) -> None:
    found = extract_text(files / "libreoffice.docx")
    assert "with a long and heavy rope. “You" in found.text
    assert excluded(found) == {
        "tables of contents": 1,
        "deleted text": 1,
        "footnotes": 1,
        "endnotes": 1,
        "page headers": 1,
        "page footers": 1,
    }
    assert found.text.count("found in the mud a bell that belonged to no church we knew.") == 3


@pytest.mark.parametrize("cut", [4, 60, 1000, -30, -500])
def test_an_incomplete_document_is_an_error(files: Path, cut: int) -> None:
    data = (files / "pandoc.docx").read_bytes()[:cut]
    with pytest.raises(
        CorpusError, match=r"^a\.docx (is damaged or incomplete|is not a ZIP archive)"
    ):
        extract_text(data, "a.docx")


def test_a_missing_or_malformed_part_is_an_error(make_zip: Make) -> None:
    members = {"[Content_Types].xml": "<Types/>", "word/styles.xml": "<s/>"}
    with pytest.raises(
        CorpusError, match=r"^a\.docx lacks word/document\.xml\. The file is damaged"
    ):
        extract_text(make_zip(members), "a.docx")
    with pytest.raises(
        CorpusError, match=r"^a\.docx, word/document\.xml, line 1, .* not well-formed"
    ):
        extract_text(make_zip({**members, "word/document.xml": "<w>"}), "a.docx")


def test_document_bombs_are_refused(make_zip: Make) -> None:
    laughs = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    xml = f'<!DOCTYPE d [<!ENTITY a0 "ha">{laughs}]><d><p>&a11;</p></d>'
    members = {"[Content_Types].xml": "<Types/>", "word/document.xml": xml}
    with pytest.raises(
        CorpusError, match=r"^a\.docx, word/document\.xml.* which Byline does not expand"
    ):
        extract_text(make_zip(members), "a.docx")
    members["word/document.xml"] = "<d>" + " " * 40_000_000 + "</d>"
    with pytest.raises(CorpusError, match=r"more than 200 times its compressed size"):
        extract_text(make_zip(members), "a.docx")


def test_another_file_is_never_read(make_zip: Make, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    xml = f'<!DOCTYPE d [<!ENTITY a SYSTEM "{secret.as_uri()}">]><d><p><r><t>x&a;</t></r></p></d>'
    data = make_zip({"[Content_Types].xml": "<Types/>", "word/document.xml": xml})
    with pytest.raises(CorpusError, match=r"uses the entity a, .* stands for another file"):
        extract_text(data, "a.docx")


def test_an_unsupported_compression_is_an_error(make_zip: Make) -> None:
    members = {"[Content_Types].xml": "<Types/>", "word/document.xml": "<d/>"}
    data = make_zip(members, compression=zipfile.ZIP_LZMA)
    with pytest.raises(
        CorpusError,
        match=r"^a\.docx compresses .* by a method that Byline does not read",
    ):
        extract_text(data, "a.docx")


def test_nested_parts_are_read_to_a_limited_depth(make_word: Make) -> None:
    depth = 60
    nested = "<w:sdt><w:sdtContent>" * depth + p(run("Deep.")) + "</w:sdtContent></w:sdt>" * depth
    assert extract_text(make_word(nested), "a.docx").text == "Deep."
    too_deep = "<w:sdt>" * 300 + "</w:sdt>" * 300
    with pytest.raises(CorpusError, match="nested more than"):
        extract_text(make_word(too_deep), "a.docx")
