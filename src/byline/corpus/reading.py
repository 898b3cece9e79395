"""Read known texts as a checked corpus."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable, Mapping
from pathlib import Path, PurePath

from byline.corpus.basic_checks import check_corpus
from byline.corpus.document import Corpus, Finding
from byline.corpus.duplicates import DuplicatePolicy, allow_duplicates, apply_policy
from byline.corpus.extraction import Keep
from byline.corpus.readers.columns import parse_columns
from byline.corpus.readers.data_set import data_set_parts
from byline.corpus.readers.folder import list_dialogue, read_folder, read_listing
from byline.corpus.readers.formats import CHAT, ZIP
from byline.corpus.readers.result import LAYOUTS, ReadResult
from byline.corpus.readers.speakers import Speakers
from byline.corpus.readers.table import TableReader, read_parquet, table_reader
from byline.corpus.readers.zipped import read_zip
from byline.corpus.reading_options import DEFAULT_OPTIONS, ReadingOptions
from byline.corpus.text_reading import is_folder
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.formatting import printable

_MAX_LISTED = 100  # errors in one message


def read_corpus(
    path: str | Path,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    min_authors: int = 2,
    unit: str = "word",
    speakers: Speakers | str = Speakers.OWN,
    columns: Mapping[str, str] | str | None = None,
    duplicates: DuplicatePolicy | str | None = None,
) -> Corpus:
    """Read known texts from a folder, a ZIP archive or a table, and check them.

    The layout is recognised. A folder may contain one subfolder per author (``AUTHOR/**/*.txt``),
    files named ``Author_title.txt`` (if at least two names are equal up to the first underscore),
    or one file per author (``AUTHOR.txt``, if no two are). A ZIP archive contains one of these. A
    table (CSV, JSON, JSON Lines, Parquet) has the columns ``author`` and ``text``, or those that
    ``columns`` names, and optionally ``id``, ``work`` and ``topic``. Texts may be plain text,
    subtitles (``.srt``, ``.vtt``), Word (``.docx``), OpenDocument (``.odt``), RTF, PDF, EPUB, TEI
    (``.xml``, ``.tei``), HTML, Markdown, LaTeX or reStructuredText. For files of formats that state
    the author (TEI, EPUB, Markdown, LaTeX, reStructuredText) and whose names do not, it is the
    author that the file states. Empty texts are left out with a warning.

    Parameters
    ----------
    path : str or Path
        The folder, ZIP archive or table.
    options : ReadingOptions
        What to keep, and how lines become paragraphs.
    min_authors : int
        Fewer authors are an error. Two are needed for a comparison, and one for a description or
        a test.
    unit : {"word", "char", "auto"}
        The unit that models will count. Words need a script with spaces between them.
    speakers : Speakers or str
        Whose words to read from a chat or another dialogue: with ``"own"`` those of the author
        whose folder the file is in, and with ``"split"`` those of every speaker, as an author.
    columns : mapping of str to str, or str, optional
        The columns of a table, as ``{"author": "user", "text": "body", "group": "thread"}`` or
        ``"author=user,text=body,group=thread"``. The fields are author, text, work (or group),
        topic and id. By default, the columns have these names themselves.
    duplicates : DuplicatePolicy or str, optional
        What to do with texts that occur more than once; by default ``"drop"`` for a table and
        ``"error"`` otherwise.

    Returns
    -------
    Corpus
        Its documents in the order of their paths, or of the rows of the table. Each document
        lists what was excluded from its text.

    Raises
    ------
    CorpusError
        The layout is not recognised, or `check_corpus` or a reader found errors; the message
        lists every file or row concerned.
    MissingExtraError
        A format needs a package that is not installed.

    Warns
    -----
    BylineWarning
        Once for each kind of problem that a reader of the results should know.

    See Also
    --------
    read_text : Read one questioned text.
    byline.corpus.check_corpus : The checks alone.
    byline.corpus.demo.read_demo : A corpus to try Byline on.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for author, thing in (("ada", "river"), ("ben", "sea")):
    ...         path = Path(folder, author, "letter.txt")
    ...         path.parent.mkdir()
    ...         _ = path.write_text(f"The {thing} rose, and nobody heard it at night. " * 200)
    ...     corpus = read_corpus(folder)
    >>> corpus.candidates, corpus.paths
    (['ada', 'ben'], ['ada/letter.txt', 'ben/letter.txt'])
    """
    policy = _policy(Path(path), duplicates)
    corpus, findings = read_corpus_with_findings(path, options, speakers=speakers, columns=columns)
    raise_errors(path, findings)
    return checked_corpus(
        corpus, findings, policy, path=path, min_authors=min_authors, unit=unit, stacklevel=3
    )


def checked_corpus(
    corpus: Corpus,
    findings: Iterable[Finding],
    policy: DuplicatePolicy,
    *,
    path: str | Path,
    min_authors: int,
    unit: str,
    stacklevel: int = 2,
) -> Corpus:
    """Check a corpus, show the warnings, and return it without empty texts and duplicates.

    Parameters
    ----------
    corpus : Corpus
    findings : iterable of Finding
        What was found when it was read; without errors.
    policy : DuplicatePolicy
        What to do with texts that occur more than once.
    path : str or Path
        What messages about errors call the corpus.
    min_authors, unit
        As for `check_corpus`.
    stacklevel : int
        Of the warnings.

    Raises
    ------
    CorpusError
        `check_corpus` found errors.
    """
    corpus, found = apply_policy(corpus, list(findings), policy)
    found += check_corpus(corpus, min_authors=min_authors, unit=unit)
    if policy is DuplicatePolicy.KEEP:
        found = allow_duplicates(found)
    raise_errors(path, found)
    for finding in found:
        message = f"{corpus.name}: {finding.message}"
        warnings.warn(message, BylineWarning, stacklevel=stacklevel)
    with_text = [index for index, document in enumerate(corpus) if document.text]
    return corpus if len(with_text) == len(corpus) else corpus.select(with_text)


def read_corpus_with_findings(
    path: str | Path,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speakers: Speakers | str = Speakers.OWN,
    line_breaks: Container[str] = (),
    columns: Mapping[str, str] | str | None = None,
) -> tuple[Corpus, list[Finding]]:
    """Read known texts like `read_corpus`, but without checks, and return problems as findings.

    Duplicate texts are kept.

    Parameters
    ----------
    path, options, speakers, columns
        As for `read_corpus`.
    line_breaks : container of str
        The suffixes of the plain texts that keep the line breaks of their files.

    Returns
    -------
    Corpus, list of Finding
        All texts that could be read, including empty ones. A file that cannot be
        read is an error among the findings.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.
    """
    root = Path(path)
    result = _read(root, options.kinds, _chosen(speakers), parse_columns(columns))
    name = printable(root.name or root.resolve().name)
    unchanged = {
        index
        for index, document in enumerate(result.documents)
        if PurePath(document.path).suffix.lower() in line_breaks
    }
    documents, rules = result.with_paragraphs(options, unchanged)
    return Corpus(documents, name, rules), list(result.findings)


def raise_errors(path: str | Path, findings: Iterable[Finding]) -> None:
    """Raise the errors among the findings about a corpus as one exception.

    Parameters
    ----------
    path : str or Path
        Where the corpus was read from.
    findings : iterable of Finding

    Raises
    ------
    CorpusError
        There are errors; the message lists them.
    """
    root = Path(path)
    messages = [finding.message for finding in findings if finding.severity == "error"]
    if not messages:
        return
    if len(messages) == 1:
        raise CorpusError(_located(root, messages[0]))
    prefix = f"{printable(root.name)}, "
    listed = "".join(f"\n  {message.removeprefix(prefix)}" for message in messages[:_MAX_LISTED])
    n_more = len(messages) - _MAX_LISTED
    more = f"\n  and {n_more:,} more" if n_more > 0 else ""
    raise CorpusError(f"{printable(root)} has {len(messages):,} errors:{listed}{more}")


def is_table_path(path: Path) -> bool:
    """Return whether a path is a table or a data set, whose columns can be chosen."""
    return _table_reader(path) is not None


def is_corpus_path(path: Path) -> bool:
    """Return whether a path is a folder, archive or table of texts, and not one text."""
    return (
        is_table_path(path)
        or path.suffix.lower() in ZIP.suffixes
        or is_folder(path, printable(path))
    )


def _chosen(speakers: Speakers | str) -> Speakers:
    try:
        return Speakers(speakers)
    except ValueError as error:
        raise UsageError(
            f"speakers has an unknown value: {error}. Possible values are {', '.join(Speakers)}."
        ) from error


def _policy(path: Path, duplicates: DuplicatePolicy | str | None) -> DuplicatePolicy:
    if duplicates is None:
        return DuplicatePolicy.DROP if _table_reader(path) else DuplicatePolicy.ERROR
    try:
        return DuplicatePolicy(duplicates)
    except ValueError as error:
        raise UsageError(
            f"duplicates is {duplicates!r}; possible values are {', '.join(DuplicatePolicy)}"
        ) from error


def _table_reader(path: Path) -> TableReader | None:
    """Return the function that reads a table or a data set; JSON may also be a chat."""
    if is_folder(path, printable(path)):
        return read_parquet if data_set_parts(path) else None
    may_be_chat = path.suffix.lower() in CHAT.suffixes and path.is_file()
    is_chat = may_be_chat and list_dialogue(path, printable(path.name)) is not None
    return None if is_chat else table_reader(path)


def _read(
    root: Path, keep: frozenset[Keep], speakers: Speakers, columns: Mapping[str, str]
) -> ReadResult:
    name = printable(root)
    reader = _table_reader(root)
    if columns and reader is None:
        raise UsageError(
            f"{name} is not a table, so that its columns cannot be chosen. Leave the columns out."
        )
    if not root.exists():
        raise CorpusError(f"{name} does not exist. Check the spelling of the path.")
    if reader is not None:
        return reader(root, printable(root.name or root.resolve().name), columns)
    if root.is_dir():
        return read_folder(root, keep, speakers)
    if root.suffix.lower() in ZIP.suffixes:
        return read_zip(root, printable(root.name), keep, speakers)
    if listing := list_dialogue(root, printable(root.name)):
        return read_listing(listing, name, keep, speakers=speakers)
    raise CorpusError(
        f"{name} is a single file, but neither a table nor a ZIP archive, a chat or a mailbox. "
        f"{LAYOUTS}"
    )


def _located(root: Path, message: str) -> str:
    """Begin a message with the path of the corpus, unless the message states it already."""
    path = printable(root)
    if message.startswith(f"{path} "):
        return message
    name = printable(root.name)
    if message.startswith((f"{name}, ", f"{name} ", f"{name}/")) and is_table_path(root):
        return path + message.removeprefix(name)
    return f"{path}: {message}"
