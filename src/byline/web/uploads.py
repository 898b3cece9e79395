"""Forms as they come in: bounded in size, number and time, with files straight to disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from byline.errors import BylineError
from byline.formatting import printable
from byline.web.messages import Upload

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MOST_BYTES = 64 * 2**20
MOST_BYTES_OF_FIELDS = 64 * 2**10
MOST_FIELDS = 20
MOST_FILES = 2_000
MOST_NAME = 200
MOST_HEADER_BYTES = 8 * 2**10  # of a part; the paths of files stand there
SECONDS_OF_UPLOAD = 120.0
SECONDS_OF_SILENCE = 20.0
MOST_DISCARDED = 8 * MOST_BYTES
PASTED = "pasted text"


class FormError(BylineError):
    """A form that cannot be taken; ``status`` is that of the answer."""

    status = 400


class TooLargeError(FormError):
    """A form is larger than may be."""

    status = 413


class TooSlowError(FormError):
    """A form takes longer to come in than may be."""

    status = 408


@dataclass(slots=True)
class Form:
    """What a form holds.

    Attributes
    ----------
    fields : dict
        Short ones, by name; of several of one name the last.
    files : list of (name, Upload)
        Files and long fields, in order; empty ones are left out.
    n_bytes : int
        Of the files.
    """

    fields: dict[str, str] = field(default_factory=dict)
    files: list[tuple[str, Upload]] = field(default_factory=list)
    n_bytes: int = 0

    def uploads(self, name: str) -> list[Upload]:
        """Return what was sent in under a name."""
        return [upload for each, upload in self.files if each == name]


async def read_fields(request: Request) -> dict[str, str]:
    """Read a form of short fields.

    Raises
    ------
    FormError
        It is too large, too slow, or no such form.
    """
    data = b"".join([chunk async for chunk in _stream(request, MOST_BYTES_OF_FIELDS)])
    try:
        pairs = parse_qsl(data.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise FormError("this is no form of the page's; open the page again") from error
    return dict(pairs)


async def read_form(request: Request, folder: Path, long: Collection[str] = ()) -> Form:
    """Read a form with files.

    Parameters
    ----------
    request : Request
    folder : Path
        Files are written to it, under names of their own.
    long : collection of str
        Fields that are texts, and taken as files are.

    Raises
    ------
    FormError
        It is too large, too slow, or broken.
    """
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise FormError("this is no form of the page's; open the page again")
    parts = _Parts(folder, frozenset(long))
    try:
        parser = MultipartParser(
            options[b"boundary"], parts.callbacks(), max_header_size=MOST_HEADER_BYTES
        )
        async for chunk in _stream(request, MOST_BYTES):
            parser.write(chunk)
        parser.finalize()
    except FormParserError as error:
        raise FormError("the form did not come in whole; send it again") from error
    finally:
        parts.close()
    if not parts.is_whole:
        raise FormError("the form did not come in whole; send it again")
    return parts.form


async def _stream(request: Request, most: int) -> AsyncIterator[bytes]:
    """Give the body in pieces, as long as it is not too large, and comes fast enough.

    What is too large is still taken from the connection, up to a bound, and thrown away: a browser
    shows no answer before it has sent all.
    """
    n_bytes = 0
    announced = request.headers.get("content-length", "")
    too_large = announced.isdecimal() and int(announced) > most
    pieces = aiter(request.stream())
    until = time.monotonic() + SECONDS_OF_UPLOAD
    while n_bytes <= MOST_DISCARDED:
        chunk = await _next(pieces, min(SECONDS_OF_SILENCE, until - time.monotonic()))
        if chunk is None:
            break
        n_bytes += len(chunk)
        too_large = too_large or n_bytes > most
        if not too_large:
            yield chunk
    if too_large:
        raise TooLargeError(
            f"this is larger than {most / 1e6:,.0f} MB, the most that the page takes at once; cut "
            "it into several, or use the command line, which takes more"
        )


async def _next(pieces: AsyncIterator[bytes], seconds: float) -> bytes | None:
    try:
        async with asyncio.timeout(seconds):
            return await anext(pieces, None)
    except TimeoutError as error:
        raise TooSlowError("this took too long to come in; try again") from error


class _Parts:
    """Takes the parts of a form as they are parsed."""

    def __init__(self, folder: Path, long: frozenset[str]) -> None:
        self.form = Form()
        self.is_whole = False
        self._folder = folder
        self._long = long
        self._n_fields = self._n_files = self._n_bytes_of_fields = 0
        self._header = (b"", b"")
        self._disposition = b""
        self._name = ""
        self._value = bytearray()
        self._upload: Upload | None = None
        self._file: BinaryIO | None = None

    def callbacks(self) -> MultipartCallbacks:
        """Return what the parser calls."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda d, a, b: self._add_to_header(d[a:b], b""),
            "on_header_value": lambda d, a, b: self._add_to_header(b"", d[a:b]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._open,
            "on_part_data": lambda d, a, b: self._take(d[a:b]),
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    def close(self) -> None:
        """Close the file that is open, if one is."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._header = (b"", b"")
        self._disposition = b""

    def _add_to_header(self, name: bytes, value: bytes) -> None:
        self._header = (self._header[0] + name, self._header[1] + value)

    def _end_header(self) -> None:
        name, value = self._header
        if name.lower() == b"content-disposition":
            self._disposition = value
        self._header = (b"", b"")

    def _open(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        is_file = b"filename" in options
        self._value.clear()
        if not is_file and self._name not in self._long:
            self._n_fields += 1
            if self._n_fields > MOST_FIELDS:
                raise FormError("this is no form of the page's; open the page again")
            return
        self._n_files += 1
        if self._n_files > MOST_FILES:
            raise TooLargeError(
                f"these are more than {MOST_FILES:,} files, the most that the page takes at once; "
                "add them in several turns"
            )
        path = self._folder / f"{self._n_files}"
        given = options.get(b"filename", b"").decode("utf-8", "replace")
        name = shown_name(given) if is_file else PASTED
        self._upload = Upload(path, name, is_file)
        self._file = path.open("xb")

    def _take(self, data: bytes) -> None:
        if self._file is not None:
            self.form.n_bytes += len(data)
            self._file.write(data)
            return
        self._n_bytes_of_fields += len(data)
        if self._n_bytes_of_fields > MOST_BYTES_OF_FIELDS:
            raise TooLargeError("a field of the form is too long; shorten it")
        self._value += data

    def _end(self) -> None:
        if self._file is None or self._upload is None:
            self.form.fields[self._name] = self._value.decode("utf-8", "replace")
            return
        is_empty = self._file.tell() == 0
        self.close()
        if is_empty and self._upload.name in ("", PASTED):
            self._upload.path.unlink()
        else:
            self.form.files.append((self._name, self._upload))

    def _finish(self) -> None:
        self.is_whole = True


def shown_name(given: str) -> str:
    """Return the name of a file, maybe with the folders it is in, as it may be shown."""
    return printable(given.replace("\\", "/").strip().strip("/"))[-MOST_NAME:]
