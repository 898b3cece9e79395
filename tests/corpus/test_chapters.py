from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Chapter, Heading, extract_text, find_chapters
from byline.corpus.chapter_numbers import read_heading
from byline.corpus.questioned import read_questioned

PROSE = "The river rose in the night, and nobody in the town heard it come. " * 30  # 420 words
# The numbers of chapters of the printed novels, without prefaces. Two novels are left out. The
# headings of Sterne's journey have no numbers. Pamela has no table that lists its letters.
PRINTED = {
    "ABronte/Agnes": 25,
    "ABronte/Tenant": 53,
    "Austen/Emma": 55,
    "Austen/Pride": 61,
    "Austen/Sense": 50,
    "CBronte/Jane": 38,
    "CBronte/Professor": 25,
    "CBronte/Villette": 42,
    "Dickens/Bleak": 67,
    "Dickens/David": 64,
    "Dickens/Hard": 37,
    "EBronte/Wuthering": 34,
    "Eliot/Adam": 55,
    "Eliot/Mill": 58,
    "Fielding/Joseph": 64,
    "Fielding/Tom": 208,
    "Thackeray/Barry": 19,
    "Thackeray/Vanity": 67,
    "Trollope/Barchester": 53,
    "Trollope/Phineas": 76,
    "Trollope/Prime": 80,
}


def book(headings: list[str], prose: str = PROSE) -> str:
    return "\n\n".join(f"{heading}\n\n{prose}" for heading in headings)


def names(text: str, headings: tuple[Heading, ...] = ()) -> list[str]:
    return [chapter.name for chapter in find_chapters(text, headings)]


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("CHAPTER IV", 4, ""),
        ("Chapter 12. The Title", 12, "The Title"),
        ("CHAPTER XIX--THE SQUIRE", 19, "THE SQUIRE"),
        ("CHAP. xl.", 40, ""),
        ("BOOK THE FIRST - SOWING", 1, "SOWING"),
        ("Book Six", 6, ""),
        ("Chapter the Twenty-First", 21, ""),
        ("Chapitre premier", 1, ""),
        ("ACTE II", 2, ""),
        ("SCÈNE PREMIÈRE", 1, ""),
        ("Erstes Kapitel", 1, ""),
        ("Kapitel 3: Der Fluss", 3, "Der Fluss"),
        ("Capitolo secondo", 2, ""),
        ("Capítulo XIV", 14, ""),
        ("LETTER XXXII", 32, ""),
        ("Chapter 1.XL.", 40, ""),
        ("XXXX", 40, ""),
        ("XII. THE RIVER", 12, "THE RIVER"),
        ("第十二回", 12, ""),
        ("第两章 河", 2, "河"),
        ("Глава первая", 1, ""),
    ],
)
def test_headings_in_several_languages(line: str, number: int, title: str) -> None:
    found = read_heading(line)
    assert found is not None
    assert (found.number, found.title) == (number, title)


@pytest.mark.parametrize(
    "line",
    [
        "Part of the river froze.",
        "Chapter one was lost in the post and nobody read it.",
        "Book me a room.",
        "Act as you like.",
        "I was born in the year 1801.",
        "IIX",
        "Letter from Ann",
        "12 boats came up the river.",
        "第一章他昨天晚上讀了三遍，然後把書放回原來的地方去了。",
    ],
)
def test_sentences_are_not_headings(line: str) -> None:
    assert read_heading(line) is None


def test_chapters_begin_at_their_headings_and_have_titles() -> None:
    text = book(["CHAPTER I\n\nTHE RIVER", "CHAPTER II. THE SEA", "CHAPTER III"])
    found = find_chapters(text)
    assert [(each.label, each.title) for each in found] == [
        ("CHAPTER I", "THE RIVER"),
        ("CHAPTER II", "THE SEA"),
        ("CHAPTER III", ""),
    ]
    assert all(text[each.start :].startswith(each.label) for each in found)


def test_a_larger_part_is_named_and_restarts_the_numbers() -> None:
    text = book(["VOLUME I\n\nCHAPTER I", "CHAPTER II", "VOLUME II\n\nCHAPTER I", "CHAPTER II"])
    found = find_chapters(text)
    assert [each.name for each in found] == [
        "VOLUME I, CHAPTER I",
        "VOLUME I, CHAPTER II",
        "VOLUME II, CHAPTER I",
        "VOLUME II, CHAPTER II",
    ]
    assert text[found[2].start :].startswith("VOLUME II")


def test_entries_of_a_table_of_contents_are_not_chapters() -> None:
    headings = ["CHAPTER I", "CHAPTER II", "CHAPTER III", "CHAPTER IV"]
    contents = "CONTENTS\n\n" + book(headings, "In which the river rises.")
    text = f"{contents}\n\n{book(headings)}"
    found = find_chapters(text)
    assert [each.name for each in found] == headings
    assert found[0].start == text.index("CHAPTER I\n\nThe river")


def test_fewer_than_three_chapters_are_ignored() -> None:
    assert find_chapters(book(["CHAPTER I", "CHAPTER II"])) == ()


