"""A baseline that does not read the texts: the most frequent author."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.utils import Tags

from byline.array_types import Floats
from byline.attribution.classifiers.base import Labels, TextClassifier
from byline.progress import Progress


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

    def __sklearn_tags__(self) -> Tags:
        """Declare that the accuracy is poor."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _fit(self, texts: Sequence[str], labels: Labels, progress: Progress) -> None:
        self.shares_ = np.bincount(labels) / len(labels)
        progress(1, 1, "numbers of known texts")

    def _score(self, texts: Sequence[str]) -> Floats:
        return np.tile(self.shares_, (len(texts), 1))
