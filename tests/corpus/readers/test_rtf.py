from __future__ import annotations

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text
from byline.errors import CorpusError


def rtf(body: str, head: str = r"\ansi\ansicpg1252") -> bytes:
    return f"{{\\rtf1{head} {body}}}".encode("latin-1")


def text_of(body: str, head: str = r"\ansi\ansicpg1252") -> str:
    return extract_text(rtf(body, head), "a.rtf").text


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {part.kind: part.n for part in extracted.excluded}


def test_paragraphs_tables_and_links_are_text() -> None:
    link = r'{\field{\*\fldinst HYPERLINK "http://a"}{\fldrslt at night}}'
    body = (
        r"{\b The flood}\par\pard It {\i rose} " + link + r".\line Twice."
        r"\par\trowd Two carts.\cell A gate.\cell\row"
    )
    found = extract_text(rtf(body), "a.rtf")
    assert found.text.replace("\n", "|") == (
        "The flood||It rose at night.||Twice.||Two carts.||A gate."
    )
    assert excluded(found) == {"field codes": 1}


def test_the_properties_are_read_and_are_not_text() -> None:
    about = r"{\info{\title The River}{\author Ann Brook}{\doccomm Draft}}"
    found = extract_text(rtf(about + r"{\fonttbl{\f0 Times;}}{\colortbl;\red1;}It rose."), "a.rtf")
    assert (found.text, found.author, found.title) == ("It rose.", "Ann Brook", "The River")


def test_notes_are_excluded_and_counted_unless_they_are_kept() -> None:
    body = (
        r"The boats{\super\chftn{\*\footnote\chftn  Seven boats.}} left.\par Then"
        r"{\super\chftn{\footnote\ftnalt\chftn An old harbour.}} it rained.\par"
    )
    found = extract_text(rtf(body), "a.rtf")
    assert found.text == "The boats left.\n\nThen it rained."
    assert excluded(found) == {"footnotes": 1, "endnotes": 1}
    assert found.excluded[0].example == "Seven boats."
    kept = extract_text(rtf(body), "a.rtf", ReadingOptions(keep=["notes"]))
    assert kept.text == "The boats left.\n\nSeven boats.\n\nThen it rained.\n\nAn old harbour."
    assert kept.excluded == ()


def test_what_is_not_running_text_is_counted() -> None:
    body = (
        r"{\header The River\par}{\header The River\par}{\footer Draft\par}"
        r"{\field{\*\fldinst TOC \\o}{\fldrslt The flood 1\par The wall 3}}\par "
        r"It{\deleted  never}{\v  secretly} rose{\*\annotation Really?}.{\*\unknown x}"
        r"{\pict 0102}{\listtext 1.\tab}\par"
    )
    found = extract_text(rtf(body), "a.rtf")
    assert found.text == "It rose."
    assert excluded(found) == {
        "page headers": 1,
        "page footers": 1,
        "tables of contents": 1,
        "deleted text": 1,
        "hidden text": 1,
        "comments": 1,
    }


def test_a_paragraph_whose_end_is_deleted_continues_in_the_next() -> None:
    assert text_of(r"It rose {\deleted\par}and fell.\par") == "It rose and fell."


def test_text_boxes_are_read_once() -> None:
    box = r"{\shp{\*\shpinst{\shptxt In a box.\par}}{\shprslt{\pict 00}In a box.\par}}"
    assert text_of(rf"Around{box} it.\par") == "Around it.\n\nIn a box."


@pytest.mark.parametrize(
    ("body", "head", "expected"),
    [
        (r"\u8220 ?Oh,\u8221\'94 she said", r"\ansi", "“Oh,” she said"),
        (r"\uc2\u233 \'3f\'3fa", r"\ansi", "éa"),
        (r"\u-10179?\u-8704?", r"\ansi", "\U0001f600"),
        (r"caf\'e9 \emdash  na\'efve\~it", r"\ansi\ansicpg1252", "café — naïve\xa0it"),
        (r"\'e6\'e8", r"\ansi\ansicpg1251", "жи"),
        (r"{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset238 B;}}\f0\'e8{\f1\'e8}\'e8", "", "èčè"),
        (r"\'93\'fa\'96\'7b", r"\ansi\ansicpg932", "日本"),
        (r"\'8e", r"\mac", "é"),
        (r"\{a\}\\ well\_known ex\-tra\bullet", r"\ansi", "{a}\\ well-known extra•"),
    ],
)  # fmt: skip
def test_characters_are_decoded(body: str, head: str, expected: str) -> None:
    assert text_of(body, head) == expected


def test_bullets_and_binary_pictures_are_skipped() -> None:
    picture = r"{\pict\bin4 {{}}" + "}"
    assert text_of(rf"\bullet  One.\par{picture}Two.\par") == "One.\n\nTwo."


def test_an_incomplete_document_is_read_with_a_warning() -> None:
    found = extract_text(rb"{\rtf1 {\b It rose.", "a.rtf")
    assert (found.text, found.warnings) == (
        "It rose.", ("a.rtf: the end of the file is missing",),
    )  # fmt: skip


def test_other_content_and_deep_nesting_are_errors() -> None:
    with pytest.raises(CorpusError, match=r"^a\.rtf is not an RTF document: it does not begin"):
        extract_text(b"It rose.", "a.rtf")
    with pytest.raises(CorpusError, match=r"^a\.rtf has groups that are nested more than 10,000"):
        extract_text(rtf("{" * 20_000 + "}" * 20_000), "a.rtf")
