"""Where each text of a corpus lies in a folder ``AUTHOR/**/*.txt``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

import regex

from byline.corpus.document import Document

# What a name of a file must not have on one system or another, and what makes it a hidden one.
_UNSAFE = regex.compile(r"[\p{C}/\\:*?\"<>|]+")
_AT_THE_ENDS = " ."
_LONGEST = 80  # bytes of a part; a path of a few of them stays below every system's limit
_RESERVED = regex.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)$", regex.IGNORECASE)
# Files of these names are taken for notes about a corpus, and not for its texts.
_ABOUT = frozenset(
    {"readme", "license", "licence", "copying", "copyright", "notice", "changelog"}
    | {"thumbs", "desktop", "__macosx", "$recycle"}
)
_ROW = regex.compile(r".*, (?:row|line) (\d+)$")


def name_files(documents: Sequence[Document]) -> list[PurePosixPath]:
    """Name a file for each document: ``AUTHOR/TEXT.txt``, or ``AUTHOR/WORK/TEXT.txt``.

    Texts of one work lie in one folder, so that a split keeps them together when they are read
    again. No two names differ in case alone.
    """
    n_texts = Counter((document.author, document.work) for document in documents)
    taken: set[str] = set()
    authors: dict[str, str] = {}
    names = []
    for document in documents:
        author = authors.get(document.author)
        if author is None:
            author = _free(_safe(document.author), "", {*map(str.casefold, authors.values())})
            authors[document.author] = author
        parts = [author]
        if n_texts[document.author, document.work] > 1:
            parts.append(_safe(PurePosixPath(document.work).name or document.work))
        folder = "/".join(parts)
        stem = _free(f"{folder}/{_stem(document)}", ".txt", taken)
        taken.add(f"{stem}.txt".casefold())
        names.append(PurePosixPath(f"{stem}.txt"))
    return names


def _stem(document: Document) -> str:
    """Name a text by its id or row in a table, or by its file."""
    if "id" in document.metadata:
        return _safe(document.metadata["id"])
    if row := _ROW.match(document.path):
        return f"{int(row[1]):06d}"
    return _safe(PurePosixPath(document.path).stem)


def _safe(name: str) -> str:
    cleaned = _UNSAFE.sub("_", name).strip(_AT_THE_ENDS)
    cut = cleaned.encode()[:_LONGEST].decode(errors="ignore").strip(_AT_THE_ENDS) or "unnamed"
    return f"{cut}_" if _RESERVED.match(cut) or cut.casefold() in _ABOUT else cut


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    """Return the stem, with a number where another one has it already."""
    chosen, number = stem, 1
    while f"{chosen}{suffix}".casefold() in taken:
        number += 1
        chosen = f"{stem}-{number}"
    return chosen
