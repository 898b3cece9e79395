"""How often known texts use their commonest words and marks, and how far texts are from that.

What is usual for a genre shows in function words and marks (Biber 1988) whoever writes: a text
whose shares of these are farther from the known texts' than any of them is from the others is of
another kind.
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
PIECE = 2000  # words and marks; a novel is as varied inside as short texts are among themselves
_MIN_DOCUMENTS = 3  # of which two are left to tell a variance from
_MOST = 25.0  # of one word's squared deviation, so that no word decides alone


@dataclass(frozen=True, slots=True)
class Deviation:
    """A word or mark that a text uses otherwise: its share there, and the usual one."""

    word: str
    share: float
    usual: float


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyProfile:
    """Shares of the commonest words and marks in pieces of known texts.

    Attributes
    ----------
    words : tuple of str, (n_words,)
        In lower case, the commonest first; none where there are too few texts.
    means, variances : (n_words,) float64
        Of their shares, from piece to piece; without what is chance in so short a piece.
    distances : (n_documents,) float64
        Of each known text from all others, see `distance`; ascending.
    """

    words: tuple[str, ...]
    means: Floats
    variances: Floats
    distances: Floats

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Measure known texts; the order they come in may change the last bits.

        Parameters
        ----------
        texts : sequence of str, (n_documents,)
            Those without a word count for nothing.
        """
        documents = [document for text in texts if (document := _pieces(text))]
        if len(documents) < _MIN_DOCUMENTS:
            return cls((), *(np.zeros(0) for _ in range(3)))
        pieces = (piece for document in documents for piece in document)
        words = tuple(most_frequent(chain.from_iterable(pieces), N_WORDS))
        counts = [_counts(document, words) for document in documents]
        whole = _Moments.of(counts)
        others = [whole.without(_Moments.of([own])) for own in counts]
        distances = [
            _distances(*own, *rest.estimates()).mean()
            for own, rest in zip(counts, others, strict=True)
        ]
        return cls(words, *whole.estimates(), np.sort(distances))

    def distance(self, text: str) -> float:
        """Mean squared deviation of a text's shares from the known texts', over words and pieces.

        In units of what is usual from piece to piece, and of chance in so short a text: about 1 for
        a text like the known ones; NaN for one without a word, or where known texts are too few.
        """
        pieces = _pieces(text)
        if not pieces or not self.words:
            return float("nan")
        counts, sizes = _counts(pieces, self.words)
        return float(_distances(counts, sizes, self.means, self.variances).mean())

    def deviations(self, text: str, n: int = 5) -> list[Deviation]:
        """Name the words and marks that a text uses most unlike the known texts, such first."""
        counts, sizes = _counts([_tokens(text)], self.words)
        [deviations] = _squared(counts, sizes, self.means, self.variances)
        order = np.argsort(-deviations, kind="stable")[:n]
        shares = counts[0] / max(sizes[0], 1)
        return [
            Deviation(self.words[place], float(shares[place]), float(self.means[place]))
            for place in order.tolist()
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Sums over pieces: of shares and their squares, (n_words,), and of what chance makes of each.

    ``chance`` is the sum of one over the pieces' sizes: times a share, its variance by chance.
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
        """Leave pieces out."""
        return _Moments(
            self.n - other.n,
            self.shares - other.shares,
            self.squares - other.squares,
            self.chance - other.chance,
        )

    def estimates(self) -> tuple[Floats, Floats]:
        """Return means and variances, (n_words,) each."""
        means = self.shares / self.n
        variances = (self.squares - self.n * means**2) / (self.n - 1) - means * self.chance / self.n
        return means, np.maximum(variances, 0.0)


def _tokens(text: str) -> list[str]:
    return [token for token in split_tokens(text.lower()) if token != "\n"]  # noqa: S105


def _pieces(text: str) -> list[list[str]]:
    """Cut a text into as few pieces as are no longer than `PIECE`, all about as long."""
    tokens = _tokens(text)
    n_pieces = -(-len(tokens) // PIECE)
    cuts = [len(tokens) * number // max(n_pieces, 1) for number in range(n_pieces + 1)]
    return [tokens[start:end] for start, end in pairwise(cuts)]


def _counts(pieces: Sequence[Sequence[str]], words: Sequence[str]) -> tuple[Floats, Floats]:
    """Count words in pieces, (n_pieces, n_words), and all tokens, (n_pieces,)."""
    found = [Counter(piece) for piece in pieces]
    counts = np.array([[own[word] for word in words] for own in found], dtype=np.float64)
    return counts, np.array(list(map(len, pieces)), dtype=np.float64)


def _squared(counts: Floats, sizes: Floats, means: Floats, variances: Floats) -> Floats:
    """Square the deviations of shares, in units of their variance, (n_pieces, n_words)."""
    n = sizes[:, None]
    deviations: Floats = (counts / n - means) ** 2 / (variances + np.maximum(means, 1 / n) / n)
    return deviations


def _distances(counts: Floats, sizes: Floats, means: Floats, variances: Floats) -> Floats:
    squared = np.minimum(_squared(counts, sizes, means, variances), _MOST)
    distances: Floats = squared.mean(axis=1)
    return distances
