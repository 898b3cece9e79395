"""Reading the folder of a benchmark's corpus, with checks that it is complete."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from byline.corpus import Corpus, Document, read_text
from byline.errors import CorpusError
from byline.formatting import join_names, quantity

_LONGEST_NAME = 200


def require_folder(data: Path, benchmark: str, layout: str, *parts: str) -> list[Path]:
    """Return the paths of required folders or files of a corpus.

    Parameters
    ----------
    data : Path
        The folder given by the user.
    benchmark : str
    layout : str
        Description of the layout, for the error message.
    parts : str
        Required paths in the folder.

    Raises
    ------
    CorpusError
        ``data`` is not a folder, or a part is missing.
    """
    try:
        missing = None if not data.is_dir() else [p for p in parts if not (data / p).exists()]
    except OSError as error:  # no permission, or a name that is too long
        reason = error.strerror or type(error).__name__
        raise CorpusError(f"{str(data)[:_LONGEST_NAME]} cannot be opened: {reason}") from error
    if missing is None:
        raise CorpusError(
            f"{data} is not a folder; name the folder of {benchmark}, with the layout {layout}"
        )
    if missing:
        nested = data / benchmark
        hint = f"; did you mean {nested}?" if nested.is_dir() else ""
        raise CorpusError(
            f"{data} is not the folder of {benchmark}: it has no {join_names(missing)}. "
            f"The layout of the corpus is {layout}{hint}"
        )
    return [data / part for part in parts]


def subfolders(folder: Path) -> list[Path]:
    """Return the folders in a folder, sorted by name.

    Raises
    ------
    CorpusError
        There are none.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror or error}") from error
    if not found:
        raise CorpusError(
            f"{folder} has no folders, but needs one per author; download the corpus again"
        )
    return found


def text_files(folder: Path) -> list[Path]:
    """Return the text files in a folder, sorted by name.

    Raises
    ------
    CorpusError
        There are none.
    """
    found = sorted(folder.glob("*.txt"))
    if not found:
        raise CorpusError(f"{folder} has no .txt file; download the corpus again")
    return found


def read_labelled_texts(
    files: Iterable[tuple[str, Path]], data: Path, *, empty: str = "refuse"
) -> Corpus:
    """Read texts with their authors.

    Parameters
    ----------
    files : iterable of (author, Path)
    data : Path
        The folder of the corpus; paths of documents are relative to it.
    empty : {"refuse", "skip"}
        What happens to texts without words.

    Raises
    ------
    CorpusError
        A text cannot be read, or is empty and refused.
    """
    documents = [
        Document(author, read_text(path), path.relative_to(data).as_posix())
        for author, path in files
    ]
    filled = [document for document in documents if document.text.strip()]
    if len(filled) < len(documents) and empty == "refuse":
        blank = [document.path for document in documents if not document.text.strip()]
        raise CorpusError(
            f"{data}: {quantity(len(blank), 'text')} without words ({join_names(blank)}); "
            "download the corpus again"
        )
    return Corpus(filled, data.resolve().name)


def texts_by_author(folder: Path) -> list[tuple[str, Path]]:
    """List the texts ``AUTHOR/*.txt`` with their authors.

    Raises
    ------
    CorpusError
        There are no folders, or a folder has no texts.
    """
    return [(author.name, path) for author in subfolders(folder) for path in text_files(author)]
