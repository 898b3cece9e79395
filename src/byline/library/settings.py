"""The options of commands as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

from byline.attribution.inputs import check_list, check_number
from byline.cli.known_options import KnownTextSettings
from byline.errors import UsageError
from byline.formatting import join_names

_Settings = TypeVar("_Settings")


def divide_settings(
    settings: dict[str, Any], kind: type[_Settings]
) -> tuple[_Settings, KnownTextSettings]:
    """Return the settings of a model, and those of reading files."""
    of_reading = {field.name for field in fields(KnownTextSettings)}
    reading = {name: value for name, value in settings.items() if name in of_reading}
    own = {name: value for name, value in settings.items() if name not in of_reading}
    of_kind = settings_of_command(kind, own, also=of_reading)
    return of_kind, settings_of_command(KnownTextSettings, reading)


def settings_of_command(
    kind: type[_Settings], given: dict[str, Any], also: Collection[str] = ()
) -> _Settings:
    """Return the settings of a command: defaults, and those that were given."""
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for name in given:
        if name not in names:
            choices = join_names(sorted([*names, *also]), None)
            raise UsageError(f"there is no setting {name!r}; choose from {choices}")
    return kind(**{name: _value(name, value, hints[name]) for name, value in given.items()})


def _value(name: str, value: Any, hint: Any) -> Any:
    """Convert a string, or strings, to the choices of an option."""
    parser = next((each.parser for each in _options(hint) if each.parser is not None), None)
    if parser is not None:
        return _parsed(name, value, parser)
    choices = next(_choices(hint), None)
    if value is None:
        return value
    if choices is None:
        _check_number_or_bool(name, value, hint)
        return value
    if _holds_list(hint):
        return [
            _choice(name, each, choices)
            for each in check_list([value] if isinstance(value, str) else value, name)
        ]
    return _choice(name, value, choices)


def _holds_list(hint: Any) -> bool:
    return get_origin(hint) is list or any(map(_holds_list, get_args(hint)))


def _check_number_or_bool(name: str, value: Any, hint: Any) -> None:
    """Check numbers and booleans as typer does for the options of a command."""
    kinds = {*get_args(hint), *(inner for each in get_args(hint) for inner in get_args(each))}
    option = next(_options(hint))
    if bool in kinds:
        if not isinstance(value, bool):
            raise UsageError(f"{name} is {value!r}; it must be True or False")
    elif (int in kinds or float in kinds) and option.min is not None:
        check_number(name, value, int(option.min), option.max, whole=float not in kinds)


def _choice(name: str, value: Any, choices: type[StrEnum]) -> StrEnum:
    try:
        return choices(value)
    except ValueError as error:
        names = join_names([repr(str(each)) for each in choices], None)
        raise UsageError(f"{name} is {value!r}; choose from {names}") from error


def _parsed(name: str, value: Any, parser: Callable[[str], Any]) -> Any:
    try:
        return parser(value)
    except typer.BadParameter as error:
        raise UsageError(f"{name}: {error.message}") from error


def _options(hint: Any) -> Iterator[OptionInfo]:
    yield from (each for each in getattr(hint, "__metadata__", ()) if isinstance(each, OptionInfo))


def _choices(hint: Any) -> Iterator[type[StrEnum]]:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        yield hint
    for inner in get_args(hint):
        yield from _choices(inner)


@contextmanager
def python_errors() -> Iterator[None]:
    """Raise what a command would report about its options as an error of Python's users."""
    try:
        yield
    except typer.BadParameter as error:
        raise UsageError(error.message) from error
