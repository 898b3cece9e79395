"""Scores with one column per author, and scikit-learn's form of them for two classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byline.array_types import Floats
from byline.processes.threads import limits_threads


def decision_values(scores: Floats) -> Floats:
    """Return scores as scikit-learn's ``decision_function`` does.

    Parameters
    ----------
    scores : (n_documents, n_authors) float64

    Returns
    -------
    (n_documents, n_authors) float64, or (n_documents,) float64 for two authors
        Of two authors, the score of the second minus that of the first.

    Examples
    --------
    >>> decision_values(np.array([[1.0, 3.0], [2.0, 0.5]])).tolist()
    [2.0, -1.5]
    """
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


@limits_threads
def author_scores(classifier: Any, texts: Sequence[str]) -> Floats:
    """Score every author for every text by any classifier.

    Parameters
    ----------
    classifier : fitted classifier
        One of Byline's, which have a method ``score_authors``, or another one with a
        ``decision_function``. If that returns one value per text, positive for the second of two
        authors, the first author's score is its negative.
    texts : sequence of str, (n_documents,)

    Returns
    -------
    (n_documents, n_authors) float64, columns as ``classes_``

    Examples
    --------
    >>> from byline.attribution import MostFrequentAuthor
    >>> classifier = MostFrequentAuthor().fit(["a cat", "a dog"], ["Ann", "Bob"])
    >>> author_scores(classifier, ["an owl"]).tolist()
    [[0.5, 0.5]]
    >>> classifier.decision_function(["an owl"]).tolist()
    [0.0]
    """
    if hasattr(classifier, "score_authors"):
        return np.asarray(classifier.score_authors(texts), dtype=np.float64)
    scores = np.asarray(classifier.decision_function(texts), dtype=np.float64)
    return np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
