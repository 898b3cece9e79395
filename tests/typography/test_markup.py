"""Asterisks and underscores for italics are removed only in pairs around words."""

from __future__ import annotations

import pytest

from byline.typography.markup import remove_italics


@pytest.mark.parametrize(
    "written",
    [
        "It is _very_ late.",
        "It is *very* late.",
        "It is **very** late.",
        "It is *_very_* late.",
        "_It is *very* late._",
        "It is very _late_.",
    ],
)
def test_pairs_are_removed(written: str) -> None:
    assert remove_italics(written) == "It is very late."


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"_Yes!_" he said', '"Yes!" he said'),
        ("(_see_ below)\u2014_I_'ll", "(see below)\u2014I'll"),
        ("*a* b *c*", "a b c"),
        ("_I was--_ he stopped", "I was-- he stopped"),
    ],
)
def test_pairs_next_to_punctuation_are_removed(written: str, expected: str) -> None:
    assert remove_italics(written) == expected


@pytest.mark.parametrize(
    "text",
    [
        "my_file_name",
        "2 * 3 * 4",
        "f**k s***",
        "The mill.* It stood.",
        "* a note",
        "*begun",
        "x*y*z",
        "*not\nacross lines*",
        "_ _",
        "***",
    ],
)
def test_other_signs_stay(text: str) -> None:
    assert remove_italics(text) == text
