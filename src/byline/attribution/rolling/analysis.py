"""From an attributor and a long text to the text's rolling."""

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
from byline.attribution.rolling.result import ChangePoint, RollingAttribution, Segment, Window
from byline.attribution.rolling.segmentation import (
    best_path,
    best_rise,
    changes_of,
    cut_into_sentences,
    equal_ranges,
    slide,
)
from byline.attribution.stacking import StackedAttributor
from byline.formatting import quantity

Attributor = AuthorshipAttributor | StackedAttributor

# Chosen on stitched and whole texts of works held out, other ones than those that the figures in
# the documentation are of.
PART = 1000  # characters that are scored together to find who wrote them
WRONG = 0.25  # marks expected in a text of one hand if parts were independent and calibrated
REACH = 12  # sentences on each side of a change among which its place is looked for
TEMPERATURE = 20.0  # what log-likelihoods of language models alone are divided by
WINDOW = 20  # sentences
LEAST = 10  # sentences of a text: two windows of five
MOST_WINDOWS = 150


def rolling_attribution(
    attributor: Attributor, text: str, *, window: int | None = None, step: int | None = None
) -> RollingAttribution:
    """Follow all candidates' scores from a text's start to its end, and mark changes of hands.

    The text is cut into parts of whole sentences, about 1,000 characters each. Of all ways to give
    each part an author, the one is chosen whose log-probabilities have the highest sum, less a
    penalty for every change of hands (`best_path`). The penalty grows with the logarithm of the
    ways to change once, the number of parts times that of other authors, and is such that texts of
    one hand seldom have a mark. Each change is then put between the two sentences at which the lead
    of its second author over its first, sentence by sentence, rises most (`best_rise`).

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted; the sentences are those of its encoder.
    text : str
    window, step : int, optional
        Sentences of a window, and from the start of one to that of the next. By default 20 and
        half of that; of a text of less than 60 sentences a third of it, and of very long ones so
        many that there are not more than some 150 windows.

    Returns
    -------
    RollingAttribution
        Declined where the text has less than 10 sentences, or no second window.

    Raises
    ------
    UsageError
        A window or step that is no number above zero; a stack without language models.
    """
    check_is_fitted(attributor)
    [text] = check_texts([text])
    sentences = cut_into_sentences(attributor.encoder_, text)
    window, step = _sizes(len(sentences), window, step)
    rolling = RollingAttribution(
        tuple(map(str, attributor.classes_)), tuple(sentences), window, step
    )
    if len(sentences) < max(LEAST, window + 1):
        return replace(rolling, declined=_too_short(len(sentences), window))
    stretches = _Stretches(attributor, sentences)
    segments, marks = _find_hands(stretches, rolling.authors)
    windows = _windows(stretches, slide(len(sentences), window, step))
    return replace(rolling, windows=windows, segments=segments, change_points=marks)


class _Stretches:
    """What an attributor says of stretches of one text."""

    def __init__(self, attributor: Attributor, sentences: Sequence[str]) -> None:
        self._attributor = attributor
        self._sentences = sentences
        self.is_calibrated = (
            isinstance(attributor, StackedAttributor)
            and attributor.calibration_unavailable_reason_ is None
        )

    def __len__(self) -> int:
        """Return the number of the text's sentences."""
        return len(self._sentences)

    @property
    def n_parts(self) -> int:
        """How many parts of about `PART` characters the text has."""
        n_characters = sum(map(len, self._sentences))
        return min(max(1, round(n_characters / PART)), len(self))

    def log_probs(self, bounds: Sequence[tuple[int, int]]) -> Floats:
        """Log-probabilities of all authors, (n_stretches, n_authors)."""
        texts = ["".join(self._sentences[start:end]) for start, end in bounds]
        if isinstance(self._attributor, StackedAttributor):
            return self._attributor.predict_log_proba(texts)
        log_likelihoods = self._attributor.score_texts(texts).log_likelihoods
        return np.asarray(log_softmax(log_likelihoods / TEMPERATURE, axis=1))


def _find_hands(
    stretches: _Stretches, authors: Sequence[str]
) -> tuple[tuple[Segment, ...], tuple[ChangePoint, ...]]:
    """Cut the text where hands change; return the segments, and the marks between them."""
    parts = equal_ranges(len(stretches), stretches.n_parts)
    log_probs = stretches.log_probs(parts)
    penalty = math.log(len(parts) * max(len(authors) - 1, 1) / WRONG)
    path = best_path(log_probs, penalty)
    changes = changes_of(path)
    if not changes:
        return (_one_hand(stretches, authors),), ()
    columns = path[[0, *changes]].tolist()
    sums = [own.sum(axis=0) for own in np.split(log_probs, changes)]
    starts = _place(stretches, [parts[change][0] for change in changes], columns)
    segments = tuple(
        Segment(start, end, authors[column], _centred(own))
        for (start, end), column, own in zip(
            pairwise([0, *starts, len(stretches)]), columns, sums, strict=True
        )
    )
    marks = tuple(
        ChangePoint(behind.start, before.author, behind.author, _gain(left, right))
        for (before, behind), (left, right) in zip(pairwise(segments), pairwise(sums), strict=True)
    )
    return segments, marks


def _one_hand(stretches: _Stretches, authors: Sequence[str]) -> Segment:
    """Name whom the whole text speaks for, as an answer about it does."""
    [log_probs] = stretches.log_probs([(0, len(stretches))])
    return Segment(0, len(stretches), authors[int(log_probs.argmax())], _centred(log_probs))


def _place(stretches: _Stretches, rough: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Find the first sentence behind each change, near where a part begins.

    Parameters
    ----------
    stretches : _Stretches
    rough : (n_changes,) sequence of int
        First sentences of the parts that changes are before.
    columns : (n_changes + 1,) sequence of int
        Of the authors before, between and behind changes.
    """
    placed: list[int] = []
    for number, near in enumerate(rough):
        first = max(near - REACH, placed[-1] + 1 if placed else 0)
        behind = min(near + REACH, *rough[number + 1 : number + 2], len(stretches))
        single = stretches.log_probs([(place, place + 1) for place in range(first, behind)])
        before, after = columns[number : number + 2]
        placed.append(first + best_rise(single[:, after] - single[:, before]))
    return placed


def _gain(left: Floats, right: Floats) -> float:
    """How much more two authors explain than the one who explains both sides best."""
    return float(left.max() + right.max() - (left + right).max())


def _windows(stretches: _Stretches, bounds: Sequence[tuple[int, int]]) -> tuple[Window, ...]:
    log_probs = stretches.log_probs(bounds)
    return tuple(
        Window(
            start,
            end,
            _centred(own),
            tuple(np.exp(own).tolist()) if stretches.is_calibrated else None,
        )
        for (start, end), own in zip(bounds, log_probs, strict=True)
    )


def _centred(log_probs: Floats) -> tuple[float, ...]:
    return tuple((log_probs - log_probs.mean()).tolist())


def _sizes(n_sentences: int, window: int | None, step: int | None) -> tuple[int, int]:
    """Return window and step as they were asked for, or else as the text's length has it."""
    if window is None:
        short = max(LEAST // 2, min(WINDOW, n_sentences // 3))
        window = max(short, 2 * n_sentences // MOST_WINDOWS)
    check_number("window", window, 1)
    step = max(1, window // 2) if step is None else step
    check_number("step", step, 1)
    return window, step


def _too_short(n_sentences: int, window: int) -> str:
    needed = max(LEAST, window + 1)
    return (
        f"the text has {quantity(n_sentences, 'sentence')}, and at least {needed} are needed "
        "to tell "
        "how it goes on"
    )
