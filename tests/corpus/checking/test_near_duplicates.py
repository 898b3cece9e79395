from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.corpus.checking.line_breaks import read_for_checking
from byline.corpus.checking.near_duplicates import (
    MIN_OVERLAP,
    MIN_WORDS,
    NEAR_DUPLICATE,
    Overlap,
    choose_duplicates,
    find_overlaps,
)
from byline.corpus.fingerprints import (
    GUARANTEED_WORDS,
    PASSAGE_WORDS,
    Hashes,
    WordHasher,
    hash_passages,
)


def words(seed: int, n: int) -> list[str]:
    """Return words of which no eight consecutive ones occur twice."""
    rng = np.random.default_rng(seed)
    return [f"w{number}" for number in rng.integers(0, 1_000_000, size=n)]


def texts(*of: list[str]) -> list[Document]:
    return [Document("ada", " ".join(each), f"{index}.txt") for index, each in enumerate(of)]


def test_the_share_refers_to_the_words_of_the_shorter_text() -> None:
    # The other text contains 60 of the 100 words.
    copied, own, other = words(1, 60), words(2, 40), words(3, 200)
    found = find_overlaps(texts(other + copied, copied + own))
    assert found.n_words == (260, 100)
    assert found.pairs == (Overlap(text=1, source=0, n_words=100, n_copied=60),)
    assert found.pairs[0].share == 0.6


def test_separate_passages_are_added_up() -> None:
    a, b, gap = words(1, 30), words(2, 30), words(3, 20)
    (pair,) = find_overlaps(texts(a + words(4, 50) + b, a + gap + b)).pairs
    assert (pair.text, pair.n_words, pair.n_copied) == (1, 80, 60)


def test_different_texts_are_no_pair() -> None:
    assert find_overlaps(texts(*(words(seed, 100) for seed in range(20)))).pairs == ()


def test_a_small_share_is_ignored() -> None:
    copied = words(1, 20)
    assert find_overlaps(texts(copied + words(2, 80), copied + words(3, 80))).pairs == ()


def test_short_texts_are_ignored() -> None:
    short = words(1, MIN_WORDS - 1)
    assert find_overlaps(texts(short, short)).pairs == ()


def test_of_equal_texts_the_later_one_is_the_copy() -> None:
    same = words(1, 100)
    (pair,) = find_overlaps(texts(same, same)).pairs
    assert (pair.text, pair.source, pair.share) == (1, 0, 1.0)


def test_without_texts_there_are_no_pairs() -> None:
    assert find_overlaps([]).pairs == ()
    assert find_overlaps(texts([], [], ["a"])).n_words == (0, 0, 1)


def test_each_of_a_hundred_copies_is_paired_with_the_longest() -> None:
    same = words(1, 100)
    copies = texts(*([same] * 99), same + words(2, 1))
    found = find_overlaps(copies)
    assert {(pair.text, pair.source) for pair in found.pairs} >= {(text, 99) for text in range(99)}
    assert choose_duplicates(found.pairs) == dict.fromkeys(range(99), 99)


@settings(deadline=None, max_examples=30)
@given(st.integers(MIN_WORDS, 200), st.integers(0, 200), st.integers(0, 200))
def test_a_copied_passage_is_found_at_any_position(n: int, before: int, after: int) -> None:
    copied = words(1, n)
    longer = words(2, before) + copied + words(3, after)
    (pair,) = find_overlaps(texts(longer, copied)).pairs
    assert (pair.n_copied, pair.share) == (n, 1.0)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 300), st.integers(100, 300), st.integers(100, 300))
def test_every_pair_with_half_of_its_words_in_common_is_found(
    own: int, first: int, second: int
) -> None:
    copied = words(1, max(own, first, second))
    pair = texts(copied + words(2, first), copied + words(3, second))
    assert len(find_overlaps(pair).pairs) == 1


@settings(deadline=None, max_examples=30)
@given(st.permutations(range(6)))
def test_shares_do_not_depend_on_the_order_of_texts(order: list[int]) -> None:
    base = words(1, 200)
    bodies = [base[: 200 - 25 * n] + words(n + 2, 10 * n) for n in range(6)]
    found = find_overlaps(texts(*(bodies[place] for place in order)))
    shares = {
        frozenset((order[pair.text], order[pair.source])): pair.n_copied for pair in found.pairs
    }
    straight = find_overlaps(texts(*bodies))
    assert shares == {frozenset((pair.text, pair.source)): pair.n_copied for pair in straight.pairs}


def overlap(text: int, source: int, n_words: int, share: float) -> Overlap:
    return Overlap(text, source, n_words, round(share * n_words))


def test_the_longest_of_a_group_of_near_duplicates_stays() -> None:
    family = [overlap(2, 1, 80, 0.9), overlap(1, 0, 90, 0.9), overlap(2, 0, 80, 0.85)]
    assert choose_duplicates(family) == {1: 0, 2: 0}


def test_a_text_stays_if_its_near_duplicate_is_removed() -> None:
    # Text 2 is a near-duplicate of text 1 only, which is removed because of text 0.
    assert choose_duplicates([overlap(2, 1, 80, 0.9), overlap(1, 0, 90, 0.9)]) == {1: 0}


def test_a_smaller_overlap_is_no_near_duplicate() -> None:
    assert choose_duplicates([overlap(1, 0, 100, NEAR_DUPLICATE - 0.01)]) == {}


def test_thresholds_are_consistent() -> None:
    assert 0 < MIN_OVERLAP < NEAR_DUPLICATE < 1
    assert PASSAGE_WORDS < GUARANTEED_WORDS < MIN_WORDS


def test_no_pair_of_real_texts_is_missed(shared: Path, tmp_path: Path) -> None:
    for author in ("NickLouth", "JaneMacartney"):
        shutil.copytree(shared / "corpora" / "ccat50" / "train" / author, tmp_path / author)
    some, _ = read_for_checking(tmp_path)
    hasher = WordHasher()
    hashed = [hasher.hash_words(document.text) for document in some]
    passages = list(map(hash_passages, hashed))
    by_length = sorted(range(len(some)), key=lambda place: len(hashed[place]))
    expected = {
        frozenset((shorter, longer))
        for shorter, longer in combinations(by_length, 2)
        if len(hashed[shorter]) >= MIN_WORDS
        and copied(passages[shorter], passages[longer]) >= MIN_OVERLAP * len(hashed[shorter])
    }
    found = {frozenset((pair.text, pair.source)) for pair in find_overlaps(list(some)).pairs}
    assert len(found) > 20
    assert found == expected


def copied(shorter: Hashes, longer: Hashes) -> int:
    """Count the words of one text that another contains, by comparing all passages."""
    stand = np.zeros(len(shorter) + PASSAGE_WORDS - 1, dtype=bool)
    for place in np.flatnonzero(np.isin(shorter, longer)):
        stand[place : place + PASSAGE_WORDS] = True
    return int(stand.sum())


def test_texts_whose_passages_have_one_large_hash_are_compared() -> None:
    # The passages of these texts have one hash, above the range of signed integers, on which
    # NumPy 2.0 failed with an overflow. The texts are too short to be reported.
    assert find_overlaps(texts(["0:0:0:0:0𬊗0:0"], ["0:0:0:0:0𬊗0:0"])).pairs == ()
