"""What the local page needs beside Byline's own dependencies."""

from __future__ import annotations

from importlib.util import find_spec

from byline.errors import MissingExtraError

NEEDED = ("python_multipart", "starlette", "uvicorn")


def check_extra() -> None:
    """Refuse to begin without the packages of the extra ``web``.

    Raises
    ------
    MissingExtraError
        One is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f'the local page needs {", ".join(missing)}; type: python -m pip install "byline[web]"'
        )
