"""A file with one JSON line per answered case, in which a second run finds what the first did."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from byline.errors import OutputError, UsageError
from byline.experiments.small_cases.answers import CaseAnswers

_START = b'{"digest": '
_FIELDS = {field.name for field in fields(CaseAnswers)}


class ResultsFile:
    """The answers to cases, each written as soon as it is known.

    Parameters
    ----------
    path : Path
        Made by the first result if it does not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Mapping[str, CaseAnswers]:
        """Return the answers by the digest of the case.

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
        return {answers.digest: answers for answers in found}

    def append(self, answers: CaseAnswers) -> None:
        """Write the answers to a case.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        try:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(answers.to_dict()).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise self._no_access("write to", error) from error

    def _parse(self, line: bytes, number: int) -> CaseAnswers:
        try:
            values = json.loads(line)
        except ValueError as error:  # also if it is not UTF-8
            raise self._not_a_result(number) from error
        if not isinstance(values, dict) or set(values) != _FIELDS:
            raise self._not_a_result(number)
        return CaseAnswers(**values)

    def _no_access(self, action: str, error: OSError) -> OutputError:
        return OutputError(f"cannot {action} {self.path}: {error.strerror}; choose another file")

    def _not_a_result(self, number: int) -> UsageError:
        return UsageError(
            f"{self.path}, line {number}: this is not a result of this version of byline benchmark "
            "small-cases; choose another file for --results"
        )
