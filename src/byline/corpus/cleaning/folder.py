"""Write a corpus to a folder that is read as the same corpus."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import regex

from byline.corpus.document import Corpus, Document
from byline.errors import OutputError
from byline.progress import Progress


def check_folder(folder: str | Path, known: str | Path | None = None) -> None:
    """Refuse, before work begins, a folder that cannot be written.

    Raises
    ------
    OutputError
        It is there and not empty, or no folder; its own folder is missing or may not be written
        to; or it lies within ``known``, which would then hold every text twice.
    """
    target = Path(os.path.realpath(folder))
    try:
        if target.exists() and not target.is_dir():
            raise OutputError(f"{folder} is a file; name a folder that is not there yet")
        if target.is_dir() and any(target.iterdir()):
            raise OutputError(
                f"{folder} is not empty; name a folder that is not there yet, or empty it"
            )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{folder}: {reason}; name another folder") from error
    if not target.parent.is_dir():
        raise OutputError(f"{folder}: there is no folder {target.parent}; make it, or name another")
    if not os.access(target.parent, os.W_OK):
        raise OutputError(f"{folder}: the folder {target.parent} may not be written to")
    if known is not None and target.is_relative_to(os.path.realpath(known)):
        raise OutputError(f"{folder} lies within {known}, which is not touched; name one beside it")


def write_folder(
    corpus: Corpus, folder: str | Path, progress: Progress | None = None
) -> list[PurePosixPath]:
    """Write each text as UTF-8 to ``folder/AUTHOR/.../TEXT.txt``, all of them or none.

    Parameters
    ----------
    corpus : Corpus
    folder : str or Path
        Not there yet, or empty.
    progress : Progress, optional
        Told of each text.

    Returns
    -------
    list of PurePosixPath
        Where in the folder each document lies; ``(n_documents,)``.

    Raises
    ------
    OutputError
        The folder is not empty, or it cannot be written.
    """
    check_folder(folder)
    target = Path(os.path.realpath(folder))
    names = name_files(corpus)
    try:
        with tempfile.TemporaryDirectory(
            prefix=".byline-", dir=target.parent, ignore_cleanup_errors=True
        ) as temporary:
            root = Path(temporary) / "texts"
            root.mkdir()
            for number, (document, name) in enumerate(zip(corpus, names, strict=True), start=1):
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(document.text, encoding="utf-8", newline="")
                if progress is not None:
                    progress(number, len(corpus), document.path)
            if target.is_dir():
                target.rmdir()
            root.rename(target)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot write to {folder}: {reason}; name another folder") from error
    return names


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
