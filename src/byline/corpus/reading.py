"""Read known texts as a checked corpus, and questioned texts of any format."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.basic_checks import check_corpus
from byline.corpus.decoding import read_bytes
from byline.corpus.document import Corpus, Finding
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.readers.files import plain_text_warnings, read_file
from byline.corpus.readers.folder import list_dialogue, read_folder, read_listing
from byline.corpus.readers.formats import ZIP
from byline.corpus.readers.result import LAYOUTS, ReadResult
from byline.corpus.readers.speakers import Speakers, check_one_speaker, text_by_speaker
from byline.corpus.readers.table import TABLE_READERS
from byline.corpus.readers.zipped import is_zip, only_text_in_zip, read_zip
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.formatting import printable

_MAX_LISTED = 100  # errors in one message


def read_corpus(
    path: str | Path,
    *,
    min_authors: int = 2,
    unit: str = "word",
    keep: Iterable[Keep | str] = (),
    speakers: Speakers | str = Speakers.OWN,
) -> Corpus:
    """Read known texts from a folder, a ZIP archive or a table, and check them.

    The layout is recognised. A folder may contain one subfolder per author (``AUTHOR/**/*.txt``),
    files named ``Author_title.txt`` (if at least two names are equal up to the first underscore),
    or one file per author (``AUTHOR.txt``, if no two are). A ZIP archive contains one of these. A
    table (CSV, JSON Lines, Parquet) has the columns ``author`` and ``text``, and optionally
    ``id``, ``work`` and ``topic``. Texts may be plain text, subtitles (``.srt``, ``.vtt``), Word
    (``.docx``), OpenDocument (``.odt``), RTF, PDF, EPUB, TEI (``.xml``, ``.tei``), HTML, Markdown,
    LaTeX or reStructuredText. For files of formats that state the author (TEI, EPUB, Markdown,
    LaTeX, reStructuredText) and whose names do not, it is the author that the file states. Texts
    without any word are left out with a warning.

    Parameters
    ----------
    path : str or Path
        The folder, ZIP archive or table.
    min_authors : int
        Fewer authors are an error. Two are needed for a comparison, and one for a description or
        a test.
    unit : {"word", "char", "auto"}
        The unit that models will count. Words need a script with spaces between them.
    keep : iterable of Keep or str
        What to keep that is not running text: notes, stage directions.
    speakers : Speakers or str
        Whose words to read from a chat or another dialogue: with ``"own"`` those of the author
        whose folder the file is in, and with ``"split"`` those of every speaker, as an author.

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
    corpus, findings = read_corpus_with_findings(path, keep=keep, speakers=speakers)
    raise_errors(path, findings)
    findings += check_corpus(corpus, min_authors=min_authors, unit=unit)
    raise_errors(path, findings)
    for finding in findings:
        warnings.warn(f"{corpus.name}: {finding.message}", BylineWarning, stacklevel=2)
    with_text = [index for index, document in enumerate(corpus) if document.text]
    return corpus if len(with_text) == len(corpus) else corpus.select(with_text)


def read_corpus_with_findings(
    path: str | Path,
    *,
    keep: Iterable[Keep | str] = (),
    speakers: Speakers | str = Speakers.OWN,
) -> tuple[Corpus, list[Finding]]:
    """Read known texts like `read_corpus`, but without checks, and return problems as findings.

    Returns
    -------
    Corpus, list of Finding
        All texts that could be read, including those without any word. A file that cannot be
        read is an error among the findings.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.
    """
    root = Path(path)
    result = _read(root, _kept(keep), _chosen(speakers))
    name = printable(root.name or root.resolve().name)
    return Corpus(result.documents, name), list(result.findings)


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


def read_text(
    path: str | Path, *, keep: Iterable[Keep | str] = (), speaker: str | None = None
) -> str:
    r"""Read one questioned text of any format.

    Parameters
    ----------
    path : str or Path
        A file. A ZIP archive must contain exactly one text.
    keep : iterable of Keep or str
        What to keep that is not running text: notes, stage directions.
    speaker : str or None
        The only speaker whose words are read from a chat or another dialogue.

    Returns
    -------
    str
        One paragraph per line, with a blank line between paragraphs. The text of a file that
        contains only white space is empty; it cannot be attributed.

    Raises
    ------
    CorpusError
        The file cannot be read or decoded, is not a text, or has several speakers.
    MissingExtraError
        Its format needs a package that is not installed.
    UsageError
        There is no such speaker.

    Warns
    -----
    BylineWarning
        The text may be incomplete, its encoding is a guess, or subtitles are invalid.

    See Also
    --------
    extract_text : Also returns what was excluded, and gives no warning.
    decode_text : Read the content of a file instead.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "letter.txt")
    ...     _ = path.write_text("The river rose\nin the night.")
    ...     read_text(path)
    'The river rose in the night.'
    """
    return _text_with_warnings(extract_text(path, keep=keep, speaker=speaker), 2)


