"""XML without its document type: what that declares is resolved here, where it is harmless.

A parser that sees no document type reads no other file, whatever its version, and expands nothing.
Characters that a file declares itself are put where it names them, and those that HTML knows
(``&eacute;``), as the DTDs of TEI P4 do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from html.entities import html5

import regex

from byline.errors import CorpusError

_LONGEST = 200  # characters that an entity may stand for
_MOST_GROWTH = 5  # times the length of the file
_ANOTHER_FILE = "<"  # as good as tags: it is not expanded
_DEEPEST = 10  # entities that stand for entities
# Of each alternative, the first character is its own: no failure is tried again otherwise.
_STRING = r"\"[^\"]*+\"|'[^']*+'"
_REMARK = r"<!--(?s:.)*?-->|<\?(?s:.)*?\?>"
_DOCUMENT_TYPE = regex.compile(
    rf"(?P<prolog>\A\s*+(?:(?:{_REMARK})\s*+)*+)<!DOCTYPE(?:\s++[\w.:-]++)?+"
    rf"(?P<outside>(?:[^\[\"'>]|{_STRING})*+)"
    rf"(?:\[(?P<declared>(?:{_REMARK}|{_STRING}|[^\]\"'<]|<(?!!--|\?))*+)\]\s*+)?>"
)
_DECLARATION = regex.compile(
    rf"(?:{_REMARK})|<!ENTITY\s++(?P<name>[\w.:-]{{1,100}})\s++"
    rf"(?:(?P<value>{_STRING})|(?:SYSTEM|PUBLIC)\b)"
)
_REFERENCE = regex.compile(r"&(?P<name>[\w.:-]{1,100});")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})


@dataclass(slots=True)
class Entities:
    """What the entities of one file stand for.

    Attributes
    ----------
    name : str
        Of the file, for messages.
    declared : mapping of str to str or None
        By name; None for more than a few characters.
    has_other : bool
        Whether other files, which are not read, may declare more.
    left : int
        Characters that may still come of them.
    missing : dict of str to None
        Those of other files, by name.
    """

    name: str
    declared: Mapping[str, str | None]
    has_other: bool
    left: int
    missing: dict[str, None] = field(default_factory=dict)

    def resolve(self, match: regex.Match[str]) -> str:
        """Return the characters for a reference, or itself where it is an error."""
        value = self._value(match["name"], match[0])
        self.left -= len(value)
        if self.left < 0:
            raise CorpusError(f"{self.name}: its entities expand without measure; it is not read")
        return value

    def _value(self, entity: str, reference: str) -> str:
        if entity in _OF_XML:
            return reference
        value = self.declared[entity] if entity in self.declared else html5.get(f"{entity};")
        if value is not None:
            return value.replace("&", "&amp;").replace("<", "&lt;")
        if entity in self.declared:
            raise CorpusError(
                f"{self.name}: its entity {entity} stands for another file, for tags, for itself, "
                f"or for more than {_LONGEST} characters, and is not expanded; put there what it "
                "stands for"
            )
        if not self.has_other:
            return reference
        self.missing[entity] = None
        return ""


def without_document_type(text: str, name: str) -> tuple[str, list[str]]:
    """Put characters for entities, and line ends for the document type.

    Returns
    -------
    str, list of str
        The text, and the names of entities that other files declare: they are left out. Others
        that are not declared are left as they are: a parser says where.

    Raises
    ------
    CorpusError
        An entity stands for more than a few characters, or all of them for several times the file.
    """
    found = _DOCUMENT_TYPE.search(text)
    subset = (found["declared"] or "") if found else ""
    has_other = found is not None and ("%" in subset or bool(found["outside"].strip()))
    if found:
        n_lines = text.count("\n", found.end("prolog"), found.end())
        text = found["prolog"] + "\n" * n_lines + text[found.end() :]
    left = _MOST_GROWTH * len(text) + 1_000_000
    entities = Entities(name, _declared(subset), has_other, left)
    return str(_REFERENCE.sub(entities.resolve, text)), list(entities.missing)


def _declared(subset: str) -> Mapping[str, str | None]:
    """Return what entities stand for; of two declarations, the first counts, as in XML."""
    values: dict[str, str] = {}
    for declaration in _DECLARATION.finditer(subset):
        if declaration["name"]:
            value = declaration["value"][1:-1] if declaration["value"] else _ANOTHER_FILE
            values.setdefault(declaration["name"], value)
    return {name: _resolved(value, values) for name, value in values.items()}


def _resolved(value: str, values: Mapping[str, str]) -> str | None:
    for _ in range(_DEEPEST):
        if len(value) > _LONGEST or "<" in value or "%" in value:
            return None
        names = {match["name"] for match in _REFERENCE.finditer(value)} - _OF_XML
        if not names & values.keys():
            return unescape(unescape(value))  # "&#38;#38;" is how DTDs write an ampersand
        value = _REFERENCE.sub(lambda match: values.get(match["name"], match[0]), value)
    return None
