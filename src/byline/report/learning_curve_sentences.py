"""Sentences on a learning curve: what was measured, and how many words are needed."""

from __future__ import annotations

import math

from byline.experiments.learning_curve.fits import FARTHEST
from byline.formatting import (
    isolated,
    join_names,
    percent,
    quantity,
    short_number,
    short_percent,
)
from byline.report.summary import Summary, how_split

_DIGITS = 2  # significant ones of numbers of words that are read from a curve


def data_sentences(summary: Summary) -> list[str]:
    """Describe the texts, the samples and the passages."""
    known, lengths = summary["known_words"], summary["text_words"]
    sentences = [
        f"{summary['corpus']}: {quantity(summary['n_documents'], 'document')}; "
        f"{quantity(len(summary['authors']), 'candidate')}; held out: "
        f"{how_split(summary['split'])}.",
        f"Known texts: {quantity(summary['n_samples'], 'random sample')} of "
        f"{short_number(known[0])} to {short_number(known[-1])} words per author. Questioned "
        f"texts: passages of {_range(lengths)} from held-out texts, at most "
        f"{summary['n_passages']} of each length per author and fold.",
    ]
    if summary["left_out"]:
        few = summary["left_out"].items()
        names = [f"{isolated(name)} ({quantity(words, 'word')})" for name, words in few]
        sentences.append(f"Left out, because there is too little known text: {join_names(names)}.")
    return sentences


def result_sentences(summary: Summary) -> list[str]:
    """State how much text is needed: known text for the longest passages, and the reverse."""
    sentences = []
    for axis in ("known_words", "text_words"):
        own = curves_of(summary, axis)
        if own:
            sentences.append(needed_sentence(own[-1]))
    if not sentences:
        sentences.append(
            "No curve was fitted, because that needs three amounts of known text or three lengths."
        )
    return sentences


def needed_sentence(curve: Summary) -> str:
    """State at how many words a fitted curve reaches the target accuracy."""
    needed, fixed = curve["needed"], short_number(curve["fixed"])
    target = short_percent(needed["accuracy"])
    if curve["axis"] == "known_words":
        begin, unit = f"For questioned texts of {fixed} words", "known words per author"
    else:
        begin, unit = f"With {fixed} known words per author", "words of the questioned text"
    least, most = (short_number(round(curve["words"][end])) for end in (0, -1))
    if needed["where"] == "measured":
        return (
            f"{begin}, an accuracy of {target} is reached at about {round_words(needed['words'])} "
            f"{unit} (95 % interval {needed_interval(curve)})."
        )
    if needed["where"] == "fewer":
        return (
            f"{begin}, the accuracy is above {target} with {least} {unit}, the smallest number "
            "that was measured."
        )
    sentence = (
        f"{begin}, an accuracy of {target} is not reached in the measured range, up to {most} "
        f"{unit}, where the fitted accuracy is {percent(curve['fitted'][-1])}."
    )
    if needed["where"] == "extrapolated":
        words = round_words(needed["words"])
        return (
            f"{sentence} Extrapolated, the curve reaches it at about {words} (95 % interval "
            f"{needed_interval(curve)}); no measurement supports this."
        )
    return f"{sentence} The curve does not reach it with {FARTHEST} times that number either."


def needed_interval(curve: Summary) -> str:
    """Write the interval of the words needed."""
    low, high = (_end(curve, words) for words in curve["needed"]["interval"])
    return low if low == high else f"{low} to {high}"


def _end(curve: Summary, words: float | None) -> str:
    """Write an end of an interval; it is not stated far from what was measured."""
    least, most = curve["words"][0], FARTHEST * curve["words"][-1]
    if words is None:
        return f"more than {round_words(most)}"
    return f"fewer than {short_number(round(least))}" if words < least else round_words(words)


def round_words(words: float) -> str:
    """Write a number of words that was read from a curve, with two significant digits."""
    if words < 1:
        return "fewer than 1"
    digits = _DIGITS - 1 - math.floor(math.log10(words))
    return short_number(max(1, round(words, min(digits, 0))))


def curves_of(summary: Summary, axis: str) -> list[Summary]:
    """Return the fitted curves by known words, or by words of the questioned text."""
    return [curve for curve in summary["curves"] if curve["axis"] == axis]


def _range(values: list[int]) -> str:
    if len(values) == 1:
        return f"{short_number(values[0])} words"
    return f"{short_number(values[0])} to {short_number(values[-1])} words"
