from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.cautions import accuracy_by_length, band_of
from byline.attribution.cautions.known import (
    LONG_PASSAGE,
    caution_of_amounts,
    caution_of_passages,
    caution_of_single_works,
)
from byline.attribution.cautions.lengths import MIN_IN_BAND, cautions_of_length
from byline.attribution.cautions.novelty import (
    caution_of_habits,
    caution_of_surprise,
    caution_of_unknown_words,
)
from byline.attribution.cautions.own_name import cautions_of_names
from byline.attribution.habits import Habits
from byline.attribution.known_texts import KnownTexts

laws = settings(max_examples=60, deadline=None)


def numbered(prefix: str, n: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(n))


def held_out(*groups: tuple[int, int, int, bool]) -> tuple[Any, ...]:
    """Sizes, whether right, and whether whole: groups of a size, a number, and how many right."""
    parts = [
        (
            np.full(n, size),
            np.arange(n) < n_right,
            np.full(n, whole),
        )
        for size, n, n_right, whole in groups
    ]
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


# Of 100 passages of 90 characters 50 are right, of 100 whole texts of about 3,000 characters 95.
SIZES, RIGHT, IS_WHOLE = held_out((90, 100, 50, False), (3000, 100, 95, True))


def test_bands_are_between_round_numbers() -> None:
    short, long = accuracy_by_length(SIZES, RIGHT)
    assert (short.shortest, short.longest, short.n, short.n_right) == (90, 90, 100, 50)
    assert (long.accuracy, long.n) == (0.95, 100)
    # Wilson 1927, 50 of 100: 0.5 -+ 1.96 * sqrt(0.25 / 100 + 0.0096) / (1 + 0.0384) = 0.404, 0.596
    assert short.interval == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert band_of((short, long), 10) == band_of((short, long), 100) == short
    assert band_of((short, long), 10**6) == long
    assert band_of((short, long), 1000) == short  # 910 characters away, where the other is 2,000


def test_few_texts_are_one_band_and_none_is_none() -> None:
    assert accuracy_by_length([], []) == ()
    [band] = accuracy_by_length([5, 50, 500], [True, False, True])
    assert (band.shortest, band.longest, band.n, band.n_right) == (5, 500, 3, 2)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.booleans()), min_size=1, max_size=200))
@laws
def test_every_text_is_in_one_band(texts: list[tuple[int, bool]]) -> None:
    sizes, right = [size for size, _ in texts], [hit for _, hit in texts]
    bands = accuracy_by_length(sizes, right)
    assert sum(band.n for band in bands) == len(texts)
    assert sum(band.n_right for band in bands) == sum(right)
    assert all(one.longest < other.shortest for one, other in pairwise(bands))
    assert len(bands) == 1 or min(band.n for band in bands) >= MIN_IN_BAND
    assert all(
        band.shortest <= size <= band.longest
        for size in sizes[:5]
        for band in [band_of(bands, size)]
    )


def test_a_short_text_is_told_of_the_accuracy_of_such() -> None:
    [caution] = cautions_of_length(100, SIZES, RIGHT, IS_WHOLE)
    assert caution.code == "short-text"
    assert "100 characters" in caution.sentence
    assert "50\u00a0% were given to the right author (40\u00a0% to 60\u00a0%)" in caution.sentence
    assert "of whole known texts, 95\u00a0%" in caution.sentence
    assert caution.figures["accuracy"] == 0.5


@pytest.mark.parametrize("size", [3000, 5999])
def test_a_text_as_long_as_known_ones_is_told_nothing(size: int) -> None:
    assert list(cautions_of_length(size, SIZES, RIGHT, IS_WHOLE)) == []


def test_a_short_text_is_told_nothing_where_such_are_given_as_rightly() -> None:
    sizes, right, is_whole = held_out((90, 100, 95, False), (3000, 100, 95, True))
    assert list(cautions_of_length(100, sizes, right, is_whole)) == []


def test_lengths_not_measured_are_told() -> None:
    [longer] = cautions_of_length(6001, SIZES, RIGHT, IS_WHOLE)
    assert longer.code == "longer-than-measured"
    assert longer.figures == {"n_characters": 6001, "longest": 3000}
    codes = [each.code for each in cautions_of_length(44, SIZES, RIGHT, IS_WHOLE)]
    assert codes == ["shorter-than-measured", "short-text"]
    nothing = np.zeros(0, dtype=np.int64)
    assert list(cautions_of_length(44, nothing, nothing > 0, nothing > 0)) == []


def test_many_unknown_words_are_told() -> None:
    [caution] = caution_of_unknown_words(120, 300)
    assert caution.code == "unknown-words"
    assert caution.sentence.startswith("40\u00a0% of its words")
    # Of 20 words 8 is a share of 40 % too, but may be chance: Wilson's lower bound is 22 %.
    assert list(caution_of_unknown_words(8, 20)) == []
    assert list(caution_of_unknown_words(60, 300)) == []
    assert list(caution_of_unknown_words(0, 0)) == []


