"""`PackedFeatures`: the known texts' n-grams of a model file, unpacked when they are needed.

One text needs the features that it has itself, which are few of the millions of a model.
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
from byline.attribution.classifiers.blocks import FittedBlock, Table
from byline.attribution.packed_tables import PackedTable, unpack_table
from byline.attribution.stored_arrays import Arrays

Counts = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class PackedPresence:
    """Which features known texts have; all features of a text have the same value.

    Attributes
    ----------
    table : PackedTable
    values : (n_texts,) float32
    """

    table: PackedTable
    values: NDArray[np.float32]

    @classmethod
    def of(cls, block: FittedBlock, table: PackedTable) -> Self:
        """Compute the values such that each row has length 1."""
        return cls(table, block.presence_values(table.row_sizes()))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of texts and features."""
        return self.table.shape

    def columns(self, chosen: NDArray[np.integer]) -> sparse.csc_array:
        """Return the values of some features, (n_texts, n_chosen)."""
        found = self.table.columns(chosen)
        found.data = self.values[found.indices]
        return found


@dataclass(frozen=True, slots=True)
class UnpackedValues:
    """Values of features, such as roots of counts.

    Attributes
    ----------
    values : (n_texts, n_features) sparse float32, by columns
    """

    values: sparse.csc_array

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of texts and features."""
        return self.values.shape

    def columns(self, chosen: NDArray[np.integer]) -> sparse.csc_array:
        """Return the values of some features, (n_texts, n_chosen)."""
        return self.values[:, chosen]


Features = PackedPresence | UnpackedValues


def read_features(
    block: FittedBlock, arrays: Arrays, shape: tuple[int, int]
) -> tuple[Features, Counts | None]:
    """Read the features of a block from the arrays of a file, and their counts if it has any.

    Raises
    ------
    ModelFileError
        If an array is missing, or the arrays contradict each other.
    """
    if not block.has_counts:
        return PackedPresence.of(block, PackedTable.read(arrays, shape)), None
    table = unpack_table(arrays, shape, has_counts=True)
    counts = table.data.astype(np.uint32)
    return UnpackedValues(block.scale(table)), counts


@dataclass(frozen=True, slots=True, eq=False)
class PackedFeatures:
    """The features of several blocks side by side.

    Attributes
    ----------
    blocks : sequence of PackedPresence or UnpackedValues
    scales : (n_blocks,) float32
        Factor of each block's values.
    """

    blocks: Sequence[Features]
    scales: NDArray[np.float32]

    @property
    def has_values(self) -> bool:
        """Whether a known text has a feature."""
        return any(
            len(block.table.rows) > 0 or bool(block.table.bits.any())
            if isinstance(block, PackedPresence)
            else block.values.nnz > 0
            for block in self.blocks
        )

    def all(self) -> sparse.csc_array:
        """Unpack all features, (n_texts, n_features)."""
        return self.columns(np.arange(sum(block.shape[1] for block in self.blocks)))

    def columns(self, chosen: NDArray[np.integer]) -> sparse.csc_array:
        """Unpack some features.

        Parameters
        ----------
        chosen : (n_chosen,) whole numbers
            Block by block.

        Returns
        -------
        (n_texts, n_chosen) sparse float32, by columns
        """
        ends = np.cumsum([block.shape[1] for block in self.blocks])
        parts = [
            block.columns(own - start)
            for block, own, start in zip(
                self.blocks,
                np.split(chosen, np.searchsorted(chosen, ends[:-1])),
                [0, *ends[:-1].tolist()],
                strict=True,
            )
        ]
        return side_by_side(parts, self.scales)


class KnownFeatures:
    """The features of the known texts, from fitting or from a file.

    Attributes
    ----------
    known_ : (n_texts, n_features) sparse float32, by columns
    """

    _packed: PackedFeatures | None = None  # of a file

    def feature_weights(self, features: NDArray[np.integer], of_texts: Floats) -> Floats:
        """Sum the values of features in the known texts, each text with a weight.

        Parameters
        ----------
        features : (n_features,) whole numbers
            Columns of ``known_``, block by block.
        of_texts : (n_texts,) or (n_texts, n) float64
            Such as ``dual_coef_``.

        Returns
        -------
        (n_features,) or (n_features, n) float64
        """
        return np.asarray(self._known_columns(features).T @ of_texts)

    @cached_property
    def known_(self) -> sparse.csc_array:
        """The known texts' features; unpacked when all of them are first needed."""
        if self._packed is None:
            raise AttributeError("the classifier is not fitted")
        return self._packed.all()

    def __getstate__(self) -> Any:
        """Leave out unpacked features, which can be unpacked again."""
        state: dict[str, Any] = super().__getstate__()  # type: ignore[assignment]
        if self._packed is not None:
            state.pop("known_", None)
        return state

    def _known_columns(self, columns: NDArray[np.integer]) -> sparse.csc_array:
        if self._packed is None or "known_" in vars(self):
            return self.known_[:, columns]
        return self._packed.columns(columns)


def side_by_side(parts: Sequence[Table], scales: NDArray[np.float32]) -> Table:
    """Join blocks, each scaled in place; by rows or by columns, as the first of them is."""
    for part, scale in zip(parts, scales, strict=True):
        part.data *= scale
    if len(parts) == 1:
        return parts[0]
    joined: Any = sparse.hstack(parts, format=parts[0].format)
    return joined  # type: ignore[no-any-return]
