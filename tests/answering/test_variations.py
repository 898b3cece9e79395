"""The plan of variations: what is left out, what is not, and what the notes say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from byline.answering.variations import (
    CANDIDATES,
    KNOWN_TEXTS,
    MASKED_WORDS,
    RANDOM_SAMPLES,
    VariationPlan,
)
from byline.attribution import Attribution, Candidate
from byline.corpus import Corpus, Document


def corpus(counts: dict[str, int], *, works: Sequence[str] | None = None) -> Corpus:
    """Return texts by authors; ``works`` names those of the texts in their order."""
    places = [(author, number) for author, n in counts.items() for number in range(n)]
    return Corpus(
        [
            Document(
                author,
                f"text {number}",
                f"{author}/{number}.txt",
                work=f"{author}/{number}.txt" if works is None else works[place],
            )
            for place, (author, number) in enumerate(places)
        ],
        "known",
    )


def answer(*authors: str, **changes: Any) -> Attribution:
    """Return an answer that ranks authors in this order."""
    ranking = tuple(
        Candidate(author, 0.0, 0.0, 0.0, 1.0, None, None, 1 / len(authors)) for author in authors
    )
    declined = None if authors else "the text is empty"
    return Attribution(None, 10, "log-likelihood", declined, None, None, ranking, **changes)


def test_each_known_text_is_left_out_in_turn() -> None:
    plan = VariationPlan(corpus({"Ada": 2, "Ben": 2}), [answer("Ada", "Ben")])
    plan.leave_out_known_texts(20, 0)
    assert [(each.name, each.documents) for each in plan.variations] == [
        ("without the text Ada/0.txt", (1, 2, 3)),
        ("without the text Ada/1.txt", (0, 2, 3)),
        ("without the text Ben/0.txt", (0, 1, 3)),
        ("without the text Ben/1.txt", (0, 1, 2)),
    ]
    assert {each.kind for each in plan.variations} == {KNOWN_TEXTS}
    assert plan.notes == []


def test_texts_of_a_work_are_left_out_together() -> None:
    known = corpus({"Ada": 3, "Ben": 2}, works=["w", "w", "x", "w", "y"])
    plan = VariationPlan(known, [answer("Ada", "Ben")])
    plan.leave_out_known_texts(20, 0)
    assert plan.variations[0].name == "without the work w by Ada (2 texts)"
    assert plan.variations[0].documents == (2, 3, 4)
    assert len(plan.variations) == 4


def test_the_only_text_of_a_candidate_is_not_left_out() -> None:
    plan = VariationPlan(corpus({"Ada": 1, "Ben": 2}), [answer("Ada", "Ben")])
    plan.leave_out_known_texts(20, 0)
    assert [each.documents for each in plan.variations] == [(0, 2), (0, 1)]
    assert plan.notes == [
        "The only known text of Ada was not left out, because no candidate can be without known "
        "texts."
    ]


@pytest.mark.parametrize("seed", range(3))
def test_of_many_texts_some_of_each_candidate_are_left_out(seed: int) -> None:
    known = corpus({"Ada": 40, "Ben": 10, "Cleo": 4})
    plan = VariationPlan(known, [answer("Ada", "Ben", "Cleo")])
    plan.leave_out_known_texts(12, seed)
    left_out = [
        next(n for n in range(len(known)) if n not in each.documents) for each in plan.variations
    ]
    assert Counter(known.authors[n] for n in left_out) == {"Ada": 4, "Ben": 4, "Cleo": 4}
    assert plan.notes == [
        f"12 known texts of 54 were left out in turn, chosen at random (seed {seed}) with about "
        "equally many of each candidate."
    ]


def test_the_choice_does_not_depend_on_the_order_of_the_texts() -> None:
    known = corpus({"Ada": 30, "Ben": 30})
    turned = known.select(range(len(known) - 1, -1, -1))
    names = []
    for each in (known, turned):
        plan = VariationPlan(each, [answer("Ada", "Ben")])
        plan.leave_out_known_texts(10, 0)
        names.append([variation.name for variation in plan.variations])
    assert names[0] == names[1]


def test_seeds_are_counted_from_the_models_own() -> None:
    plan = VariationPlan(corpus({"Ada": 1, "Ben": 1}), [answer("Ada", "Ben")])
    plan.change_seeds(2)
    assert [(each.kind, each.seed_offset) for each in plan.variations] == [
        (RANDOM_SAMPLES, 1),
        (RANDOM_SAMPLES, 2),
    ]


@pytest.mark.parametrize(
    ("n_words", "kept"), [(5000, [1000, 300, 100]), (301, [300, 100]), (101, [100]), (100, [])]
)
def test_words_are_masked_if_there_are_more_than_are_kept(n_words: int, kept: list[int]) -> None:
    plan = VariationPlan(corpus({"Ada": 1, "Ben": 1}), [answer("Ada", "Ben")])
    plan.mask_words(n_words)
    assert [each.n_kept_words for each in plan.variations] == kept
    assert all(each.kind == MASKED_WORDS for each in plan.variations)
    assert bool(plan.notes) == (not kept)


def test_probabilities_with_masked_words_are_said_to_be_less_well_calibrated() -> None:
    plain = answer("Ada", "Ben")
    ranking = tuple(replace(place, probability=0.5) for place in plain.ranking)
    plan = VariationPlan(corpus({"Ada": 1, "Ben": 1}), [answer(), replace(plain, ranking=ranking)])
    plan.mask_words(5000)
    [note] = plan.notes
    assert note.startswith("Probabilities with masked words are less well calibrated, because")


def test_two_candidates_cannot_be_varied() -> None:
    plan = VariationPlan(corpus({"Ada": 1, "Ben": 1}), [answer("Ada", "Ben")])
    plan.change_candidates()
    assert plan.variations == []
    assert plan.notes == ["The candidates were not varied, because there are only two."]


def test_of_three_candidates_no_set_is_used_twice() -> None:
    known = corpus({"Ada": 1, "Ben": 1, "Cleo": 1})
    plan = VariationPlan(known, [answer("Ben", "Ada", "Cleo")])
    plan.change_candidates()
    assert [(each.name, each.documents) for each in plan.variations] == [
        ("without the candidate Ada", (1, 2)),
        ("with Ben and Ada as the only candidates", (0, 1)),
    ]


def test_each_other_candidate_is_left_out_and_the_best_two_stand_alone() -> None:
    known = corpus(dict.fromkeys("ABCD", 1))
    plan = VariationPlan(known, [answer(*"CABD"), answer(*"ACBD"), answer()])
    plan.change_candidates()
    assert [(each.name, each.texts) for each in plan.variations] == [
        ("without the candidate A", (0,)),
        ("without the candidate B", (0, 1)),
        ("without the candidate C", (1,)),
        ("without the candidate D", (0, 1)),
        ("with A and C as the only candidates", (1,)),
        ("with C and A as the only candidates", (0,)),
    ]
    assert {each.kind for each in plan.variations} == {CANDIDATES}


def test_of_many_candidates_only_the_best_ones_are_left_out() -> None:
    names = [f"author-{n:02}" for n in range(15)]
    plan = VariationPlan(corpus(dict.fromkeys(names, 1)), [answer(*names)])
    plan.change_candidates()
    assert [each.name for each in plan.variations[:-1]] == [
        f"without the candidate {name}" for name in names[1:11]
    ]
    assert plan.notes == ["Only the 10 candidates after the first one were left out in turn."]


def test_nothing_is_varied_for_a_declined_text() -> None:
    plan = VariationPlan(corpus({"Ada": 2, "Ben": 2, "Cleo": 2}), [answer()])
    plan.train_again()
    plan.leave_out_known_texts(20, 0)
    plan.change_seeds(3)
    plan.mask_words(500)
    plan.change_candidates()
    assert plan.variations == []
