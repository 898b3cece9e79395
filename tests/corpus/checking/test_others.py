from __future__ import annotations

import pytest

from byline.corpus import Document
from byline.corpus.checking.needs_review import count_speakers, find_tags


def tags(text: str) -> list[int]:
    return find_tags(Document("ada", text, "a.txt"))


def speakers(text: str) -> int:
    return count_speakers(Document("ada", text, "a.txt"))


def test_tags_are_found_where_they_stand() -> None:
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
def test_what_is_no_markup_is_not(text: str) -> None:
    assert tags(text) == []


def test_marks_of_speakers_are_counted() -> None:
    assert speakers("It is.\n>> Is it?\n>> It is. >>So it is.") == 3


@pytest.mark.parametrize("text", [">> Once", "1 >> 0 and 2 >> 1", ">>> A\n>>> B", "> A\n> B"])
def test_one_mark_or_another_is_none(text: str) -> None:
    assert speakers(text) == 0
