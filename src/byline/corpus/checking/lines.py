"""Texts with the line breaks that their files have; reading joins the lines of a paragraph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.decoding import decode, read_bytes
from byline.corpus.document import Corpus, Document
from byline.corpus.readers.plain import SUBTITLE_SUFFIXES, TEXT_SUFFIXES, normal_form
from byline.errors import CorpusError

_PLAIN = TEXT_SUFFIXES - SUBTITLE_SUFFIXES


def with_line_breaks(corpus: Corpus, root: str | Path) -> Corpus:
    """Return the corpus with the lines of its plain text files as they are in these files.

    Other texts (subtitles, tables, Word, ...) have no lines beyond those that were read.

    Parameters
    ----------
    corpus : Corpus
        As it was read from ``root``.
    root : str or Path
        A folder, or anything else that is read as known texts.
    """
    folder = Path(root)
    if not folder.is_dir():
        return corpus
    return Corpus((_with_line_breaks(document, folder) for document in corpus), corpus.name)


def lines_of(data: bytes, name: str, text: str) -> str | None:
    """Return the text of a plain text file with the file's own lines.

    Parameters
    ----------
    data : bytes
        The file's content.
    name : str
        With its ending.
    text : str
        As it was read.

    Returns
    -------
    str or None
        None where it is no plain text, or not this one.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in _PLAIN:
        return None
    try:
        decoded = decode(data, name).text
    except CorpusError:
        return None
    lines = decoded.replace("\r\n", "\n").replace("\r", "\n")
    return lines if normal_form(lines, suffix) == text else None


def _with_line_breaks(document: Document, folder: Path) -> Document:
    path = folder / document.path
    if path.suffix.lower() not in _PLAIN or not path.is_file():
        return document
    try:
        data = read_bytes(path, document.path)
    except CorpusError:  # it was changed meanwhile
        return document
    lines = lines_of(data, document.path, document.text)
    return document if lines is None else replace(document, text=lines)
