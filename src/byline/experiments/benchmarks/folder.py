"""The folder of a benchmark's corpus: what it must hold, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from byline.corpus import Corpus, Document, read_text
from byline.errors import CorpusError
from byline.formatting import join_names, quantity

_LONGEST_NAME = 200


def require_folder(data: Path, benchmark: str, layout: str, *parts: str) -> list[Path]:
    """Return the folders or files ``parts`` of a corpus.

    Parameters
    ----------
    data : Path
        The folder that was named as the corpus.
    benchmark : str
    layout : str
        What the corpus looks like, for the message.
    parts : str

    Raises
    ------
    CorpusError
        ``data`` is no folder, or a part is missing.
    """
    try:
        missing = None if not data.is_dir() else [p for p in parts if not (data / p).exists()]
    except OSError as error:  # it may not be read, or its name is too long for a name
        reason = error.strerror or type(error).__name__
        raise CorpusError(f"{str(data)[:_LONGEST_NAME]} cannot be opened: {reason}") from error
    if missing is None:
        raise CorpusError(
            f"{data} is no folder; name the one that holds {benchmark}, laid out as {layout}"
        )
    if missing:
        nested = data / benchmark
        hint = f"; did you mean {nested}?" if nested.is_dir() else ""
        raise CorpusError(
            f"{data} is not {benchmark}: it has no {join_names(missing)}. "
            f"The corpus is laid out as {layout}{hint}"
        )
    return [data / part for part in parts]


def subfolders(folder: Path) -> list[Path]:
    """Return the folders in a folder, by name.

    Raises
    ------
    CorpusError
        There is none.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError as error:
        raise CorpusError(f"{folder} cannot be read: {error.strerror or error}") from error
    if not found:
        raise CorpusError(f"{folder} holds no folder; one for each author is needed there")
    return found


def text_files(folder: Path) -> list[Path]:
    """Return the text files in a folder, by name.

    Raises
    ------
    CorpusError
        There is none.
    """
    found = sorted(folder.glob("*.txt"))
    if not found:
        raise CorpusError(f"{folder} holds no .txt file; the corpus is incomplete")
    return found


def read_documents(
    files: Iterable[tuple[str, Path]], data: Path, *, empty: str = "refuse"
) -> Corpus:
    """Read texts, each with its author.

    Parameters
    ----------
    files : iterable of (author, Path)
    data : Path
        The corpus's folder; documents are named by their place in it.
    empty : {"refuse", "skip"}
        What becomes of texts without a word.

    Raises
    ------
    CorpusError
        A text cannot be read, or is empty.
    """
    documents = [
        Document(author, read_text(path), path.relative_to(data).as_posix())
        for author, path in files
    ]
    filled = [document for document in documents if document.text.strip()]
    if len(filled) < len(documents) and empty == "refuse":
        bare = [document.path for document in documents if not document.text.strip()]
        raise CorpusError(
            f"{data}: {quantity(len(bare), 'text')} without a word ({join_names(bare)}); "
            "fetch the corpus again"
        )
    return Corpus(filled, data.resolve().name)


def by_author(folder: Path) -> list[tuple[str, Path]]:
    """List the texts of ``AUTHOR/*.txt`` with their authors; errors as of its parts."""
    return [(author.name, path) for author in subfolders(folder) for path in text_files(author)]
