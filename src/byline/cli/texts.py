"""Questioned texts named on the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

STANDARD_INPUT = Path("-")


def read_texts(paths: Sequence[Path]) -> list[str]:
    """Read each file's text, in order; ``-`` stands for standard input.

    Raises
    ------
    CorpusError
        A file is missing, is a folder, or cannot be decoded.
    UsageError
        Standard input is named twice, or is closed.
    """
    from byline.corpus import decode_text, read_text
    from byline.errors import UsageError

    if list(paths).count(STANDARD_INPUT) > 1:
        raise UsageError("- (standard input) can be read only once; name it once")
    if STANDARD_INPUT in paths and sys.stdin is None:
        raise UsageError("- is standard input, and that is closed; name a file")
    return [
        decode_text(sys.stdin.buffer.read(), "standard input")
        if path == STANDARD_INPUT
        else read_text(path)
        for path in paths
    ]
