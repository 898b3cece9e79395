"""Words of others, and of programs, within a text."""

from __future__ import annotations

import regex

from byline.corpus.document import Document

_TAG = regex.compile(
    r"</?(?:p|br|i|b|em|strong|u|s|div|span|a|font|table|tr|td|th|ul|ol|li|h[1-6]|img|hr|sup|sub"
    r"|blockquote|body|html|head|script|style|pre|code)(?:\s[^<>\n]{0,100}=[^<>\n]{0,100})?\s?/?>",
    regex.IGNORECASE,
)
_FEWEST_TAGS = 3
_SPEAKER = regex.compile(r"(?<!>)>>(?!>)[ \t]*\p{Lu}")
_FEWEST_TURNS = 2


def find_tags(document: Document) -> list[int]:
    """Find where tags of HTML stand, if there are so many that they are no example of them."""
    if "<" not in document.text:
        return []
    found = [match.start() for match in _TAG.finditer(document.text)]
    return found if len(found) >= _FEWEST_TAGS else []


def count_speakers(document: Document) -> int:
    """Count the marks of a new speaker, ``>>``, that captions have; 0 where one is alone."""
    if ">>" not in document.text:
        return 0
    n_turns = len(_SPEAKER.findall(document.text))
    return n_turns if n_turns >= _FEWEST_TURNS else 0
