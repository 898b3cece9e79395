"""One caveat about an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Caveat:
    """A reason to rely less on an answer.

    Attributes
    ----------
    code : str
        The kind of caveat, such as ``"short-text"``; stable between versions.
    sentence : str
        The caveat in plain English.
    figures : mapping of str to JSON value
        The numbers that the caveat is based on.

    See Also
    --------
    caveats_for : Find all caveats that apply to an answer.

    Examples
    --------
    >>> Caveat("single-work", "Only one work by Ada is known.", {"authors": ["Ada"]}).code
    'single-work'
    """

    code: str
    sentence: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)
