"""The file of the answers to small cases."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from byline.errors import UsageError
from byline.experiments.results_file import ResultLines
from byline.experiments.small_cases.answers import DEFAULT, NO_ANSWER, CaseAnswers
from byline.experiments.small_cases.grid import parse_settings

_FIELDS = {field.name for field in fields(CaseAnswers)}


class ResultsFile(ResultLines[CaseAnswers]):
    """The answers to cases, each written as soon as it is known.

    Parameters
    ----------
    path : Path
        Made by the first result if it does not exist.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "benchmark small-cases", _parse)


def _parse(values: dict[str, Any]) -> CaseAnswers:
    if set(values) != _FIELDS:
        raise ValueError
    answers = CaseAnswers(**values)
    if not _is_complete(answers):
        raise ValueError
    return answers


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
