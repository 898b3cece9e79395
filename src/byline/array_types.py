"""Types of NumPy arrays, by what their elements are.

Docstrings state the shapes; these names state the element types that the layers agree on.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""Log-probabilities, scores and probabilities, and sums of them."""

Integers: TypeAlias = NDArray[np.int64]
"""Counts, indices and offsets."""

Ids: TypeAlias = NDArray[np.int32]
"""Token ids, and the counts and indices of n-grams."""

Booleans: TypeAlias = NDArray[np.bool_]
"""Masks."""
