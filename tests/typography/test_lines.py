from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.typography.lines import unwrap


def test_lines_broken_anywhere_are_joined() -> None:
    text = "The boat left the\nharbour at dawn. Nobody\nsaw it go. The gulls\nkept silent."
    assert unwrap(text) == (
        "The boat left the harbour at dawn. Nobody saw it go. The gulls kept silent."
    )


def test_blank_lines_stay_paragraph_breaks() -> None:
    text = "The boat left\nthe harbour.\n\n\n \nNobody saw\nit go."
    assert unwrap(text) == "The boat left the harbour.\n\nNobody saw it go."


def test_a_blank_line_inside_a_sentence_is_an_accident() -> None:
    assert unwrap("The boat left the\n\nharbour at dawn.") == "The boat left the harbour at dawn."


def test_one_paragraph_per_line_is_kept() -> None:
    text = "A heading\nThe boat left at dawn.\nNobody saw it go.\nThe gulls kept silent."
    assert unwrap(text) == text.replace("\n", "\n\n")


def test_a_line_broken_within_a_sentence_is_joined_among_whole_paragraphs() -> None:
    text = "The boat left at dawn.\nNobody saw it\ngo.\nThe gulls slept.\nIt rained.\nWe left."
    assert "Nobody saw it go.\n\nThe gulls slept." in unwrap(text)


def test_lines_without_punctuation_stay_separate() -> None:
    # one stemmed sentence per line, without any punctuation
    assert unwrap("the boat leav\nnobodi see it go") == "the boat leav\n\nnobodi see it go"


def test_words_divided_at_a_hyphen_get_no_space() -> None:
    text = "It came like a thunder-\nclap on us. And then --\nsilence reigned. So we\nwent home."
    assert (
        unwrap(text)
        == "It came like a thunder-clap on us. And then -- silence reigned. So we went home."
    )


def test_lines_in_unspaced_scripts_are_joined_without_space() -> None:
    assert (
        unwrap("去年の夏、兄が\n生まれた。森が\n燃えま\nした。")
        == "去年の夏、兄が生まれた。森が燃えました。"
    )


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\u2028", "\x85", "\x0b", "\x0c"])
def test_every_kind_of_line_break_counts(newline: str) -> None:
    assert unwrap(f"The boat left{newline}the harbour.") == "The boat left the harbour."


@pytest.mark.parametrize("text", ["", " ", "\n \t\r\n", "\u3000\n"])
def test_white_space_alone_is_an_empty_text(text: str) -> None:
    assert unwrap(text) == ""


LINES = st.lists(st.text("ab .?\n-é去", max_size=30), max_size=12).map("\n".join)


@given(LINES)
@settings(deadline=None)
def test_only_white_space_changes(text: str) -> None:
    assert "".join(unwrap(text).split()) == "".join(text.split())


@given(LINES)
@settings(deadline=None)
def test_paragraphs_are_lines_between_blank_lines(text: str) -> None:
    for paragraph in unwrap(text).split("\n\n"):
        assert "\n" not in paragraph
        assert paragraph == paragraph.strip()


@pytest.mark.parametrize(
    ("pattern", "is_joined"),
    [
        ("lectures16/raw/course-0*/lecture-01*.txt", True),
        ("british_fiction/Dickens/Bleak.txt", True),
        ("french_theatre17/*/*.txt", True),
        ("lectures16/stemmed/*.txt", False),
        ("pan14_av/en_essays/train/EE00*/known01.txt", False),
        ("ccat50/train/A*/*.txt", False),
    ],
)
def test_real_texts_are_distinguished(shared: Path, pattern: str, is_joined: bool) -> None:
    right, total = 0, 0
    for path in sorted((shared / "corpora").glob(pattern)):
        text = path.read_text(encoding="utf-8")
        n_lines = sum(1 for line in text.splitlines() if line.strip())
        if n_lines >= 5:
            total += 1
            right += (len(unwrap(text).split("\n\n")) < 0.5 * n_lines) == is_joined
    assert total > 0
    assert right >= 0.95 * total
