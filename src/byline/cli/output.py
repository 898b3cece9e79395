"""Standard output, standard error and output files."""

from __future__ import annotations

import functools
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from byline.errors import BylineWarning, OutputError
from byline.files import atomic_write, create_folder, delete_stale_files, find_temporary_files
from byline.formatting import quantity

if TYPE_CHECKING:
    from rich.console import Console

# A message may quote a file that contains escape sequences for the terminal.
_CONTROLS = {*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in _CONTROLS - {ord("\n")}}


def print_message(kind: str, message: str) -> None:
    """Print one message to standard error as ``kind: message``, with control characters escaped."""
    with suppress(OSError):  # there is no other place to report that standard error is full
        sys.stderr.write(f"{kind}: {message.translate(_ESCAPES)}\n")
        sys.stderr.flush()


def open_closed_outputs() -> None:
    """Redirect closed outputs to nowhere, and let outputs escape characters they cannot encode."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def show_warnings(*, all_of_them: bool) -> None:
    """Print each of Byline's warnings on one line; those of libraries only if ``all_of_them``."""
    if not all_of_them:
        warnings.simplefilter("ignore")
    # "default" would print a message once per line of code; once is enough.
    warnings.simplefilter("always", BylineWarning)
    warnings.showwarning = _printing_each_once()


def _printing_each_once() -> Callable[..., None]:
    printed: set[str] = set()

    def show(message: Warning | str, category: type[Warning], filename: str, *rest: Any) -> None:
        place = "" if issubclass(category, BylineWarning) else f" ({category.__name__}, {filename})"
        text = f"{message}{place}"
        if text not in printed:
            printed.add(text)
            print_message("warning", text)

    return show


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document, and nothing else, to standard output."""
    sys.stdout.write(json_text(document))
    sys.stdout.flush()


def json_text(document: dict[str, Any]) -> str:
    """Return one JSON document as text in ASCII."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2) + "\n"


def console() -> Console:
    """Return a console on standard output; unstyled and 100 columns wide if not a terminal."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=100)


def write_text(path: Path, text: str | bytes) -> None:
    """Write ``text`` to ``path`` as UTF-8, completely or not at all.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    with atomic_write(path) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode("utf-8"))


def write_report(path: Path, text: str) -> None:
    """Write a file that was asked for, and state on standard error that it was written.

    Raises
    ------
    OutputError
        As in `write_text`.
    """
    write_text(path, text)
    print_message("note", f"{path} was written")


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files to a folder, which is created if needed, and state that they were written.

    Raises
    ------
    OutputError
        The folder cannot be created, or a file cannot be written.
    """
    create_folder(folder)
    for name, content in files.items():
        write_text(folder / name, content)
    print_message("note", f"{quantity(len(files), 'file was', 'files were')} written to {folder}")


def check_output_folder(path: Path | None, *inputs: Path | None) -> None:
    """Check, before the work starts, that a folder of outputs exists or can be created.

    Raises
    ------
    OutputError
        It is a file, it cannot be written to, its own folder does not exist, or it is one of
        ``inputs`` or in one.
    """
    if path is None:
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_dir():
        raise OutputError(f"{path} is not a folder; give the name of a folder")
    if not target.parent.is_dir():
        raise OutputError(
            f"{path}: the folder {target.parent} does not exist; create it, or choose another"
        )
    check_outside(path, *inputs)
    _check_permission(path, target if target.exists() else target.parent)


def check_outside(path: Path, *inputs: Path | None) -> None:
    """Check that an output is not in one of the inputs, also if it leads there by a link.

    Raises
    ------
    OutputError
    """
    target = Path(os.path.realpath(path))
    for given in inputs:
        if given is not None and target.is_relative_to(os.path.realpath(given)):
            raise OutputError(f"{path} would be inside {given}; choose another place")


def _check_permission(path: Path, folder: Path) -> None:
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: you have no permission to write to the folder {folder}")


def check_output(path: Path | None, *inputs: Path | None) -> None:
    """Check, before the work starts, that an output can be written and would replace no input.

    Temporary files that a killed command left behind are deleted.

    Raises
    ------
    OutputError
        Its folder does not exist, or it is no regular file or one of ``inputs``.
    """
    if path is None:
        return
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise OutputError(f"{path} is a folder; give the name of a file in it")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is not a regular file; give another name")
        if not target.parent.is_dir():
            raise OutputError(
                f"{path}: the folder {target.parent} does not exist; create it, or choose another"
            )
        with suppress(FileNotFoundError):
            target.stat()  # raises an error if no file can have this name
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}; choose another file") from error
    _check_permission(path, target.parent)
    if any(given is not None and given.exists() and _same(path, given) for given in inputs):
        raise OutputError(
            f"{path} is an input of this command and would be replaced; choose another file"
        )
    delete_stale_files(find_temporary_files(path))


def check_html(path: Path | None, *inputs: Path | None) -> None:
    """Check, before the work starts, that an HTML report can be written, as `check_output` does.

    Raises
    ------
    OutputError
        Its name does not end in .html or .htm; or as in `check_output`.
    """
    check_output(path, *inputs)
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(
            f"{path}: reports are HTML; give a name that ends in .html. For a PDF, open the report "
            "in a browser and print it; for Word, open it there and save it as .docx"
        )


def _same(path: Path, other: Path) -> bool:
    return path.exists() and path.samefile(other)


INTERRUPTED = 130


class CommandInterrupted(KeyboardInterrupt):
    """An interruption with a message of its own."""


class CommandGroup(TyperGroup):
    """Commands that end with one line and exit code 130 when they are interrupted."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the command line, for which typer imports libraries."""
        with _ends_with_a_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        with _ends_with_a_line():
            return super().invoke(ctx)


@contextmanager
def _ends_with_a_line() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interruption:  # typer would print nothing
        more = isinstance(interruption, CommandInterrupted)
        print_message("note", str(interruption) if more else "interrupted")
        raise typer.Exit(INTERRUPTED) from interruption


def reports_unwritten_file(output: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command report, when it is interrupted, that it has not written its file.

    Parameters
    ----------
    output : str
        The parameter of the command that is the path of the file, or None.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**values: Any) -> None:
            path: Path | None = values[output]
            before = _version(path)
            try:
                command(**values)
            except CommandInterrupted:
                raise
            except KeyboardInterrupt as interruption:
                if path is None or _version(path) != before:
                    raise
                raise CommandInterrupted(f"interrupted: {path} was not written") from interruption

        return run

    return decorate


def _version(path: Path | None) -> tuple[int, int] | None:
    """Identify a file, so that its replacement can be recognised."""
    try:
        found = path and path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_mtime_ns) if found else None
