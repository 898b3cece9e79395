"""Recognise the lines with which letters begin, after which a sentence may go on."""

from __future__ import annotations

import regex

_GREETINGS = (
    "dear(?:est)?|hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|liebe[rs]?|hallo"
    "|sehr geehrte[rs]?|verehrte[rs]?|guten (?:tag|morgen|abend)|chers?|chères?|bonjour|salut"
    "|mon cher|ma chère|querid[oa]s?|estimad[oa]s?|hola|car[oai]|gentile|egregi[oa]|ciao|beste"
    "|geachte|dag|prezad[oa]s?|olá"
)
_MAX_NAMES = 40  # characters
_SALUTATION = regex.compile(
    rf"(?:my |our )?(?:{_GREETINGS})\b[^,.;:?!]{{0,{_MAX_NAMES}}},", regex.IGNORECASE
)
_MAX_LINE = 70  # characters


def is_salutation(line: str) -> bool:
    """Return whether a line greets the reader of a letter, such as ``Dear Ann,``.

    In German and Italian letters, the sentence after it begins with a lower-case letter.

    Examples
    --------
    >>> is_salutation("Dear Ann,"), is_salutation("She was dear to Ann,")
    (True, False)
    """
    return len(line) <= _MAX_LINE and _SALUTATION.fullmatch(line) is not None
