"""Folds of an open-set evaluation: whose texts are known and questioned."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from byline.corpus import Corpus, Document
from byline.errors import BylineError, CorpusError, TrainingError, UsageError
from byline.experiments.open_set.folds import fold_of_test, split_open_set


def _corpus(authors: Iterable[str], n: int = 5) -> Corpus:
    texts = [
        Document(a, f"{a} wrote {i}.", f"{a}/{i}.txt", f"work {i // 2}")
        for a in authors
        for i in range(n)
    ]
    return Corpus(texts, "toy")


@pytest.mark.parametrize("n_authors", [4, 5, 7, 12])
@pytest.mark.parametrize("protocol", ["document", "work"])
def test_each_author_is_unknown_once_and_never_known_then(n_authors: int, protocol: str) -> None:
    corpus = _corpus("ABCDEFGHIJKL"[:n_authors])
    folds = split_open_set(corpus, protocol)  # type: ignore[arg-type]
    left_out = [author for fold in folds for author in fold.unknown_authors]
    assert sorted(left_out) == corpus.candidates
    for fold in folds:
        assert not set(fold.known.authors) & set(fold.unknown_authors)
        assert set(fold.known.authors) | set(fold.unknown_authors) == set(corpus.authors)
        assert not set(fold.known.paths) & set(fold.questioned.paths)
        assert len(set(fold.known.authors)) >= 3
        own = [each for each in fold.questioned if each.author in fold.unknown_authors]
        assert len(own) == 5 * len(fold.unknown_authors)
        assert len(fold.questioned) > len(own)  # by candidates
        if protocol == "work":
            known = {(each.author, each.work) for each in fold.known}
            assert not known & {(each.author, each.work) for each in fold.questioned}


def test_folds_depend_on_the_seed_but_not_on_the_order_of_authors() -> None:
    def groups(corpus: Corpus, seed: int) -> list[tuple[str, ...]]:
        return [fold.unknown_authors for fold in split_open_set(corpus, random_state=seed)]

    assert groups(_corpus("ABCDEFG"), 3) == groups(_corpus("GFEDCBA"), 3)
    assert len({tuple(groups(_corpus("ABCDEFG"), seed)) for seed in range(5)}) > 1


def test_the_number_of_folds() -> None:
    corpus = _corpus("ABCDEFGHIJ")
    assert len(split_open_set(corpus)) == 5
    assert len(split_open_set(corpus, folds=1)) == 1
    assert len(split_open_set(corpus, folds=3)) == 3
    assert len(split_open_set(corpus, folds="leave-one-out")) == 10
    assert len(split_open_set(_corpus("ABCDE", n=2), folds=5)) == 5  # more than an author's texts


@pytest.mark.parametrize(
    ("authors", "n", "options", "error", "words"),
    [
        ("ABC", 5, {}, TrainingError, "there are 3 authors, but .* 3 candidates must remain"),
        (
            "ABCDE",
            5,
            {"folds": 2},
            UsageError,
            "folds=2: 5 authors can be left out in 3 to 5 folds",
        ),
        ("ABCD", 5, {"folds": 5}, UsageError, "folds=5: 4 authors can be left out in 4 to 4 folds"),
        ("ABCD", 1, {}, TrainingError, "Every author needs two documents or more"),
        ("ABCD", 5, {"protocol": "sentence"}, UsageError, "whole documents or works"),
    ],
)
def test_impossible_divisions_are_refused(
    authors: str, n: int, options: dict[str, int], error: type[BylineError], words: str
) -> None:
    with pytest.raises(error, match=words):
        split_open_set(_corpus(authors, n), **options)  # type: ignore[arg-type]


def test_two_candidates_may_remain_with_a_reference_population() -> None:
    folds = split_open_set(_corpus("ABC"), min_candidates=2)
    assert [len(fold.known.candidates) for fold in folds] == [2, 2, 2]
    assert fold_of_test(_corpus("AB"), _corpus("AZ"), 2).unknown_authors == ("Z",)
    with pytest.raises(TrainingError, match="and 2 candidates must remain"):
        split_open_set(_corpus("AB"), min_candidates=2)


def test_separate_questioned_texts_need_both_kinds() -> None:
    known = _corpus("ABC")
    assert fold_of_test(known, _corpus("AZ")).unknown_authors == ("Z",)
    with pytest.raises(CorpusError, match="all texts are by authors of toy"):
        fold_of_test(known, _corpus("AB"))
    with pytest.raises(CorpusError, match=re.escape("no text is by an author of toy")):
        fold_of_test(known, _corpus("YZ"))
    with pytest.raises(TrainingError, match="there are 2 authors"):
        fold_of_test(_corpus("AB"), _corpus("AZ"))