def decode_text(
    data: bytes, name: str, *, keep: Iterable[Keep | str] = (), speaker: str | None = None
) -> str:
    r"""Return the text of the content of a file, as `read_text` does of a file.

    Parameters
    ----------
    data : bytes
        The content.
    name : str
        What messages call it, for example ``"standard input"``. If the name has a suffix, as
        ``"letter.docx"`` has, the suffix states the format; otherwise the content does.
    keep : iterable of Keep or str
        What to keep that is not running text: notes, stage directions.
    speaker : str or None
        The only speaker whose words are read from a chat or another dialogue.

    Returns
    -------
    str
        One paragraph per line, with a blank line between paragraphs.

    Raises
    ------
    CorpusError
        The content cannot be decoded, is not a text, or has several speakers.
    MissingExtraError
        The format needs a package that is not installed.
    UsageError
        There is no such speaker.

    Warns
    -----
    BylineWarning
        As `read_text` does.

    See Also
    --------
    read_text : Read a file.

    Examples
    --------
    >>> decode_text(b"1\n00:00:01,000 --> 00:00:02,000\nThe river\nrose.", "talk.srt")
    'The river rose.'
    """
    return _text_with_warnings(extract_text(data, name, keep=keep, speaker=speaker), 2)


def extract_text(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    keep: Iterable[Keep | str] = (),
    speaker: str | None = None,
) -> ExtractedText:
    """Extract the text of one file, with what was excluded from it, and with warnings.

    Parameters
    ----------
    source : str, Path or bytes
        A file, or the content of one.
    name : str or None
        What messages call it. The suffix of the name states the format of a content.
    keep : iterable of Keep or str
        What to keep that is not running text: notes, stage directions.
    speaker : str or None
        The only speaker whose words are read from a chat or another dialogue.

    Returns
    -------
    ExtractedText

    Raises
    ------
    CorpusError
        The source cannot be read or decoded, or is not a text.
    MissingExtraError
        Its format needs a package that is not installed.
    UsageError
        There is no such speaker.

    See Also
    --------
    read_text : Returns only the text, and gives the warnings.

    Examples
    --------
    >>> extracted = extract_text(b"The river rose.", "letter.txt")
    >>> extracted.text, extracted.excluded, extracted.warnings
    ('The river rose.', (), ())
    """
    if isinstance(source, bytes):
        shown = name or "the text"
        return _extract(source, shown, PurePath(shown).suffix, keep, speaker)
    path = Path(source)
    shown = name or printable(path)
    if _is_folder(path, shown):
        raise CorpusError(f"{shown} is a folder. Name the texts in it one by one.")
    return _extract(read_bytes(path, shown), shown, path.suffix, keep, speaker)


def is_corpus_path(path: Path) -> bool:
    """Return whether a path is a folder, archive or table of texts, and not one text."""
    is_table = path.suffix.lower() in (*TABLE_READERS, *ZIP.suffixes)
    return is_table or _is_folder(path, printable(path))


def _extract(
    data: bytes, name: str, suffix: str, keep: Iterable[Keep | str], speaker: str | None
) -> ExtractedText:
    kept = _kept(keep)
    if is_zip(data, suffix):
        member = only_text_in_zip(data, name)
        data, name, suffix = member.content(), f"{name}, {member.name}", member.suffix
    file = read_file(data, name, suffix, kept)
    extracted = text_by_speaker(file, name, speaker)
    about = tuple(f"{name}: {warning}" for warning in extracted.warnings)
    return replace(extracted, warnings=about + plain_text_warnings(file, name))


def _chosen(speakers: Speakers | str) -> Speakers:
    try:
        return Speakers(speakers)
    except ValueError as error:
        raise UsageError(
            f"speakers has an unknown value: {error}. Possible values are {', '.join(Speakers)}."
        ) from error


def _kept(keep: Iterable[Keep | str]) -> frozenset[Keep]:
    try:
        return frozenset(map(Keep, keep))
    except ValueError as error:
        raise UsageError(
            f"keep has an unknown value: {error}. Possible values are {', '.join(Keep)}."
        ) from error


def _text_with_warnings(extracted: ExtractedText, stacklevel: int) -> str:
    check_one_speaker(extracted)
    for warning in extracted.warnings:
        warnings.warn(warning, BylineWarning, stacklevel=stacklevel + 1)
    return extracted.text


def _read(root: Path, keep: frozenset[Keep], speakers: Speakers) -> ReadResult:
    name = printable(root)
    if _is_folder(root, name):
        return read_folder(root, keep, speakers)
    if not root.exists():
        raise CorpusError(f"{name} does not exist. Check the spelling of the path.")
    if reader := TABLE_READERS.get(root.suffix.lower()):
        return reader(root, printable(root.name))
    if root.suffix.lower() in ZIP.suffixes:
        return read_zip(root, printable(root.name), keep, speakers)
    if listing := list_dialogue(root, printable(root.name)):
        return read_listing(listing, name, keep, speakers=speakers)
    raise CorpusError(
        f"{name} is a single file, but neither a table nor a ZIP archive, a chat or a mailbox. "
        f"{LAYOUTS}"
    )


def _is_folder(path: Path, name: str) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:  # the path is too long, or contains NUL
        raise CorpusError(
            f"{name[:200]} cannot be opened. Check the spelling of the path."
        ) from error


def _located(root: Path, message: str) -> str:
    """Begin a message with the path of the corpus, unless the message states it already."""
    path = printable(root)
    if message.startswith(f"{path} "):
        return message
    name = printable(root.name)
    if message.startswith((f"{name}, ", f"{name} ")) and root.suffix.lower() in TABLE_READERS:
        return path + message.removeprefix(name)
    return f"{path}: {message}"
