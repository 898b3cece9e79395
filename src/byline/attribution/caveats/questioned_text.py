"""Whether a questioned text is of another kind than the known texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from byline.array_types import Floats
from byline.attribution.caveats.caveat import Caveat
from byline.attribution.frequency_profile import FrequencyProfile
from byline.corpus.checking.own_names import find_own_name_lines
from byline.corpus.document import Document
from byline.corpus.signatures import find_own_name
from byline.formatting import isolated, percent

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


def unknown_word_caveats(n_unknown: int, n_tokens: int) -> Iterator[Caveat]:
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
        yield Caveat(
            "unknown-words",
            f"{percent(share)} of its words are not among those learnt from the known texts: it "
            "may be of another language, genre or subject, or the known texts are too few.",
            {"share": share, "n_unknown": n_unknown, "n_tokens": n_tokens},
        )


def word_frequency_caveats(text: str, habits: FrequencyProfile) -> Iterator[Caveat]:
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
        yield Caveat(
            "unusual-word-frequencies",
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


def unlike_known_texts_caveats(
    surprise: float, size: int, surprises: Floats, sizes: NDArray[np.int64]
) -> Iterator[Caveat]:
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
        yield Caveat(
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


def candidate_name_caveats(text: str, authors: Iterable[str]) -> Iterator[Caveat]:
    """Say which candidates are named at a text's start or end, as by a title page or a signature.

    Parameters
    ----------
    text : str
    authors : iterable of str
        The candidates.
    """
    named = {author: name for author in authors if (name := _name(text, author))}
    for author, name in named.items():
        # "Charlotte Bronte" names none of her sisters.
        if not any(name != other and name in other for other in named.values()):
            yield Caveat(
                "names-a-candidate",
                f"The name of {isolated(author)} stands at the start or end of the text "
                f"(“{isolated(name)}”), as on a title page or in a signature. It does not show who "
                "wrote the text, and it may have weighed in the answer: take it out and ask again.",
                {"author": author, "name": name},
            )


def _name(text: str, author: str) -> str | None:
    """Find a whole name at either end, or a surname in a line of its own: cities have surnames."""
    document = Document(author, text, path="")
    name = find_own_name(document)
    if name is None or len(name.split()) > 1 or find_own_name_lines(document):
        return name
    return None
