from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.classifiers import NgramBlock
from byline.attribution.classifiers.blocks import unmasked_words
from byline.attribution.verification.similarity import MAX_SIMILARITY, TextSpace

WORDS = NgramBlock("word", (1, 1))
NONE: frozenset[str] = frozenset()


def test_similarity_has_a_known_value() -> None:
    texts = ["a a a b", "a b b b", "a a b b", "b c", "b b b a", "a d"]
    space = TextSpace.of(texts, WORDS, 100, NONE)
    # Without the last text words a and b stand in two rows or more, c does not, but is a unit.
    # Rows: the known texts' mean of roots, the questioned text's, and those of the two references.
    first = (np.sqrt([0.75, 0.25]) + np.sqrt([0.5, 0.5])) / 2
    rows = np.array([first, *np.sqrt([[0.25, 0.75], [0.0, 0.5], [0.25, 0.75]])])
    z = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    # Word a is in three of four rows, word b in all: both are in the band of the most frequent.
    # The product of known and questioned texts is standardised by those of known and references.
    products = z[1:] @ z[0]
    expected = (products[0] - products[1:].mean()) / products[1:].std()
    assert space.similarities([0, 2], 1, [5]) == pytest.approx([0, 0, 0, 0, expected])


def test_excluded_texts_have_no_influence() -> None:
    texts = ["one two two three", "one one three", "two three four", "one four four", "five one"]
    more = TextSpace.of([*texts, "one six six", "six two seven"], WORDS, 100, NONE)
    fewer = TextSpace.of(texts, WORDS, 100, NONE)
    assert more.similarities([0, 1], 2, [5, 6]) == pytest.approx(fewer.similarities([0, 1], 2))


def test_rare_and_frequent_ngrams_are_compared_separately() -> None:
    # Of 26 rows (24 references and two compared ones), "rare" is in 3, "the" in half.
    references = [
        f"{'the' if n % 2 else 'a'} x{n} y{n // 2} {'rare' if n == 0 else ''}" for n in range(24)
    ]
    space = TextSpace.of(["the rare", "the rare", *references], WORDS, 100, NONE)
    found = space.compare([0], 1)
    bands = {space.fitted.ngrams.ngram(n)[0]: int(band) for n, band in enumerate(found.bands)}
    assert bands["rare"] == 1  # 3 / 26 = 0.115
    assert bands["the"] == 3  # 14 / 26 = 0.54
    assert bands["y3"] == 1  # 2 / 26 = 0.077
    sums = np.bincount(found.bands, found.products, 5)
    assert found.similarities[3] == pytest.approx((sums[3] - found.means[3]) / found.deviations[3])


def test_a_large_similarity_is_limited() -> None:
    references = [f"b{n // 2} c" for n in range(60)]
    space = TextSpace.of(["a a a", "a a a", *references], WORDS, 100, NONE)
    assert np.abs(space.similarities([0], 1)).max() <= MAX_SIMILARITY


def test_long_texts_are_compared_in_chunks() -> None:
    texts = ["a b " * 10, "a a b a " * 5, "b b a " * 5]
    assert TextSpace.of(texts, WORDS, 100, NONE).rows.shape[0] == 3
    assert TextSpace.of(texts, WORDS, 10, NONE).rows.shape[0] == 2 + 2 + 2  # 20, 20 and 15 words
    assert TextSpace.of(texts, WORDS, 10, NONE).owners.tolist() == [0, 0, 1, 1, 2, 2]


def test_texts_with_nothing_in_common_have_similarities_of_zero() -> None:
    texts = ["a", "b", "c"]
    assert not TextSpace.of(texts, WORDS, 100, NONE).similarities([0], 1).any()


def test_only_a_masking_block_keeps_words() -> None:
    texts = ["The cat, the dog; the end.", "a dog"]
    assert unmasked_words(texts, WORDS) == frozenset()
    assert unmasked_words(texts, NgramBlock("masked", (1, 2), keep=2)) == {"the", "dog"}
