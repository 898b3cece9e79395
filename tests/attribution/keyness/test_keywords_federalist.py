"""The marker words of Mosteller & Wallace (1964) are keywords of the Federalist authors."""

from __future__ import annotations

from pathlib import Path

import pytest

from byline.attribution.keyness import NgramCounts, keywords_in_text, keywords_of_authors
from byline.corpus import read_corpus, read_text

FOLDER = Path("corpora/federalist")


@pytest.fixture(scope="module")
def counts(shared: Path) -> NgramCounts:
    return NgramCounts.of(read_corpus(shared / FOLDER / "known"))


def test_marker_words_are_found(counts: NgramCounts) -> None:
    hamilton, _, madison = (
        {" ".join(ngram.ngram) for ngram in entry.ngrams}
        for entry in keywords_of_authors(counts, at_most=16)
    )
    assert {"upon", "there", "to", "would", "kind"} <= hamilton
    assert {"on", "by", "whilst"} <= madison


def test_a_disputed_essay_has_keywords_of_madison(counts: NgramCounts, shared: Path) -> None:
    [path] = (shared / FOLDER / "disputed").rglob("*51.txt")
    madison, hamilton = keywords_in_text(counts, read_text(path), "Madison", "Hamilton", at_most=20)
    assert {("on",), ("by",)} <= {ngram.ngram for ngram in madison.ngrams}
    assert ("upon",) not in {ngram.ngram for ngram in hamilton.ngrams}
