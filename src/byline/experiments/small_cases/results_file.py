"""A file with one JSON line per answered case, in which a second run finds what the first did."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from byline.errors import OutputError, UsageError
from byline.experiments.small_cases.answers import DEFAULT, NO_ANSWER, CaseAnswers
from byline.experiments.small_cases.grid import parse_settings

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
        answers = CaseAnswers(**values)
        if not _is_complete(answers):
            raise self._not_a_result(number)
        return answers

    def _no_access(self, action: str, error: OSError) -> OutputError:
        return OutputError(f"cannot {action} {self.path}: {error.strerror}; choose another file")

    def _not_a_result(self, number: int) -> UsageError:
        return UsageError(
            f"{self.path}, line {number}: this is not a result of this version of byline benchmark "
            "small-cases; choose another file for --results"
        )


def _is_complete(answers: CaseAnswers) -> bool:
    """Whether all values have the types and sizes that `answer_case` gives them."""
    texts = (answers.digest, answers.corpus, answers.settings)
    if not _are(texts, str) or not _are([answers.number], int):
        return False
    if not _is_name_of_settings(answers.settings) or not _are(answers.candidates, str):
        return False
    if not isinstance(answers.answers, dict) or not isinstance(answers.failures, dict):
        return False
    n_texts, n_candidates = len(_list(answers.lengths)), len(answers.candidates)
    by_text = [answers.lengths, answers.authors, *answers.answers.values()]
    places = [place for each in by_text[1:] for place in _list(each)]
    by_candidate = [answers.log_probabilities, answers.log_likelihood_ratios]
    return (
        n_texts > 0
        and len({DEFAULT, *answers.answers}) == len(answers.answers) > 1
        and all(_are(each, int) and len(each) == n_texts for each in by_text)
        and all(NO_ANSWER <= place < n_candidates for place in places)
        and all(len(_list(rows)) == n_texts for rows in by_candidate)
        and all(
            _are(row, int, float) and len(row) == n_candidates
            for rows in by_candidate
            for row in rows
        )
        and _are(list(answers.failures.values()), str)
        and _are([answers.cpu_seconds], int, float)
    )


def _are(values: object, *types: type) -> bool:
    """Whether the values are a sequence of values of exactly these types."""
    return isinstance(values, list | tuple) and all(type(each) in types for each in values)


def _list(values: object) -> list[Any]:
    return values if isinstance(values, list) else []


def _is_name_of_settings(name: str) -> bool:
    try:
        parse_settings(name)
    except UsageError:
        return False
    return True
