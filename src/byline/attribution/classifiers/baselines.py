"""Baselines: the most frequent author, and Burrows's Delta."""

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
    """Attribute every text to the author with the most known texts: the accuracy by chance.

    A score is the author's proportion of the known texts, the same for every questioned text.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    shares_ : (n_authors,) float64
        Each author's proportion of the known texts.

    See Also
    --------
    BurrowsDelta : A baseline that reads the texts.

    Examples
    --------
    >>> from byline.attribution import MostFrequentAuthor
    >>> known = ["a cat", "a dog", "a cow"]
    >>> MostFrequentAuthor().fit(known, ["Ann", "Bob", "Bob"]).predict(["an owl"]).tolist()
    ['Bob']
    """

    def _check_params(self) -> None:
        """Accept everything: there are no parameters."""

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self.shares_ = np.bincount(labels) / len(labels)
        progress(1, 1, "numbers of known texts")

    def _score(self, texts: Sequence[str]) -> Floats:
        return np.tile(self.shares_, (len(texts), 1))


_METRICS = {"burrows": "manhattan", "cosine": "cosine"}


class BurrowsDelta(TextClassifier):
    """Burrows's Delta (2002): the nearest author by z-scores of the most frequent words.

    A word's z-score is its relative frequency minus the mean over the known texts, divided by the
    standard deviation over them (with n - 1, as in stylo). Unlike in stylo's default, questioned
    texts do not affect the mean and the standard deviation. The score is the negative distance.

    Texts are not normalised: quotation marks, spaces and whatever else an edition decides are
    features. Without a `StackedAttributor`, apply ``Normalization.parse("edition").apply`` of
    `byline.typography` to known and questioned texts (see `TextClassifier`).

    Parameters
    ----------
    n_words : int
        Number of most frequent words of the known texts to compare. Words are lower-cased, and
        punctuation marks are not words.
    distance : {"burrows", "cosine"}
        The mean absolute difference of the z-scores; or one minus the cosine of the angle between
        them (Cosine Delta; Evert et al. 2017, "Understanding and explaining Delta measures for
        authorship attribution").
    profile : {"author", "text"}
        Compare with all texts of an author as one text, as Burrows did; or with the nearest of the
        author's texts, as stylo's ``classify`` does with separate texts.
    language : str
        ISO 639 code, for lower-casing and elision.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    words_ : (n_words,) str
        The most frequent words first, without words that are equally frequent in all texts.
    means_, deviations_ : (n_words,) float64
        Of the relative frequencies over the known texts.
    profiles_ : (n_profiles, n_words) float64
        z-scores of authors or texts, sorted by author.
    starts_ : (n_authors,) int64
        Each author's first row of ``profiles_``.

    See Also
    --------
    NgramSVM, NgramRidge : Stronger classifiers.

    Examples
    --------
    >>> from byline.attribution import BurrowsDelta
    >>> known = ["the cat and the cow", "the dog and the cat", "a dog or a cow", "a cow or a cat"]
    >>> delta = BurrowsDelta(n_words=4).fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> delta.predict(["the owl and the fox", "an owl or a fox"]).tolist()
    ['Ann', 'Bob']
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

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        by_author = np.argsort(labels, kind="stable")
        documents = [self._words(texts[i]) for i in by_author]
        labels = labels[by_author]
        self._fit_words(documents)
        counts, lengths = _count(documents, self.words_)
        self.starts_ = np.searchsorted(labels, np.arange(labels[-1] + 1))
        if self.profile == "author":
            counts = np.add.reduceat(counts, self.starts_)
            lengths = np.add.reduceat(lengths, self.starts_)
            self.starts_ = np.arange(len(counts))
        self.profiles_ = self._z_scores(counts, lengths)
        progress(1, 1, "word frequencies")

    def _fit_words(self, documents: Sequence[list[str]]) -> None:
        words = most_frequent(chain.from_iterable(documents), self.n_words)
        frequencies = _relative(*_count(documents, words))
        varying = np.ptp(frequencies, axis=0) > 0
        if not varying.any():
            raise TrainingError(
                "all words are equally frequent in all known texts, so that Delta cannot compare "
                "them; add text"
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
    """Count some words, one column each, and all words in each document."""
    columns = dict(zip(words, range(len(words)), strict=True))
    counts = np.zeros((len(documents), len(words)))
    for row, document in zip(counts, documents, strict=True):
        known = [columns[word] for word in document if word in columns]
        row += np.bincount(known, minlength=len(words))
    return counts, np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))


def _relative(counts: Floats, lengths: NDArray[np.int64]) -> Floats:
    """Divide counts by the number of words in the text; zeros for a text without words."""
    return counts / np.maximum(lengths, 1)[:, np.newaxis]
