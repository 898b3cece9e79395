"""Whether a questioned text is of another kind than the known texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from byline.attribution.cautions.caution import Caution, in_percent
from byline.attribution.habits import Habits
from byline.corpus.names import isolated

Floats = NDArray[np.float64]

# Of texts held out of six corpora (essays, news, mails, blogs, verse plays), with the others as
# known texts, one in a hundred had more than 17 % of unknown words.
MOST_UNKNOWN = 0.25
_NEAR = 3.0  # times longer or shorter, texts are about as long
_MIN_COMPARED = 20
# Of the way from the middle to the farthest known text, beyond that one. None of 366 texts held out
# of essays, news and novels is there, and four in five of the discussions and interviews by people
# whose essays are known.
_MARGIN = 0.2
_BEYOND = 1.5  # times as far from the middle as the farthest held-out text


def caution_of_unknown_words(n_unknown: int, n_tokens: int) -> Iterator[Caution]:
    """Say whether surely more than `MOST_UNKNOWN` of a text's words were never learnt.

    Parameters
    ----------
    n_unknown, n_tokens : int
        Of the questioned text.
    """
    if not n_tokens:
        return
    least = binomtest(n_unknown, n_tokens).proportion_ci(method="wilson").low
    if least > MOST_UNKNOWN:
        share = n_unknown / n_tokens
        yield Caution(
            "unknown-words",
            f"{in_percent(share)} of its words are not among those learnt from the known texts: it "
            "may be of another language, genre or subject, or the known texts are too few.",
            {"share": share, "n_unknown": n_unknown, "n_tokens": n_tokens},
        )


def caution_of_habits(text: str, habits: Habits) -> Iterator[Caution]:
    """Say whether a text uses common words and marks unlike any of the known texts.

    Parameters
    ----------
    text : str
    habits : Habits
        Of the known texts.
    """
    if len(habits.distances) < _MIN_COMPARED:
        return
    distance = habits.distance(text)
    middle, most = float(np.median(habits.distances)), float(habits.distances.max())
    if distance > most + _MARGIN * (most - middle):
        unlike = habits.deviations(text)
        named = ", ".join(
            f"“{isolated(each.word)}” ({_permille(each.share)} here, {_permille(each.usual)} there)"
            for each in unlike
        )
        yield Caution(
            "other-habits",
            "The text uses common words and marks in other proportions than any of the "
            f"{len(habits.distances):,} known texts, most of all {named}, of 1,000 words and "
            "marks. It may be of another genre or time than they are; what tells the candidates "
            "apart in their known texts need not do so in it.",
            {
                "distance": distance,
                "middle": middle,
                "most": most,
                "words": [asdict(each) for each in unlike],
            },
        )


def _permille(share: float) -> str:
    return f"{1000 * share:.1f}"


def caution_of_surprise(
    surprise: float, size: int, surprises: Floats, sizes: NDArray[np.int64]
) -> Iterator[Caution]:
    """Say whether a text surprises the best candidate's model far more than known texts did.

    Parameters
    ----------
    surprise : float
        Nats a character of the questioned text, by the language model of the best candidate.
    size : int
        Its characters that are not white space.
    surprises : (n_texts,) float64
        The same of held-out known texts; what is no number is left out.
    sizes : (n_texts,) int
        Their lengths.
    """
    near = np.isfinite(surprises) & (sizes <= _NEAR * size) & (size <= _NEAR * sizes)
    compared = surprises[near]
    if len(compared) < _MIN_COMPARED or not np.isfinite(surprise):
        return
    middle, most = float(np.median(compared)), float(compared.max())
    if surprise > middle + _BEYOND * (most - middle):
        yield Caution(
            "unlike-known-texts",
            f"The text is unlike all known texts: {surprise:.2f} nats a character even by the best "
            f"candidate's language model, where {len(compared):,} known texts about as long had "
            f"{middle:.2f} in the middle and {most:.2f} at most when they were held out. It may be "
            "of another genre, time or language; what tells the candidates apart in their known "
            "texts need not do so in it.",
            {
                "nats_per_character": surprise,
                "middle": middle,
                "most": most,
                "n": len(compared),
            },
        )
