"""Sentences of a course are those of the encoder, and nothing of the text is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.rolling.segmentation import cut_into_sentences, equal_ranges, slide
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
def test_sentences_are_the_encoders_and_joined_the_text(unit: str, text: str) -> None:
    encoder = TextEncoder(unit=unit)
    sentences = cut_into_sentences(encoder, text)
    assert len(sentences) == len(encoder.tokenize(text))
    assert "".join(sentences) == (text if sentences else "")


def test_a_sentence_begins_with_its_first_token() -> None:
    text = " One came.\nTwo went.  [MUSIC] Three stayed. "
    assert cut_into_sentences(TextEncoder(), text) == [
        " One came.\n",
        "Two went.  [MUSIC] ",
        "Three stayed. ",
    ]


@given(n=st.integers(1, 400), n_parts=st.integers(1, 30))
def test_parts_are_as_equal_as_can_be(n: int, n_parts: int) -> None:
    n_parts = min(n, n_parts)
    parts = equal_ranges(n, n_parts)
    assert len(parts) == n_parts
    assert (parts[0][0], parts[-1][1]) == (0, n)
    assert all(one[1] == other[0] for one, other in pairwise(parts))
    sizes = [end - start for start, end in parts]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 1


@given(n=st.integers(1, 400), window=st.integers(1, 60), step=st.integers(1, 40))
def test_windows_reach_from_start_to_end(n: int, window: int, step: int) -> None:
    window = min(window, n)
    windows = slide(n, window, step)
    assert (windows[0][0], windows[-1][1]) == (0, n)
    assert {end - start for start, end in windows} == {window}
    steps = [other[0] - one[0] for one, other in pairwise(windows)]
    assert all(1 <= each <= step for each in steps)
