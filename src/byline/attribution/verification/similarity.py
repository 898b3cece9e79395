"""The similarity of texts relative to a reference population.

As in Cosine Delta (Evert et al. 2017, "Understanding and explaining Delta measures for authorship
attribution"), relative frequencies of n-grams are standardised by their mean and standard deviation
in the reference texts. So an n-gram that all authors use alike has no weight. Square roots of
frequencies are used, because their standard deviation hardly depends on the frequency.

The similarity of two texts is the sum of the products of their standardised frequencies. It is
computed for rare and for frequent n-grams separately, because their value differs among genres.
It is then standardised by the similarities of the known texts to the reference texts, as speaker
recognition does (Z-norm; Auckenthaler et al. 2000): so it does not depend on how long or how
unusual the known texts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Floats
from byline.attribution.classifiers.blocks import FittedBlock, NgramBlock, split_units
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.classifiers.ngrams import NgramVocabulary
from byline.processes.threads import limits_threads

MIN_CHUNKS = 2  # an n-gram of a single chunk cannot be shared by two texts
# Bounds of the bands of n-grams: shares of the reference texts' chunks that contain the n-gram.
BANDS = (0.04, 0.12, 0.35, 0.75)
N_BANDS = len(BANDS) + 1
MAX_SIMILARITY = 8.0  # standard deviations; a few reference texts can have a tiny deviation


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
class TextComparison:
    """The similarity of known texts and a questioned text, by n-gram.

    Attributes
    ----------
    known, questioned : (n_features,) float64
        Standardised frequencies; positive if an n-gram is more frequent than in the reference
        texts, and 0 if it has no weight.
    bands : (n_features,) int
        The band of each n-gram: 0 for the rarest.
    means, deviations : (n_bands,) float64
        Of the sums of such products of the known texts and each reference text.
    """

    known: Floats
    questioned: Floats
    bands: NDArray[np.intp]
    means: Floats
    deviations: Floats

    @property
    def products(self) -> Floats:
        """The products of the standardised frequencies, (n_features,)."""
        products: Floats = self.known * self.questioned
        return products

    @property
    def scales(self) -> Floats:
        """The inverse of the deviations, (n_bands,); 0 for a band without n-grams."""
        has = self.deviations > 1e-9
        return np.divide(1, self.deviations, out=np.zeros(len(has)), where=has)

    @property
    def similarities(self) -> Floats:
        """The similarity in each band, (n_bands,)."""
        sums = np.bincount(self.bands, self.products, N_BANDS)
        standard: Floats = (sums - self.means) * self.scales
        return np.clip(standard, -MAX_SIMILARITY, MAX_SIMILARITY)


@dataclass(frozen=True)
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

    @cached_property
    def text_rows(self) -> Any:
        """The mean row of each text, (n_texts, n_features) sparse float64."""
        n_chunks = np.bincount(self.owners)
        shares = (1 / n_chunks[self.owners], (self.owners, np.arange(len(self.owners))))
        return sparse.csr_array(shares, shape=(len(n_chunks), len(self.owners))) @ self.rows

    @limits_threads
    def similarities(
        self, known: Sequence[int], questioned: int, excluded: Sequence[int] = ()
    ) -> Floats:
        """Compute the similarity in each band of n-grams; see `compare` for the parameters.

        Returns
        -------
        (n_bands,) float64
            In standard deviations of the similarities of the known texts to reference texts.
        """
        return self.compare(known, questioned, excluded).similarities

    def compare(
        self, known: Sequence[int], questioned: int, excluded: Sequence[int] = ()
    ) -> TextComparison:
        """Compare the mean rows of the known texts and of the questioned text.

        Means and standard deviations of frequencies are those of the reference texts and of these
        two rows. With the two rows, an n-gram that only they contain has weight; but the number of
        known texts does not influence them.

        Parameters
        ----------
        known : sequence of int
            Indices of texts.
        questioned : int
            Index of a text.
        excluded : sequence of int
            Texts that are not used as reference texts. All others are, except the known and
            questioned ones.
        """
        first = self._rows_of(known).mean(axis=0)
        second = self._rows_of([questioned]).mean(axis=0)
        own = np.array([*known, questioned, *excluded], dtype=np.intp)
        sums = self.sums.without(RowSums.of(self._rows_of(own.tolist())))
        sums = sums.and_row(first).and_row(second)
        means, weights = sums.scale()
        first, second = (first - means) * weights, (second - means) * weights
        bands = np.searchsorted(BANDS, sums.frequencies / sums.n_rows, side="right")
        directions = np.zeros((len(first), N_BANDS))
        directions[np.arange(len(first)), bands] = first * weights
        references = np.setdiff1d(np.arange(self.text_rows.shape[0]), own)
        of_references = (self.text_rows @ directions)[references] - means @ directions
        return TextComparison(
            *(first, second, bands), of_references.mean(axis=0), of_references.std(axis=0)
        )

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
