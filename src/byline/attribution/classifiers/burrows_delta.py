"""`BurrowsDelta`: the nearest author by the frequencies of the most frequent words."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import TransformerMixin, clone
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.classifiers.base import HeldOutSplit, Labels, TextClassifier, no_progress
from byline.attribution.classifiers.word_counts import WordCounts
from byline.attribution.inputs import check_texts
from byline.attribution.stored_arrays import take_array, take_strings
from byline.constraints import Constraints, one_of, whole
from byline.errors import BylineWarning, ModelFileError
from byline.lm.model_state import ModelState
from byline.progress import Progress
from byline.text.tokens import check_language_code

_DISTANCES = ("burrows", "cosine")
_TEXTS_AT_ONCE = 1024  # of z-scores: 16 MB with 2,000 words


class BurrowsDelta(TransformerMixin, TextClassifier):  # type: ignore[misc]
    """Burrows's Delta (2002): the nearest author by z-scores of the most frequent words.

    A word's z-score is its relative frequency minus the mean over the known texts, divided by the
    standard deviation over them (with n - 1, as in stylo). Unlike in stylo's default, questioned
    texts do not affect the mean and the standard deviation. The score is the negative distance.
    A text without any of the words has equal scores. If no word's frequency varies over the known
    texts, `fit` warns, and every text has equal scores.

    Texts are not normalised: quotation marks, spaces and whatever else an edition decides are
    features. Without a `StackedAttributor`, apply ``Normalization.parse("edition").apply`` of
    ``byline.typography`` to known and questioned texts (see `TextClassifier`).

    Parameters
    ----------
    n_words : int
        Number of most frequent words of the known texts to compare. Words are lower-cased, and
        punctuation marks are not words. In languages with elision, ``l'`` and ``homme`` are two.
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

    _parameter_constraints: ClassVar[Constraints] = {
        "n_words": [whole(1)],
        "distance": [one_of(*_DISTANCES)],
        "profile": [one_of("author", "text")],
        "language": [str],
    }

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

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features depend on (`byline.typography.conventions`)."""
        return frozenset({"accents"})

    def transform(self, X: Iterable[str]) -> Floats:
        """Return the z-scores of the words' frequencies, for other tools: (n_texts, n_words)."""
        check_is_fitted(self, "classes_")
        return self._z_scores(WordCounts.of(check_texts(X), self.language, self.words_.tolist()))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the names of the columns of `transform`: the words."""
        check_is_fitted(self, "classes_")
        return np.asarray(self.words_, dtype=object)

    def contributions(self, text: str) -> Floats:
        """Return what the frequency of each word adds to each author's score.

        Words that do not occur in the text contribute too: their absence favours the authors who
        use them rarely.

        Parameters
        ----------
        text : str

        Returns
        -------
        (n_words, n_authors) float64
            Rows as ``words_``. The sum of a column is the author's score in `score_authors`,
            plus 1 for ``distance="cosine"``. All zero if none of the words occurs.
        """
        check_is_fitted(self, "classes_")
        counts = WordCounts.of(check_texts([text]), self.language, self.words_.tolist())
        if not counts.table.nnz:
            return np.zeros((len(self.words_), len(self.starts_)))
        scores = self._scores_of_profiles(counts)[0]
        ends = [*self.starts_[1:].tolist(), len(scores)]
        nearest = [
            start + int(scores[start:end].argmax())
            for start, end in zip(self.starts_.tolist(), ends, strict=True)
        ]
        questioned, profiles = self._z_scores(counts).T, self.profiles_[nearest].T
        if self.distance == "burrows":
            return -np.abs(questioned - profiles) / len(self.words_)
        products: Floats = normalize(questioned, axis=0) * normalize(profiles, axis=0)
        return products

    def get_state(self) -> ModelState:
        """Return the fitted state without the authors' names."""
        check_is_fitted(self, "classes_")
        arrays = {
            "means": self.means_,
            "deviations": self.deviations_,
            "profiles": self.profiles_,
            "starts": self.starts_,
        }
        return ModelState({"words": self.words_.tolist()}, arrays)

    def set_state(self, state: ModelState, classes: NDArray[Any]) -> Self:
        """Restore the fitted state of a classifier with the same parameters.

        Parameters
        ----------
        state : ModelState
            What `get_state` returned; the scores are the same to the last bit.
        classes : (n_authors,) str
            The authors, sorted.

        Raises
        ------
        ModelFileError
            If the state does not fit the parameters, or is invalid.
        """
        self._check_params()
        words = take_strings(state.params.get("words"), "the words", in_order=False)
        means = take_array(state.arrays, "means", np.float64, (len(words),))
        deviations = take_array(state.arrays, "deviations", np.float64, (len(words),))
        profiles = take_array(state.arrays, "profiles", np.float64, (None, len(words)))
        starts = take_array(state.arrays, "starts", np.int64, (len(classes),))
        if (deviations <= 0).any():
            raise ModelFileError("a standard deviation of its words is not above zero")
        if starts[0] != 0 or (np.diff(starts) < 1).any() or starts[-1] >= len(profiles):
            raise ModelFileError(f"starts does not divide its {len(profiles):,} profiles")
        self.words_ = np.array(words, dtype=object)
        self.means_, self.deviations_ = means, deviations
        self.profiles_, self.starts_ = profiles, starts
        self.classes_ = classes
        return self

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        splits: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Fit the classifier to all known texts, and score the texts of each split without them.

        This is the method of every classifier at a fraction of the cost, because the words of each
        text are counted once.
        """
        texts, labels, classes = self._prepare(X, y)
        questioned = [text for split in splits for text in split.questioned]
        distinct = dict.fromkeys([*texts, *questioned])
        rows = dict(zip(distinct, range(len(distinct)), strict=True))
        counts = WordCounts.of(list(distinct), self.language)
        known = counts.of_texts([rows[text] for text in texts])
        scores = [
            self._score_counted_split(
                known, labels, split, counts.of_texts([rows[text] for text in split.questioned])
            )
            for split in splits
        ]
        self._fit_known(known, labels, progress or no_progress)
        self.classes_ = classes
        return scores

    def _score_counted_split(
        self, known: WordCounts, labels: Labels, split: HeldOutSplit, questioned: WordCounts
    ) -> Floats:
        """Score without the held-out texts; authors without other texts get the lowest score."""
        n_authors = int(labels.max()) + 1
        left = np.flatnonzero(~split.held_out)
        authors, own_labels = np.unique(labels[left], return_inverse=True)
        if not split.questioned or not len(authors):
            return np.zeros((len(split.questioned), n_authors))
        fitted: Any = clone(self)
        fitted._fit_counts(known.of_texts(left.tolist()), own_labels)
        own = fitted._score_counts(questioned.of_words(fitted.words_.tolist()))
        scores: Floats = np.repeat(own.min(axis=1, keepdims=True), n_authors, axis=1)
        scores[:, authors] = own
        return scores

    def _check_params(self) -> None:
        super()._check_params()
        check_language_code(self.language)

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self._fit_known(WordCounts.of(texts, self.language), labels, progress)

    def _fit_known(self, counts: WordCounts, labels: Labels, progress: Progress) -> None:
        self._fit_counts(counts, labels)
        if not len(self.words_):
            warnings.warn(
                "all words are equally frequent in all known texts, so that Delta gives all "
                "candidates the same score; add text",
                BylineWarning,
                stacklevel=2,
            )
        progress(1, 1, "word frequencies")

    def _fit_counts(self, counts: WordCounts, labels: Labels) -> None:
        """Fit to the counts of all words; every author has at least one text."""
        by_author = np.argsort(labels, kind="stable")
        counts, labels = counts.of_texts(by_author.tolist()), labels[by_author]
        counts = counts.of_words(counts.most_frequent(self.n_words))
        frequencies = counts.frequencies().tocsc()
        varies = (frequencies.max(axis=0) - frequencies.min(axis=0)).toarray() > 0
        if not varies.all():
            counts = counts.of_words(list(compress(counts.words, varies)))
        self.words_ = np.array(counts.words, dtype=object)
        self.means_, self.deviations_ = _moments(frequencies[:, varies])
        self.starts_ = np.searchsorted(labels, np.arange(labels[-1] + 1)).astype(np.int64)
        if self.profile == "author":
            counts = counts.joined(labels)
            self.starts_ = np.arange(len(counts.lengths), dtype=np.int64)
        self.profiles_ = self._z_scores(counts)

    def _score(self, texts: Sequence[str]) -> Floats:
        words = self.words_.tolist()
        return np.concatenate(
            [
                self._score_counts(WordCounts.of(some, self.language, words))
                for some in _batches(texts)
            ]
        )

    def _score_counts(self, counts: WordCounts) -> Floats:
        rows = _batches(range(len(counts.lengths)))
        return np.concatenate([self._score_some(counts.of_texts(some)) for some in rows])

    def _score_some(self, counts: WordCounts) -> Floats:
        scores = np.zeros((len(counts.lengths), len(self.starts_)))
        has_words = np.diff(counts.table.indptr) > 0
        if has_words.any():
            of_profiles = self._scores_of_profiles(counts)
            scores[has_words] = np.maximum.reduceat(of_profiles, self.starts_, axis=1)[has_words]
        return scores

    def _scores_of_profiles(self, counts: WordCounts) -> Floats:
        """Return the negative distances, (n_texts, n_profiles)."""
        questioned = self._z_scores(counts)
        scores: Floats
        if self.distance == "burrows":
            distances = pairwise_distances(questioned, self.profiles_, metric="manhattan")
            scores = -distances / len(self.words_)
        else:
            scores = normalize(questioned) @ normalize(self.profiles_).T - 1
        return scores

    def _z_scores(self, counts: WordCounts) -> Floats:
        scores: Floats = (counts.frequencies().toarray() - self.means_) / self.deviations_
        return scores


def _moments(frequencies: sparse.csc_array) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each column."""
    n_texts, n_words = frequencies.shape
    sizes = np.diff(frequencies.indptr)
    columns = np.repeat(np.arange(n_words), sizes)
    means = np.bincount(columns, frequencies.data, n_words) / n_texts
    squares = (n_texts - sizes) * means**2
    squares += np.bincount(columns, (frequencies.data - means[columns]) ** 2, n_words)
    deviations: Floats = np.sqrt(squares / max(n_texts - 1, 1))
    return means, deviations


def _batches(items: Sequence[Any]) -> list[Sequence[Any]]:
    return [items[i : i + _TEXTS_AT_ONCE] for i in range(0, len(items), _TEXTS_AT_ONCE)]
