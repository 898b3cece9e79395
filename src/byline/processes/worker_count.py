"""The number of workers of the cluster that makes the calls of this process, for displays."""

from __future__ import annotations

from byline.formatting import quantity

_n_workers: int | None = None


def note_workers(n_workers: int | None) -> None:
    """Note how many workers there are at present; None if no cluster makes calls."""
    global _n_workers
    _n_workers = n_workers


def describe_workers() -> str:
    """Return ``", 4 workers"``, or nothing if no cluster makes calls.

    Examples
    --------
    >>> note_workers(4)
    >>> describe_workers()
    ', 4 workers'
    >>> note_workers(None)
    >>> describe_workers()
    ''
    """
    return "" if _n_workers is None else f", {quantity(_n_workers, 'worker')}"
