"""How alike texts are, measured against how the texts of a reference population vary.

Cosine Delta (Evert et al. 2017, "Understanding and explaining Delta measures for authorship
attribution"), of n-grams rather than of words: relative frequencies are standardised by their mean
and deviation in the reference texts, so that what everybody does counts for nothing, and what few
do for much. Square roots of frequencies have about the same deviation whatever the frequency.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Floats
from byline.attribution.classifiers.blocks import NgramBlock, split_units
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.classifiers.ngrams import NgramVocabulary

MIN_PIECES = 2  # an n-gram of a single piece of text can have nothing in common with another


@dataclass(frozen=True, slots=True)
class Sums:
    """What means and deviations of some rows come from.

    Attributes
    ----------
    n_rows : int
    values, squares : (n_features,) float64
    spread : (n_features,) int64
        Rows that have the n-gram.
    """

    n_rows: int
    values: Floats
    squares: Floats
    spread: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Any) -> Self:
        """Sum the rows of a sparse matrix, (n_rows, n_features)."""
        spread = np.bincount(rows.indices, minlength=rows.shape[1])
        return cls(rows.shape[0], rows.sum(axis=0), rows.power(2).sum(axis=0), spread)

    def less(self, other: Sums) -> Sums:
        """Return the sums of the rows that are not among the other's."""
        return Sums(
            self.n_rows - other.n_rows,
            self.values - other.values,
            self.squares - other.squares,
            self.spread - other.spread,
        )

    def and_row(self, row: Floats) -> Sums:
        """Return the sums with one row more."""
        return Sums(
            self.n_rows + 1, self.values + row, self.squares + row**2, self.spread + (row > 0)
        )

    def scale(self) -> tuple[Floats, Floats]:
        """Means, and one over the deviations, 0 of n-grams that too few rows have."""
        means = self.values / max(self.n_rows, 1)
        variances = self.squares / max(self.n_rows, 1) - means**2
        varies = (self.spread >= MIN_PIECES) & (variances > 1e-9 * means**2)
        return means, np.sqrt(np.divide(1, variances, out=np.zeros_like(means), where=varies))


@dataclass(frozen=True, slots=True)
class TextSpace:
    """Texts as rows of roots of relative frequencies of n-grams of one kind.

    Long texts are cut into pieces, a row each, so that a rare n-gram has the chance to be absent
    that it has in a short text.

    Attributes
    ----------
    rows : (n_pieces, n_features) sparse float64
    owners : (n_pieces,) int
        The text of each row.
    sums : Sums
        Of all rows.
    """

    rows: Any
    owners: NDArray[np.intp]
    sums: Sums

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
            Of a piece, about.
        kept : frozenset of str
            Words in lower case that are not masked; as `unmasked_words` finds them.
        """
        pieces = [split_into_chunks(text, n_words) for text in texts]
        units = [split_units(piece, block, kept) for own in pieces for piece in own]
        counts = NgramVocabulary.fit(units, block.ngrams, MIN_PIECES).counts(units)
        rows = _roots(counts, np.array(list(map(len, units))))
        return cls(rows, np.repeat(np.arange(len(texts)), list(map(len, pieces))), Sums.of(rows))

    def similarity(
        self, known: Sequence[int], questioned: int, without: Sequence[int] = ()
    ) -> float:
        """Cosine of the angle between the known texts' mean row and the questioned text's.

        Means and deviations are of the reference texts and these two rows: with them, an n-gram
        that only the two have counts, and for much; but many known texts do not become the norm.

        Parameters
        ----------
        known : sequence of int
            Places of texts.
        questioned : int
        without : sequence of int
            Texts that are no reference texts; all others but known and questioned ones are.

        Returns
        -------
        float
            From -1 to 1; 0 where one of them has nothing that a second row has.
        """
        first = self._rows_of(known).mean(axis=0)
        second = self._rows_of([questioned]).mean(axis=0)
        others = self.sums.less(Sums.of(self._rows_of([*known, questioned, *without])))
        means, weights = others.and_row(first).and_row(second).scale()
        first, second = (first - means) * weights, (second - means) * weights
        length = float(np.sqrt((first @ first) * (second @ second)))
        return float(first @ second) / length if length > 0 else 0.0

    def _rows_of(self, texts: Sequence[int]) -> Any:
        return self.rows[np.isin(self.owners, np.asarray(texts, dtype=np.intp))]


def _roots(counts: sparse.csr_array, n_units: NDArray[np.int64]) -> Any:
    """Return roots of counts over each row's number of units."""
    rows = counts.astype(np.float64)
    rows.data = np.sqrt(rows.data / np.repeat(np.maximum(n_units, 1), np.diff(rows.indptr)))
    return rows
