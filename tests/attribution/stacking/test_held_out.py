"""The held-out texts of a stack: how many are scored, and that limiting them is fair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.stacking.folds import assign_folds
from byline.attribution.stacking.held_out import hold_out_folds, limit_held_out_texts


def test_texts_of_a_work_count_as_the_root_of_their_number() -> None:
    text = " ".join(map(str, range(100)))
    units = assign_folds(
        [text, text + " x", "a b", "c d"], list("aabb"), list("1123"), n_folds=2, random_state=0
    )
    parts = hold_out_folds(units, lengths=(10, 60), random_state=0)
    # Author a has one work of two texts, so that it is never held out; b has two short works.
    assert [part.authors for part in parts] == [["b"], ["b"]]
    units = assign_folds(
        [text, text + " x", text + " y"], list("aaa"), list("112"), n_folds=2, random_state=0
    )
    by_work = hold_out_folds(units, lengths=(10, 60), random_state=0)
    assert sorted(part.n_texts for part in by_work) == [1, 2]
    for part in by_work:
        expected = part.n_texts**0.5
        n_words = [len(each.split()) for each in part.split.questioned]
        for length in (10, 60):
            shares = [s for s, n in zip(part.shares, n_words, strict=True) if n == length]
            assert len(shares) > 1 or length == 60
            assert sum(shares) == pytest.approx(expected)
        of_whole = [s for s, whole in zip(part.shares, part.is_whole, strict=True) if whole]
        assert sum(of_whole) == pytest.approx(expected)


@given(
    sizes=st.lists(st.integers(2, 9), min_size=2, max_size=5),
    at_most=st.integers(1, 60),
    seed=st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_a_limit_keeps_equally_many_texts_per_author(
    sizes: list[int], at_most: int, seed: int
) -> None:
    authors = [author for author, size in enumerate(sizes) for _ in range(size)]
    texts = [f"Text {number}. It goes on." for number in range(len(authors))]
    units = assign_folds(texts, authors, texts, n_folds=3, random_state=seed)
    parts = hold_out_folds(units, lengths=(4,), random_state=seed)
    limited = limit_held_out_texts(parts, at_most, random_state=seed)
    n_texts = Counter(author for part in limited for author in part.authors)
    assert set(n_texts) == set(authors)
    assert n_texts.total() == min(2 * len(authors), max(at_most, len(sizes)))
    bound = max(n_texts.values()) - 1
    assert all(n_texts[author] >= min(bound, 2 * size) for author, size in enumerate(sizes))
    whole = {part.split.held_out.tobytes(): part for part in parts}
    for part in limited:
        assert part.authors
        of_all = whole[part.split.held_out.tobytes()]
        pairs = list(zip(of_all.split.questioned, of_all.authors, strict=True))
        pairs_here = zip(part.split.questioned, part.authors, strict=True)
        assert set(pairs_here) <= set(pairs)


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    texts = ["One. Two.", "Three. Four.", "Five. Six.", "Seven. Eight."]
    units = assign_folds(texts, list("abab"), texts, n_folds=2, random_state=0)
    parts = hold_out_folds(units, lengths=(1,), random_state=0)
    same = limit_held_out_texts(parts, 12, random_state=0)
    assert [part.split.questioned for part in same] == [part.split.questioned for part in parts]
    assert [part.authors for part in same] == [part.authors for part in parts]


def test_a_limit_counts_the_passages_of_each_text() -> None:
    """A text and its passages of two lengths count three, so that six texts are within 18."""
    authors = [author for author in "abc" for _ in range(4)]
    texts = [" ".join(f"{n}x{word}" for word in range(30)) for n in range(12)]
    units = assign_folds(texts, authors, texts, n_folds=2, random_state=0)
    for at_most, per_author in ((18, 2), (9, 1), (36, 4)):
        parts = hold_out_folds(units, lengths=(5, 9), random_state=0, at_most=at_most)
        whole = [
            author
            for part in parts
            for author, is_whole in zip(part.authors, part.is_whole, strict=True)
            if is_whole
        ]
        assert Counter(whole) == dict.fromkeys("abc", per_author)