def test_numbers_that_are_not_consecutive_are_not_chapters() -> None:
    assert find_chapters(book(["1801", "IV", "12", "C"])) == ()


def test_numbers_alone_are_chapters_if_they_are_consecutive() -> None:
    assert names(book(["I", "II", "III", "IV"])) == ["I", "II", "III", "IV"]


def test_letters_quoted_in_a_novel_are_not_chapters() -> None:
    chapters = [f"CHAPTER {number}" for number in ("I", "II", "III", "IV", "V", "VI", "VII")]
    text = book([*chapters[:4], "LETTER I", "LETTER II", "LETTER III", *chapters[4:]])
    assert names(text) == chapters


def test_short_scenes_belong_to_their_acts() -> None:
    act = "ACTE {0}\n\nSCÈNE I\n\n{1}\n\nSCÈNE II\n\n{1}"
    short, long = PROSE[:900], PROSE
    texts = ["\n\n".join(act.format(n, body) for n in ("I", "II", "III")) for body in (short, long)]
    assert names(texts[0]) == ["ACTE I", "ACTE II", "ACTE III"]
    assert names(texts[1])[:2] == ["ACTE I, SCÈNE I", "ACTE I, SCÈNE II"]


def test_prefaces_and_the_text_before_the_first_heading_are_separate_parts() -> None:
    text = f"{PROSE}\n\n{book(['CHAPTER I', 'CHAPTER II', 'CHAPTER III', 'EPILOGUE'])}"
    assert names(text) == ["", "CHAPTER I", "CHAPTER II", "CHAPTER III", "EPILOGUE"]


def test_a_heading_after_a_full_line_stays_on_its_own_line() -> None:
    # The last line of a paragraph is full, so that its width does not show the paragraph's end.
    line = "The river rose in the night and nobody in the whole town heard it come"
    paragraph = "\n".join([line] * 30) + "\n" + line[:-1] + "."
    text = "\n".join(f"CHAPTER {n}\n{paragraph}" for n in ("I", "II", "III", "IV"))
    assert names(read_questioned(text.encode(), "book.txt").text) == [
        "CHAPTER I",
        "CHAPTER II",
        "CHAPTER III",
        "CHAPTER IV",
    ]


def test_marked_headings_need_no_numbers() -> None:
    text = book(["The River", "The Sea", "The Town"])
    headings = tuple(Heading(line, 1, line) for line in ("The River", "The Sea", "The Town"))
    assert names(text, headings) == ["The River", "The Sea", "The Town"]
    assert names(text, headings[:2]) == []


def test_divisions_of_tei_are_chapters() -> None:
    pytest.importorskip("lxml")
    acts = "".join(
        f'<div type="act" n="{n}"><head>ACTE {n}</head>'
        f'<div type="scene"><head>Scène première</head><sp><p>{PROSE}</p></sp></div></div>'
        for n in ("I", "II", "III")
    )
    data = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>'
        f"<text><body>{acts}</body></text></TEI>"
    )
    extracted = extract_text(data.encode(), "play.xml")
    found = names(extracted.text, extracted.headings)
    assert found == [f"ACTE {n}, Scène première" for n in ("I", "II", "III")]


def test_headings_of_html_are_chapters() -> None:
    pytest.importorskip("lxml")
    body = "".join(f"<h2>{n}<br>The Day</h2><p>{PROSE}</p>" for n in ("Dawn", "Noon", "Night"))
    extracted = extract_text(f"<html><body>{body}</body></html>".encode(), "book.html")
    assert names(extracted.text, extracted.headings) == [
        "Dawn The Day",
        "Noon The Day",
        "Night The Day",
    ]


@given(st.lists(st.sampled_from(["CHAPTER I", "CHAPTER II", "II", "PREFACE", PROSE, "x"])))
@settings(max_examples=100)
def test_chapters_are_in_order_and_within_the_text(lines: list[str]) -> None:
    text = "\n\n".join(lines)
    starts = [chapter.start for chapter in find_chapters(text)]
    assert starts == sorted(set(starts))
    assert all(0 <= start < max(len(text), 1) for start in starts)


@given(st.integers(1, 399))
def test_roman_numerals_are_read(number: int) -> None:
    units = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"]
    roman = "C" * (number // 100) + tens[number // 10 % 10] + units[number % 10]
    found = read_heading(f"CHAPTER {roman}")
    assert found is not None
    assert found.number == number


@pytest.mark.parametrize("novel", sorted(PRINTED))
def test_novels_have_the_chapters_of_their_printed_editions(shared: Path, novel: str) -> None:
    text = read_questioned(shared / "corpora" / "british_fiction" / f"{novel}.txt").text
    numbered = [each for each in find_chapters(text) if read_heading(each.label)]
    assert len(numbered) == PRINTED[novel]


def test_the_name_of_a_chapter_without_a_part_is_its_label() -> None:
    assert Chapter("CHAPTER I", "", "", 0).name == "CHAPTER I"
