"""Extract the text of a Word document (``.docx``): as printed, without headers and notes.

Text that was inserted while changes were tracked is included, and deleted text is not; links,
tables, text boxes and the results of fields are included too. The names of the elements are those
of ECMA-376, part 1, chapter 17.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.markup import Element, attribute_of, local_name, parse_xml

MAX_UNPACKED_BYTES = 256 * 2**20
_NOTE_ELEMENTS = {"footnotes": "footnote", "endnotes": "endnote"}
_MARGIN_KINDS = {"header": "page headers", "footer": "page footers"}
_EXCLUDED_KINDS = {
    "del": "deleted text",
    "moveFrom": "deleted text",
    "oMath": "formulas",
    "oMathPara": "formulas",
    "rt": "phonetic guides",
}
_CHARACTERS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# Elements that contain properties, and the alternative content for older programs (Fallback).
_IGNORED = {
    "Fallback",
    "sectPr",
    "tblPr",
    "trPr",
    "tcPr",
    "tblGrid",
    "sdtPr",
    "delText",
    "pPr",
    "rPr",
}
_CONTENTS_CODES = ("TOC", "INDEX", "TOA")
_OFF = ("0", "false", "off", "none")

# The paths of related parts, by the type of the relation.
Relations = Mapping[str, list[str]]


def extract_word(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of a Word document.

    Raises
    ------
    CorpusError
        The content is not a Word document, is damaged, or unpacks to far more than its size.
    MissingExtraError
        lxml is not installed.
    """
    package = _Package(Archive(data, name, MAX_UNPACKED_BYTES), name)
    main = next(iter(package.relations("").get("officeDocument", [])), "word/document.xml")
    relations = package.relations(main)
    excluded = ExclusionCounter()
    root = package.parse(main)
    paragraphs = _read_paragraphs(root, excluded)
    paragraphs += _kept_notes(package, relations, keep, excluded)
    _count_margins_and_comments(package, relations, excluded)
    has_embedded = any(local_name(element) == "altChunk" for element in root.iter("*"))
    return ExtractedText(
        join_paragraphs(paragraphs),
        package.property("creator"),
        package.property("title"),
        excluded.parts(),
        ("a file of another format is embedded and not read",) if has_embedded else (),
    )


class _Package:
    """The parts of a document, each parsed when it is needed."""

    def __init__(self, archive: Archive, name: str) -> None:
        self._archive, self._name = archive, name

    def parse(self, part: str) -> Element:
        """Return the outermost element of a part.

        Raises
        ------
        CorpusError
            The part is missing, or is not well-formed XML.
        """
        return parse_xml(self._archive.read(part), f"{self._name}, {part}").root

    def relations(self, part: str) -> Relations:
        """Return the parts to which a part, or the whole package, refers."""
        folder, base = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{base}.rels")
        found: dict[str, list[str]] = {}
        if path in self._archive:
            for relation in self.parse(path):
                relation_type = (attribute_of(relation, "Type") or "").rpartition("/")[2]
                target = posixpath.join("/", folder, attribute_of(relation, "Target") or "")
                if attribute_of(relation, "TargetMode") != "External":
                    targets = found.setdefault(relation_type, [])
                    targets.append(posixpath.normpath(target).lstrip("/"))
        return found

    def related(self, relations: Relations, relation_type: str) -> Iterator[Element]:
        """Parse each related part of a type that the archive contains."""
        for part in relations.get(relation_type, []):
            if part in self._archive:
                yield self.parse(part)

    def property(self, wanted: str) -> str | None:
        """Return a property of the document, such as its creator or its title."""
        for root in self.related(self.relations(""), "core-properties"):
            for element in root:
                if local_name(element) == wanted and (value := clean_name(element.text)):
                    return value
        return None


def _kept_notes(
    package: _Package, relations: Relations, keep: frozenset[Keep], excluded: ExclusionCounter
) -> list[str]:
    """Return the footnotes and endnotes if they are kept, and count them otherwise.

    Word itself creates notes with a type, such as the line above the notes of a page.
    """
    kept: list[str] = []
    for kind, element_name in _NOTE_ELEMENTS.items():
        for root in package.related(relations, kind):
            for note in root:
                is_note = local_name(note) == element_name
                if not is_note or attribute_of(note, "type") not in (None, "normal"):
                    continue
                texts = [text for text in _read_paragraphs(note, excluded) if text.strip()]
                if Keep.NOTES in keep:
                    kept += texts
                elif texts:
                    excluded.add(kind, " ".join(texts))
    return kept


def _count_margins_and_comments(
    package: _Package, relations: Relations, excluded: ExclusionCounter
) -> None:
    for relation_type, kind in _MARGIN_KINDS.items():
        for root in package.related(relations, relation_type):
            _count_text(root, kind, excluded)
    for root in package.related(relations, "comments"):
        for comment in root:
            _count_text(comment, "comments", excluded)


def _count_text(root: Element, kind: str, excluded: ExclusionCounter) -> None:
    if text := " ".join(_read_paragraphs(root, ExclusionCounter())).strip():
        excluded.add(kind, text)


def _read_paragraphs(root: Element, excluded: ExclusionCounter) -> list[str]:
    """Return the paragraphs below an element, and count what is excluded."""
    reader = _ParagraphReader(excluded)
    reader.read(root)
    reader.end()
    return reader.paragraphs


