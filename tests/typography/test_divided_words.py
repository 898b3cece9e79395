from __future__ import annotations

import time

import pytest

from byline.typography.divided_words import WordJoiner


def join(text: str, *others: str) -> str:
    return " ".join(WordJoiner([text, *others]).join(text).text.split())


@pytest.mark.parametrize("mark", ["-", "\u2010", "\u00ad", "¬", "⸗"])
def test_a_word_that_occurs_elsewhere_is_joined(mark: str) -> None:
    text = f"It was a con{mark}\nsiderable loss. Considerable!"
    joined = WordJoiner([text]).join(text)
    assert joined.text == "It was a considerable\nloss. Considerable!"
    assert joined.number == 1


@pytest.mark.parametrize("mark", ["\u00ad", "¬", "⸗"])
def test_marks_that_occur_at_line_ends_only_are_always_joined(mark: str) -> None:
    assert join(f"a con{mark} \n  siderable loss") == "a considerable loss"


def test_a_compound_that_occurs_elsewhere_keeps_its_hyphen() -> None:
    text = "a well-\nknown loss, as well-known as any"
    assert join(text) == "a well-known loss, as well-known as any"
    assert WordJoiner([text]).join(text).number == 0


def test_words_of_other_texts_of_the_corpus_count() -> None:
    assert join("a con-\nsiderable loss", "considerable") == "a considerable loss"


def test_the_hyphen_of_an_unknown_word_stays_where_words_are_not_divided() -> None:
    assert WordJoiner(["over-\ncolouring"]).join("over-\ncolouring").text == "over-\ncolouring"


def test_an_unknown_word_is_joined_where_words_are_divided() -> None:
    text = (
        "a con-\nsiderable loss, considerable and magni-\nficent, over rain-\nsoaked rain, soaked"
    )
    assert WordJoiner([text]).divides_words
    assert join(text) == (
        "a considerable loss, considerable and magnificent, over rain-soaked rain, soaked"
    )
    assert WordJoiner(["magni-\nficent"], divides_words=True).join("magni-\nficent").number == 1


def test_a_word_goes_on_after_a_page_break_in_small_letters_only() -> None:
    assert join("con-\n\n\nsiderable, considerable") == "considerable, considerable"
    assert "con-" in join("con-\n\nSiderable, considerable")


def test_dashes_at_line_ends_are_no_hyphens() -> None:
    text = "He said con--\nsiderable, considerable -\nand left"
    assert WordJoiner([text]).join(text).text == text


@pytest.mark.parametrize(
    "text",
    ["a-\n" * 50_000, "-" * 200_000, "con-\n" * 50_000 + "concon"],
    ids=["a", "hyphens", "con"],
)
def test_it_takes_linear_time(text: str) -> None:
    start = time.perf_counter()
    WordJoiner([text]).join(text)
    assert time.perf_counter() - start < 10
