"""Where a row of scores changes hands: exact optima by dynamic programming."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from byline.array_types import Floats, Integers
from byline.text import TextEncoder
from byline.text.alignment import align_tokens


def cut_into_sentences(encoder: TextEncoder, text: str) -> list[str]:
    """Cut a text before the first token of each of the encoder's sentences but the first.

    Returns
    -------
    list of str
        As many as ``encoder.tokenize(text)`` has, so that numbers of sentences are the same in
        evidence; joined, they are the text. Empty where the text has no token.
    """
    sentences = encoder.tokenize(text)
    if not sentences:
        return []
    places = align_tokens(encoder, text, sentences, end_tokens=False)
    firsts = np.cumsum([0, *map(len, sentences[:-1])])
    bounds = [0, *places.starts[firsts[1:]].tolist(), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def equal_ranges(n_sentences: int, n_parts: int) -> list[tuple[int, int]]:
    """Bounds of parts as equal in sentences as can be.

    Parameters
    ----------
    n_sentences : int
    n_parts : int
        At most ``n_sentences``.
    """
    cuts = np.linspace(0, n_sentences, n_parts + 1).round().astype(int).tolist()
    return list(pairwise(cuts))


def slide(n_sentences: int, window: int, step: int) -> list[tuple[int, int]]:
    """Bounds of windows that begin a step behind each other, or a little less to end with the text.

    Parameters
    ----------
    n_sentences : int
        At least ``window``.
    window, step : int
    """
    last = n_sentences - window
    starts = np.linspace(0, last, -(-last // step) + 1).round().astype(int).tolist()
    return [(start, start + window) for start in starts]


def best_path(scores: Floats, penalty: float) -> Integers:
    """Find who wrote each part, where every change of hands costs a penalty.

    The sum of the chosen scores less the penalties is as high as can be: the optimal partitioning
    of Auger & Lawrence (1989) over authors, found by the recursion of Viterbi (1967), in a time
    that grows with parts times authors.

    Parameters
    ----------
    scores : (n_parts, n_authors) float64
        In nats, of parts in their order.
    penalty : float
        Of a change, in nats; at least 0.

    Returns
    -------
    (n_parts,) int64
        Columns of the authors; on ties no change, and the first of them.
    """
    n_parts, n_authors = scores.shape
    stays = np.ones((n_parts, n_authors), dtype=bool)
    came_from = np.zeros(n_parts, dtype=np.int64)  # the author that others take over from
    best = np.zeros(n_authors)
    for part, own in enumerate(scores):
        if part:
            came_from[part] = best.argmax()
            changed = best[came_from[part]] - penalty
            stays[part] = best >= changed
            best = np.maximum(best, changed)
        best = best + own
    path = np.empty(n_parts, dtype=np.int64)
    author = int(best.argmax())
    for part in range(n_parts - 1, -1, -1):
        path[part] = author
        author = author if stays[part, author] else int(came_from[part])
    return path


def changes_of(path: Integers) -> list[int]:
    """Places of a path where another author begins."""
    return (np.flatnonzero(np.diff(path)) + 1).tolist()


def best_rise(values: Floats) -> int:
    """Cut a row of numbers in two where the mean rises most, for the numbers on each side.

    What either mean is does not matter: the estimate of a single change point by least squares
    (Hinkley 1970), among those at which the mean rises.

    Parameters
    ----------
    values : (n,) float64
        At least 2.

    Returns
    -------
    int
        Place of the second side's first number, from 1 to n - 1.
    """
    n = len(values)
    cuts = np.arange(1, n)
    sums = np.cumsum(values)
    rises = (sums[-1] - sums[:-1]) / (n - cuts) - sums[:-1] / cuts
    return int(cuts[(np.sqrt(cuts * (n - cuts)) * rises).argmax()])
