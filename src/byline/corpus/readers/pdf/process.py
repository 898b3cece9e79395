"""PDFium in a process of its own, which reads one PDF after another and may be killed."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, cast

from byline.corpus.readers.pdf.worker import MAX_SECONDS_A_PAGE
from byline.errors import CorpusError

MAX_SECONDS = 600.0
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from byline.corpus.readers.pdf.worker import main; main()"
)


class PdfReader:
    """A process that is started for the first PDF, and again after one that it did not survive."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        atexit.register(self.close)

    def read(self, data: bytes, name: str) -> list[dict[str, Any]]:
        """Return what the process says of a PDF, message by message.

        Raises
        ------
        CorpusError
            It took too long, or more memory than it may have, or broke PDFium.
        RuntimeError
            A defect of Byline's own, as the process tells it.
        """
        with self._lock:
            process = self._started()
            try:
                return list(_ask(process, data, name))
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """End the process, if it is this one's."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            with suppress(OSError):
                process.communicate()

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the process; one that a fork inherited is its parent's."""
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-c", _PROGRAM, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._owner = os.getpid()
        return self._process


def _ask(process: subprocess.Popen[bytes], data: bytes, name: str) -> Iterator[dict[str, Any]]:
    whole = threading.Timer(MAX_SECONDS, process.kill)
    whole.start()
    try:
        with suppress(BrokenPipeError):
            request = cast("IO[bytes]", process.stdin)
            request.write(b"%d\n" % len(data) + data)
            request.flush()
        message: dict[str, Any] = {}
        while not message.keys() & {"error", "too_long", "end"}:
            message = _next_message(process, name)
            if "defect" in message:
                raise RuntimeError(message["defect"])
            yield message
    finally:
        whole.cancel()


def _next_message(process: subprocess.Popen[bytes], name: str) -> dict[str, Any]:
    watch = threading.Timer(MAX_SECONDS_A_PAGE, process.kill)
    watch.start()
    try:
        line = cast("IO[bytes]", process.stdout).readline()
    finally:
        watch.cancel()
    message = dict(json.loads(line)) if line.endswith(b"\n") else {"error": "too much"}
    if message.get("error") == "too much":
        raise CorpusError(
            f"{name} cannot be read: it takes more time or memory than a text does, or is damaged; "
            "export its text, or print it to a new PDF"
        )
    return message


READER = PdfReader()
