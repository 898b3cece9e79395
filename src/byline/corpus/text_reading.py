"""Read questioned texts of any format."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePath

from byline.corpus.decoding import read_bytes
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.readers.files import FileText, plain_text_warnings, read_file
from byline.corpus.readers.speakers import check_one_speaker, text_by_speaker
from byline.corpus.readers.zipped import is_zip, only_text_in_zip
from byline.corpus.reading_options import DEFAULT_OPTIONS, ReadingOptions
from byline.errors import BylineWarning, CorpusError
from byline.formatting import printable


def read_text(
    path: str | Path,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speaker: str | None = None,
) -> str:
    r"""Read one questioned text of any format.

    Parameters
    ----------
    path : str or Path
        A file. A ZIP archive must contain exactly one text.
    options : ReadingOptions
        What to keep, and how lines become paragraphs.
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
    return _text_with_warnings(extract_text(path, options=options, speaker=speaker), 2)


def read_texts_alike(
    paths: Iterable[str | Path], options: ReadingOptions = DEFAULT_OPTIONS
) -> list[str]:
    r"""Read texts that belong together, so that their lines are joined by the same rules.

    Parameters
    ----------
    paths : iterable of str or Path
        Files, for example of a corpus whose layout `read_corpus` does not know.
    options : ReadingOptions

    Raises
    ------
    CorpusError
        A file cannot be read or decoded, or is not a text.
    MissingExtraError
        A format needs a package that is not installed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "letter.txt")
    ...     _ = path.write_text("The river rose\nin the night.")
    ...     read_texts_alike([path])
    ['The river rose in the night.']
    """
    files = [_read_file(path, None, options.kinds) for path in paths]
    joiner = options.joiner([file.text for file, _ in files if file.plain])
    extracted = [_with_warnings(file.with_paragraphs(joiner), name) for file, name in files]
    return [_text_with_warnings(each, 2) for each in extracted]


def decode_text(
    data: bytes,
    name: str,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speaker: str | None = None,
) -> str:
    r"""Return the text of the content of a file; it raises errors and warns as `read_text` does.

    Parameters
    ----------
    data : bytes
        The content.
    name : str
        What messages call it, for example ``"standard input"``. If the name has a suffix, as
        ``"letter.docx"`` has, the suffix states the format; otherwise the content does.
    options, speaker
        As for `read_text`.

    Returns
    -------
    str
        One paragraph per line, with a blank line between paragraphs.

    See Also
    --------
    read_text : Read a file.

    Examples
    --------
    >>> decode_text(b"1\n00:00:01,000 --> 00:00:02,000\nThe river\nrose.", "talk.srt")
    'The river rose.'
    """
    return _text_with_warnings(extract_text(data, name, options, speaker=speaker), 2)


def extract_text(
    source: str | Path | bytes,
    name: str | None = None,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speaker: str | None = None,
) -> ExtractedText:
    """Extract the text of one file, with what was excluded from it, and with warnings.

    Parameters
    ----------
    source : str, Path or bytes
        A file, or the content of one.
    name : str or None
        What messages call it. The suffix of the name states the format of a content.
    options : ReadingOptions
        What to keep, and how lines become paragraphs.
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
    file, shown = _read_file(source, name, options.kinds)
    return _with_warnings(file.with_paragraphs(options.joiner([file.text])), shown, speaker)


def is_folder(path: Path, name: str) -> bool:
    """Return whether a path is a folder (`CorpusError` if it cannot be a path)."""
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:  # the path is too long, or contains NUL
        raise CorpusError(
            f"{name[:200]} cannot be opened. Check the spelling of the path."
        ) from error


def _read_file(
    source: str | Path | bytes, name: str | None, keep: frozenset[Keep]
) -> tuple[FileText, str]:
    """Read a file, or the content of one; also return what messages call it."""
    if isinstance(source, bytes):
        shown = name or "the text"
        return _read_content(source, shown, PurePath(shown).suffix, keep)
    path = Path(source)
    shown = name or printable(path)
    if is_folder(path, shown):
        raise CorpusError(f"{shown} is a folder. Name the texts in it one by one.")
    return _read_content(read_bytes(path, shown), shown, path.suffix, keep)


def _read_content(
    data: bytes, name: str, suffix: str, keep: frozenset[Keep]
) -> tuple[FileText, str]:
    if is_zip(data, suffix):
        member = only_text_in_zip(data, name)
        data, name, suffix = member.content(), f"{name}, {member.name}", member.suffix
    return read_file(data, name, suffix, keep), name


def _with_warnings(file: FileText, name: str, speaker: str | None = None) -> ExtractedText:
    extracted = text_by_speaker(file, name, speaker)
    about = tuple(f"{name}: {warning}" for warning in extracted.warnings)
    return replace(extracted, warnings=about + plain_text_warnings(file, name))


def _text_with_warnings(extracted: ExtractedText, stacklevel: int) -> str:
    check_one_speaker(extracted)
    for warning in extracted.warnings:
        warnings.warn(warning, BylineWarning, stacklevel=stacklevel + 1)
    return extracted.text
