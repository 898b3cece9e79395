"""Sentences are those of the encoder, and no character of the text is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.rolling.segmentation import (
    equal_ranges,
    split_sentences_exactly,
    window_ranges,
)
from byline.text import TextEncoder

PIECES = [
    "Oats. ",
    "rye ",
    "I said. ",
    "[MUSIC] ",
    "\n\n",
    "  ",
    "\u201cNo!\u201d ",
    "1,000",
    "e\u0301",
    "\n",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=30)


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
@pytest.mark.parametrize("unit", ["word", "char"])
@settings(deadline=None, max_examples=40)
@given(text=TEXTS)
def test_sentences_agree_with_the_encoder_and_join_to_the_text(unit: str, text: str) -> None:
    encoder = TextEncoder(unit=unit)
    sentences = split_sentences_exactly(encoder, text)
    assert len(sentences) == len(encoder.tokenize(text))
    assert "".join(sentences) == (text if sentences else "")


def test_a_sentence_begins_with_its_first_token() -> None:
    text = " One came.\nTwo went.  [MUSIC] Three stayed. "
    assert split_sentences_exactly(TextEncoder(), text) == [
        " One came.\n",
        "Two went.  [MUSIC] ",
        "Three stayed. ",
    ]


@given(n=st.integers(1, 400), n_ranges=st.integers(1, 30))
def test_ranges_are_as_equal_as_possible(n: int, n_ranges: int) -> None:
    n_ranges = min(n, n_ranges)
    ranges = equal_ranges(n, n_ranges)
    assert len(ranges) == n_ranges
    assert (ranges[0][0], ranges[-1][1]) == (0, n)
    assert all(one[1] == other[0] for one, other in pairwise(ranges))
    sizes = [end - start for start, end in ranges]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 1


@given(n=st.integers(1, 400), window=st.integers(1, 60), step=st.integers(1, 40))
def test_windows_cover_the_text(n: int, window: int, step: int) -> None:
    window = min(window, n)
    windows = window_ranges(n, window, step)
    assert (windows[0][0], windows[-1][1]) == (0, n)
    assert {end - start for start, end in windows} == {window}
    steps = [other[0] - one[0] for one, other in pairwise(windows)]
    assert all(1 <= each <= step for each in steps)
