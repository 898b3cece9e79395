"""What can be stacked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from byline.progress import Progress

_NEEDED = ("fit", "decision_function", "get_params", "set_params")


class Member(Protocol):
    """A classifier that scores every author for every text."""

    classes_: NDArray[Any]

    def fit(
        self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None
    ) -> object:
        """Learn from known texts."""

    def decision_function(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Every author's score of every text, (n_documents, n_authors), columns sorted."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, as scikit-learn's estimators have them."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name."""


def is_member(entry: object) -> bool:
    """Whether ``entry`` is a name and something that can be cloned, fitted and asked."""
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and all(hasattr(entry[1], method) for method in _NEEDED)
    )
