from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.errors import TrainingError, UsageError
from byline.experiments import Fold, hold_out, split
from byline.experiments.split_caveats import (
    copied_texts,
    find_undivided_authors,
    texts_of_known_works,
)
from byline.text import TextEncoder

MakeCorpus = Callable[..., Corpus]


def tiny(units: dict[str, list[int]]) -> Corpus:
    """Make a corpus of short documents from the sizes of each author's works."""
    return Corpus(
        [
            Document(author, f"{author} {work} {number}", f"{author}/{work}/{number}", str(work))
            for author, sizes in units.items()
            for work, size in enumerate(sizes)
            for number in range(size)
        ],
        "tiny",
    )


def works_of(corpus: Corpus) -> set[tuple[str, str]]:
    return {(document.author, document.work) for document in corpus}


corpora = st.dictionaries(
    st.sampled_from(["Ada", "Ben", "Cy", "Di"]),
    st.lists(st.integers(1, 3), min_size=2, max_size=6),
    min_size=2,
).map(tiny)
seeds = st.integers(0, 1000)


@settings(deadline=None, max_examples=60)
@given(corpora, st.integers(2, 6), seeds)
def test_documents_are_questioned_once_and_every_author_has_known_text(
    corpus: Corpus, folds: int, seed: int
) -> None:
    most = max(Counter(corpus.authors).values())
    parts = split(corpus, "document", min(folds, most), random_state=seed)
    questioned = [path for fold in parts for path in fold.questioned.paths]
    assert sorted(questioned) == sorted(corpus.paths)
    for fold in parts:
        assert not set(fold.known.paths) & set(fold.questioned.paths)
        assert len(fold.known) + len(fold.questioned) == len(corpus)
        assert fold.known.candidates == corpus.candidates


@settings(deadline=None, max_examples=60)
@given(corpora, st.integers(2, 6), seeds)
def test_works_are_never_divided(corpus: Corpus, folds: int, seed: int) -> None:
    most = max(Counter(author for author, _ in works_of(corpus)).values())
    parts = split(corpus, "work", min(folds, most), random_state=seed)
    questioned = [path for fold in parts for path in fold.questioned.paths]
    assert sorted(questioned) == sorted(corpus.paths)
    for fold in parts:
        assert not works_of(fold.known) & works_of(fold.questioned)
        assert not texts_of_known_works(fold)
        assert len(fold.questioned) > 0
        assert fold.known.candidates == corpus.candidates


@settings(deadline=None, max_examples=30)
@given(corpora, seeds)
def test_leave_one_out_takes_each_unit_once(corpus: Corpus, seed: int) -> None:
    by_document = split(corpus, "document", "leave-one-out", random_state=seed)
    assert [fold.questioned.paths for fold in by_document] == [[path] for path in corpus.paths]
    by_work = split(corpus, "work", "leave-one-out", random_state=seed)
    assert all(len(works_of(fold.questioned)) == 1 for fold in by_work)
    assert len(by_work) == len(works_of(corpus))


def test_one_fold_holds_out_one_fifth_of_every_author() -> None:
    (fold,) = split(tiny({"Ada": [1] * 10, "Ben": [1] * 20}), "document", 1)
    assert Counter(fold.questioned.authors) == {"Ada": 2, "Ben": 4}


