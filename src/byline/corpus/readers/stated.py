"""Whom files name as their author, where that is another than their folder's or name's."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import regex

from byline.corpus.document import Document
from byline.corpus.findings import Finding
from byline.formatting import join_names, printable, quantity

# What programs write where nobody told them a name.
_NOBODY = regex.compile(
    r"(?:microsoft (?:office )?)?user|admin(?:istrator)?|owner|author|unknown|unbekannt|inconnu"
    r"|anonymous|python-docx|libreoffice|openoffice|\W*",
    regex.IGNORECASE,
)


def about_other_authors(
    documents: Sequence[Document], named: Mapping[str, str | None]
) -> list[Finding]:
    """Return a warning of the documents that name another author in themselves.

    Parameters
    ----------
    documents : sequence of Document
    named : mapping of str to str or None
        Whom a file names as its author, by the document's path.
    """
    others = {
        document.path: f"{document.path} ({printable(name)}, not {document.author})"
        for document in documents
        if (name := named.get(document.path)) and not _agree(document.author, name)
    }
    if not others:
        return []
    message = (
        f"{quantity(len(others), 'file names', 'files name')} another author in "
        f"{'itself' if len(others) == 1 else 'themselves'}: {join_names(list(others.values()))}; "
        "move what lies in the wrong place; where the folder's name stands for that author, or "
        "the file names who typed it, all is well"
    )
    return [Finding("warning", "different-author-in-file", message, tuple(others))]


def _agree(label: str, name: str) -> bool:
    """Whether a word of one is in one of the other; ``author-07``, with digits, may be anyone."""
    if regex.search(r"\p{N}", label) or _NOBODY.fullmatch(name):
        return True
    own, named = _words(label), _words(name)
    return not own or not named or any(a in b or b in a for a in own for b in named)


def _words(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", name).casefold()
    return set(regex.findall(r"\p{L}{3,}|\p{Lo}+", regex.sub(r"\p{M}", "", plain)))
