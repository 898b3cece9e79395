"""How well simulated cases were answered, as a part of the model file of a stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from byline.attribution.model_files.archive import ArchiveEntry, ArchiveFolder
from byline.attribution.model_files.held_out_results import (
    describe_calibrator,
    held_out_arrays,
    read_calibrator,
    read_held_out_results,
)
from byline.attribution.model_files.json_values import read_arrays, take, take_count, write_arrays
from byline.attribution.stacking import ReferenceValidation
from byline.errors import ModelFileError

SIMULATED_CASES = "simulated-cases.safetensors"  # of stacks with a reference population
_STRINGS = ("name", "sha256")
_LEAST = {"n_authors": 2, "n_texts": 2, "n_cases": 1, "n_candidates": 2, "n_wanted": 2}


def describe_validation(validation: ReferenceValidation | None) -> dict[str, Any] | None:
    """Return everything except the results as JSON values."""
    if validation is None:
        return None
    values = {field.name: getattr(validation, field.name) for field in fields(validation)}
    del values["results"]
    return values | {"calibrator": describe_calibrator(validation.calibrator)}


def validation_entries(validation: ReferenceValidation | None) -> Iterator[ArchiveEntry]:
    """Yield the entry of the results, if there are any."""
    if validation is not None:
        yield SIMULATED_CASES, write_arrays(held_out_arrays(validation.results))


def read_validation(
    root: ArchiveFolder, description: Mapping[str, Any] | None
) -> ReferenceValidation | None:
    """Rebuild what `describe_validation` and `validation_entries` returned.

    Raises
    ------
    ModelFileError
        If a value is missing or invalid.
    """
    if (description is None) != (SIMULATED_CASES not in root.names):
        raise ModelFileError(f"it does not match the entry {SIMULATED_CASES}")
    if description is None:
        return None
    values: dict[str, Any] = {name: take(description, name, str) for name in _STRINGS}
    values |= {name: take_count(description, name, least) for name, least in _LEAST.items()}
    factor = take(description, "factor", float)
    if not 0 < factor <= 1 or values["n_candidates"] > values["n_wanted"]:
        raise ModelFileError("a value of the simulated cases is out of its range")
    calibrator = read_calibrator(take(description, "calibrator", dict))
    data = root.read(SIMULATED_CASES)
    with root.reading(SIMULATED_CASES):
        results = read_held_out_results(read_arrays(data), values["n_candidates"])
        if not results.n_texts:
            raise ModelFileError("it has no questioned text")
    return ReferenceValidation(**values, factor=factor, results=results, calibrator=calibrator)
