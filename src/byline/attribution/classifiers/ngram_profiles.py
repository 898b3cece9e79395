"""`NgramProfiles`: the similarity of a text to each author's profile of weighted n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.classifiers.base import HeldOutSplit, Labels, TextClassifier, no_progress
from byline.attribution.classifiers.blocks import (
    NgramBlock,
    check_orders,
    split_units,
    unmasked_words,
)
from byline.attribution.classifiers.hashed_ngrams import N_BITS, NgramHasher, Units
from byline.attribution.classifiers.units import (
    join_white_space,
    spans_of_characters,
    spans_of_tokens,
    spans_of_words_without_punctuation,
    split_words_without_punctuation,
)
from byline.attribution.packed_tables import pack_table, unpack_table
from byline.attribution.stored_arrays import pack_ascending, take_strings, unpack_ascending
from byline.constraints import Constraints, one_of, whole
from byline.errors import ModelFileError, TrainingError
from byline.lm.model_state import ModelState
from byline.progress import Progress
from byline.text.tokens import check_language_code
from byline.typography.conventions import REMOVABLE

_TEXTS_AT_ONCE = 256


class NgramProfiles(TextClassifier):
    """Compare a text with one profile per author: the cosine of TF-IDF weighted n-grams.

    An author's profile contains the n-grams of all known texts by the author together. Koppel,
    Schler & Argamon (2011, Authorship attribution in the wild) rank ten thousand candidates in this
    way. No classifier is trained, so that time and memory grow in proportion to the text, and one
    sparse product compares a text with all authors.

    The weight of an n-gram is ``(1 + log count) * (1 + log((1 + n) / (1 + d)))`` for ``n`` authors,
    ``d`` of whom use it. Each profile is scaled to unit Euclidean norm. n-grams are identified by
    hash values, of which there are four million.

    Texts are not normalised (see `TextClassifier`).

    Parameters
    ----------
    analyzer : {"char", "word-without-punctuation", "masked"}
        n-grams of characters, with runs of white space as one space; of lower-case words; or of
        words and punctuation marks, in which all but the most frequent words are replaced by their
        shape (see `NgramBlock`).
    ngram_range : (int, int)
        Lowest and highest order.
    keep : int
        How many words and punctuation marks ``masked`` does not replace.
    min_authors : int
        An n-gram that fewer authors use is left out.
    language : str
        ISO 639 code, for lower-casing.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    unmasked_ : frozenset of str
        The words that are not masked; empty unless ``analyzer="masked"``.
    profiles_ : FittedProfiles
        The weighted n-grams of the authors.

    See Also
    --------
    BurrowsDelta : Compares the frequencies of words with a profile per author.
    many_author_base_classifiers : The default with hundreds of authors.

    Examples
    --------
    >>> from byline.attribution import NgramProfiles
    >>> known = ["the cat sat", "the cat slept", "a dog ran", "a dog barked"]
    >>> profiles = NgramProfiles(ngram_range=(2, 3), min_authors=1)
    >>> profiles = profiles.fit(known, ["Ann", "Ann", "Bob", "Bob"])
    >>> profiles.predict(["the cat ran off", "a dog slept"]).tolist()
    ['Ann', 'Bob']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "analyzer": [one_of("char", "word-without-punctuation", "masked")],
        "ngram_range": [tuple, list],
        "keep": [whole(0)],
        "min_authors": [whole(1)],
        "language": [str],
    }

    def __init__(
        self,
        analyzer: str = "char",
        ngram_range: tuple[int, int] = (4, 4),
        *,
        keep: int = 2000,
        min_authors: int = 2,
        language: str = "en",
    ) -> None:
        self.analyzer = analyzer
        self.ngram_range = ngram_range
        self.keep = keep
        self.min_authors = min_authors
        self.language = language

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features depend on (`byline.typography.conventions`)."""
        if self.analyzer == "word-without-punctuation":
            return frozenset({"accents"})
        return REMOVABLE - {"paragraphs"} if self.analyzer == "char" else REMOVABLE

    @property
    def counts_words(self) -> bool:
        """Whether single words are among the features."""
        return self.analyzer == "word-without-punctuation" and self.ngram_range[0] == 1

    def units(self, text: str) -> Units:
        """Return the units of a text that n-grams consist of."""
        if self.analyzer == "char":
            return join_white_space(text)
        if self.analyzer == "masked":
            return split_units(text, self._block, self.unmasked_)
        return split_words_without_punctuation(text, self.language)

    def occurrences(self, text: str) -> tuple[Integers, Integers, Integers]:
        """Find the features of a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        features : (n,) int64
            The row of ``profiles_.weights`` of each occurrence.
        starts, ends : (n,) int64
            The position of the first character, and of the one after the last.
        """
        check_is_fitted(self, "classes_")
        bounds = self._unit_spans(text)
        none = np.zeros(0, dtype=np.int64)
        found, firsts, lasts = [none], [none], [none]
        for order, of_order in NgramHasher(self.ngram_range).occurrences(self.units(text)):
            columns, is_feature = self.profiles_.find(of_order)
            first = np.flatnonzero(is_feature)
            found.append(columns[first])
            firsts.append(first)
            lasts.append(first + order - 1)
        return (
            np.concatenate(found),
            bounds[np.concatenate(firsts), 0],
            bounds[np.concatenate(lasts), 1],
        )

    def count_unknown(self, texts: Sequence[str]) -> Integers:
        """Count the units of each text that no profile contains, (n_texts,).

        Single units must be among the n-grams: the lowest order must be 1.
        """
        check_is_fitted(self, "classes_")
        hasher, counts = NgramHasher((1, 1)), np.zeros(len(texts), dtype=np.int64)
        for place, text in enumerate(texts):
            for _, hashes in hasher.occurrences(self.units(text)):
                _, is_feature = self.profiles_.find(hashes)
                counts[place] = np.count_nonzero(~is_feature)
        return counts

    def weigh(self, text: str) -> tuple[Integers, Floats]:
        """Return the features of a text in ascending order, and their weights, which have norm 1.

        The sum over the features of their weights times their rows of ``profiles_.weights`` is the
        text's row of `score_authors`.
        """
        check_is_fitted(self, "classes_")
        weights = self.profiles_.weigh(self._counts([text]))
        return weights.indices.astype(np.int64), weights.data

    def get_state(self) -> ModelState:
        """Return the fitted state without the authors' names: JSON values and compact arrays."""
        check_is_fitted(self, "classes_")
        hashes, counts = self.profiles_.hashes, self.profiles_.counts
        arrays = pack_ascending("hashes", hashes) | pack_table(counts, counts.data)
        return ModelState({"unmasked": sorted(self.unmasked_)}, arrays)

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
        unmasked = take_strings(state.params.get("unmasked"), "the unmasked words")
        if unmasked and self.analyzer != "masked":
            raise ModelFileError(f"profiles of {self.analyzer} n-grams have unmasked words")
        hashes = unpack_ascending("hashes", state.arrays, 1 << N_BITS)
        counts = unpack_table(state.arrays, (len(classes), len(hashes)), has_counts=True)
        if not counts.nnz or not np.diff(counts.indptr).all():
            raise ModelFileError("an n-gram occurs in no known text")
        self.unmasked_ = frozenset(unmasked)
        self.profiles_ = FittedProfiles.of(hashes, counts)
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

        This is the method of every classifier at a fraction of the cost, because the n-grams of
        each known text are counted once. Only the frequent words, which are not masked, are those
        of all known texts.
        """
        texts, labels, classes = self._prepare(X, y)
        scores = self._fit_and_score(texts, labels, splits, progress or no_progress)
        self.classes_ = classes
        return scores

    def _unit_spans(self, text: str) -> Integers:
        """Return the start and end of each unit in the text, (n_units, 2)."""
        if self.analyzer == "masked":
            return spans_of_tokens(text)
        if self.analyzer == "char":
            return spans_of_characters(text)
        return spans_of_words_without_punctuation(text)

    def _check_params(self) -> None:
        super()._check_params()
        check_orders("ngram_range", self.ngram_range)
        check_language_code(self.language)

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self._fit_and_score(texts, labels, (), progress)

    def _fit_and_score(
        self,
        texts: Sequence[str],
        labels: Labels,
        splits: Sequence[HeldOutSplit],
        progress: Progress,
    ) -> list[Floats]:
        if self.analyzer == "masked":
            self.unmasked_ = unmasked_words(texts, self._block)
        else:
            self.unmasked_ = frozenset()
        n_authors, n_steps = int(labels.max()) + 1, len(splits) + 2
        counts = self._counts(texts)
        progress(1, n_steps, "n-grams")
        scores = []
        for done, split in enumerate(splits, 2):
            left = np.flatnonzero(~split.held_out)
            own = FittedProfiles.of_texts(counts[left], labels[left], n_authors, self.min_authors)
            found = self._score_by(own, split.questioned)
            is_left = np.bincount(labels[left], minlength=n_authors) > 0
            if is_left.any():  # an author without other texts has the lowest score
                found[:, ~is_left] = found[:, is_left].min(axis=1, keepdims=True)
            scores.append(found)
            progress(done, n_steps, "held-out texts")
        self.profiles_ = FittedProfiles.of_texts(counts, labels, n_authors, self.min_authors)
        if not len(self.profiles_.hashes):
            raise TrainingError(
                f"no n-gram is used by {self.min_authors} authors; add text, or use another method"
            )
        progress(n_steps, n_steps, "profiles")
        return scores

    def _score(self, texts: Sequence[str]) -> Floats:
        return self._score_by(self.profiles_, texts)

    def _score_by(self, profiles: FittedProfiles, texts: Sequence[str]) -> Floats:
        batches = (texts[i : i + _TEXTS_AT_ONCE] for i in range(0, len(texts), _TEXTS_AT_ONCE))
        scores = [profiles.score(self._counts(some)) for some in batches]
        return np.concatenate([np.zeros((0, profiles.weights.shape[1])), *scores])

    def _counts(self, texts: Sequence[str]) -> sparse.csr_array:
        return NgramHasher(self.ngram_range).counts(map(self.units, texts))

    @property
    def _block(self) -> NgramBlock:
        return NgramBlock("masked", (1, 1), keep=self.keep, language=self.language)


@dataclass(frozen=True, slots=True)
class FittedProfiles:
    """The weighted n-grams of every author.

    Attributes
    ----------
    hashes : (n_features,) int64
        The hash values of the n-grams, ascending.
    counts : (n_authors, n_features) sparse float32, by columns
        How often each author uses each n-gram.
    idf : (n_features,) float64
    weights : (n_features, n_authors) sparse float32, by rows
        Each author's weights have unit Euclidean norm.
    """

    hashes: Integers
    counts: sparse.csc_array
    idf: Floats
    weights: sparse.csr_array

    @classmethod
    def of(cls, hashes: Integers, counts: sparse.csc_array) -> Self:
        """Weigh the n-grams, each of which occurs."""
        n_authors, n_features = counts.shape
        n_users = np.diff(counts.indptr)
        idf = 1 + np.log((1 + n_authors) / (1 + n_users))
        values = (1 + np.log(counts.data.astype(np.float64))) * np.repeat(idf, n_users)
        norms = np.sqrt(np.bincount(counts.indices, values**2, minlength=n_authors))
        values /= norms[counts.indices]
        table = values.astype(np.float32), counts.indices, counts.indptr
        return cls(hashes, counts, idf, sparse.csr_array(table, shape=(n_features, n_authors)))

    @classmethod
    def of_texts(
        cls, counts: sparse.csr_array, labels: Labels, n_authors: int, min_authors: int
    ) -> Self:
        """Add up the n-grams of each author's texts, and weigh those that enough authors use.

        Parameters
        ----------
        counts : (n_texts, 2 ** N_BITS) sparse float32
        labels : (n_texts,) int
            The column of each text's author.
        n_authors, min_authors : int
        """
        places = np.arange(len(labels))
        ones = np.ones(len(labels), dtype=np.float32)
        owners = sparse.csr_array((ones, (labels, places)), shape=(n_authors, len(labels)))
        of_authors = (owners @ counts).tocsc()
        hashes = np.flatnonzero(np.diff(of_authors.indptr) >= min_authors)
        return cls.of(hashes, of_authors[:, hashes])

    def find(self, hashes: NDArray[np.integer[Any]]) -> tuple[Integers, Booleans]:
        """Return the column of each n-gram, which has no meaning unless it is a feature.

        There must be a feature. Both arrays have the shape of ``hashes``.
        """
        columns = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return columns, self.hashes[columns] == hashes

    def weigh(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Weigh the n-grams of texts that are features.

        Parameters
        ----------
        counts : (n_texts, 2 ** N_BITS) sparse float32

        Returns
        -------
        (n_texts, n_features) sparse float64
            Each text has unit Euclidean norm, unless it has no feature.
        """
        shape: tuple[int, int] = (counts.shape[0], len(self.hashes))
        if not len(self.hashes):
            return sparse.csr_array(shape)
        columns, is_feature = self.find(counts.indices)
        rows = np.repeat(np.arange(shape[0]), np.diff(counts.indptr))[is_feature]
        columns = columns[is_feature]
        amounts = counts.data[is_feature].astype(np.float64)
        values = (1 + np.log(amounts)) * self.idf[columns]
        values /= np.sqrt(np.bincount(rows, values**2, minlength=shape[0]))[rows]
        return sparse.csr_array((values, (rows, columns)), shape=shape)

    def score(self, counts: sparse.csr_array) -> Floats:
        """Return the cosine of every text with every author, (n_texts, n_authors) float64."""
        texts = self.weigh(counts)
        scores = np.empty((texts.shape[0], self.weights.shape[1]))
        for row, (start, end) in enumerate(pairwise(texts.indptr)):
            features = texts.indices[start:end]  # the weights of all features would be copied
            scores[row] = self.weights[features].T @ texts.data[start:end]
        return scores
