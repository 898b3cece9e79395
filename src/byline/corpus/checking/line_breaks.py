"""Texts with the line breaks that their files have; reading joins the lines of a paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.decoding import decode
from byline.corpus.document import Corpus, Document
from byline.corpus.extraction import Keep
from byline.corpus.findings import Finding
from byline.corpus.readers.formats import SUBTITLE_SUFFIXES, TEXT_SUFFIXES, ZIP
from byline.corpus.readers.listing import TextFile, list_texts
from byline.corpus.readers.plain_text import normalize_paragraphs
from byline.corpus.readers.zipped import list_corpus
from byline.corpus.reading import read_corpus_with_findings
from byline.errors import CorpusError
from byline.formatting import printable


def survey(path: str | Path, *, keep: Iterable[Keep | str] = ()) -> tuple[Corpus, list[Finding]]:
    """Read known texts to examine or to mend them.

    Parameters
    ----------
    path : str or Path
        Anything that `byline.corpus.read_corpus` reads.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Returns
    -------
    Corpus, list of Finding
        What could be read, with the line breaks of its files, and what was found on the way: files
        that cannot be read are errors among it.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.
    """
    corpus, findings = read_corpus_with_findings(path, keep=keep)
    return restore_line_breaks(corpus, path), findings


_PLAIN = TEXT_SUFFIXES - SUBTITLE_SUFFIXES


def restore_line_breaks(corpus: Corpus, root: str | Path) -> Corpus:
    """Return the corpus with the lines of its plain text files as they are in these files.

    Other texts (subtitles, tables, Word, ...) have no lines beyond those that were read.

    Parameters
    ----------
    corpus : Corpus
        As it was read from ``root``.
    root : str or Path
        A folder, a ZIP, or anything else that is read as known texts.
    """
    files = _plain_files(Path(root))
    return Corpus((_with_line_breaks(each, files) for each in corpus), corpus.name)


def _plain_files(root: Path) -> dict[str, TextFile]:
    """Return the plain text files of a corpus by their paths below it."""
    if root.is_dir():
        listing = list_texts(root)
    elif root.suffix.lower() in ZIP.suffixes:
        listing = list_corpus(root, printable(root.name))
    else:
        return {}
    return {file.name: file for file in listing.files if file.suffix.lower() in _PLAIN}


def original_lines(data: bytes, name: str, text: str) -> str | None:
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
    return lines if normalize_paragraphs(lines, suffix) == text else None


def _with_line_breaks(document: Document, files: Mapping[str, TextFile]) -> Document:
    if (file := files.get(document.path)) is None:
        return document
    try:
        data = file.content()
    except CorpusError:  # it was changed meanwhile
        return document
    lines = original_lines(data, document.path, document.text)
    return document if lines is None else replace(document, text=lines)