def test_splits_depend_on_the_seed_alone() -> None:
    corpus = tiny({"Ada": [1] * 10, "Ben": [1] * 10})
    one, again, other = (split(corpus, random_state=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_split_by_sentence_questions_every_sentence() -> None:
    corpus = Corpus(
        [
            Document("Ada", "One. Two. Three. Four.", "ada.txt"),
            Document("Ben", "Five. Six.", "ben.txt"),
        ],
        "two",
    )
    parts = split(corpus, "sentence", 2, encoder=TextEncoder(sentence_rule="punctuation"))
    questioned = [document for fold in parts for document in fold.questioned]
    assert sorted(document.text for document in questioned) == sorted(
        ["One.", "Two.", "Three.", "Four.", "Five.", "Six."]
    )
    assert {d.path for d in questioned if d.text == "Six."} == {"ben.txt, sentence 2"}
    assert all(Counter(fold.questioned.authors) == {"Ada": 2, "Ben": 1} for fold in parts)


@pytest.mark.parametrize(
    ("protocol", "folds", "message"),
    [
        ("topic", 5, "topic"),
        ("document", 0, "folds=0"),
        ("document", True, "folds=True"),
        ("document", 2.5, r"folds=2\.5"),
        ("document", "all", "folds='all'"),
        ("sentence", "leave-one-out", "not possible with split='sentence'"),
    ],
)
def test_impossible_arguments(protocol: Any, folds: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        split(tiny({"Ada": [3], "Ben": [3]}), protocol, folds)


@pytest.mark.parametrize("folds", [None, 1, 2, 3, "leave-one-out"])
def test_an_only_text_is_always_known_and_never_questioned(folds: Any) -> None:
    corpus = tiny({"Ada": [1, 1, 1, 1, 1], "Ben": [1]})
    for fold in split(corpus, "document", folds):
        assert Counter(fold.known.authors)["Ben"] == 1
        assert fold.questioned.candidates == ["Ada"]
        assert len(fold.known) + len(fold.questioned) == 6
        assert not set(fold.known.paths) & set(fold.questioned.paths)


def test_an_only_work_is_never_divided() -> None:
    corpus = tiny({"Ada": [1, 1], "Ben": [4]})
    for folds in (None, 2, "leave-one-out"):
        parts = split(corpus, "work", folds)
        assert [Counter(fold.known.authors) for fold in parts] == [{"Ada": 1, "Ben": 4}] * 2
    found = list(find_undivided_authors(parts, "work"))
    assert found == [
        "no text by Ben was held out, because there is only one work; the accuracy for Ben is "
        "unknown"
    ]


@pytest.mark.parametrize("folds", [None, 1, 2, 9, "leave-one-out"])
def test_at_least_one_author_needs_two_texts(folds: Any) -> None:
    with pytest.raises(
        TrainingError,
        match=r"Ada \(1 document\) and Ben \(1 document\)\..*add some, or leave these",
    ):
        split(tiny({"Ada": [1], "Ben": [1]}), "document", folds)


@pytest.mark.parametrize(
    ("protocol", "folds", "message"),
    [
        (
            "document",
            5,
            "5 parts in turn, .* 3 documents; use 2 to 3 folds or leave-one-out, or add",
        ),
        ("document", 1, "one fifth, .* more than 3 documents; use 2 to 3 folds or leave-one-out"),
        ("work", 4, "4 parts in turn, .* more than 3 works; use 2 to 3 folds or leave-one-out"),
        (
            "sentence",
            1000,
            "1000 parts in turn, .* more than 3 sentences; use 2 to 3 folds, or add",
        ),
    ],
)
def test_more_folds_than_documents(protocol: Any, folds: int, message: str) -> None:
    corpus = tiny({"Ada": [1, 1, 1], "Ben": [1, 1]})
    with pytest.raises(TrainingError, match=message):
        split(corpus, protocol, folds)
    assert len(split(corpus, protocol, 3)) == 3


@pytest.mark.parametrize(("most", "n_folds"), [(2, 2), (4, 4), (5, 5), (9, 5)])
def test_default_number_of_folds(most: int, n_folds: int) -> None:
    corpus = tiny({"Ada": [1] * most, "Ben": [1, 1]})
    for protocol in ("document", "work", "sentence"):
        parts = split(corpus, protocol)
        assert len(parts) == n_folds
        assert all(fold.known.candidates == corpus.candidates for fold in parts)


@settings(deadline=None, max_examples=40)
@given(corpora, seeds, st.floats(0.05, 0.95))
def test_hold_out_uses_every_author_with_enough_documents(
    corpus: Corpus, seed: int, share: float
) -> None:
    n = Counter(corpus.authors)
    if max(n.values()) < 3:
        with pytest.raises(TrainingError, match="no author has 3"):
            hold_out(corpus, share=share, random_state=seed)
        return
    fold = hold_out(corpus, share=share, random_state=seed)
    withheld = Counter(fold.questioned.authors)
    assert sorted(fold.known.paths + fold.questioned.paths) == sorted(corpus.paths)
    assert fold.known.candidates == corpus.candidates
    assert set(withheld) == {author for author in n if n[author] >= 3}
    assert fold == hold_out(corpus, share=share, random_state=seed)


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"share": 1.0}, {"at_least": 1}])
def test_hold_out_refuses(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        hold_out(tiny({"Ada": [3], "Ben": [3]}), **wrong)


def test_leaks_are_found(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 3, "Ben": 3})
    copy = replace(corpus[0], text=f"  {corpus[0].text}\n", path="copy", work="other")
    part = replace(corpus[4], text="something else", path="part")
    fold = Fold(corpus, Corpus([copy, part], "questioned"))
    assert copied_texts(fold) == ["copy"]
    assert texts_of_known_works(fold) == ["part"]
