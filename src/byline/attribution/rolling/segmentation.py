"""Split texts into sentences and ranges, and find change points by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from byline.array_types import Floats, Integers
from byline.display import Displayable
from byline.text import TextEncoder
from byline.text.alignment import align_tokens


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences with the scores of all candidates.

    Attributes
    ----------
    start, end : int
        The first sentence, counted from 0, and the one after the last.
    log_odds : tuple of float, (n_authors,)
        Log-odds minus their mean, in nats. For language models alone: log-likelihoods minus their
        mean.
    probabilities : tuple of float, (n_authors,), or None
        Calibrated probabilities; None if the model is not calibrated.

    Examples
    --------
    >>> Window(start=0, end=20, log_odds=(1.5, -1.5), probabilities=None).end
    20
    """

    start: int
    end: int
    log_odds: tuple[float, ...]
    probabilities: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Segment:
    """The sentences between two change points, attributed to one author.

    Attributes
    ----------
    start, end : int
        The first sentence, counted from 0, and the one after the last.
    author : str
        The author with the highest score.
    log_odds : tuple of float, (n_authors,)
        As in `Window`. For a text without change points, the log-odds of the whole text; otherwise
        the sums over the passages of the segment.

    Examples
    --------
    >>> Segment(start=0, end=150, author="Ada", log_odds=(4.0, -4.0)).author
    'Ada'
    """

    start: int
    end: int
    author: str
    log_odds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A place where the author may change.

    Attributes
    ----------
    sentence : int
        The first sentence after the change, counted from 0.
    before, after : str
        The authors of the segments on both sides.
    log_lr : float
        Strength of the evidence in nats: the log-probability of two authors, one for each side,
        minus that of the single author who fits both sides best.

    Examples
    --------
    >>> ChangePoint(sentence=150, before="Ada", after="Ben", log_lr=4.2).after
    'Ben'
    """

    sentence: int
    before: str
    after: str
    log_lr: float


@dataclass(frozen=True, slots=True)
class RollingAttribution(Displayable):
    """The candidates' scores along a text, and the segments that are attributed to each.

    Attributes
    ----------
    authors : tuple of str
        All candidates in alphabetical order.
    sentences : tuple of str
        The text, split into sentences by the model's encoder.
    window, step : int
        Length of a window in sentences, and distance between the starts of two windows.
    windows : tuple of Window
        In the order of the text; empty if declined.
    segments : tuple of Segment
        The text, divided at the change points.
    change_points : tuple of ChangePoint
        One between two segments; empty if no change of author was detected.
    declined : str or None
        Why there is no result.

    See Also
    --------
    rolling_attribution : Compute the result.

    Examples
    --------
    >>> RollingAttribution(("Ada", "Ben"), ("One.", "Two."), 5, 2, declined="too short").segments
    ()
    """

    authors: tuple[str, ...]
    sentences: tuple[str, ...]
    window: int
    step: int
    windows: tuple[Window, ...] = ()
    segments: tuple[Segment, ...] = ()
    change_points: tuple[ChangePoint, ...] = ()
    declined: str | None = None


def split_sentences_exactly(encoder: TextEncoder, text: str) -> list[str]:
    """Split a text into the encoder's sentences without losing any character.

    Returns
    -------
    list of str
        As many sentences as ``encoder.tokenize(text)`` returns, so that their numbers are the same
        as in the evidence. Joined, they are the text. Empty if the text has no token.
    """
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
