"""Remove the document type from XML, and resolve the entities that are harmless.

A parser that sees no document type reads no other file and expands nothing, in every version.
Entities that the file declares, and those of HTML (``&eacute;``) that the DTDs of TEI P4 declare,
are replaced by their characters first.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from html import unescape
from html.entities import html5

import regex

from byline.errors import CorpusError

_MAX_CHARACTERS = 200  # for which one entity may stand
_MAX_GROWTH = 5  # times the length of the file
_OTHER_FILE = "<"  # as a value: like tags, it is not expanded
# Each alternative begins with a different character, so that a failed match is not tried again in
# another way.
_STRING = r"\"[^\"]*+\"|'[^']*+'"
_COMMENT = r"<!--(?s:.)*?-->|<\?(?s:.)*?\?>"
_DOCUMENT_TYPE = regex.compile(
    rf"(?P<prolog>\A\s*+(?:(?:{_COMMENT})\s*+)*+)<!DOCTYPE(?:\s++[\w.:-]++)?+"
    rf"(?P<external>(?:[^\[\"'>]|{_STRING})*+)"
    rf"(?:\[(?P<internal>(?:{_COMMENT}|{_STRING}|[^\]\"'<]|<(?!!--|\?))*+)\]\s*+)?>"
)
_DECLARATION = regex.compile(
    rf"<!--(?s:.)*?(?:-->|\Z)|<\?(?s:.)*?(?:\?>|\Z)|<!ENTITY\s++(?P<name>[\w.:-]{{1,100}})\s++"
    rf"(?:(?P<value>{_STRING})|(?:SYSTEM|PUBLIC)\b)|{_STRING}"
)
_REFERENCE = regex.compile(r"&(?P<name>[\w.:-]{1,100});")
_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})


@dataclass(slots=True)
class Entities:
    """The entities of one file.

    Attributes
    ----------
    name : str
        What messages call the file.
    declared : mapping of str to str or None
        The value by the entity's name; None for more than a few characters.
    has_external : bool
        Whether other files, which are not read, may declare more.
    remaining : int
        The number of characters to which entities may still expand.
    missing : dict of str to None
        The names of entities that other files declare, in the order of their use.
    """

    name: str
    declared: Mapping[str, str | None]
    has_external: bool
    remaining: int
    missing: dict[str, None] = field(default_factory=dict)

    def resolve(self, match: regex.Match[str]) -> str:
        """Return the characters for a reference; an undeclared reference stays as it is."""
        value = self._value(match["name"], match[0])
        self.remaining -= len(value)
        if self.remaining < 0:
            raise CorpusError(
                f"{self.name} has entities that expand to far more than the size of the file. "
                "Replace them by the text that they stand for."
            )
        return value

    def _value(self, entity: str, reference: str) -> str:
        if entity in _PREDEFINED:
            return reference
        value = self.declared[entity] if entity in self.declared else html5.get(f"{entity};")
        if value is not None:
            return value.replace("&", "&amp;").replace("<", "&lt;")
        if entity in self.declared:
            raise CorpusError(
                f"{self.name} uses the entity {entity}, which Byline does not expand: it stands "
                "for another file, for tags, for itself, or for more than "
                f"{_MAX_CHARACTERS} characters. Replace it by the text that it stands for."
            )
        if not self.has_external:
            return reference
        self.missing[entity] = None
        return ""


def without_document_type(text: str, name: str) -> tuple[str, list[str]]:
    """Replace entities by their characters, and the document type by as many line ends.

    Returns
    -------
    str, list of str
        The text, and the names of entities that other files declare, which are removed. An
        entity that nothing declares stays in the text, so that the parser reports its place.

    Raises
    ------
    CorpusError
        An entity stands for more than a few characters, or all entities together expand to
        several times the size of the file.
    """
    found = _DOCUMENT_TYPE.search(text)
    subset = (found["internal"] or "") if found else ""
    has_external = found is not None and ("%" in subset or bool(found["external"].strip()))
    if found:
        n_lines = text.count("\n", found.end("prolog"), found.end())
        text = found["prolog"] + "\n" * n_lines + text[found.end() :]
    remaining = _MAX_GROWTH * len(text) + 1_000_000
    entities = Entities(name, _declared(subset), has_external, remaining)
    return str(_REFERENCE.sub(entities.resolve, text)), list(entities.missing)


def _declared(subset: str) -> Mapping[str, str | None]:
    """Return the values of declared entities; of two declarations the first counts, as in XML."""
    values: dict[str, str] = {}
    for declaration in _DECLARATION.finditer(subset):
        if declaration["name"]:
            value = declaration["value"][1:-1] if declaration["value"] else _OTHER_FILE
            values.setdefault(declaration["name"], value)
    return _resolved(values)


def _resolved(values: Mapping[str, str]) -> Mapping[str, str | None]:
    """Return the characters that each entity stands for, or None for more than a few.

    An entity is resolved after those that it refers to, so that each value is read once, and no
    value grows beyond the limit. Entities that refer to themselves have no such order.
    """
    short = {name: value for name, value in values.items() if _may_be_expanded(value)}
    order = TopologicalSorter(
        {name: _references(value) & values.keys() for name, value in short.items()}
    )
    with suppress(CycleError):
        order.prepare()
    expanded = dict.fromkeys(values)
    while order.is_active():
        for name in order.get_ready():
            expanded[name] = _expanded(short[name], expanded) if name in short else None
            order.done(name)
    # DTDs write an ampersand as "&#38;#38;".
    return {name: value and unescape(unescape(value)) for name, value in expanded.items()}


def _may_be_expanded(value: str) -> bool:
    return len(value) <= _MAX_CHARACTERS and "<" not in value and "%" not in value


def _references(value: str) -> set[str]:
    return {match["name"] for match in _REFERENCE.finditer(value)} - _PREDEFINED


def _expanded(value: str, expanded: Mapping[str, str | None]) -> str | None:
    """Replace references to declared entities, none of which is longer than the limit."""
    known = {name: expanded[name] for name in _references(value) & expanded.keys()}
    if None in known.values():
        return None
    whole = str(_REFERENCE.sub(lambda match: known.get(match["name"], match[0]), value))
    return whole if len(whole) <= _MAX_CHARACTERS else None
