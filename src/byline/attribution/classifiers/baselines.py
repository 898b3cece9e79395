"""Burrows's Delta: how far the frequencies of common words are from an author's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances

from byline.array_types import Floats
from byline.attribution.classifiers.base import Labels, TextClassifier
from byline.attribution.classifiers.units import is_word, most_frequent
from byline.attribution.inputs import check_choice, check_number
from byline.errors import TrainingError
from byline.progress import Progress
from byline.text import TextEncoder


class MostFrequentAuthor(TextClassifier):
    """Always names the author with the most known texts: what guessing alone gets right.

    A score is the author's share of the known texts, and the same for every questioned text.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    shares_ : (n_authors,) float64
        Each author's share of the known texts.
    """

    def _check_params(self) -> None:
        """There are none."""

    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self.shares_ = np.bincount(labels) / len(labels)
        progress(1, 1, "shares of the known texts")

    def _score(self, texts: Sequence[str]) -> Floats:
        return np.tile(self.shares_, (len(texts), 1))


_METRICS = {"burrows": "manhattan", "cosine": "cosine"}


class BurrowsDelta(TextClassifier):
    """Burrows's Delta (2002): the nearest author by z-scored frequencies of the commonest words.

    A word's z-score is its relative frequency, less its mean over the known texts, in units of its
    standard deviation over them (with n - 1, as in stylo). Questioned texts have no part in either,
    which stylo's default has. The score is the negative distance.

    Parameters
    ----------
    n_words : int
        How many of the most frequent words of the known texts are compared. Words are lower-cased;
        punctuation marks are none.
    distance : {"burrows", "cosine"}
        Mean absolute difference of the z-scores; or one less the cosine of the angle between them
        (Cosine Delta; Evert et al. 2017, "Understanding and explaining Delta measures for
        authorship attribution").
    profile : {"author", "text"}
        Compare with all texts of an author taken together, as Burrows did; or with the nearest of
        the author's texts, as stylo's ``classify`` does where each text stands for itself.
    language : str
        ISO 639 code, for lower-casing and elision.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    words_ : (n_words,) str
        The most frequent first; those that are equally frequent in all texts are left out.
    means_, deviations_ : (n_words,) float64
        Of the relative frequencies over the known texts.
    profiles_ : (n_profiles, n_words) float64
        z-scores of authors or texts, by author.
    starts_ : (n_authors,) int64
        Each author's first row of ``profiles_``.
    """

    def __init__(
        self,
        n_words: int = 500,
        *,
        distance: str = "burrows",
        profile: str = "author",
        language: str = "en",
    ) -> None:
        self.n_words = n_words
        self.distance = distance
        self.profile = profile
        self.language = language

    def _check_params(self) -> None:
        check_number("n_words", self.n_words, 1)
        check_choice("distance", self.distance, tuple(_METRICS))
        check_choice("profile", self.profile, ("author", "text"))

    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        by_author = np.argsort(labels, kind="stable")
        documents = [self._words(texts[i]) for i in by_author]
        labels = labels[by_author]
        self._learn_words(documents)
        counts, lengths = _count(documents, self.words_)
        self.starts_ = np.searchsorted(labels, np.arange(labels[-1] + 1))
        if self.profile == "author":
            counts = np.add.reduceat(counts, self.starts_)
            lengths = np.add.reduceat(lengths, self.starts_)
            self.starts_ = np.arange(len(counts))
        self.profiles_ = self._z_scores(counts, lengths)
        progress(1, 1, "word frequencies")

    def _learn_words(self, documents: Sequence[list[str]]) -> None:
        words = most_frequent(chain.from_iterable(documents), self.n_words)
        frequencies = _relative(*_count(documents, words))
        varying = np.ptp(frequencies, axis=0) > 0
        if not varying.any():
            raise TrainingError(
                "no word is more frequent in one known text than in another, so that Delta finds "
                "nothing to compare; add text"
            )
        self.words_ = np.array(words)[varying]
        self.means_ = frequencies[:, varying].mean(axis=0)
        self.deviations_ = frequencies[:, varying].std(axis=0, ddof=1)

    def _score(self, texts: Sequence[str]) -> Floats:
        counts, lengths = _count([self._words(text) for text in texts], self.words_)
        distances = pairwise_distances(
            self._z_scores(counts, lengths), self.profiles_, metric=_METRICS[self.distance]
        )
        if self.distance == "burrows":
            distances /= len(self.words_)
        distances[counts.sum(axis=1) == 0] = 0.0
        return -np.minimum.reduceat(distances, self.starts_, axis=1)

    def _words(self, text: str) -> list[str]:
        encoder = TextEncoder(sentence_rule="punctuation", language=self.language)
        return list(filter(is_word, chain.from_iterable(encoder.tokenize(text))))

    def _z_scores(self, counts: Floats, lengths: NDArray[np.int64]) -> Floats:
        scores: Floats = (_relative(counts, lengths) - self.means_) / self.deviations_
        return scores


def _count(
    documents: Sequence[list[str]], words: Sequence[str]
) -> tuple[Floats, NDArray[np.int64]]:
    """Count some words, a column each, and all words, in each document."""
    columns = dict(zip(words, range(len(words)), strict=True))
    counts = np.zeros((len(documents), len(words)))
    for row, document in zip(counts, documents, strict=True):
        known = [columns[word] for word in document if word in columns]
        row += np.bincount(known, minlength=len(words))
    return counts, np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))


def _relative(counts: Floats, lengths: NDArray[np.int64]) -> Floats:
    """Divide counts by the number of words of the text; zeros for a text without words."""
    return counts / np.maximum(lengths, 1)[:, np.newaxis]
