"""Relative frequencies of words and character n-grams, counted as stylo counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import regex

from byline.array_types import Floats
from byline.text import letter_words
from byline.typography.scripts import UNSPACED_SCRIPTS

Unit = Literal["word", "char"]
SPACE = "_"  # represents a space in a feature; it is never part of a word
_BETWEEN_UNSPACED = regex.compile(rf"(?<=[{UNSPACED_SCRIPTS}]){SPACE}(?=[{UNSPACED_SCRIPTS}])")
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True, eq=False)
class TextMatrix:
    """A matrix of texts and features.

    Attributes
    ----------
    names : tuple of str, (n_texts,)
        The names of the texts, all different.
    authors : tuple of str, (n_texts,)
        The author of each text, or another group; empty for a questioned text.
    features : tuple of str, (n_features,)
        Words from the most frequent to the least frequent, or the columns of a user's table.
    values : (n_texts, n_features) float64
        Relative frequencies in percent, or the values of the table.
    kind : str
        What the features are, in the plural: ``"words"``.

    See Also
    --------
    count_features : Count words or n-grams.

    Examples
    --------
    >>> table = TextMatrix(("Ada_1", "Ben_1"), ("Ada", "Ben"), ("the", "of"), np.eye(2), "words")
    >>> table.first(1).features, table.first(1).values.shape
    (('the',), (2, 1))
    """

    names: tuple[str, ...]
    authors: tuple[str, ...]
    features: tuple[str, ...]
    values: Floats
    kind: str

    def first(self, n_features: int) -> TextMatrix:
        """Return the table with its first features only."""
        values = self.values[:, :n_features]
        return replace(self, features=self.features[:n_features], values=values)


def count_features(
    text: str, unit: Unit = "word", ngram: int = 1, language: str = "en"
) -> Counter[str]:
    """Count words, characters, or n-grams of words or of characters.

    Words are those of `byline.text.letter_words`: maximal runs of letters, in lower case, as in
    stylo. Character n-grams are taken from these words with one space between them, which is
    written as ``_``. There is no space between two letters of scripts without spaces.

    Parameters
    ----------
    text : str
    unit : {"word", "char"}
    ngram : int
        Number of words or characters per feature, at least 1.
    language : str
        ISO 639 code, which lower-casing depends on.

    Examples
    --------
    >>> sorted(count_features("The cat, the dog's cat").items())
    [('cat', 2), ('dog', 1), ('s', 1), ('the', 2)]
    >>> sorted(count_features("the cat", "char", 3))
    ['_ca', 'cat', 'e_c', 'he_', 'the']
    """
    words = letter_words(text, language)
    if unit == "char":
        return _character_ngrams(_BETWEEN_UNSPACED.sub("", SPACE.join(words)), ngram)
    if ngram == 1:
        return Counter(words)
    return Counter(map(SPACE.join, zip(*(words[start:] for start in range(ngram)), strict=False)))


def _character_ngrams(text: str, n: int) -> Counter[str]:
    """Count n-grams as numbers to the base of the alphabet size, which is much faster."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    if len(codes) < n:
        return Counter()
    alphabet, letters = np.unique(codes, return_inverse=True)
    base = len(alphabet)
    if base**n >= 2**63:
        return Counter(text[start : start + n] for start in range(len(text) - n + 1))
    keys = np.zeros(len(codes) - n + 1, dtype=np.int64)
    for start in range(n):
        keys = keys * base + letters[start : start + len(keys)]
    found, counts = np.unique(keys, return_counts=True)
    places = [found // base ** (n - 1 - start) % base for start in range(n)]
    characters = np.array([chr(code) for code in alphabet])
    ngrams = map("".join, zip(*(characters[place].tolist() for place in places), strict=True))
    return Counter(dict(zip(ngrams, counts.tolist(), strict=True)))


def frequent_features(
    counts: Sequence[Mapping[str, int]], *, at_most: int, culling: float = 0.0
) -> list[str]:
    """Return the most frequent features of all texts together, most frequent first.

    Features of equal frequency are in alphabetical order.

    Parameters
    ----------
    counts : sequence of mapping of str to int, (n_texts,)
    at_most : int
        Number of features.
    culling : float
        The percentage of the texts that must contain a feature, from 0 to 100. As in stylo, rare
        features are left out first, and then the most frequent of the others are returned.

    Returns
    -------
    list of str

    Examples
    --------
    >>> counts = [Counter("aaab"), Counter("bc")]
    >>> frequent_features(counts, at_most=2)
    ['a', 'b']
    >>> frequent_features(counts, at_most=2, culling=100)
    ['b']
    """
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    n_texts = Counter(feature for each in counts for feature in each) if culling else {}
    least = culling / 100 * len(counts)
    kept = (feature for feature in total if not culling or n_texts[feature] >= least)
    return sorted(kept, key=lambda feature: (-total[feature], feature))[:at_most]


def relative_frequencies(counts: Sequence[Mapping[str, int]], features: Sequence[str]) -> Floats:
    """Return the frequencies of features in percent of all tokens of a text.

    Parameters
    ----------
    counts : sequence of mapping of str to int, (n_texts,)
    features : sequence of str, (n_features,)

    Returns
    -------
    (n_texts, n_features) float64

    Examples
    --------
    >>> relative_frequencies([Counter("aaab"), Counter("bc")], ["a", "b"]).tolist()
    [[75.0, 25.0], [0.0, 50.0]]
    """
    values = np.array([[each.get(feature, 0) for feature in features] for each in counts], float)
    n_tokens = np.array([max(sum(each.values()), 1) for each in counts], dtype=np.float64)
    return np.asarray(100 * values / n_tokens[:, np.newaxis], dtype=np.float64)


def texts_without(features: TextMatrix) -> Iterator[str]:
    """Yield the names of texts in which no feature occurs."""
    return (
        name for name, row in zip(features.names, features.values, strict=True) if not np.any(row)
    )


def unique_names(names: Iterable[str]) -> list[str]:
    """Add numbers to names that occur more than once.

    Examples
    --------
    >>> unique_names(["Ada_Letter", "Ben_Poem", "Ada_Letter"])
    ['Ada_Letter', 'Ben_Poem', 'Ada_Letter_2']
    """
    seen: set[str] = set()
    unique = []
    for name in names:
        chosen, number = name, 1
        while chosen in seen:
            number += 1
            chosen = f"{name}_{number}"
        seen.add(chosen)
        unique.append(chosen)
    return unique
