"""Questioned texts named on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

STANDARD_INPUT = Path("-")


def read_texts(paths: Sequence[Path]) -> list[str]:
    """Read each file's text, in order; ``-`` stands for standard input.

    Raises
    ------
    CorpusError
        A file is missing, is a folder, is too large, or cannot be decoded.
    UsageError
        Standard input is named twice, or is closed.
    """
    from byline.corpus import decode_text, read_text

    _check_standard_input(paths)
    return [
        decode_text(_read_standard_input(), "standard input")
        if path == STANDARD_INPUT
        else read_text(path)
        for path in paths
    ]


def read_tokenised(paths: Sequence[Path]) -> list[str]:
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
    from byline.corpus.names import printable

    return "standard input" if path == STANDARD_INPUT else printable(path)


def _decoded(path: Path) -> str:
    from byline.corpus.decoding import decode, read_bytes
    from byline.errors import BylineWarning

    name = name_of(path)
    data = _read_standard_input() if path == STANDARD_INPUT else read_bytes(path, name)
    decoded = decode(data, name)
    if decoded.guess:
        message = f"{name} is not UTF-8 and is read as {decoded.guess}; save as UTF-8 to be sure"
        warnings.warn(message, BylineWarning, stacklevel=3)
    return decoded.text
