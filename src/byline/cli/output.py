"""What goes to standard output and standard error, and in which form."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from byline.errors import BylineWarning, OutputError
from byline.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

SECONDS_BETWEEN_LINES = 30.0


def complain(kind: str, message: str) -> None:
    """Print one message to standard error as ``kind: message``, whatever its characters."""
    line = f"{kind}: {message}\n"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


def show_warnings(*, all_of_them: bool) -> None:
    """Print Byline's warnings as single lines; other libraries' only where ``all_of_them``."""
    if not all_of_them:
        warnings.simplefilter("ignore")
    warnings.simplefilter("always", BylineWarning)
    warnings.showwarning = _print_warning


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    place = "" if issubclass(category, BylineWarning) else f" ({category.__name__}, {filename})"
    complain("warning", f"{message}{place}")


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document, and nothing else, to standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2) + "\n")
    sys.stdout.flush()


def console() -> Console:
    """Return standard output as people read it; 100 columns, unstyled, where it is no terminal."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=100)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` as UTF-8.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OutputError(f"{path}: cannot write ({reason}); name another file") from error


@contextmanager
def progress_shown(title: str) -> Iterator[Progress]:
    """Show progress on standard error: a bar on a terminal, else a line now and then."""
    if sys.stderr.isatty():
        with _bar(title) as report:
            yield report
    else:
        yield _lines(title)


@contextmanager
def _bar(title: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn(title, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[what]}", markup=False),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None, what="")

        def report(done: int, total: int, what: str) -> None:
            bars.update(task, completed=done, total=total, what=what)

        yield report


def _lines(title: str) -> Progress:
    started = last = time.monotonic()

    def report(done: int, total: int, what: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES or not done:
            return
        last = now
        left = (now - started) / done * (total - done)
        complain(title, f"{done} of {total}, about {left:.0f} s left ({what})")

    return report
