"""From a path to a checked corpus, or to one text."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from byline.corpus.checks import check_corpus
from byline.corpus.document import Corpus
from byline.corpus.findings import Finding
from byline.corpus.names import printable
from byline.corpus.readers.delimited import read_csv
from byline.corpus.readers.folder import read_folder
from byline.corpus.readers.jsonl import read_jsonl
from byline.corpus.readers.parquet import read_parquet
from byline.corpus.readers.plain import PlainText, decode_plain, read_plain
from byline.corpus.readers.reading import LAYOUTS, Reading, about_subtitles
from byline.errors import BylineWarning, CorpusError

_TABLES: Mapping[str, Callable[[Path, str], Reading]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
}
_MAX_LISTED = 100


def read_corpus(path: str | Path, *, min_authors: int = 2, unit: str = "word") -> Corpus:
    """Read known documents from a folder or a table, whichever layout it has.

    Layouts are ``AUTHOR/**/*.txt``; ``Author_title.txt``, where at least two names share what
    stands before the first underscore; one ``AUTHOR.txt`` a file, where none do; and a CSV, JSON
    Lines or Parquet table with columns ``author`` and ``text``, optionally ``id``, ``work`` and
    ``topic``. Texts without a word are left out with a warning.

    Parameters
    ----------
    path : str or Path
    min_authors : int
        Fewer authors are an error: two to tell apart, one to describe or to test with.
    unit : {"word", "char"}
        What is to be learnt from: words need a script with spaces between them.

    Returns
    -------
    Corpus
        Its documents in the order of their paths, or of the rows.

    Raises
    ------
    CorpusError
        The layout is not recognised, or something that ``check_corpus`` or a reader calls an
        error; the message lists every file or row concerned.
    MissingExtraError
        The table needs a package that is not installed.

    Warns
    -----
    BylineWarning
        Once for each kind of thing that a reader of results should know.
    """
    root = Path(path)
    reading = _read(root)
    _raise_errors(root, reading.findings)
    corpus = Corpus(reading.documents, printable(root.name or root.resolve().name))
    findings = reading.findings + check_corpus(corpus, min_authors=min_authors, unit=unit)
    _raise_errors(root, findings)
    for finding in findings:
        warnings.warn(f"{corpus.name}: {finding.message}", BylineWarning, stacklevel=2)
    filled = [index for index, document in enumerate(corpus) if document.text]
    return corpus if len(filled) == len(corpus) else corpus.select(filled)


def read_text(path: str | Path) -> str:
    """Read one questioned text: decoded, its lines joined, also those of subtitles.

    Returns
    -------
    str
        Empty for a file of white space: whoever attributes it has to decline.

    Raises
    ------
    CorpusError
        It cannot be read or decoded, or is no text.

    Warns
    -----
    BylineWarning
        The encoding is a guess, or subtitles are not what they should be.
    """
    source = Path(path)
    name = printable(source)
    if _is_folder(source, name):
        raise CorpusError(f"{name} is a folder; name the texts in it one by one")
    return _told(read_plain(source, name), name)


def decode_text(data: bytes, name: str) -> str:
    """Return what ``read_text`` gives of a file of this content.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call it: ``"standard input"``.

    Raises
    ------
    CorpusError
        It cannot be decoded, or is no text.

    Warns
    -----
    BylineWarning
        The encoding is a guess, or subtitles are not what they should be.
    """
    return _told(decode_plain(data, name), name)


def _told(read: PlainText, name: str) -> str:
    """Return the text, once what its reader should know is said."""
    messages = [finding.message for finding in about_subtitles({name: read})]
    if read.guess:
        messages.insert(
            0, f"{name} is not UTF-8 and is read as {read.guess}; save as UTF-8 to be sure"
        )
    for message in messages:
        warnings.warn(message, BylineWarning, stacklevel=3)
    return read.text


def _read(root: Path) -> Reading:
    name = printable(root)
    if _is_folder(root, name):
        return read_folder(root)
    if not root.exists():
        raise CorpusError(f"{name} does not exist; is its name spelled rightly?")
    if reader := _TABLES.get(root.suffix.lower()):
        return reader(root, printable(root.name))
    raise CorpusError(f"{name} is one file, and no table. {LAYOUTS} Found: a file {name}.")


def _is_folder(path: Path, name: str) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:  # a name too long, or with a NUL in it
        raise CorpusError(f"{name[:200]} cannot be opened; is its name spelled rightly?") from error


def _raise_errors(root: Path, findings: Iterable[Finding]) -> None:
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


def _located(root: Path, message: str) -> str:
    """Begin a message with the corpus's path, where it does not begin with it or its end."""
    path = printable(root)
    if message.startswith(f"{path} "):
        return message
    name = printable(root.name)
    if message.startswith((f"{name}, ", f"{name} ")) and root.suffix.lower() in _TABLES:
        return path + message.removeprefix(name)
    return f"{path}: {message}"
