"""The help of a command: its options under headings, and plain names of values."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

MODEL_PANEL = "Language model"
TEXT_PANEL = "Text"
OPEN_SET_PANEL = "Open set"
PERFORMANCE_PANEL = "Performance"
_ORDER = ("Options", MODEL_PANEL, TEXT_PANEL, OPEN_SET_PANEL, PERFORMANCE_PANEL)
_TYPE = re.compile(r"<(?:list\[)?([^<>\]]+)\]?>")
_TYPE_NAMES = {"int": "N", "float": "NUMBER", "str": "TEXT", "path": "PATH"}
_RANGE = re.compile(r"(?:(\S+)<=)?x(?:<=([^\s;\]]+)|>=([^\s;\]]+))")


class PanelCommand(TyperCommand):
    """A command whose help groups the options by their ``rich_help_panel``.

    Typer prints such panels with boxes, which leave little width for the help and replace plain
    error messages by boxes too. This class prints them as plain headings.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line, with the names of arguments as they are."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece.replace("{", "").replace("}", "") for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the most important options, and the other options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        panels |= {heading: [] for heading in _ORDER}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if parameter.param_type_name == "argument":
                heading, name = "Arguments", _TYPE.sub("", name).strip("{} ")
            else:
                heading = getattr(parameter, "rich_help_panel", None) or "Options"
                name = _TYPE.sub(_type_name, name)
            panels.setdefault(heading, []).append((name, _RANGE.sub(_range_in_words, text)))
        for heading, rows in panels.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def _type_name(match: re.Match[str]) -> str:
    name = match[1].removesuffix(" range")
    return _TYPE_NAMES.get(name, name)


def _range_in_words(match: re.Match[str]) -> str:
    least, most, only_least = match.groups()
    if least is not None and most is not None:
        return f"{least} to {most}"
    return f"at least {only_least}" if only_least is not None else f"at most {most}"
