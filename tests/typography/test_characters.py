"""Invisible characters, ligatures, width, long s, encodings and spaces."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.typography.characters import (
    SPACES,
    compose,
    remove_invisible,
    replace_full_width,
    replace_letter_ligatures,
    replace_ligatures,
    replace_long_s,
    simplify_spaces,
)


@pytest.mark.parametrize("code", [0xAD, 0x200B, 0x2060, 0xFEFF, 0x200E, 0x202A, 0x2066, 0x34F])
def test_invisible_characters_are_removed(code: int) -> None:
    assert remove_invisible(f"wel{chr(code)}come{chr(code)}") == "welcome"


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_joiners_are_removed_where_no_script_needs_them(joiner: str) -> None:
    assert remove_invisible(f"{joiner}wel{joiner}{joiner}come {joiner}x") == "welcome x"


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u0631\u0648\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Hindi
        "\U0001f469\u200d\U0001f4bb",  # woman with a laptop
    ],
)
def test_joiners_stay_where_they_are_spelling(text: str) -> None:
    assert remove_invisible(text) == text


@pytest.mark.parametrize(
    ("written", "letters"),
    [
        ("o\ufb00ice, \ufb01nd, \ufb02our", "office, find, flour".replace("office", "office")),
        ("e\ufb03cient, ba\ufb04e", "efficient, baffle"),
        ("Par\ufb05, \ufb06ar", "Parst, star"),
        ("\u0133s, co\u0140laborar, \u01c9ubav", "ijs, col\u00b7laborar, ljubav"),
        ("\ufefb", "\u0644\u0627"),
    ],
)
def test_ligatures_become_letters(written: str, letters: str) -> None:
    assert replace_ligatures(written) == letters


@pytest.mark.parametrize("text", ["c\u0153ur", "C\u00e6sar", "co\u0142", "l\u00b7l", "\ufdfa"])
def test_letters_that_are_no_ligatures_of_a_typesetter_stay(text: str) -> None:
    assert replace_ligatures(text) == text


def test_letters_of_two_are_written_as_two_if_that_is_asked_for() -> None:
    assert replace_letter_ligatures("c\u0153ur, C\u00e6sar, \u00c6sop") == "coeur, Caesar, Aesop"


@pytest.mark.parametrize(
    ("wide", "usual"),
    [
        ("\uff22\uff59\uff4c\uff49\uff4e\uff45\u3000\uff12\uff0c\uff01", "Byline\u30002,!"),
        ("\u7b2c\uff11\u7ae0\uff0c\uff21\uff01", "\u7b2c1\u7ae0\uff0cA\uff01"),
        ("\uff76\uff9e\uff71\uff61", "\u30ab\u3099\u30a2\u3002"),
    ],
)
def test_full_width_forms_become_usual_but_punctuation_of_east_asian_texts_stays(
    wide: str, usual: str
) -> None:
    assert replace_full_width(wide) == usual


def test_the_long_s_becomes_round() -> None:
    assert replace_long_s("the lo\u017ft \u017ftar") == "the lost star"


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("cafe\u0301", "caf\u00e9"),
        ("a\x00b\tc", "a b c"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\fb\u2029c", "a\n\nb\n\nc"),
        ("bad \ud800 half", "bad \ufffd half"),
        ("", ""),
    ],
)
def test_encodings_are_one(given_text: str, expected: str) -> None:
    assert compose(given_text) == expected


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=80))
def test_composed_text_is_nfc_and_can_be_encoded(text: str) -> None:
    once = compose(text)
    assert unicodedata.is_normalized("NFC", once)
    assert once.encode("utf-8").decode("utf-8") == once
    assert {c for c in once if unicodedata.category(c) == "Cc"} <= {"\n"}


@pytest.mark.parametrize("space", SPACES)
def test_every_space_becomes_one_space(space: str) -> None:
    assert simplify_spaces(f"{space}of{space}{space}the{space}\n{space}end") == "of the\nend"


def test_the_list_of_spaces_is_complete() -> None:
    spaces = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"}
    assert set(SPACES) == spaces | {"\t", "\u2800", "\u3164"}  # the last two look empty


def test_blank_lines_are_one() -> None:
    assert simplify_spaces("\n\na\n \n\nb\nc\n") == "a\n\nb\nc"
