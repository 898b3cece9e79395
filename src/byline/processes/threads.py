"""The number of threads for linear algebra: one per process, unless a user wants more.

Independent jobs run in processes, which two threads in one process cannot equal: a small matrix
product on two threads takes several times as long as on one, because the threads wait for each
other. With one thread, a result is also the same to the last bit in any process.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, ParamSpec, TypeVar

from byline.errors import UsageError

VARIABLE = "BYLINE_THREADS"
# What the libraries for linear algebra read when they are loaded.
_OF_LIBRARIES = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
)
_LOADING = ("numpy", "scipy.linalg", "sklearn", "torch")  # modules that load such libraries

_Parameters = ParamSpec("_Parameters")
_Returned = TypeVar("_Returned")


def n_threads() -> int:
    """Return the number of threads per process: the environment variable, or one.

    Raises
    ------
    UsageError
        The environment variable is not a whole number of at least 1.

    Examples
    --------
    >>> n_threads()
    1
    """
    value = os.environ.get(VARIABLE, "1")
    if not value.isdecimal() or int(value) < 1:
        raise UsageError(
            f"the environment variable {VARIABLE} is {value!r}; set it to a whole number, 1 or more"
        )
    return int(value)


def thread_environment() -> dict[str, str]:
    """Return the environment variables with which a new process keeps to the number of threads.

    Examples
    --------
    >>> sorted(thread_environment())[0], set(thread_environment().values())
    ('BLIS_NUM_THREADS', {'1'})
    """
    return dict.fromkeys((VARIABLE, *_OF_LIBRARIES), str(n_threads()))


def limited_threads() -> AbstractContextManager[Any]:
    """Return a context in which the libraries for linear algebra keep to the number of threads.

    Examples
    --------
    >>> import numpy as np
    >>> with limited_threads():
    ...     print(np.eye(2) @ np.ones(2))
    [1. 1.]
    """
    loaded = tuple(name for name in _LOADING if name in sys.modules)
    context: AbstractContextManager[Any] = _libraries(loaded).limit(limits=n_threads())
    return context


def limits_threads(function: Callable[_Parameters, _Returned]) -> Callable[_Parameters, _Returned]:
    """Run a function or method in the context of `limited_threads`.

    Parameters
    ----------
    function : callable
        What a user calls for a long computation, such as ``fit``.

    Examples
    --------
    >>> import numpy as np
    >>> limits_threads(np.add)(1, 2).item()
    3
    """

    @functools.wraps(function)
    def limited(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Returned:
        with limited_threads():
            return function(*args, **kwargs)

    return limited


@functools.cache
def _libraries(loaded: tuple[str, ...]) -> Any:
    """Find the libraries once: it takes as long as training a small language model."""
    from threadpoolctl import ThreadpoolController  # late: the help of a command needs none

    return ThreadpoolController()
