"""ARPA files as bytes: plain or gzip, read in blocks of lines, written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import math
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from byline.errors import ModelFileError
from byline.files import replacing

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
    with replacing(path) as file, _packed(file, Path(path).suffix == ".gz") as packed:
        yield packed


@contextlib.contextmanager
def _packed(file: BinaryIO, pack: bool) -> Iterator[BinaryIO]:
    if not pack:
        yield file
        return
    # Neither name nor time, so that the same model gives the same bytes.
    with gzip.GzipFile("", "wb", fileobj=file, compresslevel=6, mtime=0) as packed:
        yield packed  # type: ignore[misc]
