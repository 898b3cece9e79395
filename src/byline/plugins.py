"""Plugins: what other installed packages add to Byline, through entry points.

A package declares an entry point in one of the groups below. Its name is what users write, such as
``--lm NAME``. Byline finds it in the metadata of the installed packages, and imports it only when
it is used. See decision 0061.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Any

from byline.errors import PluginError

LANGUAGE_MODELS = "byline.language_models"
CLASSIFIERS = "byline.classifiers"
READERS = "byline.readers"
REPORT_SECTIONS = "byline.report_sections"


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point of an installed package.

    Attributes
    ----------
    group : str
        What it adds, such as "byline.readers".
    name : str
        The name by which it is used.
    package, version : str
        The installed package that declares it.
    """

    group: str
    name: str
    package: str
    version: str
    _entry_point: metadata.EntryPoint

    def load(self) -> Any:
        """Import and return the object.

        Raises
        ------
        PluginError
            It cannot be imported; the message names the package.
        """
        try:
            return self._entry_point.load()
        except Exception as error:
            raise self.error(
                f"{self._entry_point.value} cannot be imported ({type(error).__name__}: {error})"
            ) from error

    def error(self, reason: str) -> PluginError:
        """Return an error about this plugin that names the package and says what to do."""
        return PluginError(
            f"the package {self.package} {self.version} declares {self.name!r} in {self.group}, "
            f"but {reason}. Update the package, or uninstall it: pip uninstall {self.package}"
        )


def find_plugin(group: str, name: str, built_in: Iterable[str] = ()) -> Plugin | None:
    """Return the plugin with a name, or None if no installed package declares it.

    Parameters
    ----------
    group : str
    name : str
    built_in : iterable of str
        Names of Byline's own, which no package may declare.

    Raises
    ------
    PluginError
        Two packages declare the name, or a package declares a name of Byline's own.
    """
    found = [plugin for plugin in _installed(group, tuple(sys.path)) if plugin.name == name]
    if not found:
        return None
    if name in built_in:
        raise found[0].error("Byline itself has this name")
    if len(found) > 1:
        others = " and ".join(f"{each.package} {each.version}" for each in found[1:])
        raise found[0].error(f"{others} declares it too")
    return found[0]


def plugin_names(group: str) -> list[str]:
    """Return the names that installed packages declare in a group, sorted."""
    return sorted({plugin.name for plugin in _installed(group, tuple(sys.path))})


@lru_cache(maxsize=16)
def _installed(group: str, path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """Read the metadata of the packages on ``sys.path``, which takes some milliseconds."""
    found = []
    for entry_point in metadata.entry_points(group=group):
        dist = entry_point.dist
        name, version = (dist.name, dist.version) if dist else ("unknown", "")
        found.append(Plugin(group, entry_point.name, name, version, entry_point))
    return tuple(sorted(found, key=lambda plugin: (plugin.name, plugin.package)))
