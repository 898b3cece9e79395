"""Alignment of tokens with the original text."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.text import TextEncoder
from byline.text.alignment import align_tokens

ENCODERS = [
    TextEncoder(),
    TextEncoder(stem=True, numbers="replace"),
    TextEncoder(unit="char"),
    TextEncoder(punctuation="drop", max_sentence_tokens=2),
    TextEncoder(normalization="none", lowercase=False),
    TextEncoder(language="tr", sentence_rule="punctuation"),
    TextEncoder.like_ge_sun_2016(),
]
FRAGMENTS = [
    *(
        "oats",
        "Rye.",
        "I",
        "\u0130l",
        "\u03a3\u03c3\u03c2",
        "cafe\u0301",
        "a\u0323\u0301",
        "\u00ad",
    ),
    *(
        "[laughter]",
        "[MUSIC",
        "]",
        "(the king)",
        ">>",
        "--",
        " \u2013 ",
        "\u2026",
        "\u00ab",
        "\n\n",
    ),
    *(
        " ",
        "1,000",
        "\ud800",
        "\U0001f469\u200d\U0001f33e",
        "\u6f6e",
        "\u1fb3",
        "<num>",
        "don\u2019t",
    ),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=15).map("".join) | st.text(max_size=30)


def found(encoder: TextEncoder, text: str) -> list[str]:
    """Return the part of the text that each token is aligned with."""
    text = encoder.normalize(text)
    positions = align_tokens(encoder, text, encoder.tokenize(text), end_tokens=False)
    return [text[start:end] for start, end in zip(positions.starts, positions.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "unit", "written"),
    [
        ("हिन्दी में", "word", ["हिन्दी", "में"]),
        ("שָׁלוֹם רַב", "word", ["שָׁלוֹם", "רַב"]),
        ("ฉันไม่รู้", "char", ["ฉั", "น", "ไ", "ม่", "รู้"]),
        ("ĭ é", "char", ["ĭ", " ", "é"]),
    ],
)
def test_accents_and_vowel_signs_are_part_of_the_aligned_text(
    text: str, unit: str, written: list[str]
) -> None:
    assert [token for token in found(TextEncoder(unit=unit), text) if token] == [
        token for token in written if token.strip()
    ]


def test_tokens_are_aligned_with_the_normalised_text() -> None:
    text = "\u201cHe\u2019d go\u2026\u201d\u00ad CAFE\u0301, 1,000!"
    tokens = ['"', "he'd", "go", ".", ".", ".", '"', "caf\u00e9", ",", "1,000", "!"]
    assert list(chain.from_iterable(TextEncoder().tokenize(text))) == tokens
    assert found(TextEncoder(), text) == [
        *('"', "He'd", "go", ".", ".", ".", '"', "CAF\u00c9", ",", "1,000", "!")
    ]


def test_accents_of_a_text_as_it_is_are_aligned() -> None:
    encoder = TextEncoder(normalization="none")
    assert found(encoder, "CAFE\u0301 au lait")[0] == "CAFE\u0301"


def test_stems_and_numbers_are_aligned_with_words() -> None:
    encoder = TextEncoder(stem=True, numbers="replace")
    assert encoder.tokenize("Ponies in 1805, tied")[0][:3] == ["poni", "in", "<num>"]
    assert found(encoder, "Ponies in 1805, tied") == ["Ponies", "in", "1805", ",", "tied"]


@pytest.mark.parametrize("encoder", [TextEncoder(stem=True), TextEncoder(numbers="replace")])
def test_stems_or_numbers_alone_are_aligned_with_words(encoder: TextEncoder) -> None:
    assert found(encoder, "Ponies in 1805, tied") == ["Ponies", "in", "1805", ",", "tied"]


def test_a_removed_annotation_contains_no_token() -> None:
    text = "[music] Music. (Laughter) laughter (the king)"
    assert found(TextEncoder(), text) == ["Music", ".", "laughter", "(", "the", "king", ")"]


def test_end_tokens_come_after_the_last_token() -> None:
    text = "An oat.  \n\nRye "
    positions = align_tokens(TextEncoder(), text, TextEncoder().tokenize(text), end_tokens=True)
    assert positions.starts.tolist() == [0, 3, 6, 7, 11, 14]
    assert positions.ends.tolist() == [2, 6, 7, 7, 14, 14]
    assert np.flatnonzero(positions.is_end_token).tolist() == [3, 5]


def test_gaps_belong_to_the_token_before_them_or_to_the_end_of_a_sentence() -> None:
    text = "An oat.  Rye."
    positions = align_tokens(TextEncoder(), text, TextEncoder().tokenize(text), end_tokens=True)
    # Tokens: An 0-2, oat 3-6, "." 6-7, end 7, Rye 9-12, "." 12-13, end 13.
    assert positions.starts.tolist() == [0, 3, 6, 7, 9, 12, 13]
    starts, ends = np.array([2, 3, 7, 7, 8, 13]), np.array([3, 3, 7, 9, 9, 13])
    # Spaces belong to the word before them, even where a sentence ends; so does an empty span
    # before a word. Only empty spans at the end of a sentence belong to that end.
    assert positions.tokens_of_gaps(starts, ends).tolist() == [0, 0, 3, 2, 2, 6]


def test_the_turkish_dotless_i_is_aligned() -> None:
    assert TextEncoder(language="tr").tokenize("ILIK \u0130z")[0] == ["\u0131l\u0131k", "iz"]
    assert found(TextEncoder(language="tr"), "ILIK \u0130z") == ["ILIK", "\u0130z"]


def test_text_without_tokens_is_skipped() -> None:
    encoder = TextEncoder.like_ge_sun_2016()
    text = "\u0436\u0438\u0437\u043d\u044c " * 40 + "life. Oats"
    assert found(encoder, text) == [
        "",
        "",
        "Oats",
    ]  # after two failures, the search reaches far enough


@pytest.mark.parametrize("encoder", ENCODERS, ids=repr)
@settings(deadline=None, max_examples=60)
@given(text=TEXTS)
def test_positions_are_ascending_for_every_text(encoder: TextEncoder, text: str) -> None:
    text = encoder.normalize(text)
    sentences = encoder.tokenize(text)
    positions = align_tokens(encoder, text, sentences, end_tokens=True)
    assert len(positions) == sum(map(len, sentences)) + len(sentences)
    assert np.flatnonzero(positions.is_end_token).tolist() == [
        end + number for number, end in enumerate(np.cumsum(list(map(len, sentences))).tolist())
    ]
    assert (positions.starts <= positions.ends).all()
    for bounds in (positions.starts, positions.ends):
        assert (np.diff(bounds) >= 0).all()
        assert not len(bounds) or 0 <= bounds[0] <= bounds[-1] <= len(text)


@settings(deadline=None, max_examples=60)
@given(words=st.lists(st.text("abcXYZ019", min_size=1, max_size=5), max_size=20))
def test_every_plain_word_is_aligned(words: list[str]) -> None:
    text = ", ".join(words)
    tokens = list(chain.from_iterable(TextEncoder().tokenize(text)))
    assert list(map(str.lower, found(TextEncoder(), text))) == tokens
