from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.caveats import accuracy_by_length, nearest_band
from byline.attribution.caveats.accuracy_by_length import (
    MIN_IN_BAND,
    guessing_caveats,
    length_caveats,
)
from byline.attribution.caveats.questioned_text import (
    candidate_name_caveats,
    repetition_caveats,
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
    """Sizes, correct, whole: from groups of (size, number, number correct, whole)."""
    parts = [
        (
            np.full(n, size),
            np.arange(n) < n_correct,
            np.full(n, whole),
        )
        for size, n, n_correct, whole in groups
    ]
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


# Of 100 passages of 90 characters, 50 are correct; of 100 whole texts of 3,000 characters, 95.
SIZES, RIGHT, IS_WHOLE = held_out((90, 100, 50, False), (3000, 100, 95, True))


def test_the_limits_of_bands_are_round_numbers() -> None:
    short, long = accuracy_by_length(SIZES, RIGHT)
    assert (short.shortest, short.longest, short.n, short.n_correct) == (90, 90, 100, 50)
    assert (long.accuracy, long.n) == (0.95, 100)
    # Wilson 1927, 50 of 100: 0.5 -+ 1.96 * sqrt(0.25 / 100 + 0.0096) / (1 + 0.0384) = 0.404, 0.596
    assert short.interval == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert nearest_band((short, long), 10) == nearest_band((short, long), 100) == short
    assert nearest_band((short, long), 10**6) == long
    assert (
        nearest_band((short, long), 1000) == short
    )  # 910 characters away; the other band is 2,000 away


def test_few_texts_make_one_band_and_no_text_makes_none() -> None:
    assert accuracy_by_length([], []) == ()
    [band] = accuracy_by_length([5, 50, 500], [True, False, True])
    assert (band.shortest, band.longest, band.n, band.n_correct) == (5, 500, 3, 2)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.booleans()), min_size=1, max_size=200))
@laws
def test_every_text_is_in_exactly_one_band(texts: list[tuple[int, bool]]) -> None:
    sizes, right = [size for size, _ in texts], [hit for _, hit in texts]
    bands = accuracy_by_length(sizes, right)
    assert sum(band.n for band in bands) == len(texts)
    assert sum(band.n_correct for band in bands) == sum(right)
    assert all(one.longest < other.shortest for one, other in pairwise(bands))
    assert len(bands) == 1 or min(band.n for band in bands) >= MIN_IN_BAND
    assert all(
        band.shortest <= size <= band.longest
        for size in sizes[:5]
        for band in [nearest_band(bands, size)]
    )


def test_a_short_text_gets_a_caveat_with_the_accuracy_on_short_passages() -> None:
    [caveat] = length_caveats(100, SIZES, RIGHT, IS_WHOLE)
    assert caveat.code == "short-text"
    assert "100 characters" in caveat.sentence
    assert "50.0 % were correctly attributed (95 % interval 40.4 to 59.6 %)" in caveat.sentence
    assert "of whole known texts, 95.0 %" in caveat.sentence
    assert caveat.figures["accuracy"] == 0.5


@pytest.mark.parametrize("size", [3000, 5999])
def test_a_text_as_long_as_the_known_texts_gets_no_caveat(size: int) -> None:
    assert list(length_caveats(size, SIZES, RIGHT, IS_WHOLE)) == []


def test_a_short_text_gets_no_caveat_if_short_passages_are_as_accurate() -> None:
    sizes, right, is_whole = held_out((90, 100, 95, False), (3000, 100, 95, True))
    assert list(length_caveats(100, sizes, right, is_whole)) == []


def test_lengths_of_unknown_accuracy_get_a_caveat() -> None:
    [longer] = length_caveats(6001, SIZES, RIGHT, IS_WHOLE)
    assert longer.code == "longer-than-measured"
    assert longer.figures == {"n_characters": 6001, "longest": 3000}
    codes = [each.code for each in length_caveats(44, SIZES, RIGHT, IS_WHOLE)]
    assert codes == ["shorter-than-measured", "short-text"]
    nothing = np.zeros(0, dtype=np.int64)
    assert list(length_caveats(44, nothing, nothing > 0, nothing > 0)) == []


@pytest.mark.parametrize(
    ("n", "n_correct", "n_candidates", "is_found"),
    [
        (15, 5, 3, True),  # 15 / 3 = 5 by guessing
        (15, 6, 3, False),
        (5, 0, 2, True),
        (4, 0, 2, False),  # too few to judge
        (0, 0, 2, False),
    ],
)
def test_held_out_texts_no_better_than_by_guessing(
    n: int, n_correct: int, n_candidates: int, is_found: bool
) -> None:
    found = list(guessing_caveats(np.arange(n) < n_correct, n_candidates))
    assert [each.code for each in found] == ["no-better-than-guessing"] * is_found
    for caveat in found:
        assert caveat.figures["n_correct"] == n_correct
        assert caveat.sentence.startswith(f"Of {n} held-out known texts, {n_correct} ")


def test_many_unknown_words_get_a_caveat() -> None:
    [caveat] = unknown_word_caveats(120, 300)
    assert caveat.code == "unknown-words"
    assert caveat.sentence.startswith("40.0 % of the text's words")
    # 8 of 20 words are 40 % too, but may be due to chance: Wilson's lower bound is 22 %.
    assert list(unknown_word_caveats(8, 20)) == []
    assert list(unknown_word_caveats(60, 300)) == []
    assert list(unknown_word_caveats(0, 0)) == []


