"""Nearest words: cosine similarities worked by hand, and networks of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

from byline.errors import UsageError
from byline.lm import (
    FeedForwardLM,
    FeedForwardTraining,
    LanguageModel,
    MixtureLM,
    NgramLM,
    RecurrentLM,
    RecurrentTraining,
)
from byline.lm.nearest_words import WordVectors, word_vectors

# Ids 1 to 4 occur often; 5 occurs once, and 6 never.
SENTENCES = [np.array([1, 2, 3, 4, 1, 2], dtype=np.int32)] * 6 + [np.array([5], dtype=np.int32)]
FEEDFORWARD = FeedForwardLM(
    embedding_dim=3,
    hidden_dims=(3,),
    training=FeedForwardTraining(epochs=1, validation_fraction=0.0),
)
RECURRENT = RecurrentLM(units=3, training=RecurrentTraining(epochs=1, validation_fraction=0.0))


def _fitted(model: LanguageModel) -> LanguageModel:
    model.fit(SENTENCES, vocabulary_size=7)
    return model


def test_known_values() -> None:
    vectors = WordVectors(
        np.array([1, 4, 7], dtype=np.int32),
        (np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]),),
        np.array([9, 5, 3], dtype=np.int32),
    )
    assert vectors.similarities(1).tolist() == [1.0, 0.6, 0.0]
    assert vectors.nearest(4, 5) == [(7, 0.8), (1, 0.6)]
    assert vectors.nearest(4, 1) == [(7, 0.8)]
    assert vectors.nearest(4, 5, min_count=4) == [(1, 0.6)]
    assert vectors.nearest(7, 5, min_count=4) == [(4, 0.8), (1, 0.0)]
    assert 7 in vectors
    assert 2 not in vectors
    with pytest.raises(UsageError, match="id 2 has no vector"):
        vectors.nearest(2, 1)


def test_cosines_are_averaged_over_models() -> None:
    one, other = np.eye(2), np.array([[1.0, 0.0], [1.0, 0.0]])
    vectors = WordVectors(np.array([1, 2], dtype=np.int32), (one, other), np.ones(2, np.int32))
    assert vectors.nearest(1, 1) == [(2, 0.5)]  # (0 + 1) / 2


@pytest.mark.parametrize("model", [FEEDFORWARD, RECURRENT], ids=["feedforward", "recurrent"])
def test_rows_of_the_embedding_are_the_words(model: LanguageModel) -> None:
    fitted = _fitted(model)
    vectors = word_vectors([fitted])
    table: NDArray[np.float32] = fitted.network_.embedding
    assert vectors.ids.tolist() == [1, 2, 3, 4]
    assert vectors.counts.tolist() == [12, 12, 6, 6]
    one, two = (
        table[0].astype(float),
        table[1].astype(float),
    )  # class 0 is the first word of the shortlist
    cosine = one @ two / np.sqrt((one @ one) * (two @ two))
    assert vectors.similarities(1)[1] == pytest.approx(cosine, rel=1e-6)
    assert vectors.similarities(3)[2] == pytest.approx(1)


def test_the_networks_of_a_mixture_are_used() -> None:
    mixture = _fitted(
        MixtureLM((NgramLM(order=2, smoothing="witten-bell"), FEEDFORWARD, RECURRENT))
    )
    vectors = word_vectors([mixture])
    assert len(vectors.units) == 2
    assert vectors.ids.tolist() == [1, 2, 3, 4]


def test_words_must_be_in_all_models() -> None:
    few = clone(FEEDFORWARD).set_params(min_count=7)
    assert word_vectors([_fitted(few), _fitted(FEEDFORWARD)]).ids.tolist() == [1, 2]


def test_ngram_models_have_no_embeddings() -> None:
    with pytest.raises(UsageError, match="kind 'ngram' has no word embeddings"):
        word_vectors([_fitted(NgramLM(order=2, smoothing="witten-bell"))])
