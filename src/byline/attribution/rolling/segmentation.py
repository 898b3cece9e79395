"""Split texts into sentences and ranges, and find change points by dynamic programming."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.special import softmax

from byline.array_types import Floats, Integers
from byline.text import TextEncoder
from byline.text.alignment import align_tokens


def split_sentences_exactly(encoder: TextEncoder, text: str) -> list[str]:
    """Split a text into the encoder's sentences without losing any character.

    Returns
    -------
    list of str
        As many sentences as ``encoder.word_encoder().tokenize(text)`` returns, so that their
        numbers are the same as in the evidence. Joined, they are the text. Empty if the text has no
        token.
    """
    encoder = encoder.word_encoder()
    sentences = encoder.tokenize(text)
    if not sentences:
        return []
    places = align_tokens(encoder, text, sentences, end_tokens=False)
    first_tokens = np.cumsum([0, *map(len, sentences[:-1])])
    bounds = [0, *places.starts[first_tokens[1:]].tolist(), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def equal_ranges(n_sentences: int, n_ranges: int) -> list[tuple[int, int]]:
    """Divide sentences into ranges (start, end) of lengths as equal as possible.

    Parameters
    ----------
    n_sentences : int
        Number of sentences.
    n_ranges : int
        At most ``n_sentences``.
    """
    cuts = np.linspace(0, n_sentences, n_ranges + 1).round().astype(int).tolist()
    return list(pairwise(cuts))


def window_ranges(n_sentences: int, window: int, step: int) -> list[tuple[int, int]]:
    """Return the ranges (start, end) of windows from the start to the end of a text.

    Parameters
    ----------
    n_sentences : int
        At least ``window``.
    window, step : int
        Length of a window, and the largest distance between the starts of two windows.
    """
    last = n_sentences - window
    starts = np.linspace(0, last, -(-last // step) + 1).round().astype(int).tolist()
    return [(start, start + window) for start in starts]


def best_path(scores: Floats, penalty: float) -> Integers:
    """Find the author of each passage, with a penalty for every change of author.

    The sum of the chosen scores minus the penalties is maximal. This is the optimal partitioning of
    Auger & Lawrence (1989) over authors, computed by the recursion of Viterbi (1967). The time is
    proportional to the number of passages times the number of authors.

    Parameters
    ----------
    scores : (n_passages, n_authors) float64
        In nats, in the order of the passages.
    penalty : float
        Cost of a change in nats, at least 0.

    Returns
    -------
    (n_passages,) int64
        The columns of the authors. Ties are resolved by no change, and by the first author.
    """
    n_passages, n_authors = scores.shape
    stays = np.ones((n_passages, n_authors), dtype=bool)
    came_from = np.zeros(n_passages, dtype=np.int64)  # the author before a change
    best = np.zeros(n_authors)
    for passage, own in enumerate(scores):
        if passage:
            came_from[passage] = best.argmax()
            changed = best[came_from[passage]] - penalty
            stays[passage] = best >= changed
            best = np.maximum(best, changed)
        best = best + own
    path = np.empty(n_passages, dtype=np.int64)
    author = int(best.argmax())
    for passage in range(n_passages - 1, -1, -1):
        path[passage] = author
        author = author if stays[passage, author] else int(came_from[passage])
    return path


def changes_of(path: Integers) -> list[int]:
    """Return the positions in a path at which another author begins."""
    return (np.flatnonzero(np.diff(path)) + 1).tolist()


def best_rise(values: Floats) -> int:
    """Find the change point of a sequence at which the mean rises most.

    This is the least-squares estimate of a single change point (Hinkley 1970), restricted to
    changes at which the mean rises.

    Parameters
    ----------
    values : (n,) float64
        At least 2 values.

    Returns
    -------
    int
        Position of the first value after the change, from 1 to n - 1.
    """
    n = len(values)
    cuts = np.arange(1, n)
    sums = np.cumsum(values)
    rises = (sums[-1] - sums[:-1]) / (n - cuts) - sums[:-1] / cuts
    return int(cuts[(np.sqrt(cuts * (n - cuts)) * rises).argmax()])


def position_posterior(before: Floats, after: Floats, temperature: float) -> Floats:
    """Return the probability of each position of a single change between two known authors.

    It is assumed that all positions have the same prior probability, and that sentences are
    independent given their authors. Because they are not independent, the log-likelihoods are
    divided by a temperature.

    Parameters
    ----------
    before, after : (n,) float64
        Log-probabilities of the authors before and after the change for each sentence.
    temperature : float

    Returns
    -------
    (n - 1,) float64
        The probability of a change before sentence 1, 2 and so on; the sum is 1.

    Examples
    --------
    >>> import numpy as np
    >>> before, after = np.array([0.0, 0.0, -2.0]), np.array([-2.0, 0.0, 0.0])
    >>> position_posterior(before, after, 1.0).round(2)
    array([0.5, 0.5])
    """
    gains = np.cumsum(before - after)[:-1] / temperature
    return np.asarray(softmax(gains))


def credible_interval(posterior: Floats, share: float) -> tuple[int, int]:
    """Return the first and the last place of a central interval with at least this probability.

    Examples
    --------
    >>> import numpy as np
    >>> credible_interval(np.array([0.02, 0.06, 0.85, 0.04, 0.03]), 0.9)
    (1, 3)
    """
    sums = np.cumsum(posterior)
    tail = (1 - share) / 2
    first = int(np.searchsorted(sums, tail, side="right"))
    last = int(np.searchsorted(sums, 1 - tail - 1e-12, side="left"))
    return min(first, len(posterior) - 1), min(last, len(posterior) - 1)
