"""`ChunkedClassifier`: train a classifier on chunks of long texts, and score texts by chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Floats
from byline.attribution.classifiers.base import HeldOutSplit, Labels, TextClassifier
from byline.constraints import Constraints, whole
from byline.progress import Progress
from byline.text_memory import TextMemory
from byline.typography.scripts import WHITESPACE_WORDS, count_words

_CHARACTERS_AT_ONCE = 1_000_000
_LEAST_WORDS = 100  # per chunk, unless ``n_words`` is smaller


class ChunkedClassifier(TextClassifier):
    """Split texts into chunks of about equal size; a text's score is the mean over its chunks.

    A classifier that represents a text by one vector learns little from a few long texts. In a
    novel, nearly every n-gram is present, and one vector per author does not show how the author
    varies. If the known texts are shorter than a chunk, a longer questioned text is split into
    chunks of their length, because scores of longer texts than those learned from are less
    accurate. Texts are not normalised (see `TextClassifier`).

    Parameters
    ----------
    classifier : TextClassifier
        The prototype.
    n_words : int
        Largest number of words per chunk; see ``chunk_words_``.
    max_chunks : int
        Train on at most this number of chunks, or on as many as there are texts if these are more.
        They are a random selection, with equally many chunks per author as far as possible.
    random_state : int
        Seed of that selection.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    classifier_ : TextClassifier
        Its classes are columns of ``classes_``.
    chunk_words_ : int
        Number of words per chunk: the median of the known texts, but at least 100 and at most
        ``n_words``. A text is split into equal chunks whose size is as close to this number as
        possible; a text with less than one and a half times as many words is not split.

    See Also
    --------
    NgramRidge, NgramSVM : Classifiers that profit from chunks.

    Examples
    --------
    >>> from byline.attribution import ChunkedClassifier, NgramRidge
    >>> known = ["the cat sat " * 10, "a dog ran " * 10]
    >>> chunked = ChunkedClassifier(NgramRidge(), n_words=10).fit(known, ["Ann", "Bob"])
    >>> chunked.predict(["the cat ran", "a dog sat"]).tolist()
    ['Ann', 'Bob']
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "classifier": [TextClassifier],
        "n_words": [whole(1)],
        "max_chunks": [whole(2)],
        "random_state": [whole(0)],
    }

    def __init__(
        self,
        classifier: TextClassifier,
        *,
        n_words: int = 500,
        max_chunks: int = 1500,
        random_state: int = 0,
    ) -> None:
        self.classifier = classifier
        self.n_words = n_words
        self.max_chunks = max_chunks
        self.random_state = random_state

    @property
    def depends_on(self) -> frozenset[str]:
        """The conventions that the features of the prototype depend on."""
        return self.classifier.depends_on

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        splits: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Fit to chunks of all known texts, and score the texts of each split without them."""
        texts, labels, classes = self._prepare(X, y)
        chunks, sources = self._sample(texts, labels)
        classifier: Any = clone(self.classifier)
        questioned = [self._split(split.questioned) for split in splits]
        of_chunks = [
            HeldOutSplit(split.held_out[sources], own)
            for split, (own, _) in zip(splits, questioned, strict=True)
        ]
        found = classifier.fit_with_held_out_scores(
            chunks, labels[sources].tolist(), of_chunks, progress=progress
        )
        self.classifier_: TextClassifier = classifier
        self.classes_ = classes
        return [_means(scores, sizes) for scores, (_, sizes) in zip(found, questioned, strict=True)]

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        chunks, sources = self._sample(texts, labels)
        classifier: Any = clone(self.classifier)
        self.classifier_ = classifier.fit(chunks, labels[sources].tolist(), progress=progress)

    def _sample(self, texts: Sequence[str], labels: Labels) -> tuple[list[str], NDArray[np.intp]]:
        """Return a random selection of chunks, and the index of the text of each chunk."""
        typical = int(np.median(list(map(count_words, texts))))
        self.chunk_words_ = min(self.n_words, max(typical, _LEAST_WORDS))
        chunks, sizes = self._split(texts)
        sources = np.repeat(np.arange(len(texts)), sizes)
        rng = np.random.default_rng(self.random_state)
        chosen = sample_evenly(labels[sources], sources, max(self.max_chunks, len(texts)), rng)
        return [chunks[place] for place in chosen], sources[chosen]

    def _split(self, texts: Sequence[str]) -> tuple[list[str], list[int]]:
        """Return the chunks of all texts, and the number of chunks per text."""
        of_texts = [_chunks_of(text, self.chunk_words_) for text in texts]
        return [chunk for chunks in of_texts for chunk in chunks], list(map(len, of_texts))

    def _score(self, texts: Sequence[str]) -> Floats:
        chunks, sizes = self._split(texts)
        return _means(self.classifier_.score_authors(chunks), sizes)


def _means(scores: Floats, sizes: Sequence[int]) -> Floats:
    """Return the mean score of each text's chunks."""
    if not sizes:
        return scores
    return np.stack([own.mean(axis=0) for own in np.split(scores, np.cumsum(sizes)[:-1])])


def split_into_chunks(text: str, n_words: int) -> list[str]:
    """Split a text before words into chunks with nearly equal numbers of words.

    Concatenated, the chunks are the text.

    Parameters
    ----------
    text : str
    n_words : int
        The chunks are as close to this number of words as equal chunks can be.
    """
    starts = [word.start() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    n_chunks = max(1, round(len(starts) / n_words))
    cuts = np.linspace(0, len(starts), n_chunks + 1).astype(int)[1:-1].tolist()
    bounds = [0, *(starts[cut] for cut in cuts), len(text)]
    return [text[bounds[i] : bounds[i + 1]] for i in range(n_chunks)]


_chunks_of = TextMemory(split_into_chunks, most_characters=16_000_000)


def sample_evenly(
    owners: Labels,
    texts: NDArray[np.intp],
    at_most: int,
    rng: np.random.Generator,
    *,
    every_owner: bool = True,
) -> NDArray[np.intp]:
    """Select items at random, with equally many per owner as far as possible.

    From each of an owner's texts, one item is selected before a second one from any of them.

    Parameters
    ----------
    owners, texts : (n_items,) int
        The owner and the text of each item.
    at_most : int
        Number of items to select.
    rng : numpy Generator
    every_owner : bool
        Select at least one item per owner, even if these are more than ``at_most``.

    Returns
    -------
    (n_selected,) int
        Indices of the selected items, ascending.
    """
    key = rng.permutation(len(owners))
    turns = _turns(owners, np.lexsort((key, _turns(texts, np.lexsort((key, texts))), owners)))
    n_items = max(at_most, len(np.unique(owners))) if every_owner else at_most
    return np.sort(np.lexsort((key, turns))[:n_items])


def _turns(groups: NDArray[np.intp], order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rank of each item within its group, given an order that sorts by group."""
    amounts = np.bincount(groups)
    turns = np.empty(len(groups), dtype=np.intp)
    turns[order] = np.arange(len(groups)) - np.repeat(np.cumsum(amounts) - amounts, amounts)
    return turns


def text_batches(texts: Sequence[str]) -> list[Sequence[str]]:
    """Divide texts into at least one batch, each of about a million characters."""
    turns = np.cumsum(list(map(len, texts)), dtype=np.int64) // _CHARACTERS_AT_ONCE
    bounds = [0, *(np.flatnonzero(np.diff(turns)) + 1).tolist(), len(texts)]
    return [texts[start:end] for start, end in pairwise(bounds)]
