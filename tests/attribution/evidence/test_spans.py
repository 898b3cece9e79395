"""Values of stretches of text are spread over characters and summed by tokens, nothing lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from byline.attribution.evidence.spans import Spans
from byline.text.alignment import TokenPositions

#       0123456789
TEXT = "an  oat. x"
# Tokens: an, oat, the full stop, an end mark, x, an end mark.
PLACES = TokenPositions(
    np.array([0, 4, 7, 8, 9, 10]),
    np.array([2, 7, 8, 8, 10, 10]),
    np.array([False, False, False, True, False, True]),
)


def spans_at(*entries: tuple[int, int, float], constant: float = 0.0) -> Spans:
    starts, ends, values = zip(*entries, strict=True)
    return Spans.of_words(np.array(starts), np.array(ends), np.array(values, dtype=float), constant)


def spaces_of(text: str) -> NDArray[np.bool_]:
    return np.array([character.isspace() for character in text], dtype=bool)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((4, 7, 6.0), [0, 6, 0, 0, 0, 0]),  # a token alone
        ((1, 6, 6.0), [2, 4, 0, 0, 0, 0]),  # n, o and a, 2 each
        ((6, 10, 9.0), [0, 3, 3, 0, 3, 0]),  # t, the full stop, x
        ((2, 4, 5.0), [5, 0, 0, 0, 0, 0]),  # white space: to the token before
        ((8, 9, 5.0), [0, 0, 5, 0, 0, 0]),  # behind the end mark, which white space does not reach
        ((8, 8, 5.0), [0, 0, 0, 5, 0, 0]),  # no character, at an end mark
        ((10, 10, 5.0), [0, 0, 0, 0, 0, 5]),
        ((4, 4, 5.0), [5, 0, 0, 0, 0, 0]),  # no character, at none
        ((0, 0, 5.0), [5, 0, 0, 0, 0, 0]),
    ],
)
def test_a_value_is_divided_evenly_among_characters(
    span: tuple[int, int, float], expected: list[float]
) -> None:
    values = spans_at(span).by_token(PLACES, spaces_of(TEXT))
    np.testing.assert_allclose(values, expected, atol=1e-12)


def test_characters_between_tokens_belong_to_the_token_before() -> None:
    places = TokenPositions(np.array([2, 5]), np.array([3, 6]), np.array([False, False]))
    spans = spans_at((0, 1, 1.0), (3, 4, 2.0), (4, 6, 4.0))  # "a[b]cd" with tokens b and d
    values = spans.by_token(places, spaces_of("a[b]cd"))
    np.testing.assert_allclose(values, [1 + 2 + 2, 2], atol=1e-12)


def test_a_contribution_is_divided_among_its_occurrences() -> None:
    columns, starts = np.array([3, 9, 3, 3]), np.array([0, 3, 5, 8])
    features, contributions = np.array([3, 5, 9]), np.array([6.0, 5.0, -1.0])
    spans = Spans.of_features(features, contributions, columns, starts, starts + 1)
    assert spans.values.tolist() == [2, -1, 2, 2]
    assert spans.constant == 5  # the second feature was not found
    assert spans.total == 10
    assert Spans.none().total == 0


def test_spans_are_joined_moved_and_scaled() -> None:
    one, other = spans_at((0, 1, 2.0), constant=1), spans_at((0, 2, 3.0), constant=-4)
    spans = Spans.joined([one, other.moved(7)], constant=0.5).scaled(2)
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([0, 7], [1, 9])
    assert (spans.values.tolist(), spans.constant, spans.total) == ([4, 6], -5, 5)


def test_contributions_of_lengths_are_separate() -> None:
    words = spans_at((0, 1, 2.0), (4, 7, 1.0), constant=1)
    places, contributions = np.array([0]), np.array([3.0])
    lengths = Spans.of_features(
        places, contributions, places, places, np.array([8]), is_length=True
    )
    of_words, of_lengths = Spans.joined([words, lengths]).moved(1).scaled(2).divided()
    assert (of_words.starts.tolist(), of_words.values.tolist()) == ([1, 5], [4, 2])
    assert (of_lengths.ends.tolist(), of_lengths.values.tolist()) == ([9], [6])
    assert (of_words.constant, of_lengths.constant) == (2, 0)


@st.composite
def texts_with_spans(draw: st.DrawFn) -> tuple[str, TokenPositions, Spans]:
    text = draw(st.text("ab \n", min_size=1, max_size=20))
    place = st.integers(0, len(text))
    bounds = draw(st.lists(st.tuples(place, place).map(sorted), min_size=1, max_size=20))
    cuts = sorted(draw(st.lists(place, min_size=1, max_size=8)))
    marks = [False, *draw(st.lists(st.booleans(), min_size=len(cuts) - 1, max_size=len(cuts) - 1))]
    values = [float(n) for n in draw(st.lists(st.integers(-9, 9), min_size=len(bounds)))]
    entries = [(start, end, value) for (start, end), value in zip(bounds, values, strict=False)]
    ends = np.array([*cuts[1:], len(text)])
    return text, TokenPositions(np.array(cuts), ends, np.array(marks)), spans_at(*entries)


@settings(deadline=None, max_examples=80)
@given(drawn=texts_with_spans())
def test_sums_agree_with_a_sum_over_single_characters(
    drawn: tuple[str, TokenPositions, Spans],
) -> None:
    text, places, spans = drawn
    values = spans.by_token(places, spaces_of(text))
    assert math.fsum(values) == pytest.approx(spans.total, abs=1e-9)
    expected = np.zeros(len(places))
    for start, end, value in zip(spans.starts, spans.ends, spans.values, strict=True):
        signs = [place for place in range(start, end) if not text[place].isspace()]
        for sign in signs:
            expected[_owner(places, sign)] += value / len(signs)
        if not signs:
            marks = np.flatnonzero(places.is_end_token & (places.starts == start) & (start == end))
            expected[marks[0] if len(marks) else _owner(places, start - 1)] += value
    np.testing.assert_allclose(values, expected, atol=1e-9)


def _owner(places: TokenPositions, character: int) -> int:
    words = [i for i in range(len(places)) if not places.is_end_token[i]]
    return max([words[0], *(i for i in words if places.starts[i] <= character)])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_condensed_spans_have_the_same_sums_by_token(seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts = rng.integers(0, len(TEXT) + 1, size=60)
    ends = np.minimum(starts + rng.integers(0, 5, size=60), len(TEXT))
    spans = Spans(starts, ends, rng.normal(size=60), rng.random(60) < 0.1, 0.5)
    condensed = spans.condensed(TEXT)
    assert len(condensed.values) < len(spans.values)
    assert condensed.total == pytest.approx(spans.total)
    for part, other in zip(spans.divided(), condensed.divided(), strict=True):
        expected = part.by_token(PLACES, spaces_of(TEXT))
        np.testing.assert_allclose(other.by_token(PLACES, spaces_of(TEXT)), expected, atol=1e-12)
    few = spans_at((0, 2, 1.0))
    assert few.condensed(TEXT) is few
