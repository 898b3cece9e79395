from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.classifiers import NgramBlock
from byline.attribution.classifiers.blocks import unmasked_words
from byline.attribution.verification.similarity import TextSpace

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
    expected = z[0] @ z[1] / np.linalg.norm(z[0]) / np.linalg.norm(z[1])
    assert space.similarity([0, 2], 1, [5]) == pytest.approx(expected)


def test_excluded_texts_have_no_influence() -> None:
    texts = ["one two two three", "one one three", "two three four", "one four four", "five one"]
    more = TextSpace.of([*texts, "one six six", "six two seven"], WORDS, 100, NONE)
    fewer = TextSpace.of(texts, WORDS, 100, NONE)
    assert more.similarity([0, 1], 2, [5, 6]) == pytest.approx(fewer.similarity([0, 1], 2))


def test_long_texts_are_compared_in_chunks() -> None:
    texts = ["a b " * 10, "a a b a " * 5, "b b a " * 5]
    assert TextSpace.of(texts, WORDS, 100, NONE).rows.shape[0] == 3
    assert TextSpace.of(texts, WORDS, 10, NONE).rows.shape[0] == 2 + 2 + 2  # 20, 20 and 15 words
    assert TextSpace.of(texts, WORDS, 10, NONE).owners.tolist() == [0, 0, 1, 1, 2, 2]


def test_a_text_with_nothing_in_common_has_a_similarity_of_zero() -> None:
    texts = ["a", "b", "c"]
    assert TextSpace.of(texts, WORDS, 100, NONE).similarity([0], 1) == 0.0


def test_only_a_masking_block_keeps_words() -> None:
    texts = ["The cat, the dog; the end.", "a dog"]
    assert unmasked_words(texts, WORDS) == frozenset()
    assert unmasked_words(texts, NgramBlock("masked", (1, 2), keep=2)) == {"the", "dog"}


def test_a_similarity_is_the_sum_of_the_contributions_of_ngrams() -> None:
    texts = [
        "one two three four",
        "one two two five",
        "six seven",
        "one six seven four",
        "five six",
    ]
    space = TextSpace.of(texts, WORDS, 100, NONE)
    known, questioned = space.directions([0], 1)
    assert len(known) == len(questioned) == len(space.fitted.ngrams)
    assert float((known * questioned).sum()) == pytest.approx(space.similarity([0], 1))
    assert [float(each @ each) for each in (known, questioned)] == pytest.approx([1, 1])
