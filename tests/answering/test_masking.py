"""Frequent words of all authors are kept; all others lose their letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.answering.masking import mask_words, words_by_frequency
from byline.text import split_words


def test_a_name_that_one_author_uses_often_is_not_frequent() -> None:
    texts = ["Emma Emma Emma Emma and the end", "the sea and the end of the sea"]
    words = words_by_frequency(texts, ["Ann", "Bob"], "en")
    # "the" has 1 and 3, "and" and "end" 1 and 1; "sea" has 2 and "of" 1 of one author only.
    assert words == ["the", "and", "end", "emma", "sea", "of"]


def test_the_order_of_texts_and_authors_does_not_matter() -> None:
    texts = ["a b a c", "b c d", "c d a"]
    authors = ["x", "y", "x"]
    expected = words_by_frequency(texts, authors, "en")
    assert words_by_frequency(texts[::-1], authors[::-1], "en") == expected


def test_an_author_with_much_text_does_not_decide() -> None:
    few, much = "it was a wet day", "ship sail " * 500 + "it was a ship"
    assert words_by_frequency([few, much], ["Ann", "Bob"], "en")[:3] == ["a", "it", "was"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("The ship, the SHIP and Ships.", "The zzzz, the ZZZZ and Zzzzz."),
        ("In 1815, 3.14 of 20th", "In 0000, 0.00 of 00zz"),
        ("Don't! I'm well-known.", "Zzz'z! Z'z zzzz-zzzzz."),
        ("Über straße", "Zzzz zzzzzz"),
        ("e\u0301te\u0301 \u01c5ep", "zzz Zzz"),
        ("река и море", "zzzz z zzzz"),
        ("", ""),
    ],
)
def test_letters_and_digits_are_replaced(text: str, masked: str) -> None:
    assert mask_words(text, {"the", "and", "in", "of"}, "en") == masked


def test_an_elided_word_is_a_word_of_its_own() -> None:
    assert mask_words("L'homme", {"l'"}, "fr") == "L'zzzzz"
    assert mask_words("L'homme", {"l'"}, "en") == "Z'zzzzz"


@given(st.text(alphabet="abc xyz.,'-\n12ABé", max_size=60))
def test_masking_keeps_the_number_of_words_and_is_idempotent(text: str) -> None:
    masked = mask_words(text, {"a", "b"}, "en")
    assert len(split_words(masked)) == len(split_words(text))
    assert len(masked) == len(text)
    assert mask_words(masked, {"a", "b"}, "en") == masked


def test_kept_words_stay_as_they_are() -> None:
    text = "A cat, a hat."
    assert mask_words(text, set(words_by_frequency([text], ["Ann"], "en")), "en") == text
