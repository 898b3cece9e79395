"""The verdict for each outcome of the variations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.answering.test_variations import answer

from byline.answering import Sensitivity, Variation, VariedAnswer


def varied(
    first: str | None,
    probability: float | None = None,
    name: str = "so",
    kind: str = "known-texts",
) -> VariedAnswer:
    reason = "too short" if first is None else None
    variation = Variation(kind, name, (0,), (0,))
    return VariedAnswer(variation, first, probability, probability, None, reason)


def sensitivity(*found: VariedAnswer, n_planned: int | None = None, **changes: Any) -> Sensitivity:
    given: dict[str, Any] = {"answer": answer("Madison", "Hamilton"), "notes": ()}
    planned = len(found) if n_planned is None else n_planned
    return Sensitivity(varied=found, n_planned=planned, **given | changes)


def test_the_answer_never_changes() -> None:
    found = sensitivity(*(varied("Madison", p) for p in (0.991, 0.912, 0.95)))
    assert found.verdict == (
        "The first candidate is Madison in all 3 variations. In the 3 variations with the same "
        "candidates and unmasked words, the probability of Madison lies between 91.2 % and 99.1 %."
    )
    assert found.changed == []
    assert found.probability_range == (0.912, 0.991)


def test_other_candidates_and_masked_words_do_not_extend_the_range() -> None:
    found = sensitivity(
        varied("Madison", 0.75),
        varied("Madison", 0.65, kind="random-samples"),
        varied("Madison", 0.957, kind="candidates"),
        varied("Hamilton", 0.2, "with words masked", kind="masked-words"),
    )
    assert found.probability_range == (0.65, 0.75)
    assert found.verdict == (
        "The answer changes to Hamilton with words masked. In the other 3 variations the first "
        "candidate is Madison. In the 2 variations with the same candidates and unmasked words, "
        "the probability of Madison lies between 65.0 % and 75.0 %."
    )


@pytest.mark.parametrize("kind", ["candidates", "masked-words"])
def test_without_comparable_variations_there_is_no_range(kind: str) -> None:
    found = sensitivity(varied("Madison", 0.9, kind=kind))
    assert found.probability_range is None
    assert found.verdict == "The first candidate is Madison in the one variation."


def test_probabilities_close_to_one_are_bounds() -> None:
    found = sensitivity(varied("Madison", 0.9999), varied("Madison", 0.99999))
    assert found.verdict == (
        "The first candidate is Madison in all 2 variations. In the 2 variations with the same "
        "candidates and unmasked words, the probability of Madison is more than 99.9 %."
    )


def test_one_variation() -> None:
    assert sensitivity(varied("Madison")).verdict == (
        "The first candidate is Madison in the one variation."
    )


def test_uncalibrated_answers_have_no_probability() -> None:
    found = sensitivity(varied("Madison"), varied("Madison"))
    assert found.verdict == "The first candidate is Madison in all 2 variations."
    assert found.probability_range is None


def test_the_answer_changes_once() -> None:
    found = sensitivity(
        varied("Madison", 0.9),
        varied("Madison", 0.8),
        varied("Hamilton", 0.3, "without the text 10.txt"),
    )
    assert found.verdict == (
        "The answer changes to Hamilton without the text 10.txt. In the other 2 variations "
        "the first candidate is Madison. In the 3 variations with the same candidates and unmasked "
        "words, the probability of Madison lies between 30.0 % and 90.0 %."
    )
    assert found.probability_range == (0.3, 0.9)


def test_the_answer_changes_several_times() -> None:
    others = [
        varied(name, 0.2, f"without {n}") for n, name in enumerate(["Jay", "Jay", "Hamilton"])
    ]
    assert sensitivity(varied("Madison", 0.9), *others).verdict == (
        "The answer changes in 3 of 4 variations: to Jay without 0, to Jay without 1 and to "
        "Hamilton without 2. In the other variation the first candidate is Madison. In the 4 "
        "variations with the same candidates and unmasked words, the probability of Madison lies "
        "between 20.0 % and 90.0 %."
    )


def test_of_many_changes_some_are_named() -> None:
    others = [varied("Jay", 0.2, f"without {n}") for n in range(5)]
    assert sensitivity(*others).verdict == (
        "The answer changes in 5 of 5 variations: to Jay without 0, to Jay without 1, to Jay "
        "without 2 and 2 more. In the 5 variations with the same candidates and unmasked words, "
        "the probability of Madison is 20.0 %."
    )


def test_variations_without_an_answer_are_counted() -> None:
    found = sensitivity(varied("Madison", 0.9), varied(None))
    assert found.verdict == (
        "The first candidate is Madison in the one variation. In the one variation with the same "
        "candidates and unmasked words, the probability of Madison is 90.0 %. In 1 "
        "variation there is no answer."
    )
    assert sensitivity(varied(None)).verdict == "In 1 variation there is no answer."


def test_an_interruption_is_stated() -> None:
    assert sensitivity(varied("Madison"), varied("Madison"), n_planned=9).verdict == (
        "The first candidate is Madison in all 2 variations. Only 2 of 9 variations were computed "
        "before the interruption."
    )


def test_a_declined_text_is_not_varied() -> None:
    found = sensitivity(answer=answer())
    assert found.verdict == ("The text was declined (the text is empty), so no answer was varied.")


@pytest.mark.parametrize("name", ["רות", "Ann"])
def test_a_name_from_right_to_left_does_not_reverse_the_sentence(name: str) -> None:
    shown = sensitivity(varied(name), answer=answer(name, "Ben")).verdict
    assert ("\u2068" in shown) == (name == "רות")
