"""From a path to a checked corpus, or to one text."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.basic_checks import check_corpus
from byline.corpus.decoding import read_bytes
from byline.corpus.document import Corpus
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.findings import Finding
from byline.corpus.readers.delimited import read_csv
from byline.corpus.readers.files import plain_text_warnings, read_file
from byline.corpus.readers.folder import read_folder
from byline.corpus.readers.formats import ZIP
from byline.corpus.readers.jsonl import read_jsonl
from byline.corpus.readers.parquet import read_parquet
from byline.corpus.readers.result import LAYOUTS, ReadResult
from byline.corpus.readers.zipped import read_zip
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.formatting import printable

_TABLES: Mapping[str, Callable[[Path, str], ReadResult]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
_MAX_LISTED = 100


def read_corpus(
    path: str | Path,
    *,
    min_authors: int = 2,
    unit: str = "word",
    keep: Iterable[Keep | str] = (),
) -> Corpus:
    """Read known documents from a folder, a ZIP or a table, whichever layout it has.

    Layouts are ``AUTHOR/**/*.txt``; ``Author_title.txt``, where at least two names share what
    stands before the first underscore; one ``AUTHOR.txt`` a file, where none do; a ZIP archive of
    one of these; and a CSV, JSON Lines or Parquet table with columns ``author`` and ``text``,
    optionally ``id``, ``work`` and ``topic``. Files may also be subtitles (``.srt``, ``.vtt``),
    Word (``.docx``), PDF, EPUB, TEI (``.xml``, ``.tei``) and HTML; loose TEI or EPUB whose names
    do not tell have the author that they state. Texts without a word are left out with a warning.

    Parameters
    ----------
    path : str or Path
    min_authors : int
        Fewer authors are an error: two to tell apart, one to describe or to test with.
    unit : {"word", "char", "auto"}
        What is to be learnt from: words need a script with spaces between them.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Returns
    -------
    Corpus
        Its documents in the order of their paths, or of the rows; each says what was left out.

    Raises
    ------
    CorpusError
        The layout is not recognised, or something that ``check_corpus`` or a reader calls an
        error; the message lists every file or row concerned.
    MissingExtraError
        A format needs a package that is not installed.

    Warns
    -----
    BylineWarning
        Once for each kind of thing that a reader of results should know.
    """
    corpus, findings = read_corpus_with_findings(path, keep=keep)
    raise_errors(path, findings)
    findings += check_corpus(corpus, min_authors=min_authors, unit=unit)
    raise_errors(path, findings)
    for finding in findings:
        warnings.warn(f"{corpus.name}: {finding.message}", BylineWarning, stacklevel=2)
    filled = [index for index, document in enumerate(corpus) if document.text]
    return corpus if len(filled) == len(corpus) else corpus.select(filled)


def read_corpus_with_findings(
    path: str | Path, *, keep: Iterable[Keep | str] = ()
) -> tuple[Corpus, list[Finding]]:
    """Read known documents as `read_corpus` does, but check nothing and raise little.

    Returns
    -------
    Corpus, list of Finding
        What could be read, also texts without a word, and what was found on the way: files that
        cannot be read are errors among it.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.
    """
    root = Path(path)
    reading = _read(root, _kept(keep))
    name = printable(root.name or root.resolve().name)
    return Corpus(reading.documents, name), list(reading.findings)


def raise_errors(path: str | Path, findings: Iterable[Finding]) -> None:
    """Raise all errors among what was found in the known texts at ``path`` as one.

    Raises
    ------
    CorpusError
        There are some; the message lists them.
    """
    root = Path(path)
    messages = [finding.message for finding in findings if finding.severity == "error"]
    if not messages:
        return
    if len(messages) == 1:
        raise CorpusError(_located(root, messages[0]))
    within = f"{printable(root.name)}, "
    listed = "".join(f"\n  {message.removeprefix(within)}" for message in messages[:_MAX_LISTED])
    more = len(messages) - _MAX_LISTED
    rest = f"\n  and {more:,} more" if more > 0 else ""
    raise CorpusError(f"{printable(root)} has {len(messages):,} errors:{listed}{rest}")


def read_text(path: str | Path, *, keep: Iterable[Keep | str] = ()) -> str:
    """Read one questioned text of any format: decoded, its lines joined, also of subtitles.

    Parameters
    ----------
    path : str or Path
        A file, also a ZIP that holds one.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Returns
    -------
    str
        Empty for a file of white space: whoever attributes it has to decline.

    Raises
    ------
    CorpusError
        It cannot be read or decoded, or is no text.
    MissingExtraError
        Its format needs a package that is not installed.

    Warns
    -----
    BylineWarning
        Its text may not be all there, its encoding is a guess, or subtitles are not what they
        should be.
    """
    return _told(extract_text(path, keep=keep), 2)


def decode_text(data: bytes, name: str, *, keep: Iterable[Keep | str] = ()) -> str:
    """Return what ``read_text`` gives of a file of this content.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call it: ``"standard input"``; with an ending, as ``"letter.docx"`` has, it
        is read as that format, and else as what its content looks like.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Raises
    ------
    CorpusError
        It cannot be decoded, or is no text.
    MissingExtraError
        Its format needs a package that is not installed.

    Warns
    -----
    BylineWarning
        As `read_text` does.
    """
    return _told(extract_text(data, name, keep=keep), 2)


def extract_text(
    source: str | Path | bytes, name: str | None = None, *, keep: Iterable[Keep | str] = ()
) -> ExtractedText:
    """Return the text of one file with what was left out of it, and what may be wrong with it.

    Parameters
    ----------
    source : str, Path or bytes
        A file, or the content of one.
    name : str or None
        What messages call it; needed of a content, whose format its ending tells.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Returns
    -------
    Extracted

    Raises
    ------
    CorpusError
        It cannot be read or decoded, or is no text.
    MissingExtraError
        Its format needs a package that is not installed.
    """
    if isinstance(source, bytes):
        shown = name or "the text"
        return _extract(source, shown, PurePath(shown).suffix, keep)
    path = Path(source)
    shown = name or printable(path)
    if _is_folder(path, shown):
        raise CorpusError(f"{shown} is a folder; name the texts in it one by one")
    return _extract(read_bytes(path, shown), shown, path.suffix, keep)


def is_corpus_path(path: Path) -> bool:
    """Whether a path is what `read_corpus` reads, a folder, archive or table, and not one text."""
    is_table = path.suffix.lower() in (*_TABLES, *ZIP.suffixes)
    return is_table or _is_folder(path, printable(path))


def _extract(data: bytes, name: str, suffix: str, keep: Iterable[Keep | str]) -> ExtractedText:
    file = read_file(data, name, suffix, _kept(keep))
    notes = tuple(f"{name}: {note}" for note in file.extracted.notes) + plain_text_warnings(
        file, name
    )
    return replace(file.extracted, notes=notes)


def _kept(keep: Iterable[Keep | str]) -> frozenset[Keep]:
    try:
        return frozenset(map(Keep, keep))
    except ValueError as error:
        raise UsageError(f"keep takes {', '.join(Keep)}, and {error}") from error


def _told(extracted: ExtractedText, stacklevel: int) -> str:
    """Return the text, once what its reader should know is said."""
    for note in extracted.notes:
        warnings.warn(note, BylineWarning, stacklevel=stacklevel + 1)
    return extracted.text


def _read(root: Path, keep: frozenset[Keep]) -> ReadResult:
    name = printable(root)
    if _is_folder(root, name):
        return read_folder(root, keep)
    if not root.exists():
        raise CorpusError(f"{name} does not exist; is its name spelled rightly?")
    if reader := _TABLES.get(root.suffix.lower()):
        return reader(root, printable(root.name))
    if root.suffix.lower() in ZIP.suffixes:
        return read_zip(root, printable(root.name), keep)
    raise CorpusError(f"{name} is one file, and no table or ZIP. {LAYOUTS} Found: a file {name}.")


def _is_folder(path: Path, name: str) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:  # a name too long, or with a NUL in it
        raise CorpusError(f"{name[:200]} cannot be opened; is its name spelled rightly?") from error


def _located(root: Path, message: str) -> str:
    """Begin a message with the corpus's path, where it does not begin with it or its end."""
    path = printable(root)
    if message.startswith(f"{path} "):
        return message
    name = printable(root.name)
    if message.startswith((f"{name}, ", f"{name} ")) and root.suffix.lower() in _TABLES:
        return path + message.removeprefix(name)
    return f"{path}: {message}"
