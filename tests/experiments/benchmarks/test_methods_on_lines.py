"""Classifiers trained on lines of texts, and scores summed over lines."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from byline.attribution import NgramSVM
from byline.experiments.benchmarks.methods import SummedOverLines, TrainedOnLines

KNOWN = ["a red rose\nred wine and a rose", "the blue sky\na blue sea", "a red house\nso red"]
AUTHORS = ["ann", "bob", "ann"]
WORDS = NgramSVM("word", (1, 2), min_df=1)


def test_lines_are_texts() -> None:
    fitted = TrainedOnLines(WORDS).fit(KNOWN, AUTHORS)
    lines = [line for text in KNOWN for line in text.split("\n")]
    expected = NgramSVM("word", (1, 2), min_df=1)
    expected.fit(lines, ["ann", "ann", "bob", "bob", "ann", "ann"])
    assert fitted.classes_.tolist() == ["ann", "bob"]
    asked = ["a red one", "the sea\nthe sky"]
    np.testing.assert_array_equal(fitted.score_authors(asked), expected.score_authors(asked))


def test_the_score_of_a_text_is_the_sum_over_its_lines() -> None:
    fitted = SummedOverLines(WORDS).fit(KNOWN, AUTHORS)
    apart = fitted.score_authors(["a red one", "the sea"])
    together = fitted.score_authors(["the sea\na red one\nthe sea", "a red one"])
    # the first of three lines occurs twice
    np.testing.assert_allclose(together, [apart[0] + 2 * apart[1], apart[0]])


def test_line_breaks_are_part_of_word_ngrams() -> None:
    fitted = SummedOverLines(WORDS).fit(KNOWN, AUTHORS)
    assert "\n so" in fitted.classifier_.vectorizer_.vocabulary_
    assert "sky \n" in fitted.classifier_.vectorizer_.vocabulary_


def test_fitting_leaves_the_prototype_unchanged() -> None:
    told: list[tuple[int, int, str]] = []
    prototype = SummedOverLines(WORDS)
    clone(prototype).fit(KNOWN, AUTHORS, progress=lambda *step: told.append(step))
    assert not hasattr(prototype, "classes_")
    assert not hasattr(WORDS, "classes_")
    assert told == [(1, 1, "lines")]
    assert clone(prototype).set_params(classifier__C=2.0).classifier.C == 2.0
