"""Which known texts are held out together, and where passages are cut."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.stacking.folds import (
    NEVER,
    SentenceSettings,
    assign_folds,
    sample_passages,
)
from byline.errors import BylineWarning, TrainingError

SENTENCES = SentenceSettings()
TEXT = "The mill stood.\nIt ground no corn, and\n  nobody asked.\n\nWhy? Nobody knew."


def test_spans_keep_line_breaks() -> None:
    sentences = [TEXT[start:end] for start, end in SentenceSettings().spans(TEXT)]
    assert sentences == [
        "The mill stood.",
        "It ground no corn, and\n  nobody asked.",
        "Why?",
        "Nobody knew.",
    ]


def test_spans_follow_the_sentence_rule() -> None:
    text = 'He said "Go." Dr. Lamb went.'
    of_rule = {
        rule: [text[start:end] for start, end in SentenceSettings(rule).spans(text)]
        for rule in ("segmenter", "punctuation")
    }
    assert of_rule == {
        "segmenter": ['He said "Go."', "Dr. Lamb went."],
        "punctuation": ['He said "Go." Dr.', "Lamb went."],
    }


def test_a_passage_is_a_part_of_the_text() -> None:
    rng = np.random.default_rng(0)
    text = "One two three.\n\nFour five."
    passages = {passage for _ in range(50) for passage in sample_passages(text, 3, 1, rng)}
    assert passages == {"One two three.", "two three.\n\nFour", "three.\n\nFour five."}
    assert sample_passages(text, 5, 1, rng) == []  # the whole text is no passage


@given(n_words=st.integers(1, 30), length=st.integers(1, 12), at_most=st.integers(1, 9))
def test_passages_do_not_overlap(n_words: int, length: int, at_most: int) -> None:
    words = [f"w{number}" for number in range(n_words)]
    found = sample_passages(" ".join(words), length, at_most, np.random.default_rng(n_words))
    used = [word for passage in found for word in passage.split()]
    assert len(used) == len(set(used)) == length * len(found)
    assert used == sorted(used, key=words.index)
    assert len(found) == (min(at_most, n_words // length) if n_words > length else 0)


@given(
    sizes=st.lists(st.integers(2, 12), min_size=2, max_size=5),
    n_folds=st.integers(2, 6),
    seed=st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_no_author_is_held_out_completely_and_works_stay_together(
    sizes: list[int], n_folds: int, seed: int
) -> None:
    authors = [f"a{number}" for number, size in enumerate(sizes) for _ in range(size + 1)]
    works = [
        str(part) for size in sizes for part in [0, *range(size)]
    ]  # two texts of the first work
    units = assign_folds(["x."] * len(works), authors, works, n_folds=n_folds, random_state=seed)
    assert [unit.author for unit in units] == authors
    folds = defaultdict(set)
    for unit, work in zip(units, works, strict=True):
        folds[unit.author, work].add(unit.fold)
    assert all(len(fold) == 1 for fold in folds.values())
    for author in set(authors):
        assert len({unit.fold for unit in units if unit.author == author}) > 1


def test_an_only_work_is_split_into_consecutive_parts() -> None:
    texts, authors = [TEXT, "One. Two.", "Three."], ["solo", "duo", "duo"]
    with pytest.warns(BylineWarning, match=r"1 author with a single work \(solo\)"):
        units = assign_folds(
            texts, authors, ["a", "b", "c"], n_folds=2, random_state=0, split_single_works=SENTENCES
        )
    parts = [(unit.text, unit.fold) for unit in units if unit.author == "solo"]
    assert parts == [(TEXT[: TEXT.index("\n\n")], 0), ("Why? Nobody knew.", 1)]
    assert [unit.text for unit in units if unit.author == "duo"] == texts[1:]


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_an_author_with_a_single_word_is_rejected() -> None:
    with pytest.raises(TrainingError, match="solo is a single word"):
        assign_folds(
            ["Oh.", "A. B."],
            ["solo", "duo"],
            ["a", "b"],
            n_folds=2,
            random_state=0,
            split_single_works=SENTENCES,
        )


def test_a_text_without_words_does_not_count_as_a_work() -> None:
    texts, authors = ["Oats grew. Rye died.", " \n", "C.", "D."], ["solo", "solo", "duo", "duo"]
    with pytest.warns(BylineWarning, match=r"\(solo\)"):
        units = assign_folds(
            texts, authors, list("abcd"), n_folds=2, random_state=0, split_single_works=SENTENCES
        )
    assert [unit.text for unit in units] == ["C.", "D.", "Oats grew.", "Rye died."]


def test_a_work_of_several_authors_is_held_out_for_all_at_once() -> None:
    authors = ["a", "a", "a", "b", "b", "b", "c", "c"]
    works = ["war", "sea", "own", "sea", "war", "tea", "tea", "sea"]
    texts = [f"text {number}" for number in range(len(works))]
    units = assign_folds(texts, authors, works, n_folds=3, random_state=0)
    folds = {(unit.author, work): unit.fold for unit, work in zip(units, works, strict=True)}
    for work in ("war", "sea", "tea"):
        assert len({fold for (_, other), fold in folds.items() if other == work}) == 1
    for author in "abc":
        assert len({fold for (other, _), fold in folds.items() if other == author}) > 1


def test_an_only_work_is_never_held_out() -> None:
    texts, authors = [TEXT, "One. Two.", "Three."], ["solo", "duo", "duo"]
    units = assign_folds(texts, authors, ["a", "b", "c"], n_folds=2, random_state=0)
    assert {unit.text: unit.fold for unit in units if unit.author == "solo"} == {TEXT: NEVER}
    assert {unit.fold for unit in units if unit.author == "duo"} == {0, 1}


def test_few_works_are_held_out_one_by_one() -> None:
    authors, works = list("aaabbb"), list("112345")  # two texts of a's first work
    units = assign_folds(works, authors, works, n_folds=2, random_state=0)
    assert sorted({(unit.author, unit.work): unit.fold for unit in units}.values()) == [*range(5)]


def test_many_works_are_held_out_in_parts() -> None:
    works = [str(number) for number in range(40)]
    units = assign_folds(works, list("ab") * 20, works, n_folds=3, random_state=0)
    assert {unit.fold for unit in units} == {0, 1, 2}


def test_shared_works_never_hold_out_an_author_completely() -> None:
    # Eight topics in two folds: for some authors, both topics are in the same fold.
    topics = [f"topic {number}" for number in range(8)]
    pairs = [(topics[i], topics[j]) for i in range(8) for j in range(i)]
    authors = [f"author {number:02}" for number in range(len(pairs)) for _ in range(2)]
    works = [work for pair in pairs for work in pair]
    units = assign_folds(works, authors, works, n_folds=2, random_state=0)
    for author in set(authors):
        assert len({unit.fold for unit in units if unit.author == author}) == 2


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_a_text_without_full_stops_is_split_between_words() -> None:
    units = assign_folds(
        ["oats grew and rye died", "a b", "c d"],
        ["solo", "duo", "duo"],
        ["a", "b", "c"],
        n_folds=3,
        random_state=0,
        split_single_works=SENTENCES,
    )
    parts = [(unit.text, unit.fold) for unit in units if unit.author == "solo"]
    assert parts == [("oats", 0), ("grew and", 1), ("rye died", 2)]


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_single_sentences_of_an_only_work_are_distributed_over_the_folds() -> None:
    texts = ["Oats."] * 7 + ["a b", "c d"]
    authors = ["solo"] * 7 + ["duo"] * 2
    works = ["a"] * 7 + ["b", "c"]
    units = assign_folds(
        texts, authors, works, n_folds=3, random_state=0, split_single_works=SENTENCES
    )
    assert [unit.fold for unit in units if unit.author == "solo"] == [0, 1, 2, 0, 1, 2, 0]


def test_texts_of_punctuation_only_are_left_out_if_there_are_others() -> None:
    texts, authors = ["One.", "\u200b", "Two.", "?!", "!!"], ["a", "a", "a", "b", "b"]
    units = assign_folds(texts, authors, list("vwxyz"), n_folds=2, random_state=0)
    assert [unit.text for unit in units] == ["One.", "Two.", "!!", "?!"]


def test_the_order_of_the_texts_does_not_matter() -> None:
    texts, authors, works = ["A.", "B.", "C.", "D."], ["x", "x", "y", "y"], ["i", "ii", "i", "iii"]
    units = assign_folds(texts, authors, works, n_folds=2, random_state=0)
    for order in ([3, 2, 1, 0], [1, 3, 0, 2]):
        shuffled = ([column[place] for place in order] for column in (texts, authors, works))
        assert assign_folds(*shuffled, n_folds=2, random_state=0) == units


def test_an_author_whose_texts_are_blank_is_named() -> None:
    with pytest.raises(TrainingError, match=r"texts of x are blank"):
        assign_folds([" \n", "A.", "B."], ["x", "y", "y"], list("abc"), n_folds=2, random_state=0)


def test_a_surrogate_is_treated_like_other_characters() -> None:
    assert SentenceSettings().spans("A \ud800 boat. Come") == [(0, 9), (10, 14)]
