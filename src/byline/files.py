"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from byline.errors import OutputError


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
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
        temporary = target.with_name(f".byline-{secrets.token_hex(8)}.tmp")
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


def _target(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise OSError("it is a folder" if target.is_dir() else "it is no regular file")
    except ValueError as error:  # a NUL in the path
        raise OSError(str(error)) from error
    return target
