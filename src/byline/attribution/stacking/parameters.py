"""Check the parameters of a stack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from byline.attribution.inputs import check_authors, check_groups, check_number, check_texts
from byline.errors import UsageError

# With more, only some authors have a held-out text, there are no intercepts, and the method `auto`
# of the command line is `profiles`.
MANY_AUTHORS = 200


def check_passage_lengths(lengths: Sequence[object]) -> None:
    """Check the lengths of passages in words (`UsageError`)."""
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
    works = list(map(str, range(len(texts)))) if groups is None else check_groups(groups)
    if len(works) != len(texts):
        raise UsageError(
            f"there are {len(texts)} texts but {len(works)} groups; give one group per text"
        )
    return texts, authors, works
