"""The held-out texts of a stack: how many are scored, and that limiting them is fair."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.stacking.folds import SentenceSettings, assign_folds
from byline.attribution.stacking.held_out import hold_out_folds, limit_held_out_texts


def test_passages_follow_the_sentence_rule() -> None:
    texts = ['He said "Go." Dr. Lamb went.', "A fox ran. An owl sat.", "Hens lay.", "A cow ate."]
    fold_texts = assign_folds(texts, list("aabb"), texts, n_folds=2, random_state=0)
    passages = {
        rule: {
            text
            for part in hold_out_folds(
                fold_texts,
                n_folds=2,
                lengths=(1,),
                random_state=0,
                sentences=SentenceSettings(rule),
            )
            for text in part.split.questioned
            if "Lamb" in text or "said" in text
        }
        for rule in ("segmenter", "punctuation")
    }
    assert passages["segmenter"] <= {texts[0], 'He said "Go."', "Dr. Lamb went."}
    assert passages["punctuation"] <= {texts[0], 'He said "Go." Dr.', "Lamb went."}
    assert all(len(found) == 2 for found in passages.values())


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
    parts = hold_out_folds(units, n_folds=3, lengths=(1,), random_state=seed)
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
    parts = hold_out_folds(units, n_folds=2, lengths=(1,), random_state=0)
    same = limit_held_out_texts(parts, 8, random_state=0)
    assert [part.split.questioned for part in same] == [part.split.questioned for part in parts]
    assert [part.authors for part in same] == [part.authors for part in parts]
