"""One kind of line end: files from Windows have CR LF, and old files from Macintosh CR."""

from __future__ import annotations

import regex

_LINE_END = regex.compile(r"\r\n?")


def unify_line_ends(text: str) -> str:
    r"""Write every line end as a line feed.

    Examples
    --------
    >>> unify_line_ends("one\r\ntwo\rthree\n")
    'one\ntwo\nthree\n'
    """
    return _LINE_END.sub("\n", text) if "\r" in text else text
