"""Read the lines of an ARPA file, and check them column by column."""

from __future__ import annotations

import contextlib
import gzip
import math
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from byline.array_types import Floats
from byline.errors import ModelFileError
from byline.lm.ngrams.estimation import MAX_ORDER

LOG_10 = np.log(10.0)
UNKNOWN, START, END = "<unk>", "<s>", "</s>"

_BLOCK = 2**16  # bytes; small enough for the cache of a processor
_LONGEST_LINE = 2**20
_GZIP_MAGIC = b"\x1f\x8b"
# gzip reduces models to about a sixth. A file that unpacks to far more was made to fill the memory.
_MAX_RATIO = 100
_MIN_LIMIT = 2**22

_MAY_BE_IMPOSSIBLE = (UNKNOWN.encode(), START.encode())
_LONGEST_QUOTE = 60
_LONGEST_REASON = 100
_DECLARED = re.compile(rb"\s*ngram\s+(\d{1,9})\s*=\s*(\d{1,18})\s*")


class ArpaLineError(Exception):
    """A line of an ARPA file is malformed."""


def read_line_blocks(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[bytes]]]:
    r"""Read the lines of a plain or gzip file, one block at a time.

    Yields
    ------
    number : int
        Line number of the first line, from 1.
    lines : list of bytes
        Lines without line feeds. A line that begins with a backslash, which is the header of a
        section, is a block by itself.

    Raises
    ------
    ModelFileError
        The file cannot be read or unpacked, has a line longer than one mebibyte, or unpacks to more
        than a hundred times its size.
    """
    number = 1
    try:
        with _opened(path) as (file, max_bytes):
            for lines in _blocks(file, max_bytes):
                first = 0
                for header in [i for i, line in enumerate(lines) if line.startswith(b"\\")]:
                    yield number + first, lines[first:header]
                    yield number + header, lines[header : header + 1]
                    first = header + 1
                yield number + first, lines[first:]
                number += len(lines)
    except (EOFError, OSError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(
            f"{path} cannot be read from line {number}: {reason}; obtain the file again"
        ) from error


def declared_sizes(lines: list[bytes], order: int) -> list[int]:
    r"""Return the numbers of n-grams that lines of ``\data\`` declare for the next orders."""
    matches = [_DECLARED.fullmatch(line) for line in lines if line.strip()]
    found = [(int(match[1]), int(match[2])) for match in matches if match]
    if len(found) < len(matches):
        raise ArpaLineError("the line must have the form 'ngram 1=9'")
    if [n for n, _ in found] != list(range(order + 1, order + 1 + len(found))):
        raise ArpaLineError(f"the number of {order + 1}-grams must be declared here")
    if order + len(found) > MAX_ORDER:
        raise ArpaLineError(f"n-grams of more than {MAX_ORDER} words are declared")
    return [size for _, size in found]


def columns_of(rows: list[list[bytes]], n: int, has_backoffs: bool) -> list[list[bytes]]:
    """Convert rows to columns; a missing back-off weight is 0."""
    if has_backoffs:
        rows = [[*row, b"0"] if len(row) == n + 1 else row for row in rows]
    lengths = set(map(len, rows)) - {n + 1 + has_backoffs}
    if lengths:
        found = min(lengths) - has_backoffs
        raise ArpaLineError(
            f"a line of {n}-grams must have a log10 probability, {n} word{'s' * (n > 1)}"
            f"{' and optionally a back-off weight' * has_backoffs}; this one has "
            f"{'more' if found > n else 'fewer'} fields"
        )
    flat = list(chain.from_iterable(rows))
    return [flat[column :: len(rows[0])] for column in range(len(rows[0]))]


def probabilities(values: Sequence[bytes], words: Sequence[bytes]) -> Floats:
    """Parse log10 probabilities; those of ``<s>`` and ``<unk>`` may be minus infinity."""
    log10_probs = _floats(values)
    if not (log10_probs <= 0).all():
        raise ArpaLineError("a log10 probability is above zero or not a number")
    impossible = np.flatnonzero(np.isinf(log10_probs))
    if any(i >= len(words) or words[i] not in _MAY_BE_IMPOSSIBLE for i in impossible.tolist()):
        raise ArpaLineError("a log10 probability is minus infinity; use -99 instead")
    return log10_probs


def backoff_weights(values: Sequence[bytes]) -> Floats:
    """Parse log10 back-off weights."""
    backoffs = _floats(values)
    if not np.isfinite(backoffs).all():
        raise ArpaLineError(
            "a back-off weight is infinite or not a number; use -99 instead of minus infinity"
        )
    return backoffs


def quoted(text: bytes) -> str:
    """Return ``text`` in the form that is used in error messages."""
    return repr(text[:_LONGEST_QUOTE].decode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[tuple[BinaryIO, float]]:
    """Open a file; also yield the maximum number of bytes to read from it."""
    with Path(path).open("rb") as file:
        if file.peek(2)[:2] != _GZIP_MAGIC:
            yield file, math.inf
        else:
            size = os.fstat(file.fileno()).st_size
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked, max(_MAX_RATIO * size, _MIN_LIMIT)  # type: ignore[misc]


def _blocks(file: BinaryIO, max_bytes: float) -> Iterator[list[bytes]]:
    rest = b""
    while data := file.read(_BLOCK):
        max_bytes -= len(data)
        if max_bytes < 0:
            raise ValueError(f"it unpacks to more than {_MAX_RATIO} times its size")
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            raise ValueError("a line is longer than one mebibyte")
        yield lines
    if rest:
        yield [rest]


def _floats(values: Sequence[bytes]) -> Floats:
    try:
        return np.fromiter(map(float, values), np.float64, len(values))
    except ValueError as error:
        reason = str(error)[:_LONGEST_REASON]
        raise ArpaLineError(f"a number was expected ({reason})") from None
