"""Compute a rolling attribution: scores along a text, and changes of author."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from scipy.special import log_softmax
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.inputs import check_number, check_texts
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.rolling.segmentation import (
    ChangePoint,
    RollingAttribution,
    Segment,
    Window,
    best_path,
    best_rise,
    changes_of,
    equal_ranges,
    split_sentences_exactly,
    window_ranges,
)
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.fallbacks import limit_probabilities
from byline.formatting import quantity

Attributor = AuthorshipAttributor | StackedAttributor

# These values were chosen on composite and on single-author texts of held-out works; the figures in
# the documentation come from other texts.
PASSAGE = 1000  # characters that are scored together
EXPECTED_FALSE = 0.25  # false change points per text, if passages were independent and calibrated
REACH = 12  # sentences on each side of a change among which its position is searched
TEMPERATURE = 20.0  # divisor of the log-likelihoods of language models alone
WINDOW = 20  # sentences
MIN_SENTENCES = 10  # of a text: two windows of five sentences
MAX_WINDOWS = 150


def rolling_attribution(
    attributor: Attributor, text: str, *, window: int | None = None, step: int | None = None
) -> RollingAttribution:
    """Attribute a text along its length, and detect changes of author.

    The text is divided into passages of whole sentences with about 1,000 characters each. Each
    passage is attributed to an author so that the sum of the log-probabilities, minus a penalty
    for every change of author, is maximal. The penalty grows with the logarithm of the number of
    possible single changes (the number of passages times the number of other authors), so that
    texts by a single author seldom have a change point. The position of each change is the sentence
    at which the lead of the second author over the first rises most.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model; its encoder splits the text into sentences.
    text : str
        The questioned text; the sentences are those of the normalised text.
    window, step : int, optional
        Length of a window in sentences, and distance between the starts of two windows. By default,
        20 sentences and half of the window. For a text of fewer than 60 sentences, the window is a
        third of the text; for a very long text, it is so long that there are about 150 windows.

    Returns
    -------
    RollingAttribution
        Declined if the text has fewer than 10 sentences, or not enough for a second window.

    Raises
    ------
    UsageError
        The window or the step is not a positive number.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["The sea. The wind.", "A ship. A sail."], ["Ada", "Ben"])
    >>> result = rolling_attribution(model, "The sea and the wind. " * 12)
    >>> result.change_points, [segment.author for segment in result.segments]
    ((), ['Ada'])
    """
    check_is_fitted(attributor)
    text = attributor.normalization_.apply(*check_texts([text]))
    sentences = split_sentences_exactly(attributor.encoder_, text)
    window, step = _sizes(len(sentences), window, step)
    rolling = RollingAttribution(
        tuple(map(str, attributor.classes_)), tuple(sentences), window, step
    )
    if len(sentences) < max(MIN_SENTENCES, window + 1):
        return replace(rolling, declined=_too_short(len(sentences), window))
    scorer = _Scorer(attributor, sentences)
    segments, change_points = _find_segments(scorer, rolling.authors)
    windows = _windows(scorer, window_ranges(len(sentences), window, step))
    return replace(rolling, windows=windows, segments=segments, change_points=change_points)


class _Scorer:
    """Scores ranges of sentences of one text."""

    def __init__(self, attributor: Attributor, sentences: Sequence[str]) -> None:
        self._attributor = attributor
        self._sentences = sentences
        # One choice for the whole text, because a passage may be too short to show its conventions.
        self.choice = (
            attributor.choose_rule("".join(sentences))
            if isinstance(attributor, StackedAttributor)
            else None
        )
        self.is_calibrated = isinstance(attributor, StackedAttributor)

    def __len__(self) -> int:
        """Return the number of sentences of the text."""
        return len(self._sentences)

    @property
    def n_passages(self) -> int:
        """Number of passages of about `PASSAGE` characters in the text."""
        n_characters = sum(map(len, self._sentences))
        return min(max(1, round(n_characters / PASSAGE)), len(self))

    def log_probs(self, bounds: Sequence[tuple[int, int]]) -> Floats:
        """Return log-probabilities of all authors, (n_ranges, n_authors)."""
        texts = ["".join(self._sentences[start:end]) for start, end in bounds]
        if isinstance(self._attributor, StackedAttributor):
            scores = self._attributor.score_texts(texts, choice=self.choice)
            return scores.log_probabilities(limit=False)
        log_likelihoods = self._attributor.score_texts(texts).log_likelihoods
        return np.asarray(log_softmax(log_likelihoods / TEMPERATURE, axis=1))


def _find_segments(
    scorer: _Scorer, authors: Sequence[str]
) -> tuple[tuple[Segment, ...], tuple[ChangePoint, ...]]:
    """Divide the text at changes of author; return the segments and the change points."""
    passages = equal_ranges(len(scorer), scorer.n_passages)
    log_probs = scorer.log_probs(passages)
    penalty = math.log(len(passages) * max(len(authors) - 1, 1) / EXPECTED_FALSE)
    path = best_path(log_probs, penalty)
    changes = changes_of(path)
    if not changes:
        return (_whole_text(scorer, authors),), ()
    columns = path[[0, *changes]].tolist()
    sums = [own.sum(axis=0) for own in np.split(log_probs, changes)]
    starts = _locate_changes(scorer, [passages[change][0] for change in changes], columns)
    segments = tuple(
        Segment(start, end, authors[column], _centred(own))
        for (start, end), column, own in zip(
            pairwise([0, *starts, len(scorer)]), columns, sums, strict=True
        )
    )
    change_points = tuple(
        ChangePoint(after.start, before.author, after.author, _gain(left, right))
        for (before, after), (left, right) in zip(pairwise(segments), pairwise(sums), strict=True)
    )
    return segments, change_points


def _whole_text(scorer: _Scorer, authors: Sequence[str]) -> Segment:
    """Attribute the whole text to one author."""
    [log_probs] = scorer.log_probs([(0, len(scorer))])
    return Segment(0, len(scorer), authors[int(log_probs.argmax())], _centred(log_probs))


def _locate_changes(scorer: _Scorer, rough: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Find the first sentence after each change, near the start of a passage.

    Parameters
    ----------
    scorer : _Scorer
        Scores single sentences.
    rough : (n_changes,) sequence of int
        First sentences of the passages after the changes.
    columns : (n_changes + 1,) sequence of int
        The columns of the authors before, between and after the changes.
    """
    located: list[int] = []
    for number, near in enumerate(rough):
        first = max(near - REACH, located[-1] + 1 if located else 0)
        end = min(near + REACH, *rough[number + 1 : number + 2], len(scorer))
        single = scorer.log_probs([(place, place + 1) for place in range(first, end)])
        before, after = columns[number : number + 2]
        located.append(first + best_rise(single[:, after] - single[:, before]))
    return located


