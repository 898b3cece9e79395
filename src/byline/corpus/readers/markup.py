"""Parse XML and HTML safely: no other file is read, and sizes and depths are limited."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from byline.corpus.decoding import DecodedText, decode
from byline.corpus.readers.entities import without_document_type
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import file_size, printable

MAX_MARKUP_BYTES = 64 * 2**20
MAX_TAGS = 5_000_000
# Browsers read pages up to a depth of 512, and many old pages never close their elements; libxml2
# stops at 2048.
MAX_XML_DEPTH = 250
MAX_HTML_DEPTH = 2000
MAX_HTML_ATTRIBUTES = 1000  # of one element

# An element of lxml, which has no type annotations.
Element = Any

_XML_ENCODING = re.compile(
    rb"""(?<!\s)\s*+<\?xml[^>]{0,200}?\bencoding\s*+=\s*+["']([\w.:-]{1,40})["']"""
)
_HTML_ENCODING = re.compile(
    rb"""<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
_IS_XHTML = re.compile(
    rb"""<\?xml\b|<html[^>]{0,500}?xmlns\s*+=\s*+["']http://www\.w3\.org/""", re.IGNORECASE
)
_HEAD = 4096  # bytes in which a declaration is looked for
# Not all codecs of Python are encodings of text, and some are very slow.
_TEXT_ENCODING = re.compile(
    r"ascii|utf-(?:8|16|32)|utf-(?:16|32)-[bl]e|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|big5(?:hkscs)?|"
    r"gbk?|gb2312|gb18030|euc_\w+|shift_jis(?:_2004|x0213)?|iso2022_\w+|johab|hz|tis-620|ptcp154"
)
_MAX_QUOTED = 200  # characters
_PLACE = re.compile(r", line \d+, column \d+$")


@dataclass(frozen=True, slots=True)
class ParsedMarkup:
    """A parsed file.

    Attributes
    ----------
    root : lxml element
        The outermost element.
    guessed_encoding : str or None
        The encoding, if Byline had to guess it.
    missing_entities : tuple of str
        The names of entities that other files declare, which are removed from the text.
    """

    root: Element
    guessed_encoding: str | None = None
    missing_entities: tuple[str, ...] = ()


def parse_xml(data: bytes, name: str) -> ParsedMarkup:
    """Parse XML strictly.

    Raises
    ------
    CorpusError
        The content is not well-formed (the message states line and column), has entities that
        stand for more than characters (see `without_document_type`), is nested more deeply than
        ``MAX_XML_DEPTH``, or is too large.
    MissingExtraError
        lxml is not installed.
    """
    etree = _lxml(name).etree
    decoded = _decode(data, name, _XML_ENCODING)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty. Delete it, or get it again.")
    text, missing = without_document_type(decoded.text, name)
    try:
        root = _parse_strictly(text, etree)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(error, name) from error
    if root.getroottree().docinfo.doctype:
        raise CorpusError(
            f"{name} has an invalid document type declaration (<!DOCTYPE). Remove it."
        )
    return ParsedMarkup(root, decoded.guessed_encoding, tuple(missing))


def parse_html(data: bytes, name: str) -> ParsedMarkup:
    """Parse HTML as browsers do, or XHTML; tags are in lower case and have no namespace.

    Raises
    ------
    CorpusError
        The content cannot be decoded, is empty, is nested more deeply than ``MAX_HTML_DEPTH``,
        or is too large.
    MissingExtraError
        lxml is not installed.
    """
    etree = _lxml(name).etree
    is_xhtml = _IS_XHTML.search(data[:_HEAD]) is not None
    declaration = _XML_ENCODING if _XML_ENCODING.match(data[:_HEAD]) else _HTML_ENCODING
    decoded = _decode(data, name, declaration)
    if is_xhtml:
        try:
            root = _parse_strictly(without_document_type(decoded.text, name)[0], etree)
        except etree.XMLSyntaxError:  # many pages that claim to be XHTML are not well-formed
            root = _parse_tolerantly(decoded.text, name, etree)
        else:
            _remove_namespaces(root)
    else:
        root = _parse_tolerantly(decoded.text, name, etree)
    return ParsedMarkup(root, decoded.guessed_encoding)


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute_of(element: Element, name: str) -> str | None:
    """Return an attribute by its name without namespace; None if there is none."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def namespace(element: Element) -> str:
    """Return the namespace of an element; empty if it has none."""
    return str(element.tag).rpartition("}")[0]


def _lxml(name: str) -> Any:
    try:
        import lxml.etree
    except ImportError as error:
        raise MissingExtraError(
            f'Reading {name} requires lxml. Install it: python -m pip install "byline[formats]"'
        ) from error
    return lxml


def _decode(data: bytes, name: str, declaration: re.Pattern[bytes]) -> DecodedText:
    """Decode by the declared encoding if that fits, and otherwise like any text.

    Raises
    ------
    CorpusError
        No encoding fits, or the content is too large or has too many tags.
    """
    if len(data) > MAX_MARKUP_BYTES:
        raise CorpusError(
            f"{name} is larger than {file_size(MAX_MARKUP_BYTES)}, the most that Byline "
            "reads of XML and HTML. Divide it into several files."
        )
    has_mark = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    declared = None if has_mark else declaration.search(data[:_HEAD])
    text = decode_as(data, declared[1].decode("ascii")) if declared else None
    decoded = decode(data if text is None else text.encode("utf-8", "replace"), name)
    if decoded.text.count("<") > MAX_TAGS:
        raise CorpusError(f"{name} has more than {MAX_TAGS:,} tags. Divide it into several files.")
    return decoded


def decode_as(data: bytes, encoding: str) -> str | None:
    """Decode by a declared encoding.

    Returns
    -------
    str or None
        None if the encoding is UTF-8, which is tried first anyway, or unknown, or does not fit.
    """
    try:
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):  # ValueError for NUL
        return None
    if codec == "utf-8" or not _TEXT_ENCODING.fullmatch(codec):
        return None
    # Browsers read what is called Latin-1 as Windows-1252: quotation marks instead of controls.
    for each in ("cp1252", codec) if codec in ("iso8859-1", "ascii") else (codec,):
        try:
            return data.decode(each)
        except UnicodeError:
            continue
    return None


def _parse_strictly(text: str, etree: Any) -> Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(text.encode("utf-8"), parser)


def _syntax_error(error: Any, name: str) -> CorpusError:
    line, column = error.position
    where = f"line {line:,}, column {column:,}"
    reason = _shortened(_PLACE.sub("", error.msg))
    if "depth" in reason:
        return CorpusError(
            f"{name}, {where}: elements are nested more than {MAX_XML_DEPTH} levels deep. "
            "Save its text as plain text."
        )
    remedy = "Correct it there."
    if reason.startswith("Entity "):
        reason += " in this file, and Byline reads no other file"
        remedy = "Replace the entity by the text that it stands for."
    return CorpusError(f"{name}, {where}: the XML is not well-formed ({reason}). {remedy}")


def _shortened(message: str) -> str:
    """Shorten a message that quotes the file, which may contain names of any length."""
    return printable(message if len(message) <= _MAX_QUOTED else message[:_MAX_QUOTED] + "...")


def _parse_tolerantly(text: str, name: str, etree: Any) -> Element:
    options = {
        "encoding": "utf-8",
        "no_network": True,
        "huge_tree": True,
        "remove_comments": True,
        "remove_pis": True,
    }
    data = text.encode("utf-8")
    try:
        etree.fromstring(data, etree.HTMLParser(target=_ShapeCheck(name), **options))
        root = etree.fromstring(data, etree.HTMLParser(**options))
    except etree.XMLSyntaxError as error:
        raise CorpusError(
            f"{name} contains no HTML ({_shortened(error.msg)}). Check what the file contains."
        ) from error
    if root is None:
        raise CorpusError(f"{name} contains no HTML: it is empty. Delete it, or get it again.")
    return root


class _ShapeCheck:
    """Refuses pages for which the parser of HTML would take very long, before it builds a tree.

    It adds each attribute to the end of a list that it walks along, and it cuts off elements
    that are nested deeply.
    """

    def __init__(self, name: str) -> None:
        self._name, self._depth = name, 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_HTML_DEPTH:
            raise CorpusError(
                f"{self._name} has elements that are nested more than {MAX_HTML_DEPTH:,} levels "
                "deep. Save its text as plain text."
            )
        if len(attributes) > MAX_HTML_ATTRIBUTES:
            raise CorpusError(
                f"{self._name} has an element <{_shortened(tag)}> with more than "
                f"{MAX_HTML_ATTRIBUTES:,} attributes. Save its text as plain text."
            )

    def end(self, tag: str) -> None:
        self._depth -= 1

    def close(self) -> None:
        """Return nothing: the parser asks for a result."""


def _remove_namespaces(root: Element) -> None:
    for element in root.iter("*"):
        element.tag = local_name(element).lower()