def test_unusual_word_frequencies_get_a_caveat_that_names_the_words() -> None:
    plain, chatty = ["the", "sea", "and", "the", "wind", "and"], ["you", "know", "the", "sea", "so"]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(plain * 9 + chatty, size=300)) for _ in range(30)]
    profile = FrequencyProfile.of(texts[:25])
    assert [caveat for text in texts[25:] for caveat in word_frequency_caveats(text, profile)] == []
    [caveat] = word_frequency_caveats(" ".join(rng.choice(chatty, size=300)), profile)
    assert caveat.code == "unusual-word-frequencies"
    assert (
        "any of the 25 known texts do. The largest differences, per 1,000 tokens: “"
        in caveat.sentence
    )
    assert caveat.figures["distance"] > caveat.figures["maximum"]
    assert {each["word"] for each in caveat.figures["words"]} >= {"you", "know"}
    assert (
        list(word_frequency_caveats("you know so", FrequencyProfile.of(texts[:19]))) == []
    )  # too few texts


def test_a_text_unlike_all_known_texts_gets_a_caveat() -> None:
    surprises = np.linspace(1.8, 2.2, 41)  # median 2.0; limit 2.0 + 1.5 * 0.2 = 2.3
    sizes = np.full(41, 1000)
    [caveat] = unlike_known_texts_caveats(2.31, 900, surprises, sizes)
    assert caveat.code == "unlike-known-texts"
    assert caveat.figures["maximum"] == 2.2
    assert list(unlike_known_texts_caveats(2.29, 900, surprises, sizes)) == []
    assert (
        list(unlike_known_texts_caveats(9.0, 100, surprises, sizes)) == []
    )  # no known text is as short
    assert list(unlike_known_texts_caveats(9.0, 900, surprises * np.nan, sizes)) == []
    assert list(unlike_known_texts_caveats(float("inf"), 900, surprises, sizes)) == []


def known(shared: int) -> TrainingRecord:
    return TrainingRecord.of(
        [f"{numbered('a', 100)} {numbered('s', shared)}", numbered("b", 200)],
        ["Ada & <b>", "Ben"],
        ["one", "two"],
    )


def test_a_long_shared_passage_is_quoted_in_a_caveat() -> None:
    text = f"{numbered('q', 1000)} {numbered('s', LONG_PASSAGE + 14)} {numbered('r', 1000)}"
    [caveat] = shared_passage_caveats(text, known(LONG_PASSAGE + 14))
    assert caveat.code == "shared-passages"
    assert (
        "known texts by Ada & <b>, word for word, and in those of no other candidate"
        in caveat.sentence
    )
    assert caveat.figures["passage"] == text[caveat.figures["start"] : caveat.figures["end"]]
    assert caveat.figures["n_words"] >= LONG_PASSAGE


def test_a_short_shared_passage_gets_a_caveat_only_in_a_short_text() -> None:
    shared = numbered("s", LONG_PASSAGE - 1)
    in_long = f"{numbered('q', 1000)} {shared}"
    assert list(shared_passage_caveats(in_long, known(LONG_PASSAGE - 1))) == []
    assert list(shared_passage_caveats(f"{numbered('q', 30)} {shared} x", known(60))) != []


def test_few_known_words_get_a_caveat() -> None:
    [caveat] = training_amount_caveats({"ada": 50_000, "ben": 60_000, "cyd": 9_000})
    assert caveat.code == "few-known-words"
    assert caveat.sentence.startswith("cyd (9,000 words) has far less known text")
    assert caveat.figures == {"authors": ["cyd"], "n_words": [9_000]}
    assert list(training_amount_caveats({"ada": 50_000, "ben": 60_000, "cyd": 11_000})) == []


def test_single_works_get_a_caveat() -> None:
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
        # A surname in a sentence may be a city, and in lower case it is an ordinary word.
        (f"Dear friend, Washington was cold.\n{BODY}", ("George Washington",), []),
        (f"{BODY}\nstay young\n", ("Brigham Young",), []),
        (f"{BODY}\nEmily Brontë\n{BODY}", SISTERS, []),
        (BODY, SISTERS, []),
        ("", SISTERS, []),
    ],
)  # fmt: skip
def test_a_text_that_names_a_candidate_gets_a_caveat(
    text: str, authors: tuple[str, ...], named: list[str]
) -> None:
    caveats = list(candidate_name_caveats(text, authors))
    assert [caveat.figures["author"] for caveat in caveats] == named
    for caveat in caveats:
        assert caveat.code == "names-a-candidate"
        assert f"(“{caveat.figures['name']}”)" in caveat.sentence


@pytest.mark.parametrize(
    ("text", "share", "n_different"),
    [
        ("the " * 50, 45 / 46, 1),  # 46 passages of five words, all alike
        ("A loom hums all day. " * 12, 51 / 56, 5),
        (f"{numbered('word', 60)} " * 2, 56 / 116, 60),
    ],
)
def test_a_text_that_repeats_itself_has_a_caveat(text: str, share: float, n_different: int) -> None:
    [caveat] = repetition_caveats(text)
    assert caveat.code == "repetitive-text"
    assert caveat.figures["share"] == pytest.approx(share)
    assert caveat.figures["n_different_words"] == n_different


@pytest.mark.parametrize(
    "text", ["", "the " * 10, numbered("word", 90) + " " + numbered("word", 30)]
)
def test_a_text_that_repeats_little_of_itself_has_none(text: str) -> None:
    assert list(repetition_caveats(text)) == []
