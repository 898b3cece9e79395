"""Safe parsing of XML and HTML: nothing is fetched, nothing explodes, errors say where."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any

from byline.corpus.decoding import DecodedText, decode
from byline.corpus.readers.entities import without_document_type
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import printable

MAX_MARKUP_BYTES = 64 * 2**20
MAX_TAGS = 5_000_000
# Browsers read pages 512 deep, and many an old page never ends its elements; libxml2 ends at 2048.
MAX_DEPTH = 250
MAX_PAGE_DEPTH = 2000

# An element of lxml, which has no types of its own.
Element = Any

_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']""")
_HTML_ENCODING = re.compile(
    rb"""<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
_IS_XHTML = re.compile(
    rb"""\s*<\?xml\b|<html[^>]{0,500}?xmlns\s*=\s*["']http://www\.w3\.org/""", re.IGNORECASE
)
_HEAD = 4096
# Not all of Python's codecs are encodings of text, and some take very long.
_ENCODING = re.compile(
    r"ascii|utf-(?:8|16|32)|utf-(?:16|32)-[bl]e|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|big5(?:hkscs)?|"
    r"gbk?|gb2312|gb18030|euc_\w+|shift_jis(?:_2004|x0213)?|iso2022_\w+|johab|hz|tis-620|ptcp154"
)
_LONGEST_QUOTE = 200
_PLACE = re.compile(r", line \d+, column \d+$")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file of markup.

    Attributes
    ----------
    root : lxml element
        The outermost one.
    guess : str or None
        The encoding where it had to be guessed.
    missing : tuple of str
        Entities that other files declare, and that are left out.
    """

    root: Element
    guessed_encoding: str | None = None
    missing: tuple[str, ...] = ()


def parse_xml(data: bytes, name: str) -> Parsed:
    """Parse XML strictly.

    Raises
    ------
    CorpusError
        It is no well-formed XML (the message has line and column), has entities that are more than
        characters (see `without_document_type`), is nested deeper than ``MAX_DEPTH``, or too large.
    MissingExtraError
        lxml is not installed.
    """
    etree = _lxml(name).etree
    decoded = _decode(data, name, _XML_ENCODING)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty; delete it, or get it again")
    text, missing = without_document_type(decoded.text, name)
    try:
        root = _parse_strictly(text, etree)
    except etree.XMLSyntaxError as error:
        raise _not_xml(error, name) from error
    if root.getroottree().docinfo.doctype:
        raise CorpusError(f"{name} has a document type (<!DOCTYPE) that is broken; take it out")
    return Parsed(root, decoded.guessed_encoding, tuple(missing))


def parse_page(data: bytes, name: str) -> Parsed:
    """Parse HTML as browsers do, or XHTML; tags are small letters without a namespace.

    Raises
    ------
    CorpusError
        It cannot be decoded, is empty, nested deeper than ``MAX_PAGE_DEPTH``, or too large.
    MissingExtraError
        lxml is not installed.
    """
    etree = _lxml(name).etree
    is_xhtml = _IS_XHTML.search(data[:_HEAD]) is not None
    declared = _XML_ENCODING if _XML_ENCODING.match(data[:_HEAD]) else _HTML_ENCODING
    decoded = _decode(data, name, declared)
    if is_xhtml:
        try:
            root = _parse_strictly(without_document_type(decoded.text, name)[0], etree)
        except etree.XMLSyntaxError:  # as many pages are that are called XHTML
            root = _parse_tolerantly(decoded.text, name, etree)
        else:
            _forget_namespaces(root)
    else:
        root = _parse_tolerantly(decoded.text, name, etree)
    return Parsed(root, decoded.guessed_encoding)


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def namespace(element: Element) -> str:
    """Return an element's namespace, which may be none at all."""
    return str(element.tag).rpartition("}")[0]


def _lxml(name: str) -> Any:
    try:
        import lxml.etree
    except ImportError as error:
        raise MissingExtraError(
            f'reading {name} needs lxml; type: python -m pip install "byline[formats]"'
        ) from error
    return lxml


def _decode(data: bytes, name: str, declaration: re.Pattern[bytes]) -> DecodedText:
    """Decode by the declaration where that is true, else as any text.

    Raises
    ------
    CorpusError
        Nothing decodes it, or it is too large, or has too many tags.
    """
    if len(data) > MAX_MARKUP_BYTES:
        raise CorpusError(
            f"{name} is larger than {MAX_MARKUP_BYTES / 2**20:,.0f} MiB, the most that is read of "
            "marked-up text; cut it into several files"
        )
    has_mark = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    declared = None if has_mark else declaration.search(data[:_HEAD])
    text = _decode_as(data, declared[1].decode("ascii")) if declared else None
    decoded = decode(data if text is None else text.encode("utf-8", "replace"), name)
    if decoded.text.count("<") > MAX_TAGS:
        raise CorpusError(f"{name} has more than {MAX_TAGS:,} tags; cut it into several files")
    return decoded


def _decode_as(data: bytes, encoding: str) -> str | None:
    """Decode by a declared encoding; None where it is unknown, wrong, or no matter."""
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        return None
    if codec == "utf-8" or not _ENCODING.fullmatch(codec):
        return None
    # What is called Latin-1 is Windows-1252 to browsers: the other has controls there.
    for each in ("cp1252", codec) if codec in ("iso8859-1", "ascii") else (codec,):
        try:
            return data.decode(each)
        except UnicodeError:
            continue
    return None


def _parse_strictly(text: str, etree: Any) -> Element:
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, load_dtd=False, no_network=True,
        huge_tree=False, remove_comments=True, remove_pis=True,
    )  # fmt: skip
    return etree.fromstring(text.encode("utf-8"), parser)


def _not_xml(error: Any, name: str) -> CorpusError:
    line, column = error.position
    where, said = f"line {line:,}, column {column:,}", _shortened(_PLACE.sub("", error.msg))
    if "depth" in said:
        return CorpusError(f"{name}, {where}: elements are nested deeper than {MAX_DEPTH}")
    if said.startswith("Entity "):
        said += " in this file, and no other file is read; put there what it stands for"
    else:
        said += "; mend it there"
    return CorpusError(f"{name} is no XML that can be read: {where}: {said}")


def _shortened(message: str) -> str:
    """Cut a message that quotes the file, which may have a name of any length."""
    return printable(
        message if len(message) <= _LONGEST_QUOTE else message[:_LONGEST_QUOTE] + "..."
    )


def _parse_tolerantly(text: str, name: str, etree: Any) -> Element:
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        raise CorpusError(f"{name} holds no HTML: {_shortened(error.msg)}") from error
    if root is None:
        raise CorpusError(f"{name} holds no HTML: it is empty")
    if _is_deeper(root, MAX_PAGE_DEPTH, etree):
        raise CorpusError(
            f"{name} has elements nested deeper than {MAX_PAGE_DEPTH:,}; it is not read"
        )
    return root


def _is_deeper(root: Element, limit: int, etree: Any) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limit:
            return True
    return False


def _forget_namespaces(root: Element) -> None:
    for element in root.iter("*"):
        element.tag = local_name(element).lower()
