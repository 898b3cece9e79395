"""Files that are written completely or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from byline.errors import OutputError, UsageError

TEMPORARY = ".byline-*.tmp"
MAX_SECONDS_IN_USE = 3600.0
MAX_TOML_BYTES = 2**20


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


def create_folder(path: Path) -> None:
    """Create a folder if it does not exist.

    Raises
    ------
    OutputError
        It cannot be created.
    """
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot create {path}: {error.strerror}; choose another folder"
        ) from error


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


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file of settings.

    Raises
    ------
    UsageError
        The file cannot be read, is too large, or is not valid TOML.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "settings.toml"
    ...     _ = path.write_text("seed = 1")
    ...     read_toml(path)
    {'seed': 1}
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_TOML_BYTES + 1)
        if len(data) > MAX_TOML_BYTES:
            raise ValueError(f"it is larger than {MAX_TOML_BYTES:,} bytes")
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); name a TOML file") from error
    except (ValueError, RecursionError) as error:  # RecursionError: lists nested too deeply
        raise UsageError(f"{path} is not a valid TOML file: {error}") from error
