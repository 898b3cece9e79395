"""The matrix of every author's texts under every author's language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CrossPerplexity:
    """How well each author's language model predicts each author's texts.

    Attributes
    ----------
    authors : tuple of str
        Of rows and columns, sorted.
    cross_entropy : (n_authors, n_authors) float64
        Row i, column j: nats a token of author i's texts under the model of author j, which learnt
        none of them.
    n_tokens : (n_authors,) int64
        Scored tokens of each author's texts.
    in_parts : tuple of str
        Authors with a single work, of which parts were held out. Their own models know its names
        and matter from the other parts, so others' models seem the worse, and they seem farther
        from everyone than they are.
    """

    authors: tuple[str, ...]
    cross_entropy: Floats
    n_tokens: Integers
    in_parts: tuple[str, ...] = ()

    @classmethod
    def pooled(
        cls, authors: Sequence[str], labels: Integers, log_likelihoods: Floats, n_scored: Integers
    ) -> Self:
        """Join the scores of texts, author by author.

        Parameters
        ----------
        authors : sequence of str, (n_authors,)
        labels : (n_texts,) int64
            The author of each text; every author has one.
        log_likelihoods : (n_texts, n_authors) float64
            Of the texts under the models, in nats.
        n_scored : (n_texts,) int64
            Scored tokens of each text, at least one an author.
        """
        n_tokens = np.zeros(len(authors), dtype=np.int64)
        sums = np.zeros((len(authors), len(authors)))
        np.add.at(n_tokens, labels, n_scored)
        np.add.at(sums, labels, log_likelihoods)
        return cls(tuple(authors), -sums / n_tokens[:, np.newaxis], n_tokens)

    @property
    def perplexity(self) -> Floats:
        """``exp`` of the cross-entropies (Ge & Sun 2016, Eq. ppl2), (n_authors, n_authors)."""
        return np.asarray(np.exp(self.cross_entropy), dtype=np.float64)

    @property
    def excess(self) -> Floats:
        """Nats a token that a text costs more than under its own author's model.

        Row i, column j: ``h(i, j) - h(i, i)`` of the cross-entropies h; zero on the diagonal, below
        zero where another author's model predicts author i's texts better than the own one.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        return self.cross_entropy - np.diag(self.cross_entropy)[:, np.newaxis]

    @property
    def distances(self) -> Floats:
        """How far authors are from each other, in nats a token; symmetric, zero on the diagonal.

        ``d(i, j) = max(0, (h(i, j) - h(i, i) + h(j, i) - h(j, j)) / 2)``: the mean of both
        excesses, which is the symmetrised distance of Juang & Rabiner (1985, "A probabilistic
        distance measure for hidden Markov models"), estimated on texts that no model learnt from.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        excess = self.excess
        return np.asarray(np.maximum(0.0, (excess + excess.T) / 2))

    def nearest(self, author: str, at_most: int) -> list[str]:
        """Name the authors at the least `distances` from one, the nearest first."""
        place = self.authors.index(author)
        order = np.argsort(self.distances[place], kind="stable").tolist()
        return [self.authors[other] for other in order if other != place][:at_most]
