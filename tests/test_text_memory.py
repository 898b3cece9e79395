"""A function that remembers its last results."""

from __future__ import annotations

from byline.text_memory import TextMemory


def test_results_are_remembered_by_text_and_argument() -> None:
    split = TextMemory(str.split)
    assert split("one, two") == ["one,", "two"]
    assert split("one, two") is split("one, two")
    assert split("one, two", ",") == ["one", " two"]
    assert split("one, two") == ["one,", "two"]


def test_the_remembered_texts_are_limited() -> None:
    split = TextMemory(str.split, most_characters=9)
    first = split("one two")
    assert split("four five six") is not split("four five six")  # longer than the limit
    assert split("one two") is first
    other = split("three")  # 12 characters: what was remembered is forgotten
    assert split("three") is other
    assert split("one two") == first
    assert split("one two") is not first
