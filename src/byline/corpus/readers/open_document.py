"""Extract the text of an OpenDocument text (``.odt``, ``.ott``, and ``.fodt``, which is one file).

As in Word documents, tracked insertions, tables, text boxes and the results of fields are included,
and deleted or hidden text, notes, comments and page headers are not. The names of the elements are
those of OpenDocument 1.3, part 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.markup import Element, attribute_of, local_name, parse_xml
from byline.corpus.readers.running_text import (
    INLINE,
    ParagraphBuilder,
    Role,
    Treatment,
    collect_text,
    opening_text,
    treatments_by_name,
)
from byline.errors import CorpusError

MAX_UNPACKED_BYTES = 256 * 2**20
_MANIFEST = "META-INF/manifest.xml"
_NAMES_OF_ROLE = {
    Role.BLOCK: "text p h list list-item list-header table table-row table-cell section",
    Role.CELL: "s tab",
    Role.LINE_BREAK: "line-break",
    Role.ASIDE: "text-box",
}
_EXCLUDED_NAMES = {
    "deleted text": "deletion",
    "comments": "annotation",
    "tables of contents": "table-of-content illustration-index table-index object-index user-index "
    "alphabetical-index",
    "references": "bibliography",
    "formulas": "math",
    "phonetic guides": "ruby-text",
    "hidden text": "hidden-text hidden-paragraph",
    "": "binary-data title desc script forms sequence-decls "
    "variable-decls user-field-decls dde-connection-decls",
}
_TREATMENTS = treatments_by_name(_NAMES_OF_ROLE, _EXCLUDED_NAMES)
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_MARGINS = {"header": "page headers", "footer": "page footers"}


def extract_open_document(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of an OpenDocument text, packed or flat.

    Raises
    ------
    CorpusError
        The content is not an OpenDocument text, is encrypted or damaged, or unpacks to far more
        than its size.
    MissingExtraError
        lxml is not installed.
    """
    roots = list(_parts(data, name))
    body = next((found for root in roots for found in root.iter("{*}body")), None)
    text = None if body is None else next(body.iterchildren("{*}text"), None)
    if text is None:
        raise CorpusError(
            f"{name} is not an OpenDocument text: it has no element <office:text>. Save it as "
            ".docx or as plain text."
        )
    builder, excluded = ParagraphBuilder(), ExclusionCounter()
    _remove_labels(text)
    _remove_deletions(text, excluded)
    collect_text(text, _Reader(roots, keep).treat, builder, excluded)
    _count_margins(roots, excluded)
    return ExtractedText(
        join_paragraphs(builder.paragraphs),
        _property(roots, "initial-creator") or _property(roots, "creator"),
        _property(roots, "title"),
        excluded.parts(),
    )


def _parts(data: bytes, name: str) -> Iterator[Element]:
    """Yield the outermost elements of the parts that contain text, styles and properties."""
    if not data.startswith(b"PK"):
        yield parse_xml(data, name).root
        return
    archive = Archive(data, name, MAX_UNPACKED_BYTES)
    if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
        raise CorpusError(
            f"{name} is encrypted. Open it with its password and save it without one."
        )
    for part in ("content.xml", "styles.xml", "meta.xml"):
        if part == "content.xml" or part in archive:
            yield parse_xml(archive.read(part), f"{name}, {part}").root


def _remove_labels(text: Element) -> None:
    """Remove the numbers of notes, and who changed or commented on a passage, and when."""
    from lxml import etree

    names = ("{*}note-citation", "{*}change-info", f"{_DUBLIN_CORE}creator", f"{_DUBLIN_CORE}date")
    etree.strip_elements(text, *names, with_tail=False)


def _remove_deletions(text: Element, excluded: ExclusionCounter) -> None:
    """Remove deleted text that is still in its place, between a ``change-start`` and its end."""
    from lxml import etree

    deletions = {
        attribute_of(region, "id")
        for region in text.iter("{*}changed-region")
        if any(not len(deletion) for deletion in region.iterchildren("{*}deletion"))
    }
    if not deletions:
        return
    current, removed = None, list[str]()
    for event, element in etree.iterwalk(text, events=("start", "end")):
        if event == "start" and current == attribute_of(element, "change-id") is not None:
            excluded.add("deleted text", "".join(removed))
            current = None
        elif event == "start" and current is not None:
            removed.append(element.text or "")
            element.text = None
        elif event == "start" and local_name(element) == "change-start":
            identifier = attribute_of(element, "change-id")
            current, removed = (identifier if identifier in deletions else None), []
        elif event == "end" and current is not None:
            removed.append(element.tail or "")
            element.tail = None


class _Reader:
    """Decides on the role of each element in the running text."""

    def __init__(self, roots: list[Element], keep: frozenset[Keep]) -> None:
        self._keeps_notes = Keep.NOTES in keep
        self._hidden_styles = {
            attribute_of(style, "name")
            for root in roots
            for style in root.iter("{*}style")
            for properties in style.iterchildren("{*}text-properties")
            if attribute_of(properties, "display") == "none"
        }

    def treat(self, element: Element) -> Treatment:
        name = local_name(element)
        if name == "note":
            kind = "endnotes" if attribute_of(element, "note-class") == "endnote" else "footnotes"
            return (Role.ASIDE, "") if self._keeps_notes else (Role.EXCLUDED, kind)
        if name == "deletion" and not len(element):
            return Role.EXCLUDED, ""
        if name == "section" and attribute_of(element, "display") == "none":
            return Role.EXCLUDED, "hidden text"
        if (
            name in ("span", "p", "h")
            and attribute_of(element, "style-name") in self._hidden_styles
        ):
            return Role.EXCLUDED, "hidden text"
        return _TREATMENTS.get(name, INLINE)


def _count_margins(roots: list[Element], excluded: ExclusionCounter) -> None:
    """Count each header and footer once; a first page or a left page may have its own."""
    seen = set()
    for root in roots:
        for styles in root.iter("{*}master-styles"):
            for element in styles.iter("*"):
                kind = _MARGINS.get(local_name(element).partition("-")[0])
                text = opening_text(element) if kind else ""
                if kind and text and text not in seen:
                    seen.add(text)
                    excluded.add(kind, text)


def _property(roots: list[Element], wanted: str) -> str | None:
    for root in roots:
        for meta in root.iter("{*}meta"):
            for element in meta.iterchildren(f"{{*}}{wanted}"):
                if value := clean_name(element.text):
                    return value
    return None
