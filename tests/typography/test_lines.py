from __future__ import annotations

import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.typography.lines import LineRules, unwrap


def test_lines_broken_anywhere_are_joined() -> None:
    text = "The boat left the\nharbour at dawn. Nobody\nsaw it go. The gulls\nkept silent."
    assert unwrap(text) == (
        "The boat left the harbour at dawn. Nobody saw it go. The gulls kept silent."
    )


@pytest.mark.parametrize("hyphen", "-\u2010\u2011")
def test_no_space_follows_a_hyphen_at_a_line_end(hyphen: str) -> None:
    text = f"The boat left the har{hyphen}\nbour at dawn. Nobody\nsaw it go."
    assert unwrap(text) == f"The boat left the har{hyphen}bour at dawn. Nobody saw it go."


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


def one_word_per_line(n_words: int, every: int) -> str:
    words = ["river", "rose", "nobody", "heard", "it", "and", "the", "boat"]
    return "\n".join(
        words[i % len(words)] + ("." if i % every == every - 1 else "") for i in range(n_words)
    )


@pytest.mark.parametrize("every", [10, 42, 85, 400, 10_000])
def test_one_word_per_line_is_joined_however_few_sentence_ends_are_marked(every: int) -> None:
    assert "\n" not in unwrap(one_word_per_line(840, every))


def wrapped(width: int) -> tuple[str, int]:
    """Return wrapped lines without blank lines, and the number of their paragraphs."""
    sentences = [
        f"In the {n} days of that {'long ' * (n % 7)}winter nobody heard the river."
        for n in range(60)
    ]
    paragraphs = [" ".join(sentences[i : i + 2 + i % 3]) for i in range(0, 60, 4)]
    return "\n".join(line for each in paragraphs for line in textwrap.wrap(each, width)), 15


@pytest.mark.parametrize("width", [60, 72, 80])
def test_a_short_line_that_ends_a_sentence_ends_a_paragraph(width: int) -> None:
    text, n_paragraphs = wrapped(width)
    found = unwrap(text).split("\n\n")
    assert n_paragraphs - 2 <= len(found) <= n_paragraphs  # the last line of some may be full
    assert " ".join(found).split() == text.split()


def test_headings_of_wrapped_texts_are_paragraphs() -> None:
    text, _ = wrapped(70)
    assert unwrap(f"CHAPTER II\n{text}").split("\n\n")[0] == "CHAPTER II"


def test_indented_first_lines_begin_paragraphs() -> None:
    text = (
        "She came home late and\nsat down by the fire.\n    Nobody had waited for\nher. The lamp "
        "was out.\n\tAt dawn she left again\nand took the dog."
    )
    assert unwrap(text).split("\n\n") == [
        "She came home late and sat down by the fire.",
        "Nobody had waited for her. The lamp was out.",
        "At dawn she left again and took the dog.",
    ]


def test_indentation_of_all_lines_means_nothing() -> None:
    text = "  The boat left the\n  harbour at dawn. Nobody\n  saw it go.\n  The gulls slept on"
    assert unwrap(text).count("\n") == 0


def half_marked(n_marked: int) -> str:
    return "\n".join(
        f"Nobody heard the river in the year {n}" + ("." if n < n_marked else "") for n in range(40)
    )


def test_texts_of_one_layout_are_read_alike() -> None:
    texts = [half_marked(n) for n in (24, 26, 28, 30)]
    assert {unwrap(text).count("\n\n") > 0 for text in texts} == {False, True}
    rules = LineRules.of(texts)
    assert {unwrap(text, rules).count("\n\n") > 0 for text in texts} == {True}
    assert rules == LineRules.of(texts[::-1])


def test_texts_of_different_layouts_are_read_differently() -> None:
    texts = [half_marked(n) for n in (0, 10, 39, 40)]
    assert LineRules.of(texts) == LineRules()


def test_reading_many_lines_takes_linear_time() -> None:
    start = time.perf_counter()
    for text in ("a.\n" * 100_000, "\n" * 300_000, "a " * 200_000, "    a\nb.\n" * 50_000):
        unwrap(text, LineRules.of([text]))
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    "salutation", ["Dear Ann,", "My dearest Ann,", "Liebe Anna,", "Chère Anne,"]
)
@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_a_salutation_is_a_paragraph_even_before_a_lower_case_letter(
    salutation: str, blank: str
) -> None:
    for letter in ("the river rose.\nIt rained.", "the river rose in\nthe night, and it rained"):
        paragraphs = unwrap(f"{salutation}{blank}{letter}").split("\n\n")
        assert paragraphs[0] == salutation
    wrapped = f"She wrote to her {salutation}\nwho had a house by the river\nand a boat."
    assert "\n" not in unwrap(wrapped)


def test_messages_of_a_chat_in_small_letters_stay_separate() -> None:
    messages = ["yes they do", "good point. i agree", "its sad but true", "nope", "what a day!"] * 6
    chat = "\n\n".join(messages)
    assert unwrap(chat) == chat


def test_wrapped_lines_with_a_blank_line_after_each_are_joined() -> None:
    words = "the river rose in the night and nobody heard it, for the dog slept by the stove "
    prose = " ".join(f"On day {day} {words.strip()}." for day in range(20))
    double_spaced = textwrap.fill(prose, 70).replace("\n", "\n\n")
    assert len(unwrap(double_spaced).split("\n\n")) < 8  # lines that end with a sentence stay
