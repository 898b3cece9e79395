"""Generate the reference of the command line as Markdown, from what ``--help`` prints."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from byline.cli.main import app

HELP_OPTION = "--help"


def commands(command: Any = None, name: str = "byline") -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, each group before its commands."""
    command = command or get_command(app)
    yield name, command
    for sub_name, sub_command in getattr(command, "commands", {}).items():
        yield from commands(sub_command, f"{name} {sub_name}")


def command_reference() -> str:
    """Return the Markdown of all commands, one section per command."""
    return "\n".join(_section(name, command) for name, command in commands())


def _section(name: str, command: Any) -> str:
    context = command.context_class(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)]).replace("...}...", "...")
    parts = [
        f"({name.replace(' ', '-')})=",
        f"{'#' * max(2, len(name.split()))} {name}",
        f"```sh\n{_plain(usage)}\n```",
        _prose(inspect.cleandoc(command.help or "")),
        *_subcommands(name, command),
        f"```{{program}} {name}\n```",
        *(_parameter(parameter, context) for parameter in command.get_params(context)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _subcommands(name: str, command: Any) -> Iterator[str]:
    for sub_name, sub_command in getattr(command, "commands", {}).items():
        summary = (sub_command.help or "").partition("\n\n")[0]
        yield f"- [`{name} {sub_name}`](#{name.replace(' ', '-')}-{sub_name}): {_prose(summary)}"


def _parameter(parameter: Any, context: Any) -> str:
    """Return the Markdown of one option or argument; empty for ``--help``."""
    record = parameter.get_help_record(context)
    if record is None or HELP_OPTION in parameter.opts:
        return ""
    heading, text = record
    return f"````{{option}} {_plain(heading)}\n{_prose(text)}\n````"


def _plain(usage: str) -> str:
    """Remove types that add nothing to a name such as MODEL."""
    usage = re.sub(r" <(?:path|str|list\[Path\]|list\[str\])>$|[{}]", "", usage)
    return re.sub(r"<list\[(.*)\]>$", r"<\1>", usage)


def _prose(text: str) -> str:
    """Escape the special characters of Markdown, except between backticks."""
    parts = re.split(r"(`[^`]+`)", text)
    parts[::2] = [re.sub(r"([*_<>\[\]\\#$|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
