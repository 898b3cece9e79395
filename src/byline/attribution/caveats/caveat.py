"""One thing to keep in mind about an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Caveat:
    """Something that makes an answer less sure than it looks.

    Attributes
    ----------
    code : str
        Its kind, the same in every version: ``"short-text"``.
    sentence : str
        What it is, in plain words.
    figures : mapping of str to JSON value
        What the sentence goes by.
    """

    code: str
    sentence: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)
