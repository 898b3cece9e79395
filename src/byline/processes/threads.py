"""Limit linear algebra to one thread, so that its results are the same in any process."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which the libraries for linear algebra use one thread.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ np.ones(2))
    [1. 1.]
    """
    context: AbstractContextManager[Any] = _libraries().limit(limits=1)
    return context


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries once: it takes as long as training a small language model."""
    return ThreadpoolController()
