from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.readers import markup
from byline.corpus.readers.html.paragraphs import read_chapter
from byline.corpus.readers.markup import parse_html, parse_xml
from byline.corpus.readers.running_text import ParagraphBuilder, Role
from byline.errors import CorpusError, MissingExtraError

# TEI P4 as in Perseus: the DTD, and another one that it includes, are other files.
PERSEUS = b"""<!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD" "http://example.org/tei2.dtd" [
<!ENTITY % TEI.XML "INCLUDE"> <!ENTITY % Prose SYSTEM "http://example.org/prose.dtd"> %Prose;
<!ENTITY own "river &#x2014;">
]><TEI.2>the &own; caf&eacute; &mdash; R&amp;B</TEI.2>"""


def _text(data: bytes) -> str:
    return "".join(parse_xml(data, "a.xml").root.itertext())


def test_named_entities_are_resolved_and_no_other_file_is_read() -> None:
    assert _text(PERSEUS) == "the river — café — R&B"
    assert _text(b"<a>caf&eacute;&nbsp;</a>") == "café\xa0"


def test_undeclared_entities_are_errors_and_external_ones_are_removed() -> None:
    with pytest.raises(
        CorpusError, match=r"^a\.xml, line 1.* not well-formed .*reads no other file"
    ):
        _text(b"<a>&unknown;</a>")
    for outside in ('SYSTEM "b.dtd"', 'PUBLIC "-//B" "b.dtd"', "[<!ENTITY % b SYSTEM 'b'> %b;]"):
        parsed = parse_xml(f"<!DOCTYPE a {outside}><a>&b;c&d;&b;</a>".encode(), "a.xml")
        assert "".join(parsed.root.itertext()) == "c"
        assert parsed.missing_entities == ("b", "d")


def _laughs(n: int) -> bytes:
    names = "abcdefghij"
    declared = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise(names[:n]))
    return f'<!DOCTYPE x [<!ENTITY a "ha ha">{declared}]><x>&{names[n - 1]};</x>'.encode()


@pytest.mark.parametrize(
    "data",
    [
        _laughs(10),
        b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 60_000 + b'">]><x>' + b"&a;" * 30_000 + b"</x>",
        b'<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]><x>&a;</x>',
        b'<!DOCTYPE x [<!ENTITY a "<b>c</b>">]><x>&a;</x>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "/etc/hostname">]><x>&a;</x>',
        b'<!DOCTYPE x [<!ENTITY a PUBLIC "-//A" "http://example.org/">]><x b="&a;">c</x>',
        b'<!DOCTYPE x [<!ENTITY % d "b"> <!ENTITY a "%d;">]><x>&a;</x>',
    ],
)
def test_entities_that_are_more_than_characters_are_refused(data: bytes) -> None:
    with pytest.raises(
        CorpusError, match=r"^a\.xml uses the entity ., which Byline does not expand: it stands"
    ):
        _text(data)


def test_entities_that_expand_excessively_are_refused() -> None:
    data = b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 200 + b'">]><x>' + b"&a;" * 30_000 + b"</x>"
    with pytest.raises(CorpusError, match=r"^a\.xml has entities that expand to far more"):
        _text(data)


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ('<!ENTITY a "&#x2014;">', "—"),
        ('<!ENTITY a "&b; &b;"><!ENTITY b "ha">', "ha ha"),
        ("<!-- don't --> <!ENTITY a 'it\"s ]>'> <?pi ?>", 'it"s ]>'),
        ('<!ENTITY a "one"><!ENTITY a "two">', "one"),
        ('<!ENTITY a "&#38;#38;">', "&"),
        ('<!ENTITY a "&lt;">', "<"),
        ('<!ENTITY a "">', ""),
        ('<!ELEMENT x ANY><!ATTLIST x y CDATA #IMPLIED><!ENTITY a "b">', "b"),
    ],
)
def test_declared_characters_are_resolved(declared: str, text: str) -> None:
    data = f'<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "x.dtd" [\n{declared}\n]\n><x>&a;</x>'
    assert _text(data.encode()) == text
    with pytest.raises(CorpusError, match=r"line 5, "):  # lines stay what they were
        _text(data.encode().replace(b"</x>", b"<"))


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE x [<!ENTITY a "b>]><x>&a;</x>',
        b"<!DOCTYPE x [<!-- a ]><x>&a;</x>",
        b"<!DOCTYPE x [" + b"<!--" * 100_000,
        b"<!DOCTYPE x [" + b"<!ENTITY a '" * 100_000,
        b"<!--" * 100_000 + b"<!DOCTYPE x>",
    ],
)
def test_broken_document_types_are_refused(data: bytes) -> None:
    with pytest.raises(
        CorpusError, match=r"^a\.xml, line .* not well-formed|^a\.xml has an invalid document type"
    ):
        _text(data)


