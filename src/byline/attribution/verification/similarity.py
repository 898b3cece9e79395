"""The similarity of texts relative to a reference population, by Cosine Delta of n-grams.

Cosine Delta (Evert et al. 2017, "Understanding and explaining Delta measures for authorship
attribution") standardises relative frequencies by their mean and standard deviation in the
reference texts. So an n-gram that all authors use alike has no weight. Square roots of frequencies
are used, because their standard deviation hardly depends on the frequency.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Floats
from byline.attribution.classifiers.blocks import FittedBlock, NgramBlock, split_units
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.classifiers.ngrams import NgramVocabulary

MIN_CHUNKS = 2  # an n-gram of a single chunk cannot be shared by two texts


@dataclass(frozen=True, slots=True)
class RowSums:
    """Sums from which the means and standard deviations of rows are computed.

    Attributes
    ----------
    n_rows : int
        Number of rows.
    values, squares : (n_features,) float64
        Sums of the values and of their squares.
    frequencies : (n_features,) int64
        Number of rows that contain the n-gram.
    """

    n_rows: int
    values: Floats
    squares: Floats
    frequencies: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Any) -> Self:
        """Sum the rows of a sparse matrix, (n_rows, n_features)."""
        frequencies = np.bincount(rows.indices, minlength=rows.shape[1])
        return cls(rows.shape[0], rows.sum(axis=0), rows.power(2).sum(axis=0), frequencies)

    def without(self, other: RowSums) -> RowSums:
        """Return the sums without the rows of another sum."""
        return RowSums(
            self.n_rows - other.n_rows,
            self.values - other.values,
            self.squares - other.squares,
            self.frequencies - other.frequencies,
        )

    def and_row(self, row: Floats) -> RowSums:
        """Return the sums with an additional row."""
        return RowSums(
            self.n_rows + 1, self.values + row, self.squares + row**2, self.frequencies + (row > 0)
        )

    def scale(self) -> tuple[Floats, Floats]:
        """Return means and inverse standard deviations, 0 for n-grams in too few rows."""
        means = self.values / max(self.n_rows, 1)
        variances = self.squares / max(self.n_rows, 1) - means**2
        varies = (self.frequencies >= MIN_CHUNKS) & (variances > 1e-9 * means**2)
        return means, np.sqrt(np.divide(1, variances, out=np.zeros_like(means), where=varies))


@dataclass(frozen=True, slots=True)
class TextSpace:
    """Texts as rows of square roots of the relative frequencies of n-grams.

    Long texts are divided into chunks, with one row each, so that a rare n-gram is as likely to be
    absent from a row as from a short text.

    Attributes
    ----------
    fitted : FittedBlock
        The n-grams, one per column.
    rows : (n_chunks, n_features) sparse float64
        One row per chunk.
    owners : (n_chunks,) int
        The text of each row.
    sums : RowSums
        Of all rows.
    """

    fitted: FittedBlock
    rows: Any
    owners: NDArray[np.intp]
    sums: RowSums

    @classmethod
    def of(
        cls, texts: Sequence[str], block: NgramBlock, n_words: int, kept: frozenset[str]
    ) -> Self:
        """Count the n-grams of a block in texts.

        Parameters
        ----------
        texts : sequence of str, (n_texts,)
        block : NgramBlock
        n_words : int
            Approximate length of a chunk in words.
        kept : frozenset of str
            Words in lower case that are not masked; as `unmasked_words` finds them.
        """
        chunks = [split_into_chunks(text, n_words) for text in texts]
        units = [split_units(chunk, block, kept) for own in chunks for chunk in own]
        ngrams = NgramVocabulary.fit(units, block.ngrams, MIN_CHUNKS)
        rows = _roots(ngrams.counts(units), np.array(list(map(len, units))))
        owners = np.repeat(np.arange(len(texts)), list(map(len, chunks)))
        return cls(FittedBlock(block, kept, ngrams), rows, owners, RowSums.of(rows))

    def similarity(
        self, known: Sequence[int], questioned: int, excluded: Sequence[int] = ()
    ) -> float:
        """Compute the cosine of the mean rows of the known texts and of the questioned text.

        See `directions`, which has the same parameters.

        Returns
        -------
        float
            From -1 to 1; 0 if a row has no n-gram in common with another row.
        """
        first, second = self.directions(known, questioned, excluded)
        return float(first @ second)

    def directions(
        self, known: Sequence[int], questioned: int, excluded: Sequence[int] = ()
    ) -> tuple[Floats, Floats]:
        """Compute the standardised mean rows of the known texts and of the questioned text.

        Means and standard deviations are those of the reference texts and of these two rows. With
        the two rows, an n-gram that only they contain has weight; but the number of known texts
        does not influence the norm.

        Parameters
        ----------
        known : sequence of int
            Indices of texts.
        questioned : int
            Index of a text.
        excluded : sequence of int
            Texts that are not used as reference texts. All others are, except the known and
            questioned ones.

        Returns
        -------
        known, questioned : (n_features,) float64
            Scaled to length 1, so that the similarity is the sum of their products. An n-gram that
            is more frequent than in the reference texts has a positive value. All values are 0 if a
            row has no n-gram in common with another row.
        """
        first = self._rows_of(known).mean(axis=0)
        second = self._rows_of([questioned]).mean(axis=0)
        others = self.sums.without(RowSums.of(self._rows_of([*known, questioned, *excluded])))
        means, weights = others.and_row(first).and_row(second).scale()
        first, second = (first - means) * weights, (second - means) * weights
        lengths = np.sqrt(first @ first), np.sqrt(second @ second)
        if min(lengths) == 0:
            return np.zeros_like(first), np.zeros_like(second)
        return first / lengths[0], second / lengths[1]

    def frequencies(self, texts: Sequence[int]) -> Floats:
        """Return the mean relative frequency of each n-gram in the rows of texts, (n_features,)."""
        frequencies: Floats = self._rows_of(texts).power(2).mean(axis=0)
        return frequencies

    def _rows_of(self, texts: Sequence[int]) -> Any:
        return self.rows[np.isin(self.owners, np.asarray(texts, dtype=np.intp))]


def _roots(counts: sparse.csr_array, n_units: NDArray[np.int64]) -> Any:
    """Return square roots of relative frequencies."""
    rows = counts.astype(np.float64)
    rows.data = np.sqrt(rows.data / np.repeat(np.maximum(n_units, 1), np.diff(rows.indptr)))
    return rows
