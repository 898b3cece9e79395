from __future__ import annotations

from byline.corpus.text_lines import split_lines


def test_lines_are_the_non_blank_ones() -> None:
    lines = split_lines("one\n\n  two \n\f\nthree")
    assert [(line.start, line.text) for line in lines] == [(0, "one"), (5, "two"), (14, "three")]


def test_a_page_break_separates_lines() -> None:
    assert [line.text for line in split_lines("the end\f12 THE SHIP\nof it")] == [
        "the end",
        "12 THE SHIP",
        "of it",
    ]
