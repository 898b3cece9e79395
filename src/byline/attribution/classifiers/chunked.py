"""A classifier that learns from pieces of long texts, and is asked about pieces of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Floats
from byline.attribution.classifiers.base import Labels, TextClassifier
from byline.attribution.classifiers.kernels import HeldOutSplit
from byline.attribution.inputs import check_number
from byline.corpus.scripts import WHITESPACE_WORDS
from byline.errors import UsageError
from byline.progress import Progress

_CHARACTERS_AT_ONCE = 1_000_000


class ChunkedClassifier(TextClassifier):
    """Cuts texts into pieces of about one size, and gives the mean score of a text's pieces.

    A classifier to which a text is one vector learns little from a few long texts: in a novel
    nearly every n-gram is present, and one vector an author says nothing of how an author varies.

    Parameters
    ----------
    classifier : TextClassifier
        The prototype.
    n_words : int
        Words of a piece. A text is cut into as many equal pieces as come closest to it; one of
        less than half as many again is left whole.
    max_chunks : int
        Learn from so many pieces at most, or from as many as there are texts, if these are more: of
        each author as many as of any other where there are enough, drawn at random.
    random_state : int
        Of that draw.

    Attributes
    ----------
    classes_ : (n_authors,) str
        The candidate authors, sorted.
    classifier_ : TextClassifier
        Its classes are columns of ``classes_``.
    """

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

    def _check_params(self) -> None:
        if not isinstance(self.classifier, TextClassifier):
            raise UsageError(
                f"classifier is a {type(self.classifier).__name__}; it is a TextClassifier"
            )
        check_number("n_words", self.n_words, 1)
        check_number("max_chunks", self.max_chunks, 2)
        check_number("random_state", self.random_state, 0)

    def fit_with_held_out_scores(
        self,
        X: Iterable[str],
        y: Iterable[str],
        trials: Sequence[HeldOutSplit],
        *,
        progress: Progress | None = None,
    ) -> list[Floats]:
        """Learn from known texts, and see how it does on some when it has not learnt from them."""
        texts, labels, classes = self._prepare(X, y)
        pieces, sources = self._draw(texts, labels)
        classifier: Any = clone(self.classifier)
        asked = [self._cut(trial.questioned) for trial in trials]
        in_pieces = [
            HeldOutSplit(trial.held_out[sources], own)
            for trial, (own, _) in zip(trials, asked, strict=True)
        ]
        found = classifier.fit_with_held_out_scores(
            pieces, labels[sources].tolist(), in_pieces, progress=progress
        )
        self.classifier_: TextClassifier = classifier
        self.classes_ = classes
        return [_means(scores, sizes) for scores, (_, sizes) in zip(found, asked, strict=True)]

    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        pieces, sources = self._draw(texts, labels)
        classifier: Any = clone(self.classifier)
        self.classifier_ = classifier.fit(pieces, labels[sources].tolist(), progress=progress)

    def _draw(self, texts: Sequence[str], labels: Labels) -> tuple[list[str], NDArray[np.intp]]:
        """Cut texts and draw from their pieces; return these, and the text each is of."""
        pieces, sizes = self._cut(texts)
        sources = np.repeat(np.arange(len(texts)), sizes)
        rng = np.random.default_rng(self.random_state)
        chosen = sample_evenly(labels[sources], sources, max(self.max_chunks, len(texts)), rng)
        return [pieces[place] for place in chosen], sources[chosen]

    def _cut(self, texts: Sequence[str]) -> tuple[list[str], list[int]]:
        """Return the pieces of texts, and how many each has."""
        parts = [split_into_chunks(text, self.n_words) for text in texts]
        return [piece for part in parts for piece in part], list(map(len, parts))

    def _score(self, texts: Sequence[str]) -> Floats:
        pieces, sizes = self._cut(texts)
        return _means(self.classifier_.decision_function(pieces), sizes)


def _means(scores: Floats, sizes: Sequence[int]) -> Floats:
    """Return the mean score of each text's pieces."""
    if not sizes:
        return scores
    return np.stack([own.mean(axis=0) for own in np.split(scores, np.cumsum(sizes)[:-1])])


def split_into_chunks(text: str, n_words: int) -> list[str]:
    """Cut a text before words, into pieces as equal in words as can be; joined, they are the text.

    Parameters
    ----------
    text : str
    n_words : int
        Words of a piece, as nearly as equal pieces come to it.
    """
    starts = [word.start() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    n_pieces = max(1, round(len(starts) / n_words))
    cuts = np.linspace(0, len(starts), n_pieces + 1).astype(int)[1:-1].tolist()
    bounds = [0, *(starts[cut] for cut in cuts), len(text)]
    return [text[bounds[i] : bounds[i + 1]] for i in range(n_pieces)]


def sample_evenly(
    owners: Labels, texts: NDArray[np.intp], at_most: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Draw places so that no owner has more than another who has places left; in their order.

    Of an owner's places one of each text is drawn before a second one of any.

    Parameters
    ----------
    owners, texts : (n_places,) int
        Whose each place is, and of which text.
    at_most : int
        Places to draw; all where there are no more. An owner has one in any case.
    rng : numpy Generator
    """
    key = rng.permutation(len(owners))
    turns = _turns(owners, np.lexsort((key, _turns(texts, np.lexsort((key, texts))), owners)))
    n_owners = len(np.unique(owners))
    return np.sort(np.lexsort((key, turns))[: max(at_most, n_owners)])


def _turns(groups: NDArray[np.intp], order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return which turn each place has among those of its group, by an order of groups."""
    amounts = np.bincount(groups)
    turns = np.empty(len(groups), dtype=np.intp)
    turns[order] = np.arange(len(groups)) - np.repeat(np.cumsum(amounts) - amounts, amounts)
    return turns


def text_batches(texts: Sequence[str]) -> list[Sequence[str]]:
    """Part texts into runs of about a million characters; none are one run of none."""
    turns = np.cumsum(list(map(len, texts)), dtype=np.int64) // _CHARACTERS_AT_ONCE
    bounds = [0, *(np.flatnonzero(np.diff(turns)) + 1).tolist(), len(texts)]
    return [texts[start:end] for start, end in pairwise(bounds)]
