from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import ExtractedText, Keep, ReadingOptions, extract_text, read_corpus
from byline.corpus.readers.tei import extract_tei
from byline.errors import BylineWarning, CorpusError

FILES = Path(__file__).parents[1] / "files" / "markup"
NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
STATEMENT = "<title>The River</title><author>Ada Alder</author>"


def _tei(text: str, statement: str = STATEMENT, namespace: str = NAMESPACE) -> bytes:
    header = f"<fileDesc><titleStmt>{statement}</titleStmt></fileDesc>"
    return f"<TEI{namespace}><teiHeader>{header}</teiHeader><text>{text}</text></TEI>".encode()


def _read(body: str, *keep: Keep) -> ExtractedText:
    return extract_tei(_tei(f"<body>{body}</body>"), "a.xml", frozenset(keep))


def _text(body: str, *keep: Keep) -> str:
    return _read(body, *keep).text


def _excluded(extracted: ExtractedText) -> dict[str, int]:
    return {each.kind: each.n for each in extracted.excluded}


def test_the_body_is_the_text_and_the_rest_is_excluded() -> None:
    found = extract_tei(
        _tei(
            "<front><titlePage><docTitle><titlePart>The River</titlePart></docTitle></titlePage>"
            "<div><p>To my friends.</p></div></front>"
            "<body><div><head>One</head><p>The river <hi>rose</hi>.</p><p>It fell.</p></div></body>"
            "<back><p>Printed here.</p></back>"
        ),
        "a.xml",
    )
    assert found.text == "One\n\nThe river rose.\n\nIt fell."
    assert (found.author, found.title, found.warnings) == ("Ada Alder", "The River", ())
    assert _excluded(found) == {"TEI headers": 1, "front matter": 1, "back matter": 1}
    assert found.excluded[1].example == "The River To my friends."


@pytest.mark.parametrize("namespace", ["", NAMESPACE])
def test_p5_has_a_namespace_or_none(namespace: str) -> None:
    body = "<body><p>The river rose.</p></body>"
    assert extract_tei(_tei(body, namespace=namespace), "a.xml").text == "The river rose."


def test_p4_with_dtd_entities_and_readings_in_attributes() -> None:
    data = b"""<?xml version="1.0"?><!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD Main DTD Driver File//EN"
    "http://example.org/tei2.dtd" [<!ENTITY % TEI.prose "INCLUDE"> <!ENTITY % Prose SYSTEM
    "http://example.org/prose.dtd"> %Prose;]><TEI.2><teiHeader><fileDesc><titleStmt><title>R</title>
    <author>Alder, Ada</author></titleStmt></fileDesc></teiHeader><text><body><div1><p>The <sic
    corr="river">rivver</sic> rose &mdash; <orig reg="public">publick</orig> caf&eacute;s, <abbr
    expan="Doctor">Dr</abbr> <corr sic="Brok">Brook</corr>.</p></div1></body></text></TEI.2>"""
    found = extract_tei(data, "a.xml")
    assert found.text == "The river rose — public cafés, Doctor Brook."
    assert found.author == "Alder, Ada"
    assert _excluded(found)["other readings of an editor's choice"] == 3


@pytest.mark.parametrize(
    ("marked", "read"),
    [
        ("<choice><sic>rivver</sic><corr>river</corr></choice>", "river"),
        ("<choice>\n<orig>publick</orig>\n<reg>public</reg>\n</choice>ly", "publicly"),
        ("<choice><abbr>y<am>e</am></abbr><expan>th<ex>e</ex></expan></choice>", "the"),
        ("<choice><unclear>red</unclear><unclear>rod</unclear></choice>", "red"),
        ("<choice><orig><choice><sic>a</sic></choice></orig><reg>c</reg></choice>", "c"),
        ("<app><lem>river</lem><rdg wit='#b'>brook</rdg></app>", "river"),
        ("<app><rdg wit='#a'>river</rdg><rdg wit='#b'>brook</rdg></app>", "river"),
        ("<app><rdgGrp><rdg>river</rdg><rdg>brook</rdg></rdgGrp></app>", "river"),
        ("<app><note>unsure</note><lem>river</lem></app>", "river"),
        ("<subst><del>brook</del><add>river</add></subst>", "river"),
        ("<del>brook</del> <add place='above'>river</add> <surplus>river</surplus>", "river"),
        ("<supplied>ri</supplied>v<unclear>er</unclear>", "river"),
        ("<sic>rivver</sic>", "rivver"),
    ],
)  # fmt: skip
def test_the_reading_that_the_editor_prefers_is_taken(marked: str, read: str) -> None:
    assert _text(f"<p>The {marked} rose.</p>") == f"The {read} rose.".replace("  ", " ")


