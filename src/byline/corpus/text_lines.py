"""The non-blank lines of a text, with their positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

_LINE = regex.compile(r"[^\n\f\x1c-\x1e\u2028\u2029]++")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A non-blank line: its position in the text, and its content without surrounding spaces."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=2)  # several checks in a row split the same text
def split_lines(text: str) -> tuple[TextLine, ...]:
    """Return the non-blank lines of a text."""
    return tuple(
        TextLine(match.start(), match.end(), stripped)
        for match in _LINE.finditer(text)
        if (stripped := match[0].strip())
    )
