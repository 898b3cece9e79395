from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.caveats import accuracy_by_length, band_of
from byline.attribution.caveats.accuracy_by_length import MIN_IN_BAND, length_caveats
from byline.attribution.caveats.questioned_text import (
    candidate_name_caveats,
    unknown_word_caveats,
    unlike_known_texts_caveats,
    word_frequency_caveats,
)
from byline.attribution.caveats.training_texts import (
    LONG_PASSAGE,
    shared_passage_caveats,
    single_work_caveats,
    training_amount_caveats,
)
from byline.attribution.frequency_profile import FrequencyProfile
from byline.attribution.training_record.record import TrainingRecord

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
    [caveat] = length_caveats(100, SIZES, RIGHT, IS_WHOLE)
    assert caveat.code == "short-text"
    assert "100 characters" in caveat.sentence
    assert "50.0 % were given to the right author (40.4 to 59.6 %)" in caveat.sentence
    assert "of whole known texts, 95.0 %" in caveat.sentence
    assert caveat.figures["accuracy"] == 0.5


@pytest.mark.parametrize("size", [3000, 5999])
def test_a_text_as_long_as_known_ones_is_told_nothing(size: int) -> None:
    assert list(length_caveats(size, SIZES, RIGHT, IS_WHOLE)) == []


def test_a_short_text_is_told_nothing_where_such_are_given_as_rightly() -> None:
    sizes, right, is_whole = held_out((90, 100, 95, False), (3000, 100, 95, True))
    assert list(length_caveats(100, sizes, right, is_whole)) == []


def test_lengths_not_measured_are_told() -> None:
    [longer] = length_caveats(6001, SIZES, RIGHT, IS_WHOLE)
    assert longer.code == "longer-than-measured"
    assert longer.figures == {"n_characters": 6001, "longest": 3000}
    codes = [each.code for each in length_caveats(44, SIZES, RIGHT, IS_WHOLE)]
    assert codes == ["shorter-than-measured", "short-text"]
    nothing = np.zeros(0, dtype=np.int64)
    assert list(length_caveats(44, nothing, nothing > 0, nothing > 0)) == []


def test_many_unknown_words_are_told() -> None:
    [caveat] = unknown_word_caveats(120, 300)
    assert caveat.code == "unknown-words"
    assert caveat.sentence.startswith("40.0 % of its words")
    # Of 20 words 8 is a share of 40 % too, but may be chance: Wilson's lower bound is 22 %.
    assert list(unknown_word_caveats(8, 20)) == []
    assert list(unknown_word_caveats(60, 300)) == []
    assert list(unknown_word_caveats(0, 0)) == []


def test_other_habits_are_told_with_the_words() -> None:
    plain, chatty = ["the", "sea", "and", "the", "wind", "and"], ["you", "know", "the", "sea", "so"]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(plain * 9 + chatty, size=300)) for _ in range(30)]
    habits = FrequencyProfile.of(texts[:25])
    assert [caveat for text in texts[25:] for caveat in word_frequency_caveats(text, habits)] == []
    [caveat] = word_frequency_caveats(" ".join(rng.choice(chatty, size=300)), habits)
    assert caveat.code == "unusual-word-frequencies"
    assert "than any of the 25 known texts, most of all “" in caveat.sentence
    assert caveat.figures["distance"] > caveat.figures["most"]
    assert {each["word"] for each in caveat.figures["words"]} >= {"you", "know"}
    assert (
        list(word_frequency_caveats("you know so", FrequencyProfile.of(texts[:19]))) == []
    )  # of too few texts


def test_a_text_unlike_all_others_is_told() -> None:
    surprises = np.linspace(1.8, 2.2, 41)  # the middle is 2.0, and 1.5 times 0.2 beyond is 2.3
    sizes = np.full(41, 1000)
    [caveat] = unlike_known_texts_caveats(2.31, 900, surprises, sizes)
    assert caveat.code == "unlike-known-texts"
    assert caveat.figures["most"] == 2.2
    assert list(unlike_known_texts_caveats(2.29, 900, surprises, sizes)) == []
    assert list(unlike_known_texts_caveats(9.0, 100, surprises, sizes)) == []  # none was as short
    assert list(unlike_known_texts_caveats(9.0, 900, surprises * np.nan, sizes)) == []
    assert list(unlike_known_texts_caveats(float("inf"), 900, surprises, sizes)) == []


def known(shared: int) -> TrainingRecord:
    return TrainingRecord.of(
        [f"{numbered('a', 100)} {numbered('s', shared)}", numbered("b", 200)],
        ["Ada & <b>", "Ben"],
        ["one", "two"],
    )


def test_a_long_passage_of_one_author_is_told_and_shown() -> None:
    text = f"{numbered('q', 1000)} {numbered('s', LONG_PASSAGE + 14)} {numbered('r', 1000)}"
    [caveat] = shared_passage_caveats(text, known(LONG_PASSAGE + 14))
    assert caveat.code == "shared-passages"
    assert "known texts of Ada & <b> and of no other" in caveat.sentence
    assert caveat.figures["passage"] == text[caveat.figures["start"] : caveat.figures["end"]]
    assert caveat.figures["n_words"] >= LONG_PASSAGE


def test_a_short_passage_in_a_long_text_is_told_nothing_and_in_a_short_one_something() -> None:
    shared = numbered("s", LONG_PASSAGE - 1)
    in_long = f"{numbered('q', 1000)} {shared}"
    assert list(shared_passage_caveats(in_long, known(LONG_PASSAGE - 1))) == []
    assert list(shared_passage_caveats(f"{numbered('q', 30)} {shared} x", known(60))) != []


def test_little_known_text_is_told() -> None:
    [caveat] = training_amount_caveats({"ada": 50_000, "ben": 60_000, "cyd": 9_000})
    assert caveat.code == "little-known-text"
    assert caveat.sentence.startswith("cyd (9,000 words) has far less known text")
    assert caveat.figures == {"authors": ["cyd"], "n_words": [9_000]}
    assert list(training_amount_caveats({"ada": 50_000, "ben": 60_000, "cyd": 11_000})) == []


def test_single_works_are_told() -> None:
    several = TrainingRecord.of(["a", "b", "c"], ["ada", "ada", "ben"], ["x", "y", "z"])
    [caveat] = single_work_caveats(several)
    assert caveat.figures == {"authors": ["ben"]}
    assert list(single_work_caveats(TrainingRecord.of(["a", "b"], ["ada", "ada"]))) == []


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
    caveats = list(candidate_name_caveats(text, authors))
    assert [caveat.figures["author"] for caveat in caveats] == named
    for caveat in caveats:
        assert caveat.code == "names-a-candidate"
        assert f"(“{caveat.figures['name']}”)" in caveat.sentence
