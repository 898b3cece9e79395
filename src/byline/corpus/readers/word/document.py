"""Word documents (``.docx``): the text as it would be printed, without what stands around it.

What was inserted while changes were tracked is text, and what was deleted is not; so are links,
tables, text boxes and the results of fields. ECMA-376, part 1, chapter 17 names the elements.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.markup import Element, local_name, parse_xml
from byline.corpus.readers.word.body import attribute, read_paragraphs

MAX_UNPACKED_BYTES = 256 * 2**20
_NOTES = {"footnotes": "footnote", "endnotes": "endnote"}
_AROUND = {"header": "page headers", "footer": "page footers"}

# The path of each part that another one names, by the kind of what it is to that one.
Relations = Mapping[str, list[str]]


def extract(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of a Word document.

    Raises
    ------
    CorpusError
        It is no Word document, or is damaged or made to explode.
    MissingExtraError
        lxml is not installed.
    """
    package = _Package(Archive(data, name, MAX_UNPACKED_BYTES), name)
    main = next(iter(package.relations("").get("officeDocument", [])), "word/document.xml")
    relations = package.relations(main)
    excluded = ExclusionCounter()
    root = package.parse(main)
    paragraphs = read_paragraphs(root, excluded)
    paragraphs += _notes(package, relations, keep, excluded)
    _count_around(package, relations, excluded)
    unread = sum(local_name(element) == "altChunk" for element in root.iter("*"))
    return ExtractedText(
        join_paragraphs(paragraphs),
        package.property("creator"),
        package.property("title"),
        excluded.found(),
        ("it embeds a file of another format, which is not read",) if unread else (),
    )


class _Package:
    """The parts of a document, each parsed when it is asked for."""

    def __init__(self, archive: Archive, name: str) -> None:
        self._archive, self._name = archive, name

    def parse(self, part: str) -> Element:
        """Return the outermost element of a part.

        Raises
        ------
        CorpusError
            It is missing, or no XML.
        """
        return parse_xml(self._archive.read(part), f"{self._name}, {part}").root

    def relations(self, part: str) -> Relations:
        """Return the parts that ``part``, or the whole package, is made up of."""
        folder, base = posixpath.split(part)
        listed = posixpath.join(folder, "_rels", f"{base}.rels")
        found: dict[str, list[str]] = {}
        if listed in self._archive:
            for relation in self.parse(listed):
                kind = (attribute(relation, "Type") or "").rpartition("/")[2]
                target = posixpath.join("/", folder, attribute(relation, "Target") or "")
                if attribute(relation, "TargetMode") != "External":
                    found.setdefault(kind, []).append(posixpath.normpath(target).lstrip("/"))
        return found

    def all_of(self, relations: Relations, kind: str) -> Iterator[Element]:
        """Parse each part of a kind that is there."""
        for part in relations.get(kind, []):
            if part in self._archive:
                yield self.parse(part)

    def property(self, wanted: str) -> str | None:
        """Return a property that the document has as a file: its creator, its title."""
        for root in self.all_of(self.relations(""), "core-properties"):
            for element in root:
                if local_name(element) == wanted and (said := clean_name(element.text)):
                    return said
        return None


def _notes(
    package: _Package, relations: Relations, keep: frozenset[Keep], excluded: ExclusionCounter
) -> list[str]:
    """Return foot- and endnotes, in the order of their parts, where they are kept; or count them.

    What Word itself puts there, such as the rule above a note that goes on, has a type.
    """
    kept: list[str] = []
    for kind, singular in _NOTES.items():
        for root in package.all_of(relations, kind):
            for note in root:
                is_note = local_name(note) == singular
                if not is_note or attribute(note, "type") not in (None, "normal"):
                    continue
                said = [text for text in read_paragraphs(note, excluded) if text.strip()]
                if Keep.NOTES in keep:
                    kept += said
                elif said:
                    excluded.add(kind, " ".join(said))
    return kept


def _count_around(package: _Package, relations: Relations, excluded: ExclusionCounter) -> None:
    """Count headers, footers and comments."""
    for kind, what in _AROUND.items():
        for root in package.all_of(relations, kind):
            if said := " ".join(read_paragraphs(root, ExclusionCounter())).strip():
                excluded.add(what, said)
    for root in package.all_of(relations, "comments"):
        for comment in root:
            if said := " ".join(read_paragraphs(comment, ExclusionCounter())).strip():
                excluded.add("comments", said)
