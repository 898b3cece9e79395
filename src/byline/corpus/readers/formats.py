"""Which format a file has, by its name and by its content, and what reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.plain_text import TEXT_SUFFIXES
from byline.errors import CorpusError

Extract = Callable[[bytes, str, frozenset[Keep]], ExtractedText]


@dataclass(frozen=True, slots=True)
class Format:
    """A format that is read, or one that is not and ``cure`` says what to do."""

    what: str
    suffixes: tuple[str, ...]
    extract: Extract | None = None
    cure: str = ""
    is_binary: bool = True


def _extract_word(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers.word import document

    return document.extract(data, name, keep)


def _extract_pdf(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers.pdf import document

    return document.extract(data, name, keep)


def _extract_epub(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers import epub

    return epub.extract(data, name, keep)


def _extract_zip(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers import zipped

    return zipped.extract(data, name, keep)


def _extract_tei(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers import tei

    return tei.extract(data, name, keep)


def _extract_html(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    from byline.corpus.readers import html

    return html.extract(data, name, keep)


_SAVE_AS_DOCX = "save it as .docx or as plain text"
_CONVERT_TO_EPUB = "convert it to EPUB (Calibre does) or to plain text"

WORD = Format("a Word document", (".docx", ".docm", ".dotx"), _extract_word)
PDF = Format("a PDF", (".pdf",), _extract_pdf)
EPUB = Format("an e-book in EPUB", (".epub",), _extract_epub)
ZIP = Format("a ZIP archive", (".zip",), _extract_zip)
TEI = Format("TEI-XML", (".xml", ".tei"), _extract_tei, is_binary=False)
HTML = Format("HTML", (".html", ".htm", ".xhtml"), _extract_html, is_binary=False)
LOCKED_WORD = Format(
    "a Word document that is encrypted", (), cure="open it with its password and save it without"
)
OLD_WORD = Format("an old Word document", (".doc", ".dot"), cure=_SAVE_AS_DOCX)
RTF = Format("a document in RTF", (".rtf",), cure=_SAVE_AS_DOCX)
ODT = Format("a document in OpenDocument", (".odt", ".ott", ".fodt"), cure=_SAVE_AS_DOCX)
PAGES = Format("a document of Pages", (".pages",), cure="export it as .docx or as plain text")
KINDLE = Format("an e-book for Kindle", (".mobi", ".azw", ".azw3", ".prc"), cure=_CONVERT_TO_EPUB)
OFFICE = Format(
    "a spreadsheet or presentation", (".xlsx", ".xls", ".pptx", ".ppt", ".ods", ".odp"),
    cure="save a table as .csv with columns author and text, and slides as plain text",
)  # fmt: skip

READ = (WORD, PDF, EPUB, ZIP, TEI, HTML)
NOT_READ = (OLD_WORD, RTF, ODT, PAGES, KINDLE, OFFICE)
BY_SUFFIX: Mapping[str, Format] = {
    suffix: each for each in (*READ, *NOT_READ) for suffix in each.suffixes
}
# What a folder of texts may hold; an archive among them is to be unpacked first.
DOCUMENT_SUFFIXES = frozenset(
    suffix for each in READ if each is not ZIP for suffix in each.suffixes
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_HTML_START = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S)
_XML_START = re.compile(rb"\s*(?:<\?xml\b|<(?:\w+:)?(?:TEI|teiCorpus|TEI\.2)\b)")
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
_HEAD = 4096


def recognise(data: bytes) -> Format | None:
    """Return the format that the content has, or None: then it is plain text, or unknown."""
    if data.startswith(_OLE):
        return LOCKED_WORD if _ENCRYPTED_PACKAGE in data else OLD_WORD
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _recognise_archive(data)
    if b"%PDF-" in data[:1024]:
        return PDF
    if data.startswith(b"{\\rtf"):
        return RTF
    if data[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        return KINDLE
    return _recognise_markup(data[:_HEAD].removeprefix(b"\xef\xbb\xbf"))


def _recognise_archive(data: bytes) -> Format | None:
    """Tell apart what is packed as a ZIP by the names in it; a damaged one tells nothing."""
    try:
        archive = Archive(data, "", len(_OPEN_DOCUMENT) + 100)
        if "META-INF/container.xml" in archive:
            return EPUB
        if "[Content_Types].xml" in archive:
            is_word = any(member.lower().startswith("word/") for member in archive.members)
            return WORD if is_word else OFFICE
        kind = archive.read("mimetype") if "mimetype" in archive else b""
    except CorpusError:
        return None
    if kind.startswith(_OPEN_DOCUMENT):
        return ODT if kind.startswith(_OPEN_DOCUMENT + b"text") else OFFICE
    return ZIP


def _recognise_markup(head: bytes) -> Format | None:
    if _HTML_START.match(head):
        return HTML
    if _XML_START.match(head):
        return HTML if re.search(rb"<!doctype\s+html|<html\b", head, re.IGNORECASE) else TEI
    return None


def format_of(data: bytes, name: str, suffix: str) -> Format | None:
    """Return the format to read a file as; None is plain text.

    Where the suffix tells nothing, as standard input has none, the content decides.

    Raises
    ------
    CorpusError
        The format is not read, or the suffix says one and the content another.
    """
    called, found = BY_SUFFIX.get(suffix.lower()), recognise(data)
    if found and found.cure:
        raise CorpusError(f"{name} is {found.what}, which is not read; {found.cure}")
    if called and called.cure:
        raise CorpusError(f"{name} is called {called.what}, which is not read; {called.cure}")
    is_named = called is not None or suffix.lower() in TEXT_SUFFIXES
    if found and found.is_binary and found is not called and is_named:
        raise CorpusError(f"{name} is {found.what} by its content; name it {found.suffixes[0]}")
    return called if is_named else found
