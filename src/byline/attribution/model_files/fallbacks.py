"""The conventions of a stack's known texts, and its fallbacks, as parts of a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from numpy.typing import NDArray

from byline.attribution.model_files.archive import ArchiveFolder
from byline.attribution.model_files.held_out_results import (
    combination_arrays,
    describe_calibrator,
    read_calibrator,
    read_combination,
)
from byline.attribution.model_files.json_values import read_arrays, take, take_count
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.fallbacks import AnswerRule
from byline.attribution.stored_arrays import Arrays
from byline.errors import ModelFileError
from byline.typography.comparison import FormDifference, KnownForms
from byline.typography.conventions import CONVENTIONS

FALLBACKS = "fallbacks.safetensors"  # of stacks that have fallbacks


def describe_conventions(stack: StackedAttributor) -> dict[str, Any]:
    """Return what is known about the conventions of the known texts as JSON values."""
    forms = stack.known_forms_
    return {
        "differences": [asdict(each) for each in stack.form_differences_],
        "known_forms": None if forms is None else asdict(forms),
        "fallbacks": [
            {
                "base_classifiers": list(each.base_classifiers),
                "calibration": describe_calibrator(each.calibrator),
                "n_held_out": each.n_held_out,
                "n_correct": each.n_correct,
            }
            for each in stack.fallbacks_
        ],
    }


def read_conventions(
    stack: StackedAttributor, description: Mapping[str, Any], classes: NDArray[Any]
) -> None:
    """Set what `describe_conventions` described, except for the fallbacks.

    Raises
    ------
    ModelFileError
        If a value is missing or invalid.
    """
    stack.form_differences_ = tuple(
        FormDifference(
            _convention(take(each, "convention", str)),
            {form: tuple(authors) for form, authors in take(each, "authors", dict).items()},
        )
        for each in take(description, "differences", list)
    )
    stack.known_forms_ = None
    if description.get("known_forms") is not None:
        forms = take(description, "known_forms", dict)
        stack.known_forms_ = _read_known_forms(forms, sorted(map(str, classes.tolist())))


def _read_known_forms(description: Mapping[str, Any], authors: list[str]) -> KnownForms:
    n_words, longest = (_read_counts(description, name) for name in ("n_words", "longest"))
    words = {
        name: {form: _read_counts(take(own, name, dict), form) for form in convention.forms}
        for own in [take(description, "words", dict)]
        for name, convention in CONVENTIONS.items()
    }
    named = {author for forms in words.values() for own in forms.values() for author in own}
    if not sorted(n_words) == sorted(longest) == authors or not named <= set(authors):
        raise ModelFileError("the conventions of its known texts are not those of its authors")
    return KnownForms(n_words, words, longest)


def _read_counts(description: Mapping[str, Any], name: str) -> dict[str, int]:
    counts = take(description, name, dict)
    return {author: take_count(counts, author, 0) for author in counts}


def fallback_arrays(fallbacks: Sequence[AnswerRule]) -> dict[str, NDArray[Any]]:
    """Return the arrays of all fallbacks by name."""
    arrays: dict[str, NDArray[Any]] = {}
    for number, rule in enumerate(fallbacks):
        own = combination_arrays(rule.combination)
        arrays |= {f"{number}-{name}": array for name, array in own.items()}
    return arrays


def read_fallbacks(
    root: ArchiveFolder, described: Sequence[Any], names: Sequence[str], n_authors: int
) -> tuple[AnswerRule, ...]:
    """Rebuild fallbacks from what `describe_conventions` and `fallback_arrays` returned.

    Parameters
    ----------
    root : ArchiveFolder
    described : sequence of JSON values
        The list "fallbacks" of what `describe_conventions` returned.
    names : sequence of str
        The base classifiers of the stack.
    n_authors : int

    Raises
    ------
    ModelFileError
        If a value or an array is missing or invalid.
    """
    if not described and FALLBACKS not in root.names:
        return ()
    data = root.read(FALLBACKS)
    with root.reading(FALLBACKS):
        if not described:
            raise ModelFileError("the stack has no fallback")
        arrays = read_arrays(data)
        return tuple(
            _read_fallback(each, _with_prefix(arrays, f"{number}-"), names, n_authors)
            for number, each in enumerate(described)
        )


def _read_fallback(
    description: Mapping[str, Any], arrays: Arrays, names: Sequence[str], n_authors: int
) -> AnswerRule:
    used = take(description, "base_classifiers", list)
    if not used or [name for name in names if name in used] != used or len(used) == len(names):
        raise ModelFileError("a fallback is not a selection of its base classifiers")
    return AnswerRule(
        tuple(used),
        read_combination(arrays, len(used), n_authors),
        read_calibrator(take(description, "calibration", dict)),
        take_count(description, "n_held_out", 0),
        take_count(description, "n_correct", 0),
    )


def _with_prefix(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


def _convention(name: str) -> str:
    if name not in CONVENTIONS:
        raise ModelFileError(f"this Byline does not know the convention {name!r}")
    return name
