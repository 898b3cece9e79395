"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from byline.errors import OutputError

TEMPORARY = ".byline-*.tmp"
MAX_SECONDS_IN_USE = 3600.0


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` when it is complete; a symbolic link stays a link.

    Parameters
    ----------
    path : path
        An existing file is replaced; anything else at this path is an error.

    Raises
    ------
    OutputError
        The file cannot be written; what was at the path is unchanged.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "result.txt"
    ...     with atomic_write(path) as stream:
    ...         n = stream.write(b"complete")
    ...     path.read_text()
    'complete'
    """
    try:
        target = _target(path)
        temporary = target.with_name(_temporary(target, secrets.token_hex(8)))
        try:
            with temporary.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot write to {path}: {reason}; choose another file") from error


def find_temporary_files(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Find temporary files of unfinished writes to ``path``."""
    target = Path(os.path.realpath(path))
    return target.parent.glob(_temporary(target, "*"))


def delete_stale_files(paths: Iterable[Path]) -> None:
    """Delete files that killed processes left behind; recent ones may still be in use."""
    for path in paths:
        with contextlib.suppress(OSError):  # another process deleted it, or it does no harm
            if time.time() - path.stat().st_mtime > MAX_SECONDS_IN_USE:
                path.unlink()


def _temporary(target: Path, which: str) -> str:
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()
    return f".byline-{digest[:16]}-{which}.tmp"


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise OSError("it is a folder" if target.is_dir() else "it is not a regular file")
    except ValueError as error:  # a NUL in the path
        raise OSError(str(error)) from error
    return target
