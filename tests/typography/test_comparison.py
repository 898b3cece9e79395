from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.typography.comparison import MIN_DIFFERENCE, KnownForms

SENTENCES = [
    f"The loom of Ada hums for {n} days. Nobody hears it, not even Ben." for n in range(40)
]
USUAL = "\n\n".join(" ".join(SENTENCES[n : n + 3]) for n in range(0, 39, 3))
UNBROKEN = USUAL.replace("\n\n", " ")


def differing(texts: list[str], authors: list[str]) -> list[str]:
    return [each.convention for each in KnownForms.of(texts, authors).differences()]


@pytest.mark.parametrize(
    ("changed", "convention"),
    [
        (USUAL.lower(), "letter-case"),
        (USUAL.upper(), "letter-case"),
        (USUAL.replace(".", "").replace(",", ""), "punctuation"),
        (UNBROKEN, "paragraphs"),
        (UNBROKEN.replace(". ", ".\n"), "paragraphs"),
    ],
)
def test_authors_whose_texts_have_different_forms_differ(changed: str, convention: str) -> None:
    assert differing([USUAL, USUAL, changed, changed], ["a", "b", "c", "c"]) == [convention]
    # Half of an author's texts are enough; a form that all authors share is no difference.
    assert differing([USUAL, USUAL, changed, USUAL], ["a", "b", "c", "c"]) == [convention]
    assert differing([USUAL, changed] * 3, ["a", "a", "b", "b", "c", "c"]) == []


N_WORDS = st.integers(0, 10)


@given(st.lists(st.tuples(N_WORDS, N_WORDS, N_WORDS), min_size=1, max_size=6))
def test_authors_differ_if_any_two_of_them_do(counts: list[tuple[int, int, int]]) -> None:
    # numbers of words in texts with the usual form, with small letters, and without either
    totals = {str(author): sum(own) for author, own in enumerate(counts)}
    usual, small, _ = (
        {str(author): own[form] for author, own in enumerate(counts)} for form in range(3)
    )
    forms = {"letter-case": {"usual": usual, "small": small}}
    known = KnownForms(totals, forms, longest=dict.fromkeys(totals, 0))
    n_words = {author: max(total, 1) for author, total in totals.items()}
    expected = any(
        small[one] / n_words[one] + usual[other] / n_words[other] - 1 >= MIN_DIFFERENCE
        for one, other in permutations(totals, 2)
    )
    assert bool(known.differences()) is expected


def test_an_author_who_sometimes_writes_small_letters_does_not_differ() -> None:
    assert differing([USUAL] * 3 + [USUAL.lower()] + [USUAL] * 3, ["a"] * 4 + ["b"] * 3) == []


def test_the_lengths_of_undivided_texts_are_compared_with_the_paragraphs_of_others() -> None:
    letter = UNBROKEN[:800]  # 160 words, too few to be unusual by themselves
    assert differing([letter] * 3 + [USUAL] * 2, ["a"] * 3 + ["b"] * 2) == ["paragraphs"]
    assert differing([letter] * 3 + [letter] * 2, ["a"] * 3 + ["b"] * 2) == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (USUAL.lower(), ("letter-case", "small")),
        (USUAL.upper(), ("letter-case", "capitals")),
        (USUAL.replace(".", "").replace(",", ""), ("punctuation", "none")),
        (UNBROKEN, ("paragraphs", "unbroken")),
        (UNBROKEN[:800], ("paragraphs", "unbroken")),
    ],
)
def test_a_text_deviates_from_texts_without_its_form(text: str, form: tuple[str, str]) -> None:
    known = KnownForms.of([USUAL] * 6, ["a", "b", "c"] * 2)
    [deviation] = known.deviations(text)
    assert (deviation.convention, deviation.form) == form
    assert deviation.authors == ()
    assert known.deviations(USUAL) == ()
    assert known.deviations(SENTENCES[0]) == ()


def test_a_form_of_one_author_of_three_deviates_and_one_of_all_does_not() -> None:
    small = USUAL.lower()
    one = KnownForms.of([USUAL] * 9 + [small], ["a", "b", "c"] * 3 + ["a"])
    assert [each.authors for each in one.deviations(small)] == [("a",)]
    all_three = KnownForms.of([USUAL] * 9 + [small] * 3, ["a", "b", "c"] * 4)
    assert all_three.deviations(small) == ()


def test_texts_that_show_no_form_are_no_reason_to_deviate() -> None:
    known = KnownForms.of(["An owl calls. A fox barks."] * 6, ["a", "b"] * 3)
    assert known.deviations(UNBROKEN.lower()) == ()


def test_the_order_of_texts_does_not_matter() -> None:
    texts, authors = [USUAL, UNBROKEN, USUAL.lower()], ["b", "a", "c"]
    there = KnownForms.of(texts, authors)
    back = KnownForms.of(texts[::-1], authors[::-1])
    assert there == back
    assert there.differences() == back.differences()
