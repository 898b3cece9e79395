"""The course of a long text: windows from start to end, and where a second hand may begin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Some sentences in a row, and what they say of every author.

    Attributes
    ----------
    start, end : int
        The first sentence, from 0, and the one behind the last.
    log_odds : tuple of float, (n_authors,)
        In nats, less their mean; of language models alone, log-likelihoods less their mean.
    probabilities : tuple of float, (n_authors,), or None
        Those of the attributor; None where it has none that are fitted to held-out texts.
    """

    start: int
    end: int
    log_odds: tuple[float, ...]
    probabilities: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Segment:
    """Sentences between two marks, and who they speak for.

    Attributes
    ----------
    start, end : int
        The first sentence, from 0, and the one behind the last.
    author : str
        The best scored.
    log_odds : tuple of float, (n_authors,)
        As those of a `Window`: of a text without a mark of the whole text, else the sum of those of
        the segment's parts.
    """

    start: int
    end: int
    author: str
    log_odds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A place where a second hand may begin.

    Attributes
    ----------
    sentence : int
        The first sentence behind it, from 0.
    before, after : str
        The authors that the sentences on its sides, up to the next marks, speak for.
    log_lr : float
        How strong it is, in nats: the log-probability of the two authors, each for a side, less
        that of the one author for both who fits them best.
    """

    sentence: int
    before: str
    after: str
    log_lr: float


@dataclass(frozen=True, slots=True)
class RollingAttribution:
    """Scores of all candidates from a text's start to its end.

    Attributes
    ----------
    authors : tuple of str
        All candidates, sorted.
    sentences : tuple of str
        The text, cut as the attributor's encoder cuts it.
    window, step : int
        Sentences of a window, and from the start of one to that of the next.
    windows : tuple of Window
        In the order of the text; empty where declined.
    segments : tuple of Segment
        The text cut at the marks.
    change_points : tuple of ChangePoint
        One between every two segments; empty where the text speaks for one hand.
    declined : str or None
        Why there is no course, in plain words.
    """

    authors: tuple[str, ...]
    sentences: tuple[str, ...]
    window: int
    step: int
    windows: tuple[Window, ...] = ()
    segments: tuple[Segment, ...] = ()
    change_points: tuple[ChangePoint, ...] = ()
    declined: str | None = None
