"""Check the parameters of a stack."""

from __future__ import annotations

from byline.attribution.inputs import check_jobs, check_number
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
