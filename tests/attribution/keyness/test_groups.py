"""Keywords of two groups of texts: choice, laws, and the values of stylo."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.keyness import (
    GroupKeywords,
    Measure,
    compare_groups,
    eder_zeta,
    slice_shares,
)
from byline.attribution.keyness.word_table import WordTable
from byline.corpus import Corpus, Document
from byline.errors import UsageError

FIRST = ("Austen", "ABronte", "CBronte", "EBronte", "Eliot")
SECOND = ("Dickens", "Thackeray", "Trollope")
MEASURES = st.sampled_from(list(Measure))
WORDS = st.lists(st.sampled_from(["ab", "bc", "cd", "de", "ef", "fg"]), min_size=200, max_size=400)


def group(name: str, *texts: str) -> Corpus:
    return Corpus([Document(name, text, f"{name}/{n}") for n, text in enumerate(texts)], name)


SEA = group("sea", "the sea was calm and we saw Emma there " * 150, "the sea is here " * 200)
LAND = group("land", "the field was green and we saw Emma here " * 150, "the field is here " * 200)


def words(found: GroupKeywords) -> tuple[list[str], list[str]]:
    return [each.word for each in found.preferred], [each.word for each in found.avoided]


def test_rates_and_shares_by_hand() -> None:
    found = compare_groups(SEA, LAND, slice_size=100, keep_names=True)
    [sea] = [each for each in found.preferred if each.word == "sea"]
    # 150 + 200 occurrences in 150 * 9 + 200 * 4 = 2,150 words; in every slice
    assert (sea.first.count, sea.second.count, sea.first.n_texts) == (350, 0, 2)
    assert sea.first.rate == pytest.approx(10_000 * 350 / 2150)
    assert (sea.first.slice_share, sea.second.slice_share, sea.score) == (1, 0, 1)
    # Slices of 100: 13 of the 1,350 words, and 8 of the 800
    assert (found.first.n_slices, found.first.n_words, found.first.n_short) == (21, 2150, 0)


def test_names_are_left_out_and_counted() -> None:
    emma = group("Emma", "so we saw Emma at the sea all day long and all night " * 90)
    anne = group("Anne", "so we saw Anne at the sea all day long and all night " * 90)
    left, kept = (compare_groups(emma, anne, keep_names=keep) for keep in (False, True))
    assert (words(left), left.n_names) == (([], []), 2)
    assert (words(kept), kept.n_names) == ((["emma"], ["anne"]), 0)


def test_only_the_first_keywords_have_lines() -> None:
    found = compare_groups(SEA, LAND, measure="log-likelihood", at_most=None, lines_for=1)
    assert [len(each.lines) for each in found.preferred] == [5, 0, 0]


@pytest.mark.parametrize("measure", Measure)
def test_every_measure_finds_what_distinguishes_the_groups(measure: Measure) -> None:
    sea = group("sea", *("the sea was calm today " * 300 for _ in range(2)), "a field " * 100)
    land = group("land", *("the field was calm today " * 300 for _ in range(2)), "a sea " * 100)
    preferred, avoided = words(compare_groups(sea, land, measure=measure))
    assert preferred == ["sea"]
    assert avoided == ["field"]


@settings(max_examples=20)
@given(WORDS, WORDS, MEASURES)
def test_swapping_the_groups_negates_the_scores(
    first: list[str], second: list[str], measure: Measure
) -> None:
    own, other = group("own", " ".join(first)), group("other", " ".join(second))
    there = compare_groups(own, other, measure=measure, n_lines=1)
    back = compare_groups(other, own, measure=measure, n_lines=1)
    assert words(there) == words(back)[::-1]
    assert [each.score for each in there.preferred] == pytest.approx(
        [-each.score for each in back.avoided]
    )
    assert [each.first for each in there.preferred] == [each.second for each in back.avoided]


@given(st.permutations(range(4)))
def test_the_order_of_the_texts_changes_no_score(order: list[int]) -> None:
    texts = ["the sea " * 60, "a calm sea " * 70, "we saw the sea " * 50, "here it is " * 40]
    there = compare_groups(group("sea", *texts), LAND, n_lines=1)
    back = compare_groups(group("sea", *(texts[n] for n in order)), LAND, n_lines=1)
    assert words(there) == words(back)
    assert [each.scores for each in there.preferred] == [each.scores for each in back.preferred]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measure": "chi"}, "measure is 'chi'; it must be 'zeta' or 'eder-zeta' or"),
        ({"slice_size": 0}, "slice_size is 0; it must be a whole number of at least 1"),
        ({"at_most": 0}, "at_most is 0; it must be a whole number of at least 1"),
        ({"slice_size": 5000}, "of sea has 1,350 words, fewer than a slice of 5,000. Choose"),
    ],
)
def test_impossible_arguments_are_refused(change: dict[str, str | int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare_groups(SEA, LAND, **change)  # type: ignore[arg-type]


def test_a_group_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="The texts of digits have no words"):
        compare_groups(SEA, group("digits", "1 2 3"))


def test_the_scores_are_those_of_stylo(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (_read(shared, names) for names in (FIRST, SECOND))
    table = WordTable.of(first, second)
    monkeypatch.setattr(WordTable, "of", lambda *_: table)  # the novels are counted only once
    expected = _read_scores(shared, "craig")
    found = compare_groups(first, second, slice_size=3000, at_most=None, keep_names=True, n_lines=0)
    scores = {each.word: each.score for each in (*found.preferred, *found.avoided)}
    assert scores == pytest.approx(expected, abs=1e-6)
    # The stored list of Eder's Zeta ends after 500 words per side; compare it with all of Byline's.
    shares = [
        slice_shares(each.texts, len(table.words), 3000) for each in (table.first, table.second)
    ]
    expected = _read_scores(shared, "eder")
    ids = [table.words.index(word) for word in expected]
    assert eder_zeta(*shares)[ids].tolist() == pytest.approx(list(expected.values()), abs=1e-6)


def _read_scores(shared: Path, name: str) -> dict[str, float]:
    with (shared / f"oracles/stylo/zeta-{name}.zeta.tsv").open(encoding="utf-8") as stream:
        return {word: float(score) for _, word, score in csv.reader(stream, delimiter="\t")}


def _read(shared: Path, authors: tuple[str, ...]) -> Corpus:
    folder = shared / "corpora/british_fiction"
    paths = [path for author in authors for path in sorted((folder / author).glob("*.txt"))]
    documents = [
        Document(path.parent.name, path.read_text(encoding="utf-8"), path.name) for path in paths
    ]
    return Corpus(documents, authors[0])
