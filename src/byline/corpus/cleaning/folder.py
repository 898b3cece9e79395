"""Write a corpus to a folder from which the same corpus can be read."""

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

# Characters that some operating system does not allow in a file name.
_UNSAFE = regex.compile(r"[\p{C}/\\:*?\"<>|]+")
_STRIPPED = " ."  # a leading full stop would hide the file
_MAX_BYTES = 80  # of each part, so that a path of a few parts is valid on every system
_RESERVED = regex.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)$", regex.IGNORECASE)
# Byline treats files with these names as notes about the corpus and does not read them.
_ABOUT = frozenset(
    {"readme", "license", "licence", "copying", "copyright", "notice", "changelog"}
    | {"thumbs", "desktop", "__macosx", "$recycle"}
)
_ROW = regex.compile(r".*, (?:row|line) (\d+)$")


def check_folder(folder: str | Path, known: str | Path | None = None) -> None:
    """Check that a folder can be written, before any work begins.

    Parameters
    ----------
    folder : str or Path
        The folder to write.
    known : str or Path, optional
        The known texts, which must not contain the folder.

    Raises
    ------
    OutputError
        The folder exists and is not empty, or is a file; its parent folder is missing or read-only;
        or it is inside ``known``, which would then contain every text twice.

    See Also
    --------
    write_folder : Write a corpus to the folder.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.corpus.cleaning import check_folder
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     check_folder(Path(folder) / "cleaned")
    """
    target = Path(os.path.realpath(folder))
    try:
        if target.exists() and not target.is_dir():
            raise OutputError(f"{folder} is a file. Name a new folder.")
        if target.is_dir() and any(target.iterdir()):
            raise OutputError(f"{folder} is not empty. Name a new folder, or delete its content.")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{folder}: {reason}. Name another folder.") from error
    if not target.parent.is_dir():
        raise OutputError(
            f"{folder}: the folder {target.parent} does not exist. Create it, or name another one."
        )
    if not os.access(target.parent, os.W_OK):
        raise OutputError(
            f"{folder}: you have no permission to write to {target.parent}. Name another folder."
        )
    if known is not None and target.is_relative_to(os.path.realpath(known)):
        raise OutputError(
            f"{folder} is inside {known}, which must stay unchanged. Name a folder outside it."
        )


def write_folder(
    corpus: Corpus, folder: str | Path, progress: Progress | None = None
) -> list[PurePosixPath]:
    """Write each text as UTF-8 to ``folder/AUTHOR/.../TEXT.txt``: all texts or none.

    Parameters
    ----------
    corpus : Corpus
    folder : str or Path
        A new or empty folder.
    progress : Progress, optional
        Called after each text.

    Returns
    -------
    list of PurePosixPath, (n_documents,)
        The path of each document in the folder.

    Raises
    ------
    OutputError
        The folder is not empty, or it cannot be written.

    See Also
    --------
    clean_corpus : Clean a corpus.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.cleaning import write_folder
    >>> corpus = Corpus([Document("Ada", "The loom is new.", "letters.csv, row 2")], "letters")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = write_folder(corpus, Path(folder) / "cleaned")
    >>> [str(file) for file in files]
    ['Ada/000002.txt']
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
        raise OutputError(f"Cannot write to {folder}: {reason}. Name another folder.") from error
    return names


def name_files(documents: Sequence[Document]) -> list[PurePosixPath]:
    """Choose a file name for each document: ``AUTHOR/TEXT.txt`` or ``AUTHOR/WORK/TEXT.txt``.

    Texts of the same work are in one folder, so that a split keeps them together when they are read
    again. No two names differ only in case.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> [str(file) for file in name_files([Document("Ada", "The loom.", "letters.csv, row 2")])]
    ['Ada/000002.txt']
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
    """Name a text after its id, its row in a table, or its file."""
    if "id" in document.metadata:
        return _safe(document.metadata["id"])
    if row := _ROW.match(document.path):
        return f"{int(row[1]):06d}"
    return _safe(PurePosixPath(document.path).stem)


def _safe(name: str) -> str:
    cleaned = _UNSAFE.sub("_", name).strip(_STRIPPED)
    cut = cleaned.encode()[:_MAX_BYTES].decode(errors="ignore").strip(_STRIPPED) or "unnamed"
    return f"{cut}_" if _RESERVED.match(cut) or cut.casefold() in _ABOUT else cut


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    """Return the stem, with a number if it is already taken."""
    chosen, number = stem, 1
    while f"{chosen}{suffix}".casefold() in taken:
        number += 1
        chosen = f"{stem}-{number}"
    return chosen
