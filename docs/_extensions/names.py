"""Generate the reference of a package as Markdown: a table of its names, then their docstrings."""

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
    """Return the Markdown of all public names of a module.

    Parameters
    ----------
    module_name : str
    listed : frozenset of str
        The modules that have a page. Members that are inherited from their classes are not
        repeated.
    """
    module = import_module(module_name)
    names = public_names(module)
    objects = {name: getattr(module, name) for name in names}
    shown = {name: value for name, value in objects.items() if callable(value)}
    homes = {name: _home(name, value, module_name, listed) for name, value in objects.items()}
    parts = [
        f"```{{py:module}} {module_name}\n```",
        _table(homes, objects),
        *(
            _entry(module_name, name, value, listed)
            for name, value in _classes_first(shown)
            if homes[name] == module_name
        ),
    ]
    return "\n\n".join(parts) + "\n"


def public_names(module: ModuleType) -> list[str]:
    """Return the names in ``__all__``; without it, those that the module itself defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    defined = {
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    }
    return sorted(defined)


def _classes_first(objects: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(objects.items(), key=lambda item: (not inspect.isclass(item[1]), item[0].lower()))


def _home(name: str, value: Any, module_name: str, listed: frozenset[str]) -> str:
    """Return the module whose page describes a name that several modules export."""
    exporting = [o for o in listed if getattr(import_module(o), name, None) is value]
    return min([*exporting, module_name], key=lambda other: (other.count("."), other))


def _table(homes: dict[str, str], objects: dict[str, Any]) -> str:
    rows = [_row(homes[name], name, value) for name, value in _classes_first(objects)]
    return "\n".join(["| name | description |", "|---|---|", *rows])


def _row(home: str, name: str, value: Any) -> str:
    if callable(value):
        role = "class" if inspect.isclass(value) else "func"
        summary = (inspect.getdoc(value) or "").partition("\n\n")[0]
        return f"| {{py:{role}}}`~{home}.{name}` | {_cell(summary)} |"
    return f"| `{name}` = `{value!r}` | {_cell(constant_doc(home, name))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|").replace("<", "\\<")


def constant_doc(module_name: str, name: str) -> str:
    """Return the comment ``#:`` above a constant, in the module that defines it."""
    source = _source(_origin(module_name, name))
    found = re.search(rf"((?:^#: .*\n)+){name}\b[^=\n]* = ", source, re.MULTILINE)
    return " ".join(line.removeprefix("#: ") for line in found[1].splitlines()) if found else ""


@cache
def _origin(module_name: str, name: str) -> str:
    """Return the module that defines a name, by following imports."""
    for node in ast.parse(_source(module_name)).body:
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            return _origin(str(node.module), name)
    return module_name


def _source(module_name: str) -> str:
    return Path(str(import_module(module_name).__file__)).read_text(encoding="utf-8")


def _entry(module_name: str, name: str, value: Any, listed: frozenset[str]) -> str:
    if not inspect.isclass(value):
        return f"```{{eval-rst}}\n.. autofunction:: {module_name}.{name}\n```"
    members = sorted(set(_members(value, listed)))
    options = [f"   :members: {', '.join(members)}"] if members else ["   :no-members:"]
    return "\n".join(["```{eval-rst}", f".. autoclass:: {module_name}.{name}", *options, "```"])


def _members(cls: type, listed: frozenset[str]) -> Iterator[str]:
    """Yield public methods and properties that the page of no other class describes."""
    for owner in cls.__mro__:
        is_shown_elsewhere = owner is not cls and _is_listed(owner, listed)
        if owner.__module__.startswith(f"{PACKAGE}.") and not is_shown_elsewhere:
            for name, member in vars(owner).items():
                function = getattr(member, "fget", getattr(member, "__func__", member))
                if not name.startswith("_") and isinstance(function, FunctionType):
                    yield name


def _is_listed(cls: type, listed: frozenset[str]) -> bool:
    return any(getattr(import_module(name), cls.__name__, None) is cls for name in listed)