def _gain(left: Floats, right: Floats) -> float:
    """Return how much better two authors fit than the single author who fits both sides best."""
    return float(left.max() + right.max() - (left + right).max())


def _windows(scorer: _Scorer, bounds: Sequence[tuple[int, int]]) -> tuple[Window, ...]:
    log_probs = scorer.log_probs(bounds)
    is_limited = scorer.choice is not None and scorer.choice.is_limited
    stated = np.exp(limit_probabilities(log_probs) if is_limited else log_probs)
    return tuple(
        Window(
            start,
            end,
            _centred(own),
            tuple(probabilities.tolist()) if scorer.is_calibrated else None,
        )
        for (start, end), own, probabilities in zip(bounds, log_probs, stated, strict=True)
    )


def _centred(log_probs: Floats) -> tuple[float, ...]:
    return tuple((log_probs - log_probs.mean()).tolist())


def _sizes(n_sentences: int, window: int | None, step: int | None) -> tuple[int, int]:
    """Return the given window and step, or default values for the length of the text."""
    if window is None:
        short = max(MIN_SENTENCES // 2, min(WINDOW, n_sentences // 3))
        window = max(short, 2 * n_sentences // MAX_WINDOWS)
    check_number("window", window, 1)
    step = max(1, window // 2) if step is None else step
    check_number("step", step, 1)
    return window, step


def _too_short(n_sentences: int, window: int) -> str:
    needed = max(MIN_SENTENCES, window + 1)
    return (
        f"the text has {quantity(n_sentences, 'sentence')}; rolling attribution needs at least "
        f"{needed}"
    )
