"""The frequency profile of known texts: how often they use their most frequent words.

Function words and punctuation marks vary with the genre, whoever writes (Biber 1988). A text whose
frequencies differ more from the known texts than those of any known text do is of another kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Self

import numpy as np

from byline.array_types import Floats
from byline.attribution.classifiers.units import most_frequent, split_tokens

N_WORDS = 100
CHUNK_SIZE = 2000  # tokens: parts of a novel vary as much as short texts of one author do
_MIN_DOCUMENTS = 3  # so that two remain to estimate a variance from
_MAX_SQUARED = 25.0  # limit of one word's squared deviation, so that no word decides alone


@dataclass(frozen=True, slots=True)
class FrequencyDeviation:
    """A word whose frequency in a text differs from its usual frequency.

    Attributes
    ----------
    word : str
        A word or punctuation mark, in lower case.
    share : float
        Its share of the text's tokens.
    usual : float
        Its mean share in the known texts.

    Examples
    --------
    >>> FrequencyDeviation("upon", share=0.003, usual=0.0002).word
    'upon'
    """

    word: str
    share: float
    usual: float


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyProfile:
    """Frequencies of the most frequent words and punctuation marks in chunks of known texts.

    Attributes
    ----------
    words : tuple of str, (n_words,)
        In lower case, most frequent first; empty if there are too few texts.
    means, variances : (n_words,) float64
        Means and variances of the words' shares over chunks. The variances do not include the
        sampling variance of a chunk of limited length.
    distances : (n_documents,) float64
        The distance of each known text from all others, in ascending order; see `compare`.

    Examples
    --------
    >>> texts = ["the sea and the wind", "the sea and a ship", "a wind and the sea"]
    >>> profile = FrequencyProfile.of(texts)
    >>> profile.words[:2], len(profile.distances)
    (('the', 'and'), 3)
    >>> profile.compare("")
    (nan, [])
    """

    words: tuple[str, ...]
    means: Floats
    variances: Floats
    distances: Floats

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Measure known texts. The order of the texts may change the last bits of the result.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
            Texts without a word are ignored.
        """
        documents = [document for text in texts if (document := _chunks(text))]
        if len(documents) < _MIN_DOCUMENTS:
            return cls((), *(np.zeros(0) for _ in range(3)))
        chunks = (chunk for document in documents for chunk in document)
        words = tuple(most_frequent(chain.from_iterable(chunks), N_WORDS))
        counts = [_counts(document, words) for document in documents]
        whole = _Moments.of(counts)
        others = [whole.without(_Moments.of([own])) for own in counts]
        distances = [
            _distances(*own, *rest.estimates()).mean()
            for own, rest in zip(counts, others, strict=True)
        ]
        return cls(words, *whole.estimates(), np.sort(distances))

    def compare(self, text: str, n: int = 5) -> tuple[float, list[FrequencyDeviation]]:
        """Compare the shares of words in a text with the known texts.

        Parameters
        ----------
        text : str
        n : int
            Number of words to return.

        Returns
        -------
        distance : float
            The mean squared deviation of the text's shares, over words and chunks. The unit is the
            variance that is usual between chunks, plus the sampling variance of a chunk of that
            length. A text like the known texts has a distance of about 1. NaN if the text has no
            word, or if there are too few known texts.
        deviations : list of FrequencyDeviation, at most (n,)
            The words whose shares in the whole text deviate most, largest first.
        """
        chunks = _chunks(text)
        if not chunks or not self.words:
            return float("nan"), []
        counts, sizes = _counts(chunks, self.words)
        distance = float(_distances(counts, sizes, self.means, self.variances).mean())
        whole = counts.sum(axis=0, keepdims=True), sizes.sum(keepdims=True)
        [deviations] = _squared(*whole, self.means, self.variances)
        order = np.argsort(-deviations, kind="stable")[:n]
        shares = whole[0][0] / whole[1]
        return distance, [
            FrequencyDeviation(self.words[place], float(shares[place]), float(self.means[place]))
            for place in order.tolist()
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Sums over chunks, from which means and variances are estimated.

    ``shares`` and ``squares``, (n_words,), are sums of shares and of their squares. ``chance`` is
    the sum of ``1 / size``: multiplied by a share, it is the sampling variance of that share.
    """

    n: int
    shares: Floats
    squares: Floats
    chance: float

    @classmethod
    def of(cls, counts: Sequence[tuple[Floats, Floats]]) -> Self:
        shares = np.concatenate([own / sizes[:, None] for own, sizes in counts])
        chance = sum(float((1 / sizes).sum()) for _, sizes in counts)
        return cls(len(shares), shares.sum(axis=0), (shares**2).sum(axis=0), chance)

    def without(self, other: Self) -> _Moments:
        """Return the sums without some of the chunks."""
        return _Moments(
            self.n - other.n,
            self.shares - other.shares,
            self.squares - other.squares,
            self.chance - other.chance,
        )

    def estimates(self) -> tuple[Floats, Floats]:
        """Estimate means and variances, (n_words,) each."""
        means = self.shares / self.n
        variances = (self.squares - self.n * means**2) / (self.n - 1) - means * self.chance / self.n
        return means, np.maximum(variances, 0.0)


def _tokens(text: str) -> list[str]:
    return [token for token in split_tokens(text.lower()) if token != "\n"]  # noqa: S105


def _chunks(text: str) -> list[list[str]]:
    """Split a text into as few chunks of about equal length, of at most `CHUNK_SIZE` tokens."""
    tokens = _tokens(text)
    n_chunks = -(-len(tokens) // CHUNK_SIZE)
    cuts = [len(tokens) * number // max(n_chunks, 1) for number in range(n_chunks + 1)]
    return [tokens[start:end] for start, end in pairwise(cuts)]


def _counts(chunks: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[Floats, Floats]:
    """Count words in chunks, (n_chunks, n_words), and all tokens, (n_chunks,)."""
    found = [Counter(chunk) for chunk in chunks]
    counts = np.array([[own[word] for word in words] for own in found], dtype=np.float64)
    return counts, np.array(list(map(len, chunks)), dtype=np.float64)


def _squared(counts: Floats, sizes: Floats, means: Floats, variances: Floats) -> Floats:
    """Compute squared deviations of shares, in units of their variance, (n_chunks, n_words)."""
    n = sizes[:, None]
    deviations: Floats = (counts / n - means) ** 2 / (variances + np.maximum(means, 1 / n) / n)
    return deviations


def _distances(counts: Floats, sizes: Floats, means: Floats, variances: Floats) -> Floats:
    squared = np.minimum(_squared(counts, sizes, means, variances), _MAX_SQUARED)
    distances: Floats = squared.mean(axis=1)
    return distances