DRAMA = """<div type="act"><head>ACT I</head><castList><castItem>ANN</castItem></castList>
<stage>Enter Ann.</stage><sp who="#ann"><speaker>ANN</speaker><stage>(aside)</stage>
<l>The river rose, and no one heard it</l><stage>louder</stage><l part="I">but I.</l></sp>
<sp><speaker>BEN</speaker><p>It fell <stage>(he laughs)</stage> again.</p></sp>
<stage>Exeunt.</stage></div>"""


def test_plays_are_read_without_speakers_and_stage_directions() -> None:
    found = _read(DRAMA)
    assert found.text == "ACT I\n\nThe river rose, and no one heard it but I.\n\nIt fell again."
    assert _excluded(found) == {
        "TEI headers": 1, "cast lists": 1, "stage directions": 5, "speakers' names": 2,
    }  # fmt: skip


def test_stage_directions_can_be_kept_but_speakers_cannot() -> None:
    found = _read(DRAMA, Keep.STAGE)
    assert found.text.split("\n\n") == [
        "ACT I", "Enter Ann.", "(aside)", "The river rose, and no one heard it louder but I.",
        "It fell (he laughs) again.", "Exeunt.",
    ]  # fmt: skip
    assert "speakers' names" in _excluded(found)


NOTES = (
    '<p>The river<note place="foot">A stream.</note> rose.<ref target="#n1">2</ref></p>'
    '<p>It fell.<note type="editorial">Or: sank.</note></p><note xml:id="n1">Or a brook.</note>'
)


def test_notes_are_excluded_or_follow_their_paragraph() -> None:
    found = _read(NOTES)
    assert found.text == "The river rose.\n\nIt fell."
    assert _excluded(found) == {"TEI headers": 1, "notes": 2, "editors' notes": 1}
    assert _text(NOTES, Keep.NOTES) == "The river rose.\n\nA stream.\n\nIt fell.\n\nOr a brook."


def test_each_stanza_is_a_paragraph() -> None:
    body = "<lg><l>The river rose</l><l>and fell,</l></lg><lg><l>and rose.</l></lg>"
    assert _text(body).replace("\n\n", " ") == "The river rose and fell, and rose."
    assert _text("<lg><l>It rose.</l><l>It fell.</l></lg><lg><l>So.</l></lg>") == (
        "It rose. It fell.\n\nSo."
    )


def test_printed_line_and_page_breaks_are_joined() -> None:
    # in the manner of the Deutsches Textarchiv, of EEBO-TCP, and of TEI's own attribute
    body = (
        '<p>Die Fluth ſtieg in der Nacht, und Nie-<lb/><fw place="bottom">mand</fw><pb n="7"/>'
        "<lb/>mand hörte ſie.<lb/>Sie ſank am Mor¬<lb/>gen.</p>"
        '<p>It con<g ref="char:EOLhyphen"/>tinued in com∣mon<g ref="char:punc">▪</g><gap>'
        '<desc>〈…〉</desc></gap>.</p><p>The ri<lb break="no"/>ver, the stone-<lb/>Bridge.</p>'
    )
    found = _read(body)
    assert found.text.split("\n\n") == [
        "Die Fluth ſtieg in der Nacht, und Niemand hörte ſie. Sie ſank am Morgen.",
        "It continued in common.",
        "The river, the stone-Bridge.",
    ]
    assert _excluded(found) == {
        "TEI headers": 1, "running heads and page numbers": 1, "gaps in the source": 2,
        "hyphens at line ends": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "read"),
    [
        # as in the Folger's plays: each space is an element, and line ends mean nothing
        ("<w>Who’s</w>\n<c> </c>\n<w>there</w>\n<pc>?</pc>", "Who’s there?"),
        # no spaces, some spaces, and an attribute at each punctuation mark
        ("<w>the</w><w>river</w><pc>.</pc>", "the river."),
        ("<w>l'</w><w>homme</w> <w>qui</w> <w>vit</w> <w>bien</w>", "l'homme qui vit bien"),
        ("<w>the </w><w>river</w><pc>.</pc>", "the river."),
        ('<w>the</w> <w>river</w> <pc join="left">.</pc>', "the river."),
        ('<w>the</w> <pc join="right">(</pc> <w>river</w> <pc join="left">)</pc>', "the (river)"),
        ('<w>the</w> <w part="I">ri</w><w part="F">ver</w>', "the river"),
    ],
)
def test_editions_that_mark_every_word(marked: str, read: str) -> None:
    assert _text(f"<ab>{marked}</ab>") == read


