"""Questioned texts named on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from byline.corpus import Corpus, ExcludedPart, ExtractedText

STANDARD_INPUT = Path("-")


def read_known(
    path: Path, *, min_authors: int = 2, unit: str = "word", keep: Iterable[str] | None = None
) -> Corpus:
    """Read known texts, and say in one line what was left out of their files.

    Raises
    ------
    CorpusError
        They cannot be read.
    MissingExtraError
        Their format needs a package that is not installed.
    """
    from byline.corpus import Keep, read_corpus

    corpus = read_corpus(path, min_authors=min_authors, unit=unit, keep=map(Keep, keep or ()))
    _say_left_out([document.excluded for document in corpus])
    return corpus


def read_texts(paths: Sequence[Path], keep: Iterable[str] | None = None) -> list[str]:
    """Read each file's text, in order; ``-`` stands for standard input.

    What was left out of the files is said in one line.

    Raises
    ------
    CorpusError
        A file is missing, is a folder, is too large, or cannot be decoded.
    MissingExtraError
        Its format needs a package that is not installed.
    UsageError
        Standard input is named twice, or is closed.
    """
    from byline.errors import BylineWarning

    _check_standard_input(paths)
    read = [extract(path, keep) for path in paths]
    for note in dict.fromkeys(note for each in read for note in each.warnings):
        warnings.warn(note, BylineWarning, stacklevel=2)
    _say_left_out([each.excluded for each in read])
    return [each.text for each in read]


def extract(path: Path, keep: Iterable[str] | None = None) -> ExtractedText:
    """Read one file with what was left out of it; ``-`` stands for standard input.

    Raises
    ------
    CorpusError
        It cannot be read, or is no text.
    MissingExtraError
        Its format needs a package that is not installed.
    UsageError
        Standard input is closed.
    """
    from byline.corpus import Keep, extract_text

    _check_standard_input([path])
    is_file = path != STANDARD_INPUT
    source = path if is_file else _read_standard_input()
    return extract_text(source, None if is_file else "standard input", keep=map(Keep, keep or ()))


def _say_left_out(each: Sequence[Sequence[ExcludedPart]]) -> None:
    """Print a line of what is no running text and was left out of files, if anything was."""
    from byline.cli.output import print_message
    from byline.corpus.extraction import merge_excluded
    from byline.formatting import quantity

    files = [excluded for excluded in each if excluded]
    if files:
        listed = ", ".join(f"{item.kind} ({item.n:,})" for item in merge_excluded(files))
        print_message(
            "note",
            f"{quantity(len(files), 'file')}: left out {listed}; `byline corpus show` shows it",
        )


def read_pretokenized(paths: Sequence[Path]) -> list[str]:
    """Decode each file, and leave its lines as they are; errors as in `read_texts`."""
    _check_standard_input(paths)
    return list(map(_decoded, paths))


def _check_standard_input(paths: Sequence[Path]) -> None:
    from byline.errors import UsageError

    if list(paths).count(STANDARD_INPUT) > 1:
        raise UsageError("- (standard input) can be read only once; name it once")
    if STANDARD_INPUT in paths and sys.stdin is None:
        raise UsageError("- is standard input, and that is closed; name a file")


def _read_standard_input() -> bytes:
    """Read it to its end, or to the size of the largest file that is read; it may never end."""
    from byline.corpus.decoding import MAX_TEXT_BYTES
    from byline.errors import CorpusError

    data = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise CorpusError(
            f"standard input is larger than {MAX_TEXT_BYTES / 2**20:,.0f} MiB, the most that is "
            "read of one text; cut it into several"
        )
    return data


def name_of(path: Path) -> str:
    """Name a file, or standard input, in a message."""
    from byline.formatting import printable

    return "standard input" if path == STANDARD_INPUT else printable(path)


def _decoded(path: Path) -> str:
    from byline.corpus.decoding import decode, read_bytes
    from byline.errors import BylineWarning

    name = name_of(path)
    data = _read_standard_input() if path == STANDARD_INPUT else read_bytes(path, name)
    decoded = decode(data, name)
    if decoded.guessed_encoding:
        message = (
            f"{name} is not UTF-8 and is read as {decoded.guessed_encoding}; save as UTF-8 to "
            "be sure"
        )
        warnings.warn(message, BylineWarning, stacklevel=3)
    return decoded.text
