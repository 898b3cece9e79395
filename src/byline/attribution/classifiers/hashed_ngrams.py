"""Count n-grams by hash values, so that no vocabulary must be kept in memory.

The n-grams of ten thousand authors are tens of millions. A vocabulary of them would take more
memory than the counts (Weinberger et al. 2009 describe the method).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from byline.array_types import Integers

N_BITS = 22  # four million hash values
Units = Sequence[str]  # words, or the characters of a str
Hashes = NDArray[np.uint64]
# Odd numbers with random bits. The products are taken modulo 2 to the power of 64.
_NEXT_UNIT = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


class NgramHasher:
    """Hash the n-grams of sequences of units; the same on every machine and in every process.

    Parameters
    ----------
    orders : (int, int)
        Lowest and highest number of units per n-gram.
    """

    def __init__(self, orders: tuple[int, int]) -> None:
        self.orders = orders
        self._numbers: dict[str, int] = {}  # of units: few are different

    def occurrences(self, units: Units) -> Iterator[tuple[int, Integers]]:
        """Yield each order with the hash values of its n-grams, in the order of their positions.

        Parameters
        ----------
        units : sequence of str

        Yields
        ------
        order : int
        hashes : (n_units - order + 1,) int64
            From 0 up to, but not including, ``2 ** N_BITS``.
        """
        numbers = hashes = self._unit_numbers(units)
        lowest, highest = self.orders
        for order in range(1, min(highest, len(numbers)) + 1):
            if order > 1:
                hashes = hashes[:-1] * _NEXT_UNIT + numbers[order - 1 :]
            if order >= lowest:
                mixed = (hashes ^ (hashes >> _HALF)) * _MIX
                yield order, (mixed >> np.uint64(64 - N_BITS)).astype(np.int64)

    def counts(self, documents: Iterable[Units]) -> sparse.csr_array:
        """Count the n-grams in each document.

        Returns
        -------
        (n_documents, 2 ** N_BITS) sparse float32
            With ascending columns in each row.
        """
        columns, amounts, sizes = [np.zeros(0, np.int32)], [np.zeros(0, np.float32)], [0]
        for units in documents:
            found = [hashes for _, hashes in self.occurrences(units)]
            distinct, own = np.unique(
                np.concatenate([np.zeros(0, np.int64), *found]), return_counts=True
            )
            columns.append(distinct.astype(np.int32))
            amounts.append(own.astype(np.float32))
            sizes.append(len(distinct))
        table = np.concatenate(amounts), np.concatenate(columns), np.cumsum(sizes)
        return sparse.csr_array(table, shape=(len(sizes) - 1, 1 << N_BITS))

    def _unit_numbers(self, units: Units) -> Hashes:
        """Return a number for each unit: of a character, its code point."""
        if isinstance(units, str):
            codes = np.frombuffer(units.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
            return codes.astype(np.uint64)
        known = self._numbers
        for unit in set(units):
            if unit not in known:
                digest = blake2b(unit.encode("utf-8", "surrogatepass"), digest_size=8).digest()
                known[unit] = int.from_bytes(digest, "little")
        return np.fromiter(map(known.__getitem__, units), dtype=np.uint64, count=len(units))