def test_lists_tables_and_letters_are_kept_and_other_matter_is_excluded() -> None:
    found = _read(
        '<div type="contents"><list><item>One 7</item></list></div><epigraph><quote>Q</quote>'
        "</epigraph><p>See <ref target='http://example.org/'>the page</ref>:</p><list><item>one"
        "</item><item>two</item></list><table><row><cell>a</cell><cell>b</cell></row></table>"
        "<opener><salute>Dear Ben,</salute></opener><p>So <formula>x</formula>"
        "<m:math xmlns:m='http://www.w3.org/1998/Math/MathML'>y</m:math>.</p><figure><head>A mill"
        "</head><figDesc>m</figDesc></figure><cit><quote>It rose.</quote><bibl>Alder</bibl></cit>"
        "<byline>By Ada Alder</byline>"
    )
    assert found.text.split("\n\n") == [
        "See the page:", "one two a b", "Dear Ben,", "So .", "It rose.",
    ]  # fmt: skip
    assert set(_excluded(found)) == {
        "TEI headers", "tables of contents, lists of errata and advertisements", "epigraphs",
        "formulas", "passages in other markup", "figures", "references", "title pages",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Ada Alder", "Ada Alder"),
        ("Alder, Ada (1775-1817)", "Alder, Ada"),
        ("Alder, Ada, 1564-1616.", "Alder, Ada"),
        ("Alder, Ada, fl. 1589", "Alder, Ada"),
        ("Alder, Ada, ca. 750 - ca. 650", "Alder, Ada"),
        ("Agent 47", "Agent 47"),
        ("<persName><surname>Alder</surname><forename>Ada</forename></persName>", "Ada Alder"),
        (
            "<persName><forename>Ada</forename><nameLink>von</nameLink><surname>Alder</surname>"
            "</persName><persName type='pen'>A. A.</persName><idno type='wikidata'>Q1</idno>",
            "Ada von Alder",
        ),
        ("<name>Ada\n  Alder</name><date>1775</date>", "Ada Alder"),
    ],
)
def test_the_author_is_read_in_all_forms_of_headers(author: str, name: str) -> None:
    statement = f"<title>R</title><author>{author}</author>"
    assert extract_tei(_tei("<body><p>It rose.</p></body>", statement), "a.xml").author == name


def test_titles_and_authors_of_several_kinds() -> None:
    statement = (
        '<title type="sub">A tale</title><title type="main">The  River</title>'
        "<author>Ada Alder</author><author>Ben Brook</author><author>Ada Alder</author>"
    )
    found = extract_tei(_tei("<body/>", statement), "a.xml")
    assert (found.title, found.author, found.text) == ("The River", "Ada Alder and Ben Brook", "")
    assert extract_tei(_tei("<body/>", "<title/><author/>"), "a.xml").author is None


def test_a_text_without_author_has_the_author_of_its_source() -> None:
    header = (
        "<fileDesc><titleStmt><title>R</title></titleStmt><sourceDesc><bibl><author>Ada Alder"
        "</author><author>Printer</author></bibl></sourceDesc></fileDesc>"
    )
    data = f"<TEI{NAMESPACE}><teiHeader>{header}</teiHeader><text><body/></text></TEI>".encode()
    assert extract_tei(data, "a.xml").author == "Ada Alder"


def _corpus(*authors: str) -> bytes:
    texts = b"".join(
        _tei(f"<body><p>Text {number}.</p></body>", f"<title>T</title><author>{author}</author>")
        for number, author in enumerate(authors)
    )
    return f"<teiCorpus{NAMESPACE}><teiHeader/>".encode() + texts + b"</teiCorpus>"


def test_a_tei_corpus_is_one_text_with_a_warning() -> None:
    found = extract_tei(_corpus("Ada Alder", "Ben Brook"), "a.xml")
    assert found.text == "Text 0.\n\nText 1."
    assert (found.author, found.title) == (None, None)
    assert found.warnings == ("2 texts by Ada Alder and Ben Brook are read as one text",)
    assert extract_tei(_corpus("Ada Alder", "Ada Alder"), "a.xml").author == "Ada Alder"


