"""Rules that go further than an edition."""

from __future__ import annotations

import pytest

from byline.typography.punctuation import (
    remove_paragraph_ends,
    remove_punctuation,
    simplify_punctuation_spacing,
)


@pytest.mark.parametrize(
    "written",
    [
        "Well, what now? (Nothing.) Then; go!",
        "Well ,what now ? ( Nothing . ) Then ;go !",
        "Well,what now\u00a0? (Nothing .) Then\u202f; go\u00a0!",
    ],
)
def test_spaces_at_punctuation_are_one(written: str) -> None:
    assert simplify_punctuation_spacing(written) == "Well, what now? (Nothing.) Then; go!"


def test_numbers_and_faces_stay() -> None:
    text = "10,000 or 3:15 :) ;-)"
    assert simplify_punctuation_spacing(text) == text


def test_punctuation_is_removed_and_letters_stay() -> None:
    text = "\u201cWell\u2014I don\u2019t know: a well-known man?\u201d \U0001f600 5 \u20ac"
    assert remove_punctuation(text) == "Well I dont know a well known man \U0001f600 5 \u20ac"


def test_paragraphs_are_joined() -> None:
    assert remove_paragraph_ends("One. \n\n  Two.\nThree.\n") == "One. Two. Three."
