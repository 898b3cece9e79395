"""Attribute each chapter of a book separately."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from byline.attribution.result import Attribution
from byline.attribution.rolling.result import RollingChapter
from byline.attribution.rolling.scoring import Scorer
from byline.corpus.chapters import Chapter
from byline.typography.scripts import count_words

MIN_WORDS = 100  # of a chapter that is attributed
_OPENING = 80  # characters that identify the beginning of a chapter
_NORMALIZED = 2000  # characters of a chapter whose normalisation shows its opening


def place_chapters(
    chapters: Sequence[Chapter], text: str, normal: str, normalize: Callable[[str], str]
) -> list[int | None]:
    """Find where each chapter begins in the normalised text, in which headings are removed.

    Parameters
    ----------
    chapters : sequence of Chapter
        The chapters of ``text``, in order.
    text, normal : str
        The text before and after normalisation.
    normalize : callable
        The function that normalises a text.

    Returns
    -------
    list of int or None, (n_chapters,)
        The first character; None for a chapter without text, and for one that is not found.
    """
    places: list[int | None] = []
    last = 0
    ends = [*(each.start for each in chapters[1:]), len(text)][: len(chapters)]
    for chapter, end in zip(chapters, ends, strict=True):
        opening = normalize(text[chapter.start : min(end, chapter.start + _NORMALIZED)]).lstrip()
        found = normal.find(opening[:_OPENING], last) if opening else -1
        places.append(None if found < 0 else found)
        last = last if found < 0 else found + 1
    return places


def move_chapters(
    chapters: Sequence[Chapter], text: str, normal: str, normalize: Callable[[str], str]
) -> tuple[Chapter, ...]:
    """Return the chapters with their places in the normalised text, if they are found there.

    The parameters are those of `place_chapters`.
    """
    places = place_chapters(chapters, text, normal, normalize)
    return tuple(
        replace(chapter, start=place)
        for chapter, place in zip(chapters, places, strict=True)
        if place is not None
    )


def attribute_chapters(
    scorer: Scorer,
    sentences: Sequence[str],
    chapters: Sequence[Chapter],
    places: Sequence[int | None],
) -> tuple[RollingChapter, ...]:
    """Attribute each chapter that is long enough.

    Parameters
    ----------
    scorer : Scorer
    sentences : sequence of str
        The sentences of the normalised text.
    chapters : sequence of Chapter
    places : sequence of int or None, (n_chapters,)
        As `place_chapters` returns them. A chapter that was not found belongs to the one before.
    """
    starts = list(accumulate(map(len, sentences), initial=0))
    found = [
        (chapter, bisect_left(starts, place))
        for chapter, place in zip(chapters, places, strict=True)
        if place is not None
    ]
    ends = [*(start for _, start in found[1:]), len(sentences)][: len(found)]
    ranges = [
        (chapter, start, end)
        for (chapter, start), end in zip(found, ends, strict=True)
        if start < end
    ]
    words = [count_words(scorer.text(start, end)) for _, start, end in ranges]
    long = [place for place, n_words in enumerate(words) if n_words >= MIN_WORDS]
    answers = dict(zip(long, scorer.attribute([ranges[place][1:] for place in long]), strict=True))
    return tuple(
        _attributed(
            RollingChapter(each.name, each.title, start, end, n_words, ()), answers.get(place)
        )
        for place, ((each, start, end), n_words) in enumerate(zip(ranges, words, strict=True))
    )


def _attributed(chapter: RollingChapter, answer: Attribution | None) -> RollingChapter:
    if answer is None:
        reason = f"fewer than {MIN_WORDS} words"
        return replace(chapter, declined=reason)
    return replace(
        chapter,
        ranking=answer.ranking,
        declined=answer.declined,
        calibration_unavailable_reason=answer.calibration_unavailable_reason,
    )
