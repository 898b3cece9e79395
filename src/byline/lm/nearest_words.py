"""Words that stand near each other in the embeddings of neural language models."""

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
    """The embeddings of words, each scaled to length one.

    Attributes
    ----------
    ids : (n_words,) int32
        Ascending; ``<unk>`` is no word.
    units : tuple of (n_words, embedding_dim) float64
        One a model; a model's dimensions have nothing to do with another's.
    counts : (n_words,) int32
        Uses in the text that the models learnt; of several, the least.
    """

    ids: Ids
    units: tuple[Floats, ...]
    counts: Ids

    def __contains__(self, word: int) -> bool:
        """Whether a word has a vector in every model."""
        return bool(np.isin(word, self.ids))

    def similarities(self, word: int) -> Floats:
        """Cosines between a word's vector and each word's, mean over the models, (n_words,).

        Raises
        ------
        UsageError
            The word has no vector.
        """
        place = int(np.searchsorted(self.ids, word))
        if word not in self:
            raise UsageError(f"the word with the id {word} has no vector")
        cosines = np.stack([units @ units[place] for units in self.units])
        return np.asarray(cosines.mean(axis=0))

    def nearest(self, word: int, at_most: int, min_count: int = 1) -> list[tuple[int, float]]:
        """Find the words with the highest cosines, and these; not the word itself.

        Parameters
        ----------
        word : int
            Its id.
        at_most : int
        min_count : int
            Words used fewer times are left out: their vectors are still near where they were drawn
            at random.

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
    """Take the embeddings out of fitted models of one author: of the words that all of them have.

    A network has a vector for each word that its training text holds often enough (see
    `Shortlist`); the others share one, which is no word's.

    Parameters
    ----------
    models : sequence of LanguageModel
        At least one; such as the draws of one author. Of a mixture its networks are taken.

    Raises
    ------
    UsageError
        A model has no embeddings: n-gram models have none.
    """
    networks = [network for model in models for network in _networks(model)]
    words = networks[0].shortlist_.own
    for network in networks[1:]:
        words = np.intersect1d(words, network.shortlist_.own)
    words = words[words != UNK]
    counts = np.stack([network.event_counts_[words] for network in networks]).min(axis=0)
    return WordVectors(words, tuple(_units(network, words) for network in networks), counts)


def _networks(model: LanguageModel) -> list[NetworkLM]:
    members = model.models_ if isinstance(model, MixtureLM) else (model,)
    networks = [member for member in members if isinstance(member, NetworkLM)]
    if not networks:
        raise UsageError(
            f"a model of the kind {model.kind!r} has no embeddings, so no words that are near each "
            "other in them; train a feedforward or recurrent one"
        )
    return networks


def _units(network: NetworkLM, words: Ids) -> Floats:
    """Rows of the embedding table, scaled to length one; those of zeros stay as they are."""
    check_is_fitted(network, "network_")
    table: NDArray[np.float32] = network.network_.embedding
    rows = table[network.shortlist_.class_of[words]].astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return units
