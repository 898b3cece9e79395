"""A file with one JSON line per result, in which a second run finds what the first did."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from byline.errors import OutputError, UsageError

_START = b'{"digest": '


class Result(Protocol):
    """A result that is written as one line, whose first key is its digest."""

    @property
    def digest(self) -> str:
        """Identifies what was computed, with all that the result depends on."""

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values, the digest first."""


R = TypeVar("R", bound=Result)


class ResultLines(Generic[R]):
    """Results, each written as soon as it is known.

    Parameters
    ----------
    path : Path
        Made by the first result if it does not exist.
    command : str
        The command whose results they are, for messages.
    parse : function of a dict
        Returns the result, or raises KeyError, TypeError or ValueError for something else.
    """

    def __init__(self, path: Path, command: str, parse: Callable[[dict[str, Any]], R]) -> None:
        self.path = path
        self.command = command
        self.parse = parse

    def read(self) -> Mapping[str, R]:
        """Return the results by digest.

        A last line that is not complete, because the process that wrote it was killed, is removed.

        Raises
        ------
        UsageError
            A line is something else.
        OutputError
            The file cannot be read, or the incomplete line cannot be removed.
        """
        if not self.path.exists():
            return {}
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise self._no_access("read", error) from error
        *lines, rest = content.split(b"\n")
        found = [self._parse(line, number) for number, line in enumerate(lines, 1)]
        if rest:
            if not (rest.startswith(_START) or _START.startswith(rest)):
                raise self._not_a_result(len(lines) + 1)
            try:
                os.truncate(self.path, len(content) - len(rest))
            except OSError as error:
                raise self._no_access("write to", error) from error
        return {result.digest: result for result in found}

    def append(self, result: R) -> None:
        """Write a result.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        try:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(result.to_dict()).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise self._no_access("write to", error) from error

    def _parse(self, line: bytes, number: int) -> R:
        try:
            values = json.loads(line)
            if not isinstance(values, dict):
                raise TypeError
            return self.parse(values)
        except (KeyError, RecursionError, TypeError, ValueError) as error:  # or not UTF-8
            raise self._not_a_result(number) from error

    def _no_access(self, action: str, error: OSError) -> OutputError:
        return OutputError(f"cannot {action} {self.path}: {error.strerror}; choose another file")

    def _not_a_result(self, number: int) -> UsageError:
        return UsageError(
            f"{self.path}, line {number}: this is not a result of this version of byline "
            f"{self.command}; choose another results file"
        )
