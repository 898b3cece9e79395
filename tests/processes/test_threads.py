"""Linear algebra in one thread."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info

from byline.processes.threads import one_thread


def _threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info()}


def test_libraries_use_one_thread_within_the_context_only() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))  # the libraries are loaded
    before = _threads()
    for _ in range(2):  # also when the libraries are already known
        with one_thread():
            assert _threads() == {1}
        assert _threads() == before
