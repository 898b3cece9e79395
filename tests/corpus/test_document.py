from __future__ import annotations

import dataclasses
import pickle

import pytest

from byline.corpus import Corpus, Document


@pytest.fixture
def corpus() -> Corpus:
    return Corpus(
        [
            Document("Zoe", "One.", "z/1.txt"),
            Document("Abe", "Two.", "a/1.txt", work="a/letters"),
            Document("Zoe", "Three.", "z/2.txt", topic="war"),
        ],
        "three",
    )


def test_columns_keep_the_documents_order(corpus: Corpus) -> None:
    assert corpus.texts == ["One.", "Two.", "Three."]
    assert corpus.authors == ["Zoe", "Abe", "Zoe"]
    assert corpus.paths == ["z/1.txt", "a/1.txt", "z/2.txt"]
    assert corpus.candidates == ["Abe", "Zoe"]


def test_a_document_without_a_work_is_its_own(corpus: Corpus) -> None:
    assert corpus.works == ["z/1.txt", "a/letters", "z/2.txt"]


def test_select_takes_indices_in_their_order(corpus: Corpus) -> None:
    chosen = corpus.select([2, 0])
    assert chosen.texts == ["Three.", "One."]
    assert chosen.name == "three"


def test_a_slice_is_a_corpus_and_an_index_a_document(corpus: Corpus) -> None:
    assert isinstance(corpus[1:], Corpus)
    assert corpus[1:].texts == ["Two.", "Three."]
    assert corpus[-1].topic == "war"
    assert [document.author for document in corpus] == corpus.authors


def test_documents_and_corpora_cannot_be_changed(corpus: Corpus) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus[0].text = "Other."  # type: ignore[misc]
    with pytest.raises(AttributeError):
        corpus.name = "other"  # type: ignore[misc]


def test_equal_documents_make_equal_corpora(corpus: Corpus) -> None:
    again = Corpus(list(corpus), "three")
    assert again == corpus
    assert hash(again) == hash(corpus)
    assert again != Corpus(list(corpus), "other")
    assert corpus != "three"


def test_a_corpus_survives_pickling_between_processes(corpus: Corpus) -> None:
    assert pickle.loads(pickle.dumps(corpus)) == corpus  # noqa: S301


def test_repr_counts(corpus: Corpus) -> None:
    assert repr(corpus) == "<Corpus 'three': 3 documents by 2 authors>"
