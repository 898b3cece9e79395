"""Read the texts that are named on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from byline.named_settings import setting

if TYPE_CHECKING:
    from byline.cli.known_options import KnownTextSettings
    from byline.corpus import Corpus, ExcludedPart, ExtractedText, ReadingOptions
    from byline.corpus.questioned import QuestionedText

STANDARD_INPUT = Path("-")


def read_known_texts(
    path: Path,
    reading: KnownTextSettings,
    options: ReadingOptions,
    *,
    min_authors: int = 2,
    unit: str,
    language: str | None = None,
) -> Corpus:
    """Read known texts, and print one line about the parts of their files that were excluded.

    Parameters
    ----------
    path : Path
    reading : KnownTextSettings
    options : ReadingOptions
    min_authors, unit
        As for `byline.corpus.read_corpus`.
    language : str or None
        The language in which the texts are processed, if it matters.

    Raises
    ------
    CorpusError
        The texts cannot be read.
    MissingExtraError
        Their format needs a package that is not installed.

    Warns
    -----
    BylineWarning
        Most texts are in another language.
    """
    from byline.corpus import read_corpus

    corpus = read_corpus(
        path,
        options,
        min_authors=min_authors,
        unit=unit,
        speakers=reading.speakers,
        columns=reading.columns,
        duplicates=reading.duplicates,
    )
    _report_excluded([document.excluded for document in corpus])
    if language is not None:
        _warn_about_language(corpus, language)
    return corpus


def read_unchecked_texts(path: Path, reading: KnownTextSettings) -> Corpus:
    """Read the texts of a folder or table, without the checks that concern their authors.

    Errors are raised as in `read_known_texts`.
    """
    from byline.corpus.reading import raise_errors, read_corpus_with_findings

    corpus, findings = read_corpus_with_findings(
        path, reading.options(), speakers=reading.speakers, columns=reading.columns
    )
    raise_errors(path, findings)
    _report_excluded([document.excluded for document in corpus])
    return corpus


def read_texts(paths: Sequence[Path], keep: Collection[str] | None = None) -> list[str]:
    """Read the text of each file, in order. ``-`` stands for standard input.

    One line is printed about the parts of the files that were excluded. Errors are raised as in
    `read_questioned_texts`.
    """
    from byline.corpus import ReadingOptions

    _check_standard_input(paths)
    options = ReadingOptions(keep=keep or ())
    read = [extract_file(path, options) for path in paths]
    _report(read)
    return [each.text for each in read]


def read_questioned_texts(
    paths: Sequence[Path], options: ReadingOptions, speaker: str | None = None
) -> list[QuestionedText]:
    """Read questioned texts, in order, and leave out what their author did not write.

    Parameters
    ----------
    paths : sequence of Path
        ``-`` stands for standard input.
    options, speaker
        As for `byline.corpus.questioned.read_questioned`.

    Raises
    ------
    CorpusError
        A file is missing, is a folder, is too large, or cannot be decoded.
    MissingExtraError
        The format of a file needs a package that is not installed.
    UsageError
        Standard input is named twice, or is closed, or a file has no such speaker.
    """
    from byline.corpus.questioned import read_questioned

    _check_standard_input(paths)
    read = [read_questioned(*_source(path), options, speaker=speaker) for path in paths]
    _report([each.extracted for each in read])
    return read


def extract_file(path: Path, options: ReadingOptions, speaker: str | None = None) -> ExtractedText:
    """Read one file, with the parts that were excluded. ``-`` stands for standard input.

    Raises
    ------
    CorpusError
        The file cannot be read, or is not a text.
    MissingExtraError
        The format of the file needs a package that is not installed.
    UsageError
        Standard input is closed.
    """
    from byline.corpus import extract_text

    _check_standard_input([path])
    return extract_text(*_source(path), options, speaker=speaker)


def _source(path: Path) -> tuple[Path | bytes, str | None]:
    """Return the file, or the content of standard input and what messages call it."""
    return (path, None) if path != STANDARD_INPUT else (_read_standard_input(), "standard input")


def _report(read: Sequence[ExtractedText]) -> None:
    """Print the warnings about files, and a line about the parts that were excluded."""
    from byline.corpus.readers.speakers import check_one_speaker
    from byline.errors import BylineWarning

    for each in read:
        check_one_speaker(each)
    for note in dict.fromkeys(note for each in read for note in each.warnings):
        warnings.warn(note, BylineWarning, stacklevel=3)
    _report_excluded([each.excluded for each in read])


def _warn_about_language(corpus: Corpus, language: str) -> None:
    """Warn if most texts are in another language than the one in which they are processed."""
    from byline.corpus.checking.languages import find_other_language
    from byline.errors import BylineWarning

    found = find_other_language(corpus.texts, language)
    if found is not None:
        other, n_texts, n_identified = found
        message = (
            f"{corpus.name}: {n_texts:,} of {n_identified:,} texts whose language could be "
            f"identified appear to be in another language ({other}) than {language}. The language "
            f"determines the ends of sentences and lower-casing: use "
            f"{setting('language', other)}, or check the texts with `byline corpus check`."
        )
        warnings.warn(message, BylineWarning, stacklevel=3)


def _report_excluded(each: Sequence[Sequence[ExcludedPart]]) -> None:
    """Print one line about the parts of files that were excluded, if there are any."""
    from byline.cli.output import print_message
    from byline.corpus.extraction import merge_excluded
    from byline.formatting import quantity

    files = [excluded for excluded in each if excluded]
    if files:
        listed = ", ".join(f"{item.kind} ({item.n:,})" for item in merge_excluded(files))
        print_message(
            "note",
            f"Excluded from {quantity(len(files), 'file')}: {listed}. "
            "Run `byline corpus show` to see them.",
        )


def read_pretokenized(paths: Sequence[Path]) -> list[str]:
    """Decode each file without changing its lines. Errors are raised as in `read_texts`."""
    _check_standard_input(paths)
    return list(map(_decode_file, paths))


def _check_standard_input(paths: Sequence[Path]) -> None:
    from byline.errors import UsageError

    if list(paths).count(STANDARD_INPUT) > 1:
        raise UsageError("- (standard input) can be read only once. Name it once.")
    if STANDARD_INPUT in paths and sys.stdin is None:
        raise UsageError("- is standard input, which is closed. Name a file instead.")


def _read_standard_input() -> bytes:
    """Read all of standard input, up to the maximum size of a file, because it may never end."""
    from byline.corpus.decoding import MAX_TEXT_BYTES
    from byline.errors import CorpusError

    data = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise CorpusError(
            f"Standard input is larger than {MAX_TEXT_BYTES / 2**20:,.0f} MiB, the maximum size of "
            "one text. Divide it into several texts."
        )
    return data


def display_name(path: Path) -> str:
    """Return the name of a file, or of standard input, for messages."""
    from byline.formatting import printable

    return "standard input" if path == STANDARD_INPUT else printable(path)


def _decode_file(path: Path) -> str:
    from byline.corpus.decoding import decode, read_bytes
    from byline.errors import BylineWarning

    name = display_name(path)
    data = _read_standard_input() if path == STANDARD_INPUT else read_bytes(path, name)
    decoded = decode(data, name)
    if decoded.guessed_encoding:
        message = (
            f"{name} is not UTF-8. Byline reads it as {decoded.guessed_encoding}, which may be "
            "wrong. Save it as UTF-8."
        )
        warnings.warn(message, BylineWarning, stacklevel=3)
    return decoded.text
