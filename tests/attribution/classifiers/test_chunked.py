"""Chunks of long texts: nothing is lost, and authors have equally many chunks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.classifiers import BurrowsDelta, ChunkedClassifier, NgramRidge
from byline.attribution.classifiers import chunked as module
from byline.attribution.classifiers.base import HeldOutSplit
from byline.attribution.classifiers.blocks import NgramBlock
from byline.attribution.classifiers.chunked import sample_evenly, split_into_chunks
from byline.errors import UsageError

PRESENCE = (NgramBlock("word", (1, 1)),)


@given(st.text(alphabet="ab \n\u00a0"), st.integers(1, 5))
def test_chunks_concatenate_to_the_text(text: str, n_words: int) -> None:
    chunks = split_into_chunks(text, n_words)
    assert "".join(chunks) == text
    sizes = [len(chunk.split()) for chunk in chunks]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("n_words", "n_chunks"), [(5, 1), (14, 1), (16, 2), (24, 2), (26, 3)])
def test_a_text_is_split_into_the_nearest_number_of_chunks(n_words: int, n_chunks: int) -> None:
    assert len(split_into_chunks("w " * n_words, 10)) == n_chunks


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(1, 40))
def test_a_sample_has_equally_many_items_per_owner_as_far_as_possible(
    owners: list[int], at_most: int
) -> None:
    labels = np.array(owners)
    chosen = sample_evenly(labels, np.arange(len(labels)), at_most, np.random.default_rng(0))
    assert len(set(chosen.tolist())) == len(chosen)
    assert len(chosen) == min(len(labels), max(at_most, len(set(owners))))
    own, left = np.bincount(labels[chosen], minlength=4), np.bincount(labels, minlength=4)
    for short in set(owners):
        if own[short] < left[short]:
            assert own[short] >= own.max() - 1


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.integers(1, 40))
def test_a_sample_contains_one_item_of_each_text_first(texts: list[int], at_most: int) -> None:
    of_text = np.array(texts)
    one_owner = np.zeros(len(texts), dtype=np.intp)
    chosen = sample_evenly(one_owner, of_text, at_most, np.random.default_rng(0))
    assert len(set(of_text[chosen].tolist())) == min(len(set(texts)), at_most)


def test_a_score_is_the_mean_over_the_chunks() -> None:
    known = ["red red blue " * 2, "green grey blue " * 2]
    found = ChunkedClassifier(NgramRidge(PRESENCE, min_documents=1), n_words=3).fit(
        known, ["a", "b"]
    )
    assert found.classifier_.known_.shape[0] == 4
    text = "red blue grey green red red "
    both = found.classifier_.score_authors(["red blue grey ", "green red red "])
    np.testing.assert_allclose(found.score_authors([text])[0], both.mean(axis=0))


def test_short_texts_are_not_split() -> None:
    known = ["red red blue", "green grey blue"]
    ridge = NgramRidge(PRESENCE, min_documents=1)
    whole, chunks = ridge.fit(known, ["a", "b"]), ChunkedClassifier(ridge).fit(known, ["a", "b"])
    asked = ["red blue", "", "grey"]
    np.testing.assert_array_equal(chunks.score_authors(asked), whole.score_authors(asked))
    assert chunks.predict(asked[:1]).tolist() == ["a"]


def test_trains_on_at_most_max_chunks() -> None:
    known = ["red red blue " * 50, "green grey blue " * 10]
    found = ChunkedClassifier(NgramRidge(PRESENCE, min_documents=1), n_words=3, max_chunks=16)
    ridge = found.fit(known, ["a", "b"]).classifier_
    assert ridge.known_.shape[0] == 16
    again = found.fit(known, ["a", "b"]).classifier_
    np.testing.assert_array_equal(
        ridge.score_authors(["red grey"]), again.score_authors(["red grey"])
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_words": 0}, "n_words"),
        ({"max_chunks": 1}, "max_chunks"),
        ({"classifier": 3}, "must be a TextClassifier"),
    ],
)
def test_parameters_out_of_range_are_rejected(change: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChunkedClassifier(BurrowsDelta()).set_params(**change).fit(["a b", "c d"], ["a", "b"])


def test_batches_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHARACTERS_AT_ONCE", 10)
    texts = ["abcd", "efgh", "ij", "k", "", "x" * 25, "l"]
    batches = module.text_batches(texts)
    assert [text for turn in batches for text in turn] == texts
    assert batches == [["abcd", "efgh"], ["ij", "k", ""], ["x" * 25, "l"]]
    assert module.text_batches([]) == [[]]
    assert module.text_batches(["x" * 25]) == [["x" * 25]]


def test_batches_have_the_same_scores_as_all_texts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, authors = ["oats oats", "rye rye", "oats rye"] * 4, ["a", "b", "a"] * 4
    ridge = NgramRidge(PRESENCE).fit(texts, authors)
    at_once = ridge.score_authors(texts)
    monkeypatch.setattr(module, "_CHARACTERS_AT_ONCE", 20)
    np.testing.assert_array_equal(ridge.score_authors(texts), at_once)


@pytest.mark.parametrize(
    ("lengths", "n_words", "expected"),
    [
        ([600, 900], 500, 500),
        ([200, 230, 300, 20], 500, 215),
        ([30, 40], 500, 100),
        ([30, 40], 6, 6),
        ([90, 20_000], 9_000, 9_000),
    ],
)
def test_chunks_are_as_long_as_the_known_texts(
    lengths: list[int], n_words: int, expected: int
) -> None:
    known = ["red " * (length // 2) + "blue " * (length - length // 2) for length in lengths]
    authors = ["a", "b"] * (len(known) // 2)
    chunked = ChunkedClassifier(NgramRidge(PRESENCE, min_documents=1), n_words=n_words)
    assert chunked.fit(known, authors).chunk_words_ == expected
    chunked.set_params(n_words=3)  # does not matter after fit
    asked = "red green blue " * 500
    chunks = split_into_chunks(asked, expected)
    np.testing.assert_allclose(
        chunked.score_authors([asked])[0],
        chunked.classifier_.score_authors(chunks).mean(axis=0),
    )


def test_held_out_texts_have_chunks_of_the_same_length() -> None:
    known = ["red blue " * 100, "grey blue " * 120, "red " * 210, "grey " * 190]
    asked = "red grey blue " * 500
    chunked = ChunkedClassifier(BurrowsDelta(distance="cosine"))
    nothing = HeldOutSplit(np.zeros(4, dtype=bool), [asked])
    [found] = chunked.fit_with_held_out_scores(known, ["a", "b"] * 2, [nothing])
    assert chunked.chunk_words_ == 205
    np.testing.assert_allclose(found, chunked.score_authors([asked]))


def test_characters_of_unspaced_scripts_are_words() -> None:
    known = ["\u6d77" * 300, "\u8239" * 300]
    chunked = ChunkedClassifier(NgramRidge((NgramBlock("char", (1, 1)),), min_documents=1))
    assert chunked.fit(known, ["a", "b"]).chunk_words_ == 300