def test_no_file_named_by_a_document_type_is_read(tmp_path: Path) -> None:
    other = tmp_path / "other.dtd"
    other.write_text('<!ENTITY a "secret">')
    for named in (f'[<!ENTITY % b SYSTEM "{other.as_uri()}"> %b;]', f'SYSTEM "{other.as_uri()}"'):
        assert _text(f"<!DOCTYPE x {named}><x>b&a;</x>".encode()) == "b"


def test_depth_is_limited() -> None:
    assert _text(b"<x>" * 200 + b"deep" + b"</x>" * 200) == "deep"
    with pytest.raises(CorpusError, match=r"^a\.xml, line 1.*nested more than 250 levels"):
        _text(b"<x>" * 300 + b"</x>" * 300)
    assert parse_html(b"<font>" * 1900 + b"deep", "a.html").root is not None
    with pytest.raises(CorpusError, match=r"^a\.html has elements that are nested more than 2,000"):
        parse_html(b"<font>" * 3000 + b"deep", "a.html")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"<a>\n<p>x</q></a>", "line 2, column 9"),
        (b"<a>\n\n<p>x", "line 3, column 5"),
        (b"<a>x < y</a>", "line 1, column 7"),
        (b"<a>&#1;</a>", "line 1"),
    ],
)
def test_malformed_xml_is_an_error_with_the_place(data: bytes, where: str) -> None:
    with pytest.raises(
        CorpusError, match=f"^a.xml, {where}.*: the XML is not well-formed .*Correct it"
    ):
        _text(data)


def test_empty_files_are_errors() -> None:
    with pytest.raises(CorpusError, match=r"^a\.xml is empty"):
        parse_xml(b" \n", "a.xml")
    for data in (b"", b"  ", b"<!-- a -->"):
        with pytest.raises(CorpusError, match=r"^a\.html contains no HTML: it is empty"):
            parse_html(data, "a.html")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "koi8-r", "ascii"])
def test_the_declared_encoding_is_read(encoding: str) -> None:
    word = {"latin-1": "café", "koi8-r": "река", "ascii": "cafe"}.get(encoding, "café река")
    declared = encoding.removesuffix("-sig")
    data = f'<?xml version="1.0" encoding="{declared}"?><a>{word}</a>'.encode(encoding)
    parsed = parse_xml(data, "a.xml")
    assert ("".join(parsed.root.itertext()), parsed.guessed_encoding) == (word, None)
    page = f'<html><head><meta charset="{declared}"><body>{word}'.encode(encoding)
    assert "".join(parse_html(page, "a.html").root.itertext()) == word


def test_declared_latin_1_may_be_windows_1252() -> None:
    data = "<?xml version='1.0' encoding='iso-8859-1'?><a>“café”</a>".encode("cp1252")
    assert _text(data) == "“café”"


def test_a_wrong_encoding_declaration_is_corrected_with_a_guess() -> None:
    text = "Das Wasser stieg über die Brücke, und niemand hörte es; später wurde es kühl. " * 4
    data = f"<?xml version='1.0' encoding='utf-8'?><a>{text}</a>".encode("cp1252")
    parsed = parse_xml(data, "a.xml")
    assert "".join(parsed.root.itertext()) == text
    assert parsed.guessed_encoding
    unknown = f"<?xml version='1.0' encoding='no-such'?><a>{text}</a>".encode()
    assert _text(unknown) == text
    for codec in (
        "unicode_escape",
        "idna",
        "zlib",
        "rot13",
    ):  # codecs of Python that are not encodings of text
        assert _text(f"<?xml version='1.0' encoding='{codec}'?><a>{text}</a>".encode()) == text


def test_xhtml_is_parsed_as_xml_or_else_as_html() -> None:
    head = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
    for body in ("<p>a&nbsp;b</p>", "<p>a&nbsp;b</p><br>"):
        root = parse_html(f"{head}<body>{body}</body></html>".encode(), "a.xhtml").root
        assert root.tag == "html"
    page = f"{head}<body><p><![CDATA[a < b]]></p></body></html>"  # HTML has no such sections
    as_xml = parse_html(page.encode(), "a.xhtml").root
    assert [each.text for each in as_xml.iter("p")] == ["a < b"]


