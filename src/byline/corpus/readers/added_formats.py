"""File formats that other installed packages add, as entry points of the group byline.readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from byline.corpus.decoding import read_bytes
from byline.corpus.extraction import ExtractedText
from byline.corpus.readers.formats import SUPPORTED, TEXT_SUFFIXES, ZIP
from byline.corpus.readers.result import ReadResult
from byline.errors import BylineError, UsageError
from byline.plugins import READERS, Plugin, find_plugin

_Result = TypeVar("_Result")
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".gz")
_BUILT_IN = frozenset(
    suffix.removeprefix(".")
    for suffix in (
        *TEXT_SUFFIXES,
        *_TABLES,
        *ZIP.suffixes,
        *(suffix for each in SUPPORTED for suffix in each.suffixes),
    )
)


@dataclass(frozen=True, slots=True)
class FileFormat:
    r"""A file format that another package adds.

    The package declares it as an entry point of the group ``byline.readers``, under the suffix of
    the files without its dot. Both functions take the content of a file, and what messages call it.

    Attributes
    ----------
    read_text : callable, optional
        Reads a file with one text: a file in a folder of known texts, or a questioned text.
    read_documents : callable, optional
        Reads a file with known texts of several authors.

    See Also
    --------
    byline.corpus.read_corpus, byline.corpus.read_text : Use it.

    Examples
    --------
    >>> from byline.corpus import ExtractedText
    >>> def read(data, name):
    ...     return ExtractedText(data.decode("utf-8").replace("|", "\n\n"))
    >>> FileFormat(read_text=read).read_text(b"The river rose.|It fell.", "a.bars").text
    'The river rose.\n\nIt fell.'
    """

    read_text: Callable[[bytes, str], ExtractedText] | None = None
    read_documents: Callable[[bytes, str], ReadResult] | None = None


def text_reader(suffix: str) -> Callable[[bytes, str], ExtractedText] | None:
    """Return the function of another package that reads one text from a file with a suffix.

    Raises
    ------
    PluginError
        The package is broken, or the suffix is taken. The function raises it too.
    """
    added = _find(suffix)
    if added is None or added[1].read_text is None:
        return None
    plugin, read = added[0], added[1].read_text

    def read_text(data: bytes, name: str) -> ExtractedText:
        return _call(plugin, read, data, name, ExtractedText)

    return read_text


def documents_reader(suffix: str) -> Callable[[Path, str, Mapping[str, str]], ReadResult] | None:
    """Return the function of another package that reads texts of several authors from a file.

    Raises
    ------
    PluginError
        The package is broken, or the suffix is taken. The function raises it too.
    """
    added = _find(suffix)
    if added is None or added[1].read_documents is None:
        return None
    plugin, read = added[0], added[1].read_documents

    def read_documents(path: Path, name: str, columns: Mapping[str, str]) -> ReadResult:
        if columns:
            raise UsageError(
                f"{name} is not a table, so that its columns cannot be chosen. Leave the columns "
                "out."
            )
        return _call(plugin, read, read_bytes(path, name), name, ReadResult)

    return read_documents


def _find(suffix: str) -> tuple[Plugin, FileFormat] | None:
    plugin = find_plugin(READERS, suffix.lower().removeprefix("."), _BUILT_IN)
    if plugin is None:
        return None
    added = plugin.load()
    if not isinstance(added, FileFormat):
        raise plugin.error(f"it is {added!r:.60}, not a byline.corpus.FileFormat")
    return plugin, added


def _call(
    plugin: Plugin,
    read: Callable[[bytes, str], _Result],
    data: bytes,
    name: str,
    expected: type[_Result],
) -> _Result:
    try:
        result = read(data, name)
    except BylineError:
        raise
    except Exception as error:
        raise plugin.error(f"it failed to read {name} ({type(error).__name__}: {error})") from error
    if not isinstance(result, expected):
        raise plugin.error(f"it returned {result!r:.60}, not a {expected.__name__}")
    return result
