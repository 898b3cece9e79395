"""Options whose values are Byline's own names, or names that installed packages declare."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import typer

from byline.plugins import find_plugin, plugin_names


def choice_or_plugin(own: type[StrEnum], group: str) -> Callable[[str], str]:
    """Return the parser of an option that accepts Byline's names and those of other packages."""

    def parse(value: str) -> str:
        if value in set(own):
            find_plugin(group, value, map(str, own))  # raises before training, not when saving
            return own(value)
        names = plugin_names(group)
        if value in names:
            return value
        listed = ", ".join(map(repr, dict.fromkeys([*map(str, own), *names])))
        raise typer.BadParameter(f"{value!r} is not one of {listed}.")

    return parse
