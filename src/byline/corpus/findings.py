"""What was found wrong with documents, and how messages list it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a corpus.

    Attributes
    ----------
    severity : {"error", "warning"}
        An error makes the corpus useless; a warning is for the reader of a result.
    code : str
        The kind of finding, the same in every version: ``"empty-text"``.
    message : str
        What is wrong, where, and how to mend it.
    paths : tuple of str
        Every document or file concerned, also those that the message leaves to a number.
    cleaning_step : str or None
        What of `byline corpus mend` mends it, as in ``--boilerplate``; None where a human must.
    """

    severity: Severity
    code: str
    message: str
    paths: tuple[str, ...] = ()
    cleaning_step: str | None = None
