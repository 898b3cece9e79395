"""Ctrl-C: the message and exit code of a command that is interrupted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from byline.cli.output import print_message

INTERRUPTED = 130


class CommandInterrupted(KeyboardInterrupt):
    """An interruption with a message of its own."""


class CommandGroup(TyperGroup):
    """Commands that end with one line and exit code 130 when they are interrupted."""

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        try:
            return super().invoke(ctx)
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
