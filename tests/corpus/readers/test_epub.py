from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text
from byline.errors import CorpusError

pytest.importorskip("lxml")
Make = Callable[..., bytes]


def page(content: str, about: str = "") -> str:
    return f"<body{about}>{content}</body>"


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {item.kind: item.n for item in extracted.excluded}


def test_chapters_come_in_the_order_of_the_spine(make_epub: Make) -> None:
    pages = {"z.xhtml": page("<h1>One</h1><p>It rose.</p>"), "a.xhtml": page("<p>It fell.</p>")}
    found = extract_text(make_epub(pages), "a.epub")
    assert found.text == "One\n\nIt rose.\n\nIt fell."
    assert (found.author, found.title) == ("Ann Brook", "The River")
    assert (found.excluded, found.warnings) == ((), ())


def test_navigation_covers_and_colophons_are_excluded(make_epub: Make) -> None:
    pages = {
        "cover.xhtml": page("<p>The River</p>"),
        "p1.xhtml": page("<p>Ann Brook</p>", ' epub:type="titlepage"'),
        "p2.xhtml": page('<section epub:type="imprint"><p>Printed here.</p></section>'),
        "p3.xhtml": page("<p>Contents</p>"),
        "p4.xhtml": page('<p>It rose.</p><nav epub:type="page-list"><p>1 2 3</p></nav>'),
        "02_colophon.xhtml": page("<p>Set in Garamond.</p>"),
    }
    guide = '<reference type="toc" href="p3.xhtml"/>'
    found = extract_text(make_epub(pages, guide=guide), "a.epub")
    assert found.text == "It rose."
    assert excluded(found) == {
        "covers and title pages": 2,
        "colophons and copyright pages": 2,
        "navigation": 2,
    }
    assert found.excluded[0].example == "The River"


def test_pages_outside_the_reading_order_are_counted(make_epub: Make) -> None:
    pages = {"a.xhtml": page("<p>It rose.</p>"), "b.xhtml": page("<p>Answers.</p>")}
    found = extract_text(make_epub(pages, linear=["b.xhtml"]), "a.epub")
    assert found.text == "It rose."
    assert excluded(found) == {"pages outside the reading order": 1}


@pytest.mark.parametrize(
    "notes",
    [
        '<aside epub:type="footnote"><p>Seven boats.</p></aside>'
        '<aside role="doc-footnote"><p>Two leaked.</p></aside>',
        '<section epub:type="footnotes"><hr/><ol><li><p>Seven boats. <a role="doc-backlink">^</a>'
        "</p></li><li><p>Two leaked.</p></li></ol></section>",
        '<div class="footnote"><p>Seven boats.</p></div><p class="footnote">Two leaked.</p>',
    ],
    ids=["asides", "list", "classes"],
)
def test_footnotes_are_excluded_unless_they_are_kept(make_epub: Make, notes: str) -> None:
    text = '<p>The boats.<a epub:type="noteref" href="#n">1</a></p>'
    data = make_epub({"a.xhtml": page(text + notes)})
    found = extract_text(data, "a.epub")
    assert found.text == "The boats."
    assert excluded(found) == {"footnotes": 2}
    assert found.excluded[0].example.startswith("Seven boats.")
    kept = extract_text(data, "a.epub", ReadingOptions(keep=["notes"]))
    assert kept.text == "The boats.\n\nSeven boats.\n\nTwo leaked."


def test_lines_tables_and_page_numbers(make_epub: Make) -> None:
    text = (
        '<p>It rose<span epub:type="pagebreak">12</span> at <em>night</em>\n and fell.<br/>So.</p>'
        "<table><tr><td>Two</td><td>carts.</td></tr></table><p hidden=''>No.</p><p>ex&#173;tra</p>"
        '<div class="pg-boilerplate">Licence</div><p><ruby>東<rt>とう</rt></ruby></p>'
    )
    found = extract_text(make_epub({"a.xhtml": page(text)}), "a.epub")
    assert " ".join(found.text.split()) == "It rose at night and fell. So. Two carts. extra 東"
    assert excluded(found) == {"page numbers": 1, "hidden text": 1, "licences": 1}


