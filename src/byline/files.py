"""Files that are written whole or not at all."""

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
SECONDS_IN_USE = 3600.0


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` once all is written; a link stays a link.

    Parameters
    ----------
    path : path
        An existing file is replaced; anything else there is not.

    Raises
    ------
    OutputError
        The file cannot be written there; what stood there is untouched.
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
        raise OutputError(f"cannot write to {path}: {reason}; name another file") from error


def find_temporary_files(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Find what was begun to be written in the place of ``path``, and is there still."""
    target = Path(os.path.realpath(path))
    return target.parent.glob(_temporary(target, "*"))


def delete_stale_files(paths: Iterable[Path]) -> None:
    """Delete files that killed processes have left; what is young may be being written now."""
    for path in paths:
        with contextlib.suppress(OSError):  # someone else did, or it does no harm
            if time.time() - path.stat().st_mtime > SECONDS_IN_USE:
                path.unlink()


def _temporary(target: Path, which: str) -> str:
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()
    return f".byline-{digest[:16]}-{which}.tmp"


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise OSError("it is a folder" if target.is_dir() else "it is no regular file")
    except ValueError as error:  # a NUL in the path
        raise OSError(str(error)) from error
    return target
