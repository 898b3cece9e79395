"""Ctrl-C: what a command says that is interrupted, and how it ends."""

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
    """An interruption of which there is more to say than that it happened."""


class CommandGroup(TyperGroup):
    """Commands that end with one line and an exit code of their own where they are interrupted."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interruption:  # of which typer says nothing
            more = isinstance(interruption, CommandInterrupted)
            print_message("note", str(interruption) if more else "interrupted")
            raise typer.Exit(INTERRUPTED) from interruption


def reports_unwritten_file(output: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command that is interrupted say that it has not written its file.

    Parameters
    ----------
    output : str
        The command's parameter that is the file's path, or None where none is to be written.
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
                raise CommandInterrupted(f"interrupted: {path} is not written") from interruption

        return run

    return decorate


def _version(path: Path | None) -> tuple[int, int] | None:
    """Tell a file from what is written in its place."""
    try:
        found = path and path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_mtime_ns) if found else None
