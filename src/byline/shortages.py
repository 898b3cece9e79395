"""Errors whose cause is that this machine is short of memory or of disk space.

Python reports a lack of memory in many ways: a library that cannot be loaded, a thread or process
that cannot be started, a message of a C library. None of these is a defect of Byline.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator

# With less address space than this, the numerical libraries crash or hang (measured).
_BASE_BYTES, _BYTES_PER_THREAD, _MAX_THREADS = 640 * 2**20, 96 * 2**20, 64
MEMORY_ADVICE = (
    "there is not enough memory: close other programs, use fewer processes (-j 1), fewer or "
    "shorter texts or a smaller model, or raise the memory limit (ulimit -v, or that of the batch "
    "system)"
)
SHORT_MEMORY_ADVICE = "there is not enough memory for it; try a shorter text, or fewer texts"
DISK_ADVICE = "the disk is full, or your quota is used up; free some space and try again"
_MEMORY_NUMBERS = frozenset({errno.ENOMEM})
_WINDOWS_MEMORY_NUMBERS = frozenset({8, 14, 1450, 1455})
_DISK_NUMBERS = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_MEMORY_PHRASES = (
    "failed to map segment",
    "cannot allocate memory",
    "can't allocate memory",
    "can't start new thread",
    "memory allocation failed",
    "unable to allocate",
    "out of memory",
    "bad_alloc",
    "bad allocation",
    "paging file is too small",
)
# Types of errors whose messages come from the system or a library, and quote no text.
_QUOTING_NOTHING = (ImportError, OSError, RuntimeError, SystemError)


def is_memory_shortage(error: BaseException) -> bool:
    """Return whether an error, or one that it was raised from, is a lack of memory.

    Examples
    --------
    >>> is_memory_shortage(ImportError("libm.so: failed to map segment from shared object"))
    True
    >>> is_memory_shortage(ValueError("a text about cannot allocate memory"))
    False
    """
    return any(map(_is_about_memory, _causes(error)))


def is_disk_shortage(error: BaseException) -> bool:
    """Return whether an error, or one that it was raised from, is a full disk or a used-up quota.

    Examples
    --------
    >>> is_disk_shortage(OSError(errno.ENOSPC, "No space left on device"))
    True
    """
    return any(isinstance(each, OSError) and each.errno in _DISK_NUMBERS for each in _causes(error))


def min_memory() -> int:
    """Return the number of bytes of address space that the numerical libraries need at least.

    They reserve some for every thread that they may use.

    Examples
    --------
    >>> min_memory() >= 736 * 2**20
    True
    """
    wanted = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or ""
    n_threads = int(wanted) if wanted.isdecimal() else os.cpu_count() or 1
    return _BASE_BYTES + _BYTES_PER_THREAD * max(1, min(n_threads, _MAX_THREADS))


def memory_limit() -> int | None:
    """Return the number of bytes to which the memory of this process is limited; None if it is not.

    Examples
    --------
    >>> limit = memory_limit()
    >>> limit is None or limit > 0
    True
    """
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, what it was raised from, and so on."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__


def _is_about_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, OSError) and (
        error.errno in _MEMORY_NUMBERS
        or getattr(error, "winerror", None) in _WINDOWS_MEMORY_NUMBERS
    ):
        return True
    message = str(error).casefold()
    if isinstance(error, SystemError) and "exception" in message and memory_limit() is not None:
        return True  # a C function that got no memory reported that it failed, but not why
    return isinstance(error, _QUOTING_NOTHING) and any(map(message.__contains__, _MEMORY_PHRASES))
