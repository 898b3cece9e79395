"""What can be stacked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError
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


def check_members(members: object, taken: set[str]) -> None:
    """Refuse what cannot be stacked.

    Parameters
    ----------
    members : object
        Should be a list of pairs of a name and what can be cloned, fitted and asked.
    taken : set of str
        Names that are others'.

    Raises
    ------
    UsageError
        It is none, or a name cannot be one.
    """
    if not isinstance(members, tuple | list) or not all(map(_is_member, members)):
        raise UsageError(
            f"members is {members!r}; it is a list of pairs of a name and a classifier "
            "with fit and decision_function"
        )
    names = [name for name, _ in members]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"members={names}: one or more, each under its own name, are needed")
    clashing = [name for name in names if "__" in name or name in taken]
    if clashing:
        raise UsageError(f"no member can be called {clashing[0]!r}: a parameter's name is that")


def _is_member(entry: object) -> bool:
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and all(hasattr(entry[1], method) for method in _NEEDED)
    )
