"""Read known texts with the line breaks of their files, which normal reading removes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.decoding import decode
from byline.corpus.document import Corpus, Document, Finding
from byline.corpus.extraction import Keep
from byline.corpus.readers.formats import SUBTITLE_SUFFIXES, TEXT_SUFFIXES, ZIP
from byline.corpus.readers.listing import TextFile, list_texts
from byline.corpus.readers.plain_text import normalize_paragraphs
from byline.corpus.readers.speakers import Speakers
from byline.corpus.readers.zipped import list_corpus
from byline.corpus.reading import read_corpus_with_findings
from byline.errors import CorpusError
from byline.formatting import printable

_PLAIN = TEXT_SUFFIXES - SUBTITLE_SUFFIXES


def read_for_checking(
    path: str | Path,
    *,
    keep: Iterable[Keep | str] = (),
    speakers: Speakers | str = Speakers.OWN,
) -> tuple[Corpus, list[Finding]]:
    r"""Read known texts in order to examine or clean them.

    Unlike `byline.corpus.read_corpus`, this function keeps the line breaks of the files, and it
    returns findings instead of raising errors and issuing warnings.

    Parameters
    ----------
    path : str or Path
        Anything that `byline.corpus.read_corpus` reads.
    keep : iterable of Keep or str
        Parts outside the running text to keep: notes, stage directions.
    speakers : Speakers or str
        Whose words to read from a chat or another dialogue: ``"own"`` or ``"split"``.

    Returns
    -------
    Corpus, list of Finding
        The texts that could be read, with the line breaks of their files, and the findings of the
        readers. A file that cannot be read is an error among them.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.

    See Also
    --------
    examine : Examine the texts.
    byline.corpus.cleaning.clean_corpus : Clean the texts.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.corpus.checking import read_for_checking
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for author in ("Ada", "Ben"):
    ...         (Path(folder) / author).mkdir()
    ...         _ = (Path(folder) / author / "1.txt").write_text("The loom\nis new.")
    ...     corpus, findings = read_for_checking(folder)
    >>> corpus.texts
    ['The loom\nis new.', 'The loom\nis new.']
    >>> findings
    []
    """
    corpus, findings = read_corpus_with_findings(path, keep=keep, speakers=speakers)
    return restore_line_breaks(corpus, path), findings


def restore_line_breaks(corpus: Corpus, root: str | Path) -> Corpus:
    r"""Restore the line breaks of the plain text files of a corpus.

    Texts in other formats (subtitles, tables, Word documents and so on) are unchanged.

    Parameters
    ----------
    corpus : Corpus
        A corpus that was read from ``root``.
    root : str or Path
        The folder, ZIP archive or table that the corpus was read from.

    Returns
    -------
    Corpus

    See Also
    --------
    read_for_checking : Read a corpus with its line breaks.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.checking import restore_line_breaks
    >>> corpus = Corpus([Document("Ada", "The loom is new.", "Ada/1.txt")], "letters")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "Ada").mkdir()
    ...     _ = (Path(folder) / "Ada" / "1.txt").write_text("The loom\nis new.")
    ...     restore_line_breaks(corpus, folder).texts
    ['The loom\nis new.']
    """
    files = _plain_files(Path(root))
    return Corpus((_with_line_breaks(each, files) for each in corpus), corpus.name)


def _plain_files(root: Path) -> dict[str, TextFile]:
    """Return the plain text files of a corpus by their relative paths."""
    if root.is_dir():
        listing = list_texts(root)
    elif root.suffix.lower() in ZIP.suffixes:
        listing = list_corpus(root, printable(root.name))
    else:
        return {}
    return {file.name: file for file in listing.files if file.suffix.lower() in _PLAIN}


def original_lines(data: bytes, name: str, text: str) -> str | None:
    """Return the text of a plain text file with the line breaks of the file.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name of the file, with its suffix.
    text : str
        The text that Byline read from the file.

    Returns
    -------
    str or None
        None if the file is not plain text, or if its text is not ``text``.
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
    except CorpusError:  # the file has changed since it was read
        return document
    lines = original_lines(data, document.path, document.text)
    return document if lines is None else replace(document, text=lines)
