"""Reading of forms: limited in size, number and time; files are written to disk directly."""

from __future__ import annotations

import asyncio
import contextlib
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
from byline.formatting import file_size, printable
from byline.web.messages import Upload

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_BYTES = 64 * 2**20
MAX_FIELD_BYTES = 64 * 2**10
MAX_FIELDS = 20
MAX_FILES = 2_000
MAX_NAME = 200
MAX_HEADER_BYTES = 8 * 2**10  # of a part, which include the paths of files
SECONDS_FOR_UPLOAD = 120.0
SECONDS_WITHOUT_DATA = 20.0
MAX_DISCARDED_BYTES = 8 * MAX_BYTES
PASTED = "pasted text"


class FormError(BylineError):
    """A form cannot be accepted; ``status`` is the status code of the response."""

    status = 400


class TooLargeError(FormError):
    """A form is larger than allowed."""

    status = 413


class TooSlowError(FormError):
    """A form takes longer to arrive than allowed."""

    status = 408


@dataclass(slots=True)
class Form:
    """The content of a form.

    Attributes
    ----------
    fields : dict
        The short fields by name; of several with one name, the last.
    files : list of (name, Upload)
        The files and long fields in their order, without empty ones.
    n_bytes : int
        The size of all files.
    """

    fields: dict[str, str] = field(default_factory=dict)
    files: list[tuple[str, Upload]] = field(default_factory=list)
    n_bytes: int = 0

    def uploads(self, name: str) -> list[Upload]:
        """Return the files and long fields of one name."""
        return [upload for each, upload in self.files if each == name]


async def read_fields(request: Request) -> dict[str, str]:
    """Read a form that has only short fields.

    Raises
    ------
    FormError
        It is too large, too slow, or not a form of this page.
    """
    data = b"".join([chunk async for chunk in _stream(request, MAX_FIELD_BYTES)])
    try:
        pairs = parse_qsl(data.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise FormError("this is not a form of the page; open the page again") from error
    return dict(pairs)


async def read_form(request: Request, folder: Path, long: Collection[str] = ()) -> Form:
    """Read a form with files.

    Parameters
    ----------
    request : Request
    folder : Path
        Files are written to it, with names that Byline chooses.
    long : collection of str
        The names of fields that hold texts, which are treated like files.

    Raises
    ------
    FormError
        It is too large, too slow, or broken.
    OSError
        A file cannot be written, for example because the disk is full.
    """
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise FormError("this is not a form of the page; open the page again")
    parts = _Parts(folder, frozenset(long))
    failure: OSError | None = None
    try:
        parser = MultipartParser(
            options[b"boundary"], parts.callbacks(), max_header_size=MAX_HEADER_BYTES
        )
        async for chunk in _stream(request, MAX_BYTES):
            if failure is None:
                failure = _write(parser, chunk)
        if failure is not None:
            raise failure
        parser.finalize()
    except FormParserError as error:
        raise FormError("the form arrived incomplete; send it again") from error
    finally:
        with contextlib.suppress(OSError):
            parts.close()
    if not parts.is_whole:
        raise FormError("the form arrived incomplete; send it again")
    return parts.form


def _write(parser: MultipartParser, chunk: bytes) -> OSError | None:
    """Parse a chunk, and return why its files cannot be written, if they cannot.

    The rest of the form must still be read, because a browser shows no response before it has sent
    everything.
    """
    try:
        parser.write(chunk)
    except OSError as error:
        return error
    return None


async def _stream(request: Request, most: int) -> AsyncIterator[bytes]:
    """Yield the chunks of the body, as long as it is not too large and arrives fast enough.

    A body that is too large is still read from the connection, up to a limit, and discarded,
    because a browser shows no response before it has sent everything.
    """
    n_bytes = 0
    announced = request.headers.get("content-length", "")
    too_large = announced.isdecimal() and int(announced) > most
    chunks = aiter(request.stream())
    deadline = time.monotonic() + SECONDS_FOR_UPLOAD
    while n_bytes <= MAX_DISCARDED_BYTES:
        chunk = await _next(chunks, min(SECONDS_WITHOUT_DATA, deadline - time.monotonic()))
        if chunk is None:
            break
        n_bytes += len(chunk)
        too_large = too_large or n_bytes > most
        if not too_large:
            yield chunk
    if too_large:
        raise TooLargeError(
            f"this is larger than {file_size(most)}, the largest amount that the page accepts at "
            "once; send it in several parts, or use the command line, which accepts more"
        )


async def _next(chunks: AsyncIterator[bytes], seconds: float) -> bytes | None:
    try:
        async with asyncio.timeout(seconds):
            return await anext(chunks, None)
    except TimeoutError as error:
        raise TooSlowError("this took too long to arrive; try again") from error


class _Parts:
    """Collects the parts of a form while they are parsed."""

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
        """Return the callbacks of the parser."""
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
        """Close the file that is open, if any."""
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
            if self._n_fields > MAX_FIELDS:
                raise FormError("this is not a form of the page; open the page again")
            return
        self._n_files += 1
        if self._n_files > MAX_FILES:
            raise TooLargeError(
                f"these are more than {MAX_FILES:,} files, the largest number that the page "
                "accepts at once; send them in several parts"
            )
        path = self._folder / f"{self._n_files}"
        given = options.get(b"filename", b"").decode("utf-8", "replace")
        name = upload_name(given) if is_file else PASTED
        self._upload = Upload(path, name, is_file)
        self._file = path.open("xb")

    def _take(self, data: bytes) -> None:
        if self._file is not None:
            self.form.n_bytes += len(data)
            self._file.write(data)
            return
        self._n_bytes_of_fields += len(data)
        if self._n_bytes_of_fields > MAX_FIELD_BYTES:
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


def upload_name(given: str) -> str:
    """Return the name of a file, possibly with its folders, as it may be shown."""
    return printable(given.replace("\\", "/").strip().strip("/"))[-MAX_NAME:]
