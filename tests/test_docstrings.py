"""Every public class and function has an example, and every example is run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import byline

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def _modules() -> Iterator[str]:
    for found in pkgutil.walk_packages(byline.__path__, "byline."):
        if not found.name.endswith("__main__"):
            yield found.name


def _module(name: str) -> ModuleType:
    return importlib.import_module(name)


def _public() -> Iterator[tuple[str, str]]:
    """Every class and function in a package's ``__all__``, with the package."""
    for name in _modules():
        module = _module(name)
        if hasattr(module, "__path__"):
            for public in getattr(module, "__all__", ()):
                if inspect.isclass(value := getattr(module, public)) or inspect.isfunction(value):
                    yield name, public


MODULES = list(_modules())
PUBLIC = sorted({getattr(_module(m), n): (m, n) for m, n in _public()}.values())


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_print_what_they_show(name: str) -> None:
    outcome = doctest.testmod(_module(name), optionflags=OPTIONS)
    assert outcome.failed == 0


@pytest.mark.parametrize(("module", "name"), PUBLIC)
def test_a_public_class_or_function_has_an_example(module: str, name: str) -> None:
    documented: Any = getattr(_module(module), name)
    assert ">>> " in (inspect.getdoc(documented) or "")
