from __future__ import annotations

import pytest

from byline.corpus import Document
from byline.corpus.checking.needs_review import (
    CommonLine,
    count_speaker_turns,
    find_common_lines,
    find_tags,
)


def tags(text: str) -> list[int]:
    return find_tags(Document("ada", text, "a.txt"))


def speakers(text: str) -> int:
    return count_speaker_turns(Document("ada", text, "a.txt"))


def test_positions_of_tags_are_found() -> None:
    assert tags('<p class="x">The <i>rope</i><br/>') == [0, 17, 24, 28]


@pytest.mark.parametrize(
    "text",
    [
        "a < b and b > c, so a <b> c",
        "<table removed> <table removed> <table removed> <table removed>",
        "the tags <p> and </p> of HTML",
        "<rope> <sail> <knot> <ship>",
    ],
)
def test_text_that_is_not_markup_has_no_tags(text: str) -> None:
    assert tags(text) == []


def test_speaker_changes_are_counted() -> None:
    assert speakers("It is.\n>> Is it?\n>> It is. >>So it is.") == 3


@pytest.mark.parametrize("text", [">> Once", "1 >> 0 and 2 >> 1", ">>> A\n>>> B", "> A\n> B"])
def test_a_single_sign_or_another_sign_is_no_speaker_change(text: str) -> None:
    assert speakers(text) == 0


def documents(*rows: tuple[str, str]) -> list[Document]:
    return [Document(author, text, f"{index}.txt") for index, (author, text) in enumerate(rows)]


BODY = "The rope is long number {}.\nAnd so is the day {}."


def test_a_line_that_opens_or_closes_three_texts_is_found() -> None:
    rows = [
        ("ada", f"Welcome to lecture {n} of mine\nx{n} and y\nsee you next week, then")
        for n in range(3)
    ]
    found = find_common_lines(documents(*rows, ("ben", "Something else altogether\nand more")))
    assert found == [
        CommonLine("ada", "Welcome to lecture 0 of mine", (0, 1, 2)),
        CommonLine("ada", "see you next week, then", (0, 1, 2)),
    ]


def test_a_line_that_others_use_too_is_not_found() -> None:
    rows = [("ada", f"Ladies and gentlemen, good evening\n{n}") for n in range(5)]
    assert (
        find_common_lines(documents(*rows, ("ben", "Ladies and gentlemen, good evening\nx"))) == []
    )


def test_two_texts_short_lines_and_a_small_share_are_ignored() -> None:
    assert find_common_lines(documents(*[("ada", "Welcome to my own harbour\nx")] * 2)) == []
    assert find_common_lines(documents(*[("ada", "Thank you.\nx")] * 9)) == []
    many = [("ada", f"word{n} {'abcdefghij'[n % 10] * n} is long\nx") for n in range(40)]
    assert find_common_lines(documents(*many, *[("ada", "Welcome to my own harbour\nx")] * 3)) == []


def test_without_texts_there_are_no_lines() -> None:
    assert find_common_lines([]) == []
