"""Compute a rolling attribution: scores along a text, and changes of author."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.attribution.inputs import check_number, check_texts
from byline.attribution.rolling.chapters import attribute_chapters, place_chapters
from byline.attribution.rolling.result import ChangePoint, RollingAttribution, Segment, Window
from byline.attribution.rolling.scoring import Attributor, Scorer
from byline.attribution.rolling.segmentation import (
    best_path,
    best_rise,
    changes_of,
    credible_interval,
    equal_ranges,
    position_posterior,
    split_sentences_exactly,
    window_ranges,
)
from byline.corpus.chapters import Chapter
from byline.formatting import quantity
from byline.processes.threads import limits_threads

# These values were chosen on composite and on single-author texts of held-out works; the figures in
# the documentation come from other texts.
PASSAGE = 1000  # characters that are scored together
EXPECTED_FALSE = 0.25  # false change points per text, if passages were independent and calibrated
REACH = 12  # sentences on each side of a change among which its position is searched
INTERVAL = 0.9  # probability of the interval of a position
INTERVAL_REACH = 40  # sentences on each side among which the interval lies
INTERVAL_TEMPERATURE = 4.0  # divisor of log-likelihoods, because sentences are not independent
WINDOW = 20  # sentences
MAX_WINDOW = 100  # sentences; the longest window that is chosen by default
MIN_SENTENCES = 10  # of a text: two windows of five sentences
MAX_WINDOWS = 150
LONG = 1000  # passages; the whole text is not scored again if it has more


@limits_threads
def rolling_attribution(
    attributor: Attributor,
    text: str,
    *,
    window: int | None = None,
    step: int | None = None,
    chapters: Sequence[Chapter] = (),
    n_jobs: int = 1,
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
        third of the text. For a long text, the window is longer, so that there are about 150
        windows; it has at most 100 sentences.
    chapters : sequence of Chapter
        The chapters of the text, as `byline.corpus.find_chapters` returns them. Each of them is
        attributed.
    n_jobs : int
        Number of processes. Only texts of more than a million characters use more than one.

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
    [given] = check_texts([text])
    normalize = attributor.normalization_.apply
    text = normalize(given)
    sentences = split_sentences_exactly(attributor.encoder_, text)
    window, step = _sizes(len(sentences), window, step)
    rolling = RollingAttribution(
        tuple(map(str, attributor.classes_)), tuple(sentences), window, step
    )
    if len(sentences) < max(MIN_SENTENCES, window + 1):
        return replace(rolling, declined=_too_short(len(sentences), window))
    scorer = Scorer(attributor, sentences, n_jobs)
    segments, change_points = _find_segments(scorer, rolling.authors)
    windows = _windows(scorer, window_ranges(len(sentences), window, step))
    places = place_chapters(chapters, given, text, normalize)
    found = attribute_chapters(scorer, sentences, chapters, places)
    return replace(
        rolling, windows=windows, segments=segments, change_points=change_points, chapters=found
    )


def _find_segments(
    scorer: Scorer, authors: Sequence[str]
) -> tuple[tuple[Segment, ...], tuple[ChangePoint, ...]]:
    """Divide the text at changes of author; return the segments and the change points."""
    n_passages = min(max(1, round(scorer.n_characters / PASSAGE)), len(scorer))
    passages = equal_ranges(len(scorer), n_passages)
    log_probs = scorer.log_probs(passages)
    penalty = math.log(len(passages) * max(len(authors) - 1, 1) / EXPECTED_FALSE)
    path = best_path(log_probs, penalty)
    changes = changes_of(path)
    if not changes:
        sums = (
            log_probs.sum(axis=0) if n_passages > LONG else scorer.log_probs([(0, len(scorer))])[0]
        )
        return (Segment(0, len(scorer), authors[int(sums.argmax())], _centred(sums)),), ()
    columns = path[[0, *changes]].tolist()
    sums = [own.sum(axis=0) for own in np.split(log_probs, changes)]
    located = _locate_changes(scorer, [passages[change][0] for change in changes], columns)
    starts = [sentence for sentence, *_ in located]
    segments = tuple(
        Segment(start, end, authors[column], _centred(own))
        for (start, end), column, own in zip(
            pairwise([0, *starts, len(scorer)]), columns, sums, strict=True
        )
    )
    change_points = tuple(
        ChangePoint(sentence, before.author, after.author, _gain(left, right), *interval)
        for (sentence, *interval), (before, after), (left, right) in zip(
            located, pairwise(segments), pairwise(sums), strict=True
        )
    )
    return segments, change_points


def _locate_changes(
    scorer: Scorer, rough: Sequence[int], columns: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Find the first sentence after each change, and its interval, near the start of a passage.

    Parameters
    ----------
    scorer : Scorer
        Scores single sentences.
    rough : (n_changes,) sequence of int
        First sentences of the passages after the changes.
    columns : (n_changes + 1,) sequence of int
        The columns of the authors before, between and after the changes.

    Returns
    -------
    list of (int, int, int), (n_changes,)
        The sentence, and the earliest and latest one of the interval.
    """
    located: list[tuple[int, int, int]] = []
    for number, near in enumerate(rough):
        least = located[-1][0] + 1 if located else 0
        most = min([*rough[number + 1 : number + 2], len(scorer)])
        first, end = max(near - INTERVAL_REACH, least), min(near + INTERVAL_REACH, most)
        single = scorer.log_probs([(place, place + 1) for place in range(first, end)])
        before, after = single[:, columns[number]], single[:, columns[number + 1]]
        close = slice(max(near - REACH, least) - first, min(near + REACH, most) - first)
        sentence = first + close.start + best_rise((after - before)[close])
        posterior = position_posterior(before, after, INTERVAL_TEMPERATURE)
        low, high = (first + 1 + each for each in credible_interval(posterior, INTERVAL))
        located.append((sentence, min(low, sentence), max(high, sentence)))
    return located


def _gain(left: Floats, right: Floats) -> float:
    """Return how much better two authors fit than the single author who fits both sides best."""
    return float(left.max() + right.max() - (left + right).max())


def _windows(scorer: Scorer, bounds: Sequence[tuple[int, int]]) -> tuple[Window, ...]:
    log_probs = scorer.log_probs(bounds)
    stated = scorer.stated(log_probs)
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
        window = max(short, min(2 * n_sentences // MAX_WINDOWS, MAX_WINDOW))
    check_number("window", window, 1)
    if step is None:
        step = max(1, window // 2, n_sentences // MAX_WINDOWS)
    check_number("step", step, 1)
    return window, step


def _too_short(n_sentences: int, window: int) -> str:
    needed = max(MIN_SENTENCES, window + 1)
    return (
        f"the text has {quantity(n_sentences, 'sentence')}; rolling attribution needs at least "
        f"{needed}"
    )
