"""PDFium in a child process, which reads one PDF after another and can be killed.

A few thousand bytes can make PDFium use all memory and run for an hour. In the child process, it is
limited to its share of memory and time, and a file that crashes PDFium does not crash Byline.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from byline.corpus.decoding import MAX_TEXT_BYTES
from byline.corpus.readers.pdf.lines import PdfPage, read_page
from byline.errors import CorpusError
from byline.processes.child import ChildProcess

MAX_SECONDS = 600.0  # per PDF
MAX_SECONDS_PER_PAGE = 20
MAX_MEMORY_BYTES = 2 * 2**30
MAX_PAGES = 20_000


class PdfReader:
    """A child process that starts with the first PDF, and again after a PDF that ended it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._owner = 0
        atexit.register(self.close)

    def read(self, data: bytes, name: str) -> list[dict[str, Any]]:
        """Return the messages of the child process about a PDF.

        Parameters
        ----------
        data : bytes
        name : str
            For error messages.

        Returns
        -------
        list of dict
            The first has "n_pages" and "about", or "error". Then there is one message per page,
            with "page" and "is_picture", or "damaged"; and at last one with "end" or "too_long".

        Raises
        ------
        CorpusError
            The PDF takes too much time or memory, or crashed PDFium.
        RuntimeError
            There is a defect in Byline, which the message describes.
        """
        with self._lock:
            child = self._running_child()
            try:
                return list(_request(child, data, name))
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """End the child process, unless it belongs to a process that this one was forked from."""
        child, self._child = self._child, None
        if child is not None and self._owner == os.getpid():
            child.end()

    def _running_child(self) -> ChildProcess:
        """Return the child; one that this process inherited by a fork is not its own."""
        if self._child is None or self._owner != os.getpid() or not self._child.is_alive:
            self._child = ChildProcess(serve_pdfs, silent=True)
            self._owner = os.getpid()
        return self._child


def serve_pdfs(pipe: Connection, seconds_per_page: int = MAX_SECONDS_PER_PAGE) -> None:
    """Read PDFs in a child process until the pipe is closed.

    Parameters
    ----------
    pipe : Connection
        Receives the bytes of a PDF, and sends messages in JSON: what a PDF can take control of
        must not send pickles.
    seconds_per_page : int
        The process ends if it needs more than five seconds longer, also if nobody waits for it.
    """
    _limit_memory()
    while True:
        data = pipe.recv_bytes()
        try:
            _read(data, pipe, seconds_per_page)
        except MemoryError:
            _send(pipe, {"error": "too much"})
        except ConnectionError:
            raise
        except Exception:
            _send(pipe, {"defect": traceback.format_exc()})
        _end_after(0)


def _request(child: ChildProcess, data: bytes, name: str) -> Iterator[dict[str, Any]]:
    whole = threading.Timer(MAX_SECONDS, child.kill)
    whole.start()
    try:
        with suppress(OSError):  # the child has ended, which the next message will show
            child.pipe.send_bytes(data)
        message: dict[str, Any] = {}
        while not message.keys() & {"error", "too_long", "end"}:
            message = _next_message(child, name)
            if "defect" in message:
                raise RuntimeError(message["defect"])
            yield message
    finally:
        whole.cancel()


def _next_message(child: ChildProcess, name: str) -> dict[str, Any]:
    message: dict[str, Any] = {"error": "too much"}
    with suppress(EOFError, OSError):
        if child.pipe.poll(MAX_SECONDS_PER_PAGE):
            message = json.loads(child.pipe.recv_bytes())
    if message.get("error") == "too much":
        raise CorpusError(
            f"{name} cannot be read: it takes more time or memory than a text needs, or is "
            "damaged. Export its text, or print it to a new PDF."
        )
    return message


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))


def _end_after(seconds: int) -> None:
    """End this process if it is still busy after so many seconds; 0 removes the limit."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)


def _read(data: bytes, pipe: Connection, seconds_per_page: int) -> None:
    import pypdfium2

    _end_after(seconds_per_page + 5)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        is_locked = getattr(error, "err_code", None) in locked
        _send(pipe, {"error": "encrypted" if is_locked else "damaged"})
        return
    try:
        _send(pipe, {"n_pages": len(document), "about": document.get_metadata_dict()})
        if 0 < len(document) <= MAX_PAGES:
            _send_pages(document, pipe, pypdfium2.PdfiumError, seconds_per_page)
        _send(pipe, {"end": True})
    finally:
        document.close()


def _send_pages(
    document: Any, pipe: Connection, damage: type[Exception], seconds_per_page: int
) -> None:
    n_left = MAX_TEXT_BYTES
    for number in range(len(document)):
        _end_after(seconds_per_page + 5)
        try:
            page, is_picture = read_page(document, number, n_left)
        except damage:
            _send(pipe, {"damaged": number + 1})
            continue
        if page is None:
            _send(pipe, {"too_long": True})
            return
        n_left -= sum(len(line.text) for line in page.lines)
        _send(pipe, {"page": _as_json(page), "is_picture": is_picture})


def _as_json(page: PdfPage) -> list[Any]:
    lines = [
        (x.text, x.left, x.right, x.bottom, x.top, x.is_hyphenated, x.marks) for x in page.lines
    ]
    return [page.number, page.height, lines]


def _send(pipe: Connection, message: dict[str, Any]) -> None:
    pipe.send_bytes(json.dumps(message).encode())


READER = PdfReader()