def test_tei_within_other_xml_is_read() -> None:
    assert (
        extract_tei(b"<reply><ok/>" + _tei("<body><p>It.</p></body>") + b"</reply>", "a").text
        == "It."
    )


def test_parts_in_other_files_give_a_warning() -> None:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="b.xml"/>'
    assert _read(f"<p>It rose.</p>{include}").warnings == (
        "1 part is in other files (xi:include) and not read",
    )


def test_entities_of_other_files_give_a_warning() -> None:
    data = b'<!DOCTYPE TEI SYSTEM "x.dtd">' + _tei("<body><p>It &rose;, &nbsp;&rose;.</p></body>")
    assert extract_tei(data, "a.xml").warnings == (
        "1 entity is declared in other files and therefore removed (rose)",
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<book><p>a</p></book>", r"XML but not TEI: its outermost element is <book>, not <TEI>"),
        (b"<TEI><teiHeader/></TEI>", r"TEI without the element <text>, so that"),
        (b"<TEI><text><body><p>a</p>", r"not well-formed"),
        (_tei("<body/>")[:-20], r"not well-formed"),
    ],
)
def test_content_that_is_not_tei_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(CorpusError, match=rf"^a\.xml(, line 1, column \d+: the XML)? is {message}"):
        extract_tei(data, "a.xml")


def test_an_html_page_with_the_suffix_xml_is_read_as_html() -> None:
    page = (
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>It.</body></html>'
    )
    assert extract_tei(page, "a.xml").text == "It."


def test_a_file_written_by_pandoc() -> None:
    found = extract_text(FILES / "pandoc.xml")
    assert (found.author, found.title) == ("Ada Alder", "The River")
    paragraphs = found.text.split("\n\n")
    assert paragraphs[:2] == [
        "The night",
        "The river rose in the night. Nobody heard it, and the dog slept by the stove; it will "
        "fall, she said, as it always falls.",
    ]
    assert (
        paragraphs[-2] == "It came by night, it came by day, it took the bridge and went its way."
    )
    assert [(each.kind, each.n) for each in found.excluded] == [("TEI headers", 1), ("notes", 1)]
    options = ReadingOptions(keep=[Keep.NOTES])
    kept = extract_text(FILES / "pandoc.xml", options=options).text.split("\n\n")
    assert kept[2] == "In the spring of that year, as the parish book has it."


def test_loose_editions_have_the_authors_of_their_headers(tmp_path: Path) -> None:
    for name, author in (("r1", "Ada Alder"), ("r2", "Ada Alder"), ("s1", "Ben Brook")):
        statement = f"<title>On {name}</title><author>{author}</author>"
        body = f"<body><p>{f'The river {name} rose and fell again. ' * 200}</p></body>"
        (tmp_path / f"{name}.xml").write_bytes(_tei(body, statement))
    with pytest.warns(BylineWarning):
        corpus = read_corpus(tmp_path)
    assert corpus.authors == ["Ada Alder", "Ada Alder", "Ben Brook"]
    assert corpus[0].metadata["title"] == "On r1"


_LEAVES = st.sampled_from(
    ["It rose. ", "", "<lb/>", "<pb/>", "ri-<lb/>ver ", "<note>n</note>", "<speaker>S</speaker>",
     "<choice><sic>a</sic><corr>b</corr></choice>", "<w>a</w><w>b</w>", "<stage>x</stage>"]
)  # fmt: skip
_BODIES = st.recursive(
    _LEAVES,
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>",
        st.sampled_from(["p", "div", "sp", "l", "lg", "note", "quote", "hi", "choice", "app", "w"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


@given(_BODIES, st.sets(st.sampled_from(Keep)))
@settings(deadline=None, max_examples=60)
def test_any_body_is_read_and_keeping_removes_nothing(body: str, keep: set[Keep]) -> None:
    plain, kept = _read(body), _read(body, *keep)
    assert "SS" not in plain.text.replace(" ", "")
    assert not {"\x02", "\x03", "\x04"} & set(plain.text + kept.text)
    # What is kept within a paragraph may take the place of the blank line between two.
    assert len("".join(kept.text.split())) >= len("".join(plain.text.split()))
    assert all(each.n > 0 for each in plain.excluded)
