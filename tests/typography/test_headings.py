"""Headings are removed; shouted lines and sentences are not."""

from __future__ import annotations

import pytest

from byline.typography.headings import remove_headings

PROSE = " ".join(["The river rose in the night, and nobody in the mill heard it."] * 5)
SHORT = "It rose."


@pytest.mark.parametrize(
    "heading",
    [
        "CHAPTER I",
        "CHAPTER XIV.",
        "Chapter 4",
        "Chapter Four",
        "CHAPTER THE FIRST",
        "BOOK TWO",
        "CHAPTER II. THE MILL",
        "CHAPTER II\n\nTHE MILL",
        "VOLUME I\n\nCHAPTER I",
        "Kapitel 3",
        "CHAPITRE IX",
        "\u0413\u041b\u0410\u0412\u0410 V",
        "Chapter 3: The Mill",
        "\u7b2c\u4e00\u7ae0",
        "LETTER XX",
        "ACT III",
        "* * *",
        "***",
        "-----",
        "\u2042",
    ],
)
def test_numbered_headings_and_ornaments_are_removed(heading: str) -> None:
    assert remove_headings(f"{SHORT}\n\n{heading}\n\n{SHORT}") == f"{SHORT}\n\n{SHORT}"
    assert remove_headings(f"{heading}\n{SHORT}") == SHORT
    assert remove_headings(f"{SHORT}\n\n{heading}") == SHORT


@pytest.mark.parametrize("heading", ["THE MILL", "IV", "IV.", "12", "Part 2", "THE MILL\n\nIV"])
def test_other_headings_are_removed_between_long_paragraphs(heading: str) -> None:
    assert remove_headings(f"{PROSE}\n\n{heading}\n\n{PROSE}") == f"{PROSE}\n\n{PROSE}"
    assert remove_headings(f"{heading}\n\n{PROSE}") == PROSE


@pytest.mark.parametrize(
    "line",
    ["OMG", "WHAT IS THIS", "NO!!!", "I", "XXX", "12", "LOL", "Part 2", "--", "...", "OK."],
)
def test_lines_of_a_chat_stay(line: str) -> None:
    for text in (
        line,
        f"hi\n{line}\nwho was that",
        f"{SHORT}\n\n{line}\n\n{PROSE}",
        f"{PROSE}\n{line}",
    ):
        assert remove_headings(text) == text


@pytest.mark.parametrize(
    "sentence",
    [
        "Chapter 3 was long.",
        "Chapter 3: I did not like it.",
        "Part one of the work was done",
        "WHY NOT?",
        "Book the first train, please",
        "Volume 3 of the work is lost",
    ],
)
def test_sentences_stay(sentence: str) -> None:
    text = f"{PROSE}\n\n{sentence}\n\n{PROSE}"
    assert remove_headings(text) == text


def test_a_text_in_capitals_stays() -> None:
    text = f"{PROSE}\n\nTHE MILL\n\n{PROSE}".upper()
    assert remove_headings(text) == text
