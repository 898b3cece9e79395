"""Warnings, gathered for whoever reads the page."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from byline.errors import BylineWarning


@contextmanager
def warnings_said() -> Iterator[list[str]]:
    """Gather the messages of Byline's warnings, each once; of others there are none.

    Yields
    ------
    list of str
        It is filled at the end.
    """
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", BylineWarning)
        yield said
    said += dict.fromkeys(str(warning.message) for warning in caught)
