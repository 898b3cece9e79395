"""The process that PDFium runs in: PDFs come by standard input, pages go by standard output.

A few thousand bytes can make PDFium take all memory and an hour; here they only take what the
process may have, and a file that breaks PDFium does not break Byline.
"""

from __future__ import annotations

import json
import signal
import sys
import traceback
from contextlib import suppress
from typing import Any, BinaryIO

from byline.corpus.decoding import MAX_TEXT_BYTES
from byline.corpus.readers.pdf.lines import PdfPage, read_page

MAX_MEMORY_BYTES = 2 * 2**30
MAX_PAGES = 20_000
MAX_SECONDS_A_PAGE = 20


def main() -> None:
    """Read PDFs until standard input ends: each a line with its size, then so many bytes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # PDFium is not to be waited for
    _limit_memory()
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while size := source.readline():
        try:
            _read(source.read(int(size)), out)
        except MemoryError:
            _send(out, {"error": "too much"})
        except Exception:
            _send(out, {"defect": traceback.format_exc()})
        _end_after(0)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))


def _end_after(seconds: int) -> None:
    """End the process if it is still busy then, also when nobody waits for it; 0 is never."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)


def _read(data: bytes, out: BinaryIO) -> None:
    import pypdfium2

    _end_after(MAX_SECONDS_A_PAGE + 5)
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        is_locked = getattr(error, "err_code", None) in locked
        _send(out, {"error": "encrypted" if is_locked else "damaged"})
        return
    try:
        _send(out, {"n_pages": len(document), "about": document.get_metadata_dict()})
        if 0 < len(document) <= MAX_PAGES:
            _send_pages(document, out, pypdfium2.PdfiumError)
        _send(out, {"end": True})
    finally:
        document.close()


def _send_pages(document: Any, out: BinaryIO, damage: type[Exception]) -> None:
    left = MAX_TEXT_BYTES
    for number in range(len(document)):
        _end_after(MAX_SECONDS_A_PAGE + 5)
        try:
            page, is_picture = read_page(document, number, left)
        except damage:
            _send(out, {"damaged": number + 1})
            continue
        if page is None:
            _send(out, {"too_long": True})
            return
        left -= sum(len(line.text) for line in page.lines)
        _send(out, {"page": _as_json(page), "is_picture": is_picture})


def _as_json(page: PdfPage) -> list[Any]:
    lines = [
        (x.text, x.left, x.right, x.bottom, x.top, x.is_hyphenated, x.marks) for x in page.lines
    ]
    return [page.number, page.height, lines]


def _send(out: BinaryIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message).encode() + b"\n")
    out.flush()