@dataclass(slots=True)
class _Field:
    """A field: its code, and the result that Word last computed from it."""

    code: str = ""
    has_result: bool = False
    result: str = ""

    @property
    def is_contents(self) -> bool:
        return self.code.upper().split()[:1] in [[code] for code in _CONTENTS_CODES]


class _ParagraphReader:
    def __init__(self, excluded: ExclusionCounter) -> None:
        self.paragraphs: list[str] = []
        self._excluded = excluded
        self._fragments: list[str] = []
        # The open fields. A field may begin and end anywhere, even in different paragraphs.
        self._fields: list[_Field] = []

    def read(self, element: Element) -> None:
        for child in element:
            name = local_name(child)
            if name in _EXCLUDED_KINDS:
                self._exclude(child, _EXCLUDED_KINDS[name])
            elif name in _CHARACTERS:
                self._add(_CHARACTERS[name])
            elif name not in _IGNORED:
                _READ.get(name, _ParagraphReader.read)(self, child)

    def end(self) -> None:
        """End the last paragraph, and the fields that are still open."""
        self._end_paragraph()
        while self._fields:
            self._end_field(self._fields.pop())

    def _end_paragraph(self) -> None:
        self.paragraphs.append("".join(self._fragments))
        self._fragments = []
        while self._fields and not self._fields[-1].has_result:  # a code ends with its paragraph
            self._end_field(self._fields.pop())

    def _add(self, text: str) -> None:
        contents = next((field for field in self._fields if field.is_contents), None)
        if contents:
            contents.result += text
        elif all(field.has_result for field in self._fields):
            self._fragments.append(text)

    def _exclude(self, element: Element, kind: str) -> None:
        text = "".join(
            child.text or "" for child in element.iter("*") if local_name(child) in ("t", "delText")
        )
        if text.strip():
            self._excluded.add(kind, text)

    def _paragraph(self, element: Element) -> None:
        self.read(element)
        if not _has_deleted_end(element):
            self._end_paragraph()

    def _run(self, element: Element) -> None:
        if _is_hidden(element):
            self._exclude(element, "hidden text")
        else:
            self.read(element)

    def _text(self, element: Element) -> None:
        self._add(element.text or "")

    def _field_code(self, element: Element) -> None:
        if self._fields:
            self._fields[-1].code += element.text or ""

    def _field_character(self, element: Element) -> None:
        kind = attribute_of(element, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].has_result = True
        elif kind == "end" and self._fields:
            self._end_field(self._fields.pop())

    def _simple_field(self, element: Element) -> None:
        self._fields.append(_Field(attribute_of(element, "instr") or "", has_result=True))
        self.read(element)
        self._end_field(self._fields.pop())

    def _end_field(self, field: _Field) -> None:
        if field.is_contents:
            self._excluded.add("tables of contents", field.result)
        else:
            self._excluded.add("field codes", field.code)

    def _structured_tag(self, element: Element) -> None:
        """Read a structured document tag, unless it is a table of contents."""
        if _is_contents(element):
            self._exclude(element, "tables of contents")
        else:
            self.read(element)

    def _drawing(self, element: Element) -> None:
        """Read the text boxes in a drawing before the paragraph that contains them."""
        outer, self._fragments = self._fragments, []
        for child in element.iter("*"):
            if local_name(child) == "txbxContent" and not _is_within_another(child, element):
                self.read(child)
        self._fragments = outer


_READ: Mapping[str, Callable[[_ParagraphReader, Element], None]] = {
    "p": _ParagraphReader._paragraph,
    "r": _ParagraphReader._run,
    "t": _ParagraphReader._text,
    "instrText": _ParagraphReader._field_code,
    "fldChar": _ParagraphReader._field_character,
    "fldSimple": _ParagraphReader._simple_field,
    "sdt": _ParagraphReader._structured_tag,
    "drawing": _ParagraphReader._drawing,
    "pict": _ParagraphReader._drawing,
    "object": _ParagraphReader._drawing,
}


def _is_hidden(run: Element) -> bool:
    return any(
        local_name(element) == "vanish" and attribute_of(element, "val") not in _OFF
        for properties in run
        if local_name(properties) == "rPr"
        for element in properties
    )


def _has_deleted_end(paragraph: Element) -> bool:
    """Return whether the end of a paragraph was deleted while changes were tracked.

    The next paragraph then continues it.
    """
    return any(
        local_name(element) == "del"
        for properties in paragraph
        if local_name(properties) == "pPr"
        for run_properties in properties
        if local_name(run_properties) == "rPr"
        for element in run_properties
    )


def _is_contents(tag: Element) -> bool:
    return any(
        local_name(element) == "docPartGallery"
        and attribute_of(element, "val") == "Table of Contents"
        for properties in tag
        if local_name(properties) == "sdtPr"
        for element in properties.iter("*")
    )


def _is_within_another(box: Element, drawing: Element) -> bool:
    """Return whether a text box is within another one, or is a form for older programs."""
    above = box.getparent()
    while above is not drawing:
        if local_name(above) in ("Fallback", "txbxContent"):
            return True
        above = above.getparent()
    return False
