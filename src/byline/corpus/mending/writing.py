"""Write a corpus to a folder that is read as the same corpus."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePosixPath

from byline.corpus.document import Corpus
from byline.corpus.mending.naming import name_files
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
