"""Public names of a package as Markdown: a table of all, then each with its docstring."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

PACKAGE = "byline"


def name_reference(module_name: str, listed: frozenset[str]) -> str:
    """Write all of a module's public names.

    Parameters
    ----------
    module_name : str
    listed : frozenset of str
        Modules that have a page: what a class of theirs hands down is not repeated.
    """
    module = import_module(module_name)
    names = public_names(module)
    things = {name: getattr(module, name) for name in names}
    shown = {name: thing for name, thing in things.items() if callable(thing)}
    homes = {name: _home(name, thing, module_name, listed) for name, thing in things.items()}
    parts = [
        f"```{{py:module}} {module_name}\n```",
        _table(homes, things),
        *(
            _entry(module_name, name, thing, listed)
            for name, thing in _classes_first(shown)
            if homes[name] == module_name
        ),
    ]
    return "\n\n".join(parts) + "\n"


def public_names(module: ModuleType) -> list[str]:
    """List what ``__all__`` says; without it, what the module itself defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    defined = {
        name
        for name, thing in vars(module).items()
        if getattr(thing, "__module__", None) == module.__name__ and not name.startswith("_")
    }
    return sorted(defined)


def _classes_first(things: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(things.items(), key=lambda item: (not inspect.isclass(item[1]), item[0].lower()))


def _home(name: str, thing: Any, module_name: str, listed: frozenset[str]) -> str:
    """Of all modules that have a name, find the one whose page describes it."""
    having = [o for o in listed if getattr(import_module(o), name, None) is thing]
    return min([*having, module_name], key=lambda other: (other.count("."), other))


def _table(homes: dict[str, str], things: dict[str, Any]) -> str:
    rows = [_row(homes[name], name, thing) for name, thing in _classes_first(things)]
    return "\n".join(["| name | what it is |", "|---|---|", *rows])


def _row(home: str, name: str, thing: Any) -> str:
    if callable(thing):
        role = "class" if inspect.isclass(thing) else "func"
        summary = (inspect.getdoc(thing) or "").partition("\n\n")[0]
        return f"| {{py:{role}}}`~{home}.{name}` | {_cell(summary)} |"
    return f"| `{name}` = `{thing!r}` | {_cell(constant_doc(home, name))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|").replace("<", "\\<")


def constant_doc(module_name: str, name: str) -> str:
    """Find what the comment ``#:`` above a constant says of it, where it is defined."""
    source = _source(_origin(module_name, name))
    found = re.search(rf"((?:^#: .*\n)+){name}\b[^=\n]* = ", source, re.MULTILINE)
    return " ".join(line.removeprefix("#: ") for line in found[1].splitlines()) if found else ""


@cache
def _origin(module_name: str, name: str) -> str:
    """Follow imports to the module that defines a name."""
    for node in ast.parse(_source(module_name)).body:
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            return _origin(str(node.module), name)
    return module_name


def _source(module_name: str) -> str:
    return Path(str(import_module(module_name).__file__)).read_text(encoding="utf-8")


def _entry(module_name: str, name: str, thing: Any, listed: frozenset[str]) -> str:
    if not inspect.isclass(thing):
        return f"```{{eval-rst}}\n.. autofunction:: {module_name}.{name}\n```"
    members = sorted(set(_members(thing, listed)))
    options = [f"   :members: {', '.join(members)}"] if members else ["   :no-members:"]
    return "\n".join(["```{eval-rst}", f".. autoclass:: {module_name}.{name}", *options, "```"])


def _members(cls: type, listed: frozenset[str]) -> Iterator[str]:
    """Public methods and properties that no page of another class of ours describes."""
    for owner in cls.__mro__:
        is_shown_elsewhere = owner is not cls and _is_listed(owner, listed)
        if owner.__module__.startswith(f"{PACKAGE}.") and not is_shown_elsewhere:
            for name, member in vars(owner).items():
                function = getattr(member, "fget", getattr(member, "__func__", member))
                if not name.startswith("_") and isinstance(function, FunctionType):
                    yield name


def _is_listed(cls: type, listed: frozenset[str]) -> bool:
    return any(getattr(import_module(name), cls.__name__, None) is cls for name in listed)
