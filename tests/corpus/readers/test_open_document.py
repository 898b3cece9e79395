from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text
from byline.errors import CorpusError

pytest.importorskip("lxml")
Make = Callable[..., bytes]
NAMES = "office style text table draw"
NAMESPACES = (
    " ".join(
        f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"' for each in NAMES.split()
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:meta"'
)
ABOUT = (
    "<office:meta><dc:title>The River</dc:title><meta:initial-creator>Ann Brook"
    "</meta:initial-creator><dc:creator>Bob</dc:creator></office:meta>"
)
CHANGE = (
    "<office:change-info><dc:creator>Bob</dc:creator><dc:date>2026</dc:date></office:change-info>"
)


def flat(body: str, more: str = "") -> bytes:
    return (
        f"<office:document {NAMESPACES}>{ABOUT}{more}<office:body><office:text>{body}"
        "</office:text></office:body></office:document>"
    ).encode()


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {part.kind: part.n for part in extracted.excluded}


def test_paragraphs_lists_tables_and_links_are_text() -> None:
    cell = "<table:table-cell>{}</table:table-cell>"
    body = (
        "<text:h>The flood</text:h>"
        + p("It <text:span>rose</text:span><text:s/><text:a>at night</text:a>.")
        + f"<text:list><text:list-item>{p('First.')}</text:list-item></text:list>"
        + "<table:table><table:table-row>"
        + cell.format(p("Two carts."))
        + cell.format(p("A gate."))
        + "</table:table-row></table:table>"
        + p(
            "<draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame>Out."
        )
    )
    found = extract_text(flat(body), "a.fodt")
    assert found.text.split("\n\n") == [
        "The flood", "It rose at night.", "First.", "Two carts.", "A gate.", "Out.", "In a box.",
    ]  # fmt: skip
    assert (found.author, found.title) == ("Ann Brook", "The River")
    assert (found.excluded, found.warnings) == ((), ())


def test_notes_are_excluded_and_counted_unless_they_are_kept() -> None:
    note = (
        '<text:note text:note-class="{}note"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
    )
    body = p(f"The boats{note.format('foot', 'Seven boats.')}{note.format('end', 'Old.')} left.")
    found = extract_text(flat(body), "a.fodt")
    assert found.text == "The boats left."
    assert excluded(found) == {"footnotes": 1, "endnotes": 1}
    assert found.excluded[0].example == "Seven boats."
    kept = extract_text(flat(body), "a.fodt", ReadingOptions(keep=["notes"]))
    assert kept.text == "The boats left.\n\nSeven boats.\n\nOld."


@pytest.mark.parametrize("in_place", [True, False])
def test_deleted_text_is_excluded_wherever_it_is(in_place: bool) -> None:
    content = "" if in_place else p("never")
    region = (
        f'<text:tracked-changes><text:changed-region text:id="c"><text:deletion>{CHANGE}{content}'
        '</text:deletion></text:changed-region><text:changed-region text:id="i"><text:insertion>'
        f"{CHANGE}</text:insertion></text:changed-region></text:tracked-changes>"
    )
    added = '<text:change-start text:change-id="i"/> slowly<text:change-end text:change-id="i"/>'
    removed = (
        '<text:change-start text:change-id="c"/> <text:span>never</text:span>'
        '<text:change-end text:change-id="c"/>'
        if in_place
        else '<text:change text:change-id="c"/>'
    )
    found = extract_text(flat(region + p(f"It{removed} rose{added}.")), "a.fodt")
    assert found.text == "It rose slowly."
    assert excluded(found) == {"deleted text": 1}
    assert found.excluded[0].example == "never"


def test_what_is_not_running_text_is_counted() -> None:
    styles = (
        '<office:automatic-styles><style:style style:name="T1"><style:text-properties '
        'text:display="none"/></style:style></office:automatic-styles><office:master-styles>'
        "<style:master-page><style:header><text:p>The River</text:p></style:header>"
        "<style:header-left><text:p>The River</text:p></style:header-left>"
        "<style:footer><text:p>Draft</text:p></style:footer></style:master-page>"
        "</office:master-styles>"
    )
    body = (
        f"<text:table-of-content>{p('The flood 1')}</text:table-of-content>"
        + p(
            'It<text:span text:style-name="T1"> secretly</text:span> rose<office:annotation>'
            "<dc:creator>Bob</dc:creator><text:p>Really?</text:p></office:annotation>."
        )
        + f'<text:section text:display="none">{p("Gone.")}</text:section>'
    )
    found = extract_text(flat(body, styles), "a.fodt")
    assert found.text == "It rose."
    assert excluded(found) == {
        "tables of contents": 1, "hidden text": 2, "comments": 1, "page headers": 1,
        "page footers": 1,
    }  # fmt: skip
    assert [part.example for part in found.excluded][2] == "Really?"


def test_documents_of_common_programs(files: Path) -> None:
    found = extract_text(files / "pandoc.odt")
    assert found.text.startswith("The flood\n\nThe river rose in the night")
    assert excluded(found) == {"page footers": 1}


def test_a_packed_document_is_read(make_zip: Make) -> None:
    kind = {"mimetype": "application/vnd.oasis.opendocument.text"}
    data = make_zip({**kind, "content.xml": flat(p("It rose."))})
    assert extract_text(data, "a.odt").text == "It rose."
    assert extract_text(data, "standard input").text == "It rose."
    locked = make_zip({**kind, "content.xml": b"\0", "META-INF/manifest.xml": "<encryption-data/>"})
    with pytest.raises(CorpusError, match=r"^a\.odt is encrypted\. Open it with its password"):
        extract_text(locked, "a.odt")
    with pytest.raises(CorpusError, match=r"^a\.odt lacks content\.xml"):
        extract_text(make_zip(kind), "a.odt")
    with pytest.raises(CorpusError, match=r"^a\.odt has the content of a ZIP|^a\.odt is a ZIP"):
        extract_text(make_zip({"a.txt": "x"}), "a.odt")


def test_other_content_is_an_error() -> None:
    with pytest.raises(CorpusError, match=r"^a\.fodt is not an OpenDocument text: it has no"):
        extract_text(b"<a><b>It rose.</b></a>", "a.fodt")
