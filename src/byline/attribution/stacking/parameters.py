"""Check the parameters of a stack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from byline.attribution.inputs import check_authors, check_jobs, check_number, check_texts
from byline.errors import UsageError


def check_numbers(
    folds: object, random_state: object, n_jobs: object, open_set: object, max_held_out: object
) -> None:
    """Check the parameters of `StackedAttributor` that are not lists (`UsageError`)."""
    check_number("folds", folds, 2)
    check_number("random_state", random_state, 0)
    check_jobs(n_jobs)
    if max_held_out is not None:
        check_number("max_held_out", max_held_out, 1)
    if not isinstance(open_set, bool):
        raise UsageError(f"open_set is {open_set!r}; it must be True or False")


def check_passage_lengths(lengths: object) -> None:
    """Check the lengths of passages in sentences (`UsageError`)."""
    if not isinstance(lengths, tuple | list):
        raise UsageError(f"passage_lengths is {lengths!r}; it must be a tuple such as (5, 20)")
    for length in lengths:
        check_number("passage_lengths", length, 1)


def check_training_texts(
    X: Iterable[str], y: Iterable[str], groups: Iterable[str] | None
) -> tuple[list[str], list[Any], list[str]]:
    """Return known texts, their authors and their works; every text is one by default.

    Raises
    ------
    UsageError
        If they are not strings, or the number of groups is not that of the texts.
    """
    texts, authors = check_texts(X), list(check_authors(y))
    works = list(map(str, range(len(texts)))) if groups is None else check_texts(groups, "group")
    if len(works) != len(texts):
        raise UsageError(
            f"there are {len(texts)} texts but {len(works)} groups; give one group per text"
        )
    return texts, authors, works
