"""Find words with similar vectors in the embeddings of neural language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Ids
from byline.errors import UsageError
from byline.lm.base import UNK, LanguageModel
from byline.lm.mixtures.model import MixtureLM
from byline.lm.networks.network_lm import NetworkLM


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """The embeddings of words, scaled to length one.

    Attributes
    ----------
    ids : (n_words,) int32
        Ascending, without ``<unk>``.
    units : tuple of (n_words, embedding_dim) float64
        One array per model. The dimensions of different models are unrelated.
    counts : (n_words,) int32
        Number of occurrences in the training text of the models; the minimum of several models.

    See Also
    --------
    word_vectors : Make this object from fitted models.

    Examples
    --------
    >>> units = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    >>> ids = np.array([1, 4, 7], dtype=np.int32)
    >>> vectors = WordVectors(ids, (units,), counts=np.array([9, 5, 3], dtype=np.int32))
    >>> vectors.nearest(4, at_most=1)
    [(7, 0.8)]
    """

    ids: Ids
    units: tuple[Floats, ...]
    counts: Ids

    def __contains__(self, word: int) -> bool:
        """Return whether a word has a vector in every model."""
        return bool(np.isin(word, self.ids))

    def similarities(self, word: int) -> Floats:
        """Compute the cosine similarity of a word to each word, (n_words,).

        With several models, it is the mean of the cosine similarities under the models.

        Raises
        ------
        UsageError
            The word has no vector.
        """
        row = int(np.searchsorted(self.ids, word))
        if word not in self:
            raise UsageError(
                f"the word with the id {word} has no vector, because it is too rare in the "
                "training text; choose another word"
            )
        cosines = np.stack([units @ units[row] for units in self.units])
        return np.asarray(cosines.mean(axis=0))

    def nearest(self, word: int, at_most: int, min_count: int = 1) -> list[tuple[int, float]]:
        """Find the most similar other words, and their cosine similarities.

        Parameters
        ----------
        word : int
            Id of the word.
        at_most : int
            Maximum number of words.
        min_count : int
            Words with fewer occurrences are ignored, because their vectors are still close to
            their random initial values.

        Returns
        -------
        list of (id, cosine similarity)
            In descending order of similarity.

        Raises
        ------
        UsageError
            The word has no vector.
        """
        cosines = self.similarities(word)
        order = np.argsort(-cosines, kind="stable")
        others = order[(self.ids[order] != word) & (self.counts[order] >= min_count)][:at_most]
        return [(int(self.ids[other]), float(cosines[other])) for other in others]


def word_vectors(models: Sequence[LanguageModel]) -> WordVectors:
    """Return the embeddings of the words that all given models of one author contain.

    A network has a vector for each word that occurs often enough in its training text (see
    `Shortlist`). The other words share a vector, which is not returned.

    Parameters
    ----------
    models : sequence of LanguageModel
        One or more fitted models, for instance those of all samples of an author. Of a mixture, the
        networks are used.

    Raises
    ------
    UsageError
        A model has no embeddings. N-gram models have none.

    See Also
    --------
    WordVectors.nearest : Find similar words.

    Examples
    --------
    >>> from byline.lm import FeedForwardLM, FeedForwardTraining
    >>> text = [np.array([1, 2, 3, 1, 2, 3], dtype=np.int32)] * 2
    >>> training = FeedForwardTraining(epochs=1, validation_fraction=0.0)
    >>> model = FeedForwardLM(embedding_dim=2, hidden_dims=(2,), training=training)
    >>> word_vectors([model.fit(text, vocabulary_size=5)]).ids.tolist()
    [1, 2, 3]
    """
    networks = [network for model in models for network in _networks(model)]
    words = networks[0].shortlist_.words
    for network in networks[1:]:
        words = np.intersect1d(words, network.shortlist_.words)
    words = words[words != UNK]
    counts = np.stack([network.event_counts_[words] for network in networks]).min(axis=0)
    return WordVectors(words, tuple(_units(network, words) for network in networks), counts)


def _networks(model: LanguageModel) -> list[NetworkLM]:
    components = model.components_ if isinstance(model, MixtureLM) else (model,)
    networks = [component for component in components if isinstance(component, NetworkLM)]
    if not networks:
        raise UsageError(
            f"a model of the kind {model.kind!r} has no word embeddings; train a feedforward or "
            "recurrent model"
        )
    return networks


def _units(network: NetworkLM, words: Ids) -> Floats:
    """Return rows of the embedding table, scaled to length one; rows of zeros do not change."""
    check_is_fitted(network, "network_")
    table: NDArray[np.float32] = network.network_.embedding
    rows = table[network.shortlist_.class_of[words]].astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return units
