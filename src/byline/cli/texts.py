"""Read the texts that are named on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from byline.corpus import Corpus, ExcludedPart, ExtractedText

STANDARD_INPUT = Path("-")


def read_known_texts(
    path: Path,
    *,
    min_authors: int = 2,
    unit: str = "word",
    keep: Iterable[str] | None = None,
    speakers: str = "own",
) -> Corpus:
    """Read known texts, and print one line about the parts of their files that were excluded.

    Raises
    ------
    CorpusError
        The texts cannot be read.
    MissingExtraError
        Their format needs a package that is not installed.
    """
    from byline.corpus import Keep, read_corpus

    corpus = read_corpus(
        path, min_authors=min_authors, unit=unit, keep=map(Keep, keep or ()), speakers=speakers
    )
    _report_excluded([document.excluded for document in corpus])
    return corpus


def read_texts(
    paths: Sequence[Path], keep: Iterable[str] | None = None, speaker: str | None = None
) -> list[str]:
    """Read the text of each file, in order. ``-`` stands for standard input.

    One line is printed about the parts of the files that were excluded.

    Raises
    ------
    CorpusError
        A file is missing, is a folder, is too large, cannot be decoded, or has several authors.
    MissingExtraError
        The format of a file needs a package that is not installed.
    UsageError
        Standard input is named twice, or is closed, or a file has no such speaker.
    """
    from byline.corpus.readers.speakers import check_one_speaker
    from byline.errors import BylineWarning

    _check_standard_input(paths)
    read = [extract_file(path, keep, speaker) for path in paths]
    for each in read:
        check_one_speaker(each)
    for note in dict.fromkeys(note for each in read for note in each.warnings):
        warnings.warn(note, BylineWarning, stacklevel=2)
    _report_excluded([each.excluded for each in read])
    return [each.text for each in read]


def extract_file(
    path: Path, keep: Iterable[str] | None = None, speaker: str | None = None
) -> ExtractedText:
    """Read one file, with the parts that were excluded. ``-`` stands for standard input.

    Raises
    ------
    CorpusError
        The file cannot be read, or is not a text.
    MissingExtraError
        The format of the file needs a package that is not installed.
    UsageError
        Standard input is closed, or the file has no such speaker.
    """
    from byline.corpus import Keep, extract_text

    _check_standard_input([path])
    is_file = path != STANDARD_INPUT
    source = path if is_file else _read_standard_input()
    name = None if is_file else "standard input"
    return extract_text(source, name, keep=map(Keep, keep or ()), speaker=speaker)


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
