"""A classifier that learns from pieces of long texts, and is asked about pieces of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray
from sklearn.base import clone

from byline.attribution.classifiers.base import Floats, Labels, TextClassifier
from byline.attribution.inputs import check_number
from byline.errors import UsageError
from byline.progress import Progress

_WORD = regex.compile(r"\S+")


class InPieces(TextClassifier):
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
    max_pieces : int
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
        max_pieces: int = 1500,
        random_state: int = 0,
    ) -> None:
        self.classifier = classifier
        self.n_words = n_words
        self.max_pieces = max_pieces
        self.random_state = random_state

    def _check_params(self) -> None:
        if not isinstance(self.classifier, TextClassifier):
            raise UsageError(
                f"classifier is a {type(self.classifier).__name__}; it is a TextClassifier"
            )
        check_number("n_words", self.n_words, 1)
        check_number("max_pieces", self.max_pieces, 2)
        check_number("random_state", self.random_state, 0)

    def _learn(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        parts = [cut_evenly(text, self.n_words) for text in texts]
        owners = np.repeat(labels, [len(part) for part in parts])
        pieces = [piece for part in parts for piece in part]
        at_most = max(self.max_pieces, len(texts))
        chosen = draw_evenly(owners, at_most, np.random.default_rng(self.random_state))
        classifier: Any = clone(self.classifier)
        self.classifier_: TextClassifier = classifier.fit(
            [pieces[place] for place in chosen], owners[chosen].tolist(), progress=progress
        )

    def _score(self, texts: Sequence[str]) -> Floats:
        parts = [cut_evenly(text, self.n_words) for text in texts]
        scores = self.classifier_.decision_function([piece for part in parts for piece in part])
        ends = np.cumsum([len(part) for part in parts])
        return np.stack([own.mean(axis=0) for own in np.split(scores, ends[:-1])])


def cut_evenly(text: str, n_words: int) -> list[str]:
    """Cut a text before words, into pieces as equal in words as can be; joined, they are the text.

    Parameters
    ----------
    text : str
    n_words : int
        Words of a piece, as nearly as equal pieces come to it.
    """
    starts = [word.start() for word in _WORD.finditer(text)]
    n_pieces = max(1, round(len(starts) / n_words))
    cuts = np.linspace(0, len(starts), n_pieces + 1).astype(int)[1:-1].tolist()
    bounds = [0, *(starts[cut] for cut in cuts), len(text)]
    return [text[bounds[i] : bounds[i + 1]] for i in range(n_pieces)]


def draw_evenly(owners: Labels, at_most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw places so that no owner has more than another who has places left; in their order.

    Parameters
    ----------
    owners : (n_places,) int
    at_most : int
        Places to draw; all where there are no more. An owner has one in any case.
    rng : numpy Generator
    """
    key = rng.permutation(len(owners))
    by_owner = np.lexsort((key, owners))
    amounts = np.bincount(owners)
    turns = np.empty(len(owners), dtype=np.intp)  # when an owner's place has its turn
    turns[by_owner] = np.arange(len(owners)) - np.repeat(np.cumsum(amounts) - amounts, amounts)
    n_owners = np.count_nonzero(amounts)
    return np.sort(np.lexsort((key, turns))[: max(at_most, n_owners)])
