"""Caveats about the questioned text: unlike the known texts, or with a candidate's name in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from byline.array_types import Integers
from byline.attribution.caveats.caveat import Caveat
from byline.attribution.classifiers.numeric_features import NumericFeatures
from byline.attribution.classifiers.units import split_words_without_punctuation
from byline.attribution.frequency_profile import FrequencyProfile
from byline.corpus.checking.needs_review import find_own_name_lines
from byline.corpus.document import Document
from byline.corpus.fingerprints import find_own_name
from byline.formatting import isolated, join_names, number, percent, printable, quantity

# In six corpora (essays, news, e-mails, blogs, verse drama), 1 in 100 held-out texts had more than
# 17 % of unknown words.
MAX_UNKNOWN = 0.25
# Passages of five words that occur earlier in the text, as a share of all. In 4,500 texts of eight
# corpora (news, essays, chats, lectures, novels, verse drama), the largest share was 0.21.
MAX_REPEATED = 1 / 3
_REPEATED_WORDS = 5
_MAX_SHOWN = 5  # names
_SIMILAR_LENGTH = 3.0  # texts are compared if neither is more than so many times as long
_MIN_COMPARED = 20
# Relative to the distance between the median and the maximum of the known texts. None of 366
# held-out essays, news articles and novels is beyond this limit. Four in five of the discussions
# and interviews by people whose essays are known are.
_MARGIN = 0.2
_SURPRISE_LIMIT = 1.5  # times the distance between the median and the maximum of the held-out texts


def unknown_word_caveats(n_unknown: int, n_tokens: int) -> Iterator[Caveat]:
    """Find out whether significantly more than `MAX_UNKNOWN` of a text's words are unknown.

    Parameters
    ----------
    n_unknown, n_tokens : int
        Number of unknown tokens, and of all tokens, of the questioned text.
    """
    if not n_tokens:
        return
    lower_bound = binomtest(n_unknown, n_tokens).proportion_ci(method="wilson").low
    if lower_bound > MAX_UNKNOWN:
        share = n_unknown / n_tokens
        yield Caveat(
            "unknown-words",
            f"{percent(share)} of the text's words do not occur in the known texts. The text may "
            "be of another language, genre or subject, or the known texts may be too few.",
            {"share": share, "n_unknown": n_unknown, "n_tokens": n_tokens},
        )


def repetition_caveats(text: str) -> Iterator[Caveat]:
    """Find out whether a large part of a text repeats word for word what stands earlier in it.

    Parameters
    ----------
    text : str
        The questioned text.
    """
    words = split_words_without_punctuation(text)
    n_passages = len(words) - _REPEATED_WORDS + 1
    if n_passages < _MIN_COMPARED:
        return
    share = 1 - _count_different_passages(words) / n_passages
    if share > MAX_REPEATED:
        n_distinct = len(set(words))
        yield Caveat(
            "repetitive-text",
            f"{percent(share)} of the text repeats, word for word, what stands earlier in it "
            f"({quantity(n_distinct, 'different word')} in {number(len(words), 0)}). A repetition "
            "is counted like new evidence, so the answer is less certain than stated. Remove the "
            "repetitions and repeat the attribution.",
            {"share": share, "n_words": len(words), "n_different_words": n_distinct},
        )


def _count_different_passages(words: Sequence[str]) -> int:
    """Count the different passages of `_REPEATED_WORDS` words."""
    number_of = {word: number for number, word in enumerate(set(words))}
    numbers = np.fromiter(map(number_of.__getitem__, words), dtype=np.int64, count=len(words))
    passages = numbers
    for length in range(1, _REPEATED_WORDS):  # longer ones are numbered by the ones before
        keys = passages[:-1] * len(number_of) + numbers[length:]
        passages = np.unique(keys, return_inverse=True)[1]
    return int(passages.max()) + 1


def word_frequency_caveats(text: str, profile: FrequencyProfile) -> Iterator[Caveat]:
    """Find out whether the frequencies of common words in a text differ from all known texts.

    Parameters
    ----------
    text : str
        The questioned text.
    profile : FrequencyProfile
        The frequency profile of the known texts.
    """
    if len(profile.distances) < _MIN_COMPARED:
        return
    distance, deviations = profile.compare(text)
    median, maximum = float(np.median(profile.distances)), float(profile.distances.max())
    if distance > maximum + _MARGIN * (maximum - median):
        largest = ", ".join(
            f"“{isolated(each.word)}” ({_per_thousand(each.share)} in the text, "
            f"{_per_thousand(each.usual)} in the known texts)"
            for each in deviations
        )
        yield Caveat(
            "unusual-word-frequencies",
            "The frequencies of common words and punctuation marks differ more from the known "
            f"texts than those of any of the {number(len(profile.distances), 0)} known texts do. "
            f"The largest differences, per 1,000 tokens: {largest}. The text may be from another "
            "genre or period. What distinguishes the candidates in their known texts may not "
            "distinguish them in this text.",
            {
                "distance": distance,
                "median": median,
                "maximum": maximum,
                "words": [asdict(each) for each in deviations],
            },
        )


def _per_thousand(share: float) -> str:
    return number(1000 * share, 1)


def unlike_known_texts_caveats(
    surprise: float, size: int, surprises: ArrayLike, sizes: Integers
) -> Iterator[Caveat]:
    """Find out whether a text is far less predictable than held-out known texts.

    Parameters
    ----------
    surprise : float
        Nats per character of the questioned text under the best candidate's language model.
    size : int
        Length of the questioned text in characters without white space.
    surprises : (n_texts,) array
        Nats per character of held-out known texts; NaN values are ignored.
    sizes : (n_texts,) int64
        Lengths of the held-out known texts.
    """
    surprises = np.asarray(surprises, dtype=np.float64)
    is_similar = (sizes <= _SIMILAR_LENGTH * size) & (size <= _SIMILAR_LENGTH * sizes)
    compared = surprises[np.isfinite(surprises) & is_similar]
    if len(compared) < _MIN_COMPARED or not np.isfinite(surprise):
        return
    median, maximum = float(np.median(compared)), float(compared.max())
    if surprise > median + _SURPRISE_LIMIT * (maximum - median):
        yield Caveat(
            "unlike-known-texts",
            f"The text is unlike all known texts: {number(surprise)} nats per character under the "
            f"best model. The {number(len(compared), 0)} held-out known texts of similar length "
            f"had a median of {number(median)} and a maximum of {number(maximum)}. The text may be "
            "from another genre, period or language. What distinguishes the candidates in their "
            "known texts may not distinguish them in this text.",
            {
                "nats_per_character": surprise,
                "median": median,
                "maximum": maximum,
                "n": len(compared),
            },
        )


def missing_feature_caveats(text: str, features: NumericFeatures | None) -> Iterator[Caveat]:
    """Find out whether a model uses numeric features of which the text has no values.

    Parameters
    ----------
    text : str
        The questioned text.
    features : NumericFeatures or None
        The base classifier of the model that uses them.
    """
    if features is not None and not features.score_authors([text]).any():
        names = features.feature_names_in_.tolist()
        yield Caveat(
            "no-features",
            f"The model also uses numeric features ({join_names(names, _MAX_SHOWN)}), of which "
            "this text has no values, so that they count for no candidate. Give a table with a row "
            "for the text.",
            {"features": names},
        )


def candidate_name_caveats(text: str, authors: Iterable[str]) -> Iterator[Caveat]:
    """Find candidates who are named at the start or end of a text.

    Parameters
    ----------
    text : str
        The questioned text.
    authors : iterable of str
        The candidates.
    """
    named = {author: name for author in authors if (name := _name_in(text, author))}
    for author, name in named.items():
        # "Charlotte Bronte" does not name any of her sisters.
        if not any(name != other and name in other for other in named.values()):
            yield Caveat(
                "names-a-candidate",
                f"The name of {isolated(author)} occurs at the start or end of the text "
                f"(“{isolated(name)}”), as on a title page or in a signature. A name does not show "
                "who wrote the text, but it may have influenced the answer. Remove it and repeat "
                "the attribution.",
                {"author": author, "name": name},
            )


def _name_in(text: str, author: object) -> str | None:
    """Find a full name, or a surname in a line of its own: other surnames may be place names."""
    document = Document(printable(str(author)), text, path="")
    name = find_own_name(document)
    if name is None or len(name.split()) > 1 or find_own_name_lines(document):
        return name
    return None