def test_other_habits_are_told_with_the_words() -> None:
    plain, chatty = ["the", "sea", "and", "the", "wind", "and"], ["you", "know", "the", "sea", "so"]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(plain * 9 + chatty, size=300)) for _ in range(30)]
    habits = Habits.of(texts[:25])
    assert [caution for text in texts[25:] for caution in caution_of_habits(text, habits)] == []
    [caution] = caution_of_habits(" ".join(rng.choice(chatty, size=300)), habits)
    assert caution.code == "other-habits"
    assert "than any of the 25 known texts, most of all “" in caution.sentence
    assert caution.figures["distance"] > caution.figures["most"]
    assert {each["word"] for each in caution.figures["words"]} >= {"you", "know"}
    assert list(caution_of_habits("you know so", Habits.of(texts[:19]))) == []  # of too few texts


def test_a_text_unlike_all_others_is_told() -> None:
    surprises = np.linspace(1.8, 2.2, 41)  # the middle is 2.0, and 1.5 times 0.2 beyond is 2.3
    sizes = np.full(41, 1000)
    [caution] = caution_of_surprise(2.31, 900, surprises, sizes)
    assert caution.code == "unlike-known-texts"
    assert caution.figures["most"] == 2.2
    assert list(caution_of_surprise(2.29, 900, surprises, sizes)) == []
    assert list(caution_of_surprise(9.0, 100, surprises, sizes)) == []  # none was as short
    assert list(caution_of_surprise(9.0, 900, surprises * np.nan, sizes)) == []
    assert list(caution_of_surprise(float("inf"), 900, surprises, sizes)) == []


def known(shared: int) -> KnownTexts:
    return KnownTexts.of(
        [f"{numbered('a', 100)} {numbered('s', shared)}", numbered("b", 200)],
        ["Ada & <b>", "Ben"],
        ["one", "two"],
    )


def test_a_long_passage_of_one_author_is_told_and_shown() -> None:
    text = f"{numbered('q', 1000)} {numbered('s', LONG_PASSAGE + 14)} {numbered('r', 1000)}"
    [caution] = caution_of_passages(text, known(LONG_PASSAGE + 14))
    assert caution.code == "shared-passages"
    assert "known texts of Ada & <b> and of no other" in caution.sentence
    assert caution.figures["passage"] == text[caution.figures["start"] : caution.figures["end"]]
    assert caution.figures["n_words"] >= LONG_PASSAGE


def test_a_short_passage_in_a_long_text_is_told_nothing_and_in_a_short_one_something() -> None:
    shared = numbered("s", LONG_PASSAGE - 1)
    in_long = f"{numbered('q', 1000)} {shared}"
    assert list(caution_of_passages(in_long, known(LONG_PASSAGE - 1))) == []
    assert list(caution_of_passages(f"{numbered('q', 30)} {shared} x", known(60))) != []


def test_little_known_text_is_told() -> None:
    [caution] = caution_of_amounts({"ada": 50_000, "ben": 60_000, "cyd": 9_000})
    assert caution.code == "little-known-text"
    assert caution.sentence.startswith("cyd (9,000 words) has far less known text")
    assert caution.figures == {"authors": ["cyd"], "n_words": [9_000]}
    assert list(caution_of_amounts({"ada": 50_000, "ben": 60_000, "cyd": 11_000})) == []


def test_single_works_are_told() -> None:
    several = KnownTexts.of(["a", "b", "c"], ["ada", "ada", "ben"], ["x", "y", "z"])
    [caution] = caution_of_single_works(several)
    assert caution.figures == {"authors": ["ben"]}
    assert list(caution_of_single_works(KnownTexts.of(["a", "b"], ["ada", "ada"]))) == []


BODY = "the mill turns and the river runs below it all day long\n" * 40
SISTERS = ("Charlotte Brontë", "Emily Brontë")


@pytest.mark.parametrize(
    ("text", "authors", "named"),
    [
        (f"THE MILL\nby\nEmily Brontë\n{BODY}", SISTERS, ["Emily Brontë"]),
        (f"{BODY}Yours ever, Charlotte Bronte.", SISTERS, ["Charlotte Brontë"]),
        (f"{BODY}\nBRONTË\n", SISTERS, [*SISTERS]),
        (f"THE MILL\nJohn Jay, E. BRONTË\n{BODY}", ("John Jay", *SISTERS), ["John Jay", *SISTERS]),
        # A surname in a sentence may be a city's, in small letters it is a word.
        (f"Dear friend, Washington was cold.\n{BODY}", ("George Washington",), []),
        (f"{BODY}\nstay young\n", ("Brigham Young",), []),
        (f"{BODY}\nEmily Brontë\n{BODY}", SISTERS, []),
        (BODY, SISTERS, []),
        ("", SISTERS, []),
    ],
)  # fmt: skip
def test_a_text_that_names_a_candidate_is_told(
    text: str, authors: tuple[str, ...], named: list[str]
) -> None:
    cautions = list(cautions_of_names(text, authors))
    assert [caution.figures["author"] for caution in cautions] == named
    for caution in cautions:
        assert caution.code == "names-a-candidate"
        assert f"(“{caution.figures['name']}”)" in caution.sentence
