"""What is wrong with a configuration, in words: where, and what is known in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

MOST_FAULTS = 100
LONGEST_SHOWN = 200  # characters of a key or value


def explain(error: ValidationError, root: type[BaseModel], where: str) -> str:
    """Say what is wrong, one fault a line.

    Parameters
    ----------
    error : ValidationError
    root : type of BaseModel
        What was to be read.
    where : str
        The file.
    """
    found = error.errors(include_url=False)
    faults = [_fault(fault, root) for fault in found[:MOST_FAULTS]]
    more = [f"and {len(found) - MOST_FAULTS:,} more"] if len(found) > MOST_FAULTS else []
    return "\n  ".join([f"{where} is no configuration of an experiment:", *faults, *more])


def _fault(fault: Any, root: type[BaseModel]) -> str:
    place = ".".join(str(part)[:LONGEST_SHOWN] for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = _fields_at(root, fault["loc"][:-1])
        return f"{place}: there is no such key; known are {', '.join(sorted(known))}"
    if fault["type"] == "missing":
        return f"{place}: is missing"
    message = fault["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    message = re.sub(r"valid dictionary or instance of \w+", "table", message)
    given = fault["input"]
    shown = f"; it is {given!r:.{LONGEST_SHOWN}}" if isinstance(given, str | int | float) else ""
    return f"{place}: {message}{shown}" if place else message


def _fields_at(root: type[BaseModel], path: Sequence[Any]) -> list[str]:
    """Names of the keys that the section at ``path`` has."""
    section, keys = root, iter(path)
    for key in keys:
        annotation = section.model_fields[key].annotation
        section = _section_of(annotation) or section
        if get_origin(annotation) is dict:
            next(keys, None)  # a name, of which each has the same keys
    return list(section.model_fields)


def _section_of(annotation: Any) -> type[BaseModel] | None:
    """Find the section that a field's type holds: itself, or the value of its mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = map(_section_of, get_args(annotation))
    return next((found for found in inner if found is not None), None)