def test_names_with_escapes_are_resolved(make_epub: Make) -> None:
    data = make_epub({"my%20page.xhtml": page("<p>It rose.</p>")})
    assert extract_text(data, "a.epub").text == "It rose."


@pytest.mark.parametrize("name", ["libreoffice.epub", "pandoc.epub"])
def test_e_books_of_common_programs(files: Path, name: str) -> None:
    found = extract_text(files / name)
    paragraphs = found.text.split("\n\n")
    assert paragraphs[0] == "The flood"
    assert paragraphs[1].startswith("The river rose in the night")
    assert "the misunderstanding about the harbour had been" in found.text
    assert "seven boats" not in found.text
    assert (
        "There were seven boats"
        in extract_text(files / name, options=ReadingOptions(keep=["notes"])).text
    )
    assert found.title == "The River"


def encryption(path: str) -> dict[str, str]:
    data = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData>'
        f'<CipherData><CipherReference URI="{path}"/></CipherData></EncryptedData></encryption>'
    )
    return {"META-INF/encryption.xml": data}


def test_a_protected_book_is_an_error_but_protected_fonts_are_not(make_epub: Make) -> None:
    pages = {"a.xhtml": page("<p>It rose.</p>")}
    with pytest.raises(CorpusError, match=r"^a\.epub is protected against copying \(DRM\)"):
        extract_text(make_epub(pages, members=encryption("OPS/a.xhtml")), "a.epub")
    data = make_epub(pages, members=encryption("OPS/letters.otf"))
    assert extract_text(data, "a.epub").text == "It rose."


def test_a_book_of_pictures_gives_a_warning(make_epub: Make) -> None:
    found = extract_text(make_epub({"a.xhtml": page("<p><img src='1.png'/></p>")}), "a.epub")
    assert found.text == ""
    assert found.warnings == (
        "a.epub: 1 page contains no text; if they are pictures, run OCR on them first",
    )


@pytest.mark.parametrize("cut", [3, 50, 2000, -40])
def test_an_incomplete_book_is_an_error(files: Path, cut: int) -> None:
    data = (files / "pandoc.epub").read_bytes()[:cut]
    with pytest.raises(
        CorpusError, match=r"^a\.epub (is damaged or incomplete|is not a ZIP archive)"
    ):
        extract_text(data, "a.epub")


def test_a_book_without_a_required_part_is_an_error(make_epub: Make, make_zip: Make) -> None:
    no_package = {"META-INF/container.xml": "<container/>"}
    with pytest.raises(
        CorpusError, match=r"^a\.epub cannot be read as an EPUB e-book: .* no package"
    ):
        extract_text(make_zip(no_package), "a.epub")
    data = make_epub({"a.xhtml": page("")}, members={"OPS/a.xhtml": "<p>&"})
    assert extract_text(data, "a.epub").text == "&"
    other = make_zip({"META-INF/container.xml": '<c><rootfile full-path="x.opf"/></c>'})
    with pytest.raises(CorpusError, match=r"^a\.epub lacks x\.opf\. The file is damaged"):
        extract_text(other, "a.epub")


def test_pages_without_headings_have_those_of_the_table_of_contents(make_epub: Make) -> None:
    pages = {
        "a.xhtml": page("<h2>Dawn</h2><p>It rose.</p>"),
        "b.xhtml": page("<p>It fell.</p>"),
    }
    point = "<navPoint><navLabel><text>{}</text></navLabel><content src='{}'/></navPoint>"
    points = point.format("First", "a.xhtml") + point.format("Night", "b.xhtml#x")
    toc = f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
    data = make_epub(pages, members={"OPS/toc.ncx": toc}, contents="toc.ncx")
    found = extract_text(data, "a.epub")
    assert [(each.line, each.title) for each in found.headings] == [
        ("Dawn", "Dawn"),
        ("It fell.", "Night"),
    ]