def test_sizes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "MAX_TAGS", 10)
    with pytest.raises(CorpusError, match=r"^a\.xml has more than 10 tags\. Divide it"):
        parse_xml(b"<a>" + b"<b/>" * 10 + b"</a>", "a.xml")
    monkeypatch.setattr(markup, "MAX_MARKUP_BYTES", 2**20)
    with pytest.raises(CorpusError, match=r"^a\.html is larger than 1\.0 MB"):
        parse_html(b" " * (2**20 + 1), "a.html")


def test_a_missing_library_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(MissingExtraError, match=r'a\.xml requires lxml\. .*"byline\[formats\]"'):
        parse_xml(b"<a/>", "a.xml")


@given(st.binary(max_size=200), st.sampled_from([b"", b"<?xml version='1.0'?><a>", b"<html>"]))
@settings(deadline=None, max_examples=60)
def test_any_bytes_parse_or_raise_a_corpus_error(data: bytes, head: bytes) -> None:
    for parse in (parse_xml, parse_html):
        try:
            parse(head + data, "a")
        except CorpusError as error:
            assert str(error).startswith("a")


# --- Running text


def _flow(*parts: str | Role) -> list[str]:
    flow = ParagraphBuilder()
    for part in parts:
        if isinstance(part, str):
            flow.add(part)
        elif part is Role.BLOCK:
            flow.end_paragraph()
        else:
            flow.add_break(part)
    flow.end_paragraph()
    return flow.paragraphs


def test_white_space_is_collapsed_and_blocks_are_paragraphs() -> None:
    assert _flow(" The\n  river ", "rose.", Role.BLOCK, "\n ", Role.BLOCK, "It\tfell. ") == [
        "The river rose.",
        "It fell.",
    ]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("the ri-", Role.BREAK, "ver"), "the river"),
        (("the ri-\n  ", Role.BREAK, "\n ver"), "the river"),
        (("the ri-", Role.BREAK, Role.BREAK, "ver"), "the river"),  # at the end of a page
        (("the ri", Role.BREAK_IN_WORD, "ver"), "the river"),
        (("the ri- ", Role.BREAK_IN_WORD, "ver"), "the river"),
        (("Mor¬", Role.BREAK, "gen"), "Morgen"),
        (("Rhein-", Role.BREAK, "Brücke"), "Rhein-Brücke"),
        (("the river", Role.BREAK, "rose"), "the river rose"),
        (("it was 9-", Role.BREAK, "ish"), "it was 9- ish"),
        (("com∣mon", ""), "common"),
        (("a|b ∣ c", ""), "a|b ∣ c"),
        (("ri\u00adver", ""), "river"),
        (("one line,", Role.VERSE, Role.VERSE, "two lines"), "one line, two lines"),
        (("河水", Role.BREAK, "涨了"), "河水涨了"),
        (("one", Role.LINE_BREAK, "two"), "one\ntwo"),
        (("\x01\x02\x03\x04a", ""), "a"),
    ],
)
def test_words_and_lines_are_joined(parts: tuple[str | Role, ...], expected: str) -> None:
    assert _flow(*parts) == [expected]


def test_removed_hyphens_are_counted() -> None:
    flow = ParagraphBuilder()
    for part in ("the ri-", "ver, and the com∣mon ri-", "se"):
        flow.add(part)
        flow.add_break(Role.BREAK)
    flow.end_paragraph()
    assert (flow.paragraphs, flow.n_hyphens) == (["the river, and the common rise"], 3)


def test_a_note_follows_the_paragraph_that_contains_it() -> None:
    flow = ParagraphBuilder()
    flow.add("The river")
    flow.begin_note()
    flow.add("A note.")
    flow.end_paragraph()
    flow.add("More of it.")
    flow.end_note()
    flow.add(" rose.")
    flow.end_paragraph()
    assert flow.paragraphs == ["The river rose.", "A note.", "More of it."]


def test_a_chapter_of_an_e_book() -> None:
    page = b"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"
    xmlns:epub="http://www.idpf.org/2007/ops"><body><h1>One</h1><p>The ri&#173;ver<span
    epub:type="pagebreak" title="7">7</span> rose.<a epub:type="noteref" href="#n1">1</a></p>
    <nav epub:type="toc"><ol><li><a href="c1.xhtml">One</a></li></ol></nav>
    <aside epub:type="footnote" id="n1"><p>A note.</p></aside><p>It fell.</p></body></html>"""
    counter = ExclusionCounter()
    assert read_chapter(parse_html(page, "c").root, (), counter) == [
        "One", "The river rose.", "It fell."
    ]  # fmt: skip
    assert {each.kind: each.n for each in counter.parts()} == {
        "page numbers": 1, "navigation": 1, "footnotes": 1
    }  # fmt: skip
