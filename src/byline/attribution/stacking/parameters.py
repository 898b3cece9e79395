"""Check the parameters of a stack."""

from __future__ import annotations

from collections.abc import Mapping

from byline.attribution.inputs import check_jobs, check_number
from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.errors import UsageError
from byline.formatting import join_names


def check_numbers(folds: object, random_state: object, n_jobs: object, open_set: object) -> None:
    """Check the parameters of `StackedAttributor` that are not lists (`UsageError`)."""
    check_number("folds", folds, 2)
    check_number("random_state", random_state, 0)
    check_jobs(n_jobs)
    if not isinstance(open_set, bool):
        raise UsageError(f"open_set is {open_set!r}; it must be True or False")


def check_passage_lengths(lengths: object) -> None:
    """Check the lengths of passages in sentences (`UsageError`)."""
    if not isinstance(lengths, tuple | list):
        raise UsageError(f"passage_lengths is {lengths!r}; it must be a tuple such as (5, 20)")
    for length in lengths:
        check_number("passage_lengths", length, 1)


def no_language_models(base_classifiers: Mapping[str, BaseClassifier]) -> UsageError:
    """Return the error for a stack without language models."""
    names = join_names(list(base_classifiers))
    return UsageError(
        f"no base classifier ({names}) is an AuthorshipAttributor, which decides whether a text is "
        "too short to attribute; add one, or call decision_function"
    )
