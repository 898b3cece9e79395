"""The result of a rolling attribution: windows, segments, change points and chapters."""

from __future__ import annotations

from dataclasses import dataclass

from byline.attribution.result import Candidate
from byline.display import Displayable


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
    earliest, latest : int
        The 90 % interval of the first sentence after the change, both included.

    Examples
    --------
    >>> point = ChangePoint(150, "Ada", "Ben", log_lr=4.2, earliest=148, latest=155)
    >>> point.latest - point.earliest
    7
    """

    sentence: int
    before: str
    after: str
    log_lr: float
    earliest: int
    latest: int


@dataclass(frozen=True, slots=True)
class RollingChapter:
    """A chapter of a book, which is attributed separately.

    Attributes
    ----------
    name : str
        The label of the larger part, then that of the chapter; empty for the text before the first
        heading.
    title : str
        The title in the heading; may be empty.
    start, end : int
        The first sentence, counted from 0, and the one after the last.
    n_words : int
    ranking : tuple of Candidate
        All candidates, best first; empty if the chapter is declined.
    declined : str or None
        Why no author is named, as a clause.
    calibration_unavailable_reason : str or None
        Why there are no probabilities, as a clause; None if there are.

    See Also
    --------
    byline.corpus.find_chapters : Finds the chapters.

    Examples
    --------
    >>> RollingChapter("CHAPTER I", "", 0, 1, 4, (), declined="too short").author is None
    True
    """

    name: str
    title: str
    start: int
    end: int
    n_words: int
    ranking: tuple[Candidate, ...]
    declined: str | None = None
    calibration_unavailable_reason: str | None = None

    @property
    def author(self) -> str | None:
        """The first candidate; None if the chapter is declined."""
        return self.ranking[0].author if self.ranking else None


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
    chapters : tuple of RollingChapter
        In the order of the text; empty if none were given.
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
    chapters: tuple[RollingChapter, ...] = ()
    declined: str | None = None
