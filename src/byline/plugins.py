"""Plugins: what other installed packages add to Byline, through entry points.

A package declares an entry point in one of the groups below. Its name is what users write, such as
``--lm NAME``. Byline finds it in the metadata of the installed packages, and imports it only when
it is used. See decision 0061.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Any, Generic, TypeVar

from byline.errors import BylineError, PluginError, UsageError
from byline.formatting import join_names

_Base = TypeVar("_Base")

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
        except (Exception, SystemExit) as error:  # a script that exits when it is imported
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


@contextmanager
def naming_package(group: str, used: object) -> Iterator[None]:
    """Name the package in errors of an object whose class a plugin declares.

    Errors of other objects, of Byline, and of too little memory are raised unchanged.

    Parameters
    ----------
    group : str
    used : object
        The object whose methods are called.

    Raises
    ------
    PluginError
        The object raised an error of another kind.
    """
    try:
        yield
    except (BylineError, MemoryError):
        raise
    except Exception as error:
        plugin = _declaring(group, type(used))
        if plugin is None:
            raise
        reason = f"its class {type(used).__name__} failed ({type(error).__name__}: {error})"
        raise plugin.error(reason) from error


def _declaring(group: str, its_class: type) -> Plugin | None:
    """Return the plugin that declares a class, if one does."""
    kind = getattr(its_class, "kind", None)
    found = [plugin for plugin in _installed(group, tuple(sys.path)) if plugin.name == kind]
    return next((plugin for plugin in found if plugin.load() is its_class), None)


@dataclass(frozen=True, slots=True)
class Kinds(Generic[_Base]):
    """Classes that model files name by their kind: Byline's own, registered ones, and plugins.

    Attributes
    ----------
    group : str
        The group of the entry points.
    what : str
        What a message calls the objects, such as "language model".
    base : type
        The class of which a plugin must be a subclass. Its ``kind`` must be the name of its entry
        point.
    built_in : tuple of str
        Kinds of Byline's own.
    classes : dict of str to type
        Byline's own classes, and registered ones.
    """

    group: str
    what: str
    base: type[_Base]
    built_in: tuple[str, ...]
    classes: dict[str, type[_Base]]

    def names(self) -> list[str]:
        """Return all kinds, Byline's own first."""
        return list(dict.fromkeys([*self.built_in, *self.classes, *plugin_names(self.group)]))

    def find(self, kind: str, package: object = None) -> type[_Base]:
        """Return the class of a kind.

        Parameters
        ----------
        kind : str
        package : object
            What a file records as the package that declares the class; it is not trusted.

        Raises
        ------
        UsageError
            No class has this kind.
        PluginError
            The package is missing or broken, or its name is taken.
        """
        plugin = find_plugin(self.group, kind, self.built_in)
        if plugin is not None:
            return self._load(plugin)
        if kind in self.classes:
            return self.classes[kind]
        if isinstance(package, str) and re.fullmatch(r"[\w.-]{1,80} [\w.+!-]{1,40}", package):
            raise PluginError(
                f"the {self.what} {kind!r} was added to Byline by the package {package}, which is "
                "not installed here. If you trust it, install it: pip install "
                f"{package.partition(' ')[0]}"
            )
        raise UsageError(
            f"{kind!r} is not a kind of {self.what} that this Byline knows; it knows "
            f"{join_names(self.names(), None)}"
        )

    def make(self, kind: str) -> _Base:
        """Return an object of a class with its default parameters; errors as in `find`."""
        its_class = self.find(kind)
        try:
            return its_class()
        except TypeError as error:
            plugin = find_plugin(self.group, kind, self.built_in)
            if plugin is None:
                raise
            reason = f"its parameters need default values ({error})"
            raise plugin.error(reason) from error

    def of_entry(self, entry: Mapping[str, Any]) -> type[_Base]:
        """Return the class that `entry` described; errors as in `find`."""
        return self.find(str(entry["kind"]), entry.get("package"))

    def entry(self, its_class: type) -> dict[str, str]:
        """Return what a file records of a class: its kind, and the package that declares it.

        Raises
        ------
        UsageError
            The class could not be found when the file is loaded.
        """
        kind = str(getattr(its_class, "kind", ""))
        plugin = find_plugin(self.group, kind, self.built_in) if kind else None
        if plugin is not None and self._load(plugin) is its_class:
            return {"kind": kind, "package": f"{plugin.package} {plugin.version}"}
        for own, registered in self.classes.items():
            if registered is its_class:
                return {"kind": own}
        raise UsageError(
            f"a {its_class.__name__} cannot be saved; use a {self.what} of kind "
            f"{join_names(self.names(), None)}, or declare the class as an entry point of the "
            f"group {self.group}"
        )

    def _load(self, plugin: Plugin) -> type[_Base]:
        loaded = plugin.load()
        if not (isinstance(loaded, type) and issubclass(loaded, self.base)):
            base = f"{self.base.__module__}.{self.base.__name__}"
            raise plugin.error(f"it is {loaded!r:.60}, not a subclass of {base}")
        kind = getattr(loaded, "kind", None)
        if kind != plugin.name:
            raise plugin.error(
                f"the kind of its class {loaded.__name__} is {kind!r}; the two must be equal"
            )
        return loaded


@lru_cache(maxsize=16)
def _installed(group: str, path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """Read the metadata of the packages on ``sys.path``, which takes some milliseconds."""
    found = []
    for entry_point in metadata.entry_points(group=group):
        dist = entry_point.dist
        name, version = (dist.name, dist.version) if dist else ("unknown", "")
        found.append(Plugin(group, entry_point.name, name, version, entry_point))
    return tuple(sorted(found, key=lambda plugin: (plugin.name, plugin.package)))
