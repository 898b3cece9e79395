"""Lines of an ARPA file as columns of numbers and words, and what may be wrong with them."""

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
from byline.files import atomic_write
from byline.lm.ngrams.tree_model import MAX_ORDER

_BLOCK = 2**16  # small enough to stay in a processor's cache
_LONGEST_LINE = 2**20
_GZIP_MAGIC = b"\x1f\x8b"
# Models shrink to a sixth or so; what unpacks to far more was packed to fill a memory.
_MOST_TIMES = 100
_NO_BOMB = 2**22


def read_runs(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[bytes]]]:
    r"""Read a file's lines, a block at a time.

    Yields
    ------
    number : int
        Line number of the first line, from 1.
    lines : list of bytes
        Without line feeds. A line that begins with a backslash, a section's mark, is alone.

    Raises
    ------
    ModelFileError
        The file cannot be read or unpacked, has a line longer than a mebibyte, or unpacks to more
        than a hundred times its size.
    """
    number = 1
    try:
        with _opened(path) as (file, most):
            for lines in _blocks(file, most):
                first = 0
                for mark in [i for i, line in enumerate(lines) if line.startswith(b"\\")]:
                    yield number + first, lines[first:mark]
                    yield number + mark, lines[mark : mark + 1]
                    first = mark + 1
                yield number + first, lines[first:]
                number += len(lines)
    except (EOFError, OSError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(
            f"{path}, from line {number} on, cannot be read: {reason}; get the file again"
        ) from error


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[tuple[BinaryIO, float]]:
    """Open a file; say how many bytes may be read from it."""
    with Path(path).open("rb") as file:
        if file.peek(2)[:2] != _GZIP_MAGIC:
            yield file, math.inf
        else:
            size = os.fstat(file.fileno()).st_size
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked, max(_MOST_TIMES * size, _NO_BOMB)  # type: ignore[misc]


def _blocks(file: BinaryIO, most: float) -> Iterator[list[bytes]]:
    rest = b""
    while data := file.read(_BLOCK):
        most -= len(data)
        if most < 0:
            raise ValueError(f"it unpacks to more than {_MOST_TIMES} times its size")
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            raise ValueError("a line is longer than a mebibyte")
        yield lines
    if rest:
        yield [rest]


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` when all is written; gzip where its name ends in ``.gz``.

    Raises
    ------
    OutputError
        The file cannot be written there.
    """
    with atomic_write(path) as file, _packed(file, Path(path).suffix == ".gz") as packed:
        yield packed


@contextlib.contextmanager
def _packed(file: BinaryIO, pack: bool) -> Iterator[BinaryIO]:
    if not pack:
        yield file
        return
    # Neither name nor time, so that the same model gives the same bytes.
    with gzip.GzipFile("", "wb", fileobj=file, compresslevel=6, mtime=0) as packed:
        yield packed  # type: ignore[misc]


UNKNOWN, START, END = "<unk>", "<s>", "</s>"
_MAY_BE_IMPOSSIBLE = (UNKNOWN.encode(), START.encode())
_LONGEST_SHOWN = 100
_DECLARED = re.compile(rb"\s*ngram\s+(\d{1,9})\s*=\s*(\d{1,18})\s*")


class ArpaLineError(Exception):
    """What is wrong with the lines at hand."""


def declared_sizes(lines: list[bytes], order: int) -> list[int]:
    """Numbers of n-grams of the orders that follow ``order``."""
    matches = [_DECLARED.fullmatch(line) for line in lines if line.strip()]
    found = [(int(match[1]), int(match[2])) for match in matches if match]
    if len(found) < len(matches):
        raise ArpaLineError("the line should be like 'ngram 1=9'")
    if [n for n, _ in found] != list(range(order + 1, order + 1 + len(found))):
        raise ArpaLineError(f"the number of {order + 1}-grams should be declared here")
    if order + len(found) > MAX_ORDER:
        raise ArpaLineError(
            f"n-grams of more than {MAX_ORDER} words are declared; no model has those"
        )
    return [size for _, size in found]


def columns_of(rows: list[list[bytes]], n: int, has_backoffs: bool) -> list[list[bytes]]:
    """Turn rows into columns; where a back-off weight is missing, it is 0."""
    if has_backoffs:
        rows = [[*row, b"0"] if len(row) == n + 1 else row for row in rows]
    lengths = set(map(len, rows)) - {n + 1 + has_backoffs}
    if lengths:
        found = min(lengths) - has_backoffs
        raise ArpaLineError(
            f"a line of {n}-grams holds a log10 probability, {n} word{'s' * (n > 1)}"
            f"{' and perhaps a back-off weight' * has_backoffs}; this one has "
            f"{'more' if found > n else 'fewer'} parts"
        )
    flat = list(chain.from_iterable(rows))
    return [flat[column :: len(rows[0])] for column in range(len(rows[0]))]


def probabilities(listed: Sequence[bytes], words: Sequence[bytes]) -> Floats:
    """Check probabilities; those of ``<s>`` and ``<unk>`` may be zero."""
    log10_probs = _floats(listed)
    if not (log10_probs <= 0).all():
        raise ArpaLineError("a log10 probability is above zero, or no number")
    impossible = np.flatnonzero(np.isinf(log10_probs))
    if any(i >= len(words) or words[i] not in _MAY_BE_IMPOSSIBLE for i in impossible.tolist()):
        raise ArpaLineError("a log10 probability is minus infinity; write -99 for next to none")
    return log10_probs


def backoff_weights(listed: Sequence[bytes]) -> Floats:
    """Check back-off weights."""
    backoffs = _floats(listed)
    if not np.isfinite(backoffs).all():
        raise ArpaLineError(
            "a back-off weight is infinite or no number; write -99 for next to none"
        )
    return backoffs


def _floats(listed: Sequence[bytes]) -> Floats:
    try:
        return np.fromiter(map(float, listed), np.float64, len(listed))
    except ValueError as error:
        raise ArpaLineError(f"a number is needed ({str(error)[:_LONGEST_SHOWN]})") from None


def shown(text: bytes) -> str:
    """Return ``text`` as messages show it."""
    return repr(text[:60].decode("utf-8", "backslashreplace"))
