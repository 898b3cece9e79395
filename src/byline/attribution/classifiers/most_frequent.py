"""The baseline of all baselines: the author with the most known texts, whatever the question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byline.attribution.classifiers.base import Floats, Labels, TextClassifier
from byline.progress import Progress


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
