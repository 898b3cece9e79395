"""The file formats that Byline knows, by name and by content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from byline.corpus.readers.archive import Archive
from byline.corpus.readers.email_headers import is_email
from byline.errors import CorpusError

SUBTITLE_SUFFIXES = frozenset({".srt", ".vtt"})
TEXT_SUFFIXES = frozenset({".txt", ".text"}) | SUBTITLE_SUFFIXES


@dataclass(frozen=True, slots=True)
class Format:
    """A file format other than plain text.

    Attributes
    ----------
    description : str
        What messages call a file of this format, with its article: ``"a PDF"``.
    suffixes : tuple of str
        The suffixes of its files; messages recommend the first one.
    remedy : str
        What to do with a file of a format that Byline does not read. It is empty for a format
        that Byline reads.
    is_binary : bool
        Whether the content alone proves the format. Markup does not: a plain text may begin
        with a tag.
    """

    description: str
    suffixes: tuple[str, ...]
    remedy: str = ""
    is_binary: bool = True


_SAVE_AS_DOCX = (
    "Open it in Word or LibreOffice and save it as .docx, or run: soffice --headless --convert-to "
    "docx FILE"
)
_CONVERT_TO_EPUB = "Convert it to EPUB (for example with Calibre) or to plain text."

WORD = Format("a Word document", (".docx", ".docm", ".dotx"))
PDF = Format("a PDF", (".pdf",))
EPUB = Format("an EPUB e-book", (".epub",))
TEI = Format("TEI XML", (".xml", ".tei"), is_binary=False)
HTML = Format("HTML", (".html", ".htm", ".xhtml"), is_binary=False)
RTF = Format("an RTF document", (".rtf",))
ODT = Format("an OpenDocument text", (".odt", ".ott"))
FLAT_ODT = Format("a flat OpenDocument text", (".fodt",), is_binary=False)
MARKDOWN = Format("Markdown", (".md", ".markdown", ".rmd", ".qmd"), is_binary=False)
LATEX = Format("a LaTeX document", (".tex", ".ltx", ".latex"), is_binary=False)
RST = Format("reStructuredText", (".rst", ".rest"), is_binary=False)
EMAIL = Format("an e-mail", (".eml",), is_binary=False)
MAILBOX = Format("a mailbox", (".mbox", ".mbx"), is_binary=False)
CHAT = Format("a chat export", (".json",), is_binary=False)
# An archive is no text, but Byline reads what is in it: a corpus, or one questioned text.
ZIP = Format(
    "a ZIP archive",
    (".zip",),
    "Unpack it and use the files that it contains. If a program refuses to unpack it, rename it so "
    "that it ends in .zip.",
)
ENCRYPTED_WORD = Format(
    "an encrypted Word document", (), "Open it with its password and save it without one."
)
OLD_WORD = Format("a Word document in the old format", (".doc", ".dot"), _SAVE_AS_DOCX)
PAGES = Format("a Pages document", (".pages",), "Export it as .docx or as plain text.")
KINDLE = Format("a Kindle e-book", (".mobi", ".azw", ".azw3", ".prc"), _CONVERT_TO_EPUB)
OFFICE = Format(
    "a spreadsheet or presentation",
    (".xlsx", ".xls", ".pptx", ".ppt", ".ods", ".odp"),
    "Save a table as .csv with columns author and text, and slides as plain text.",
)

_CODE_SUFFIXES = (
    ".py .ipynb .r .jl .js .mjs .ts .jsx .tsx .java .kt .scala .c .h .cc .cpp .hpp .cs .go .rs "
    ".swift .rb .php .pl .lua .sh .bash .bat .ps1 .sql .css .scss .m .f90 .hs .ml .ex .clj .vb "
    ".asm .toml .yaml .yml .ini .bib .sty .cls"
)
CODE = Format(
    "program code",
    tuple(_CODE_SUFFIXES.split()),
    "If it is prose, rename it so that it ends in .txt.",
)

SUPPORTED = (
    WORD,
    PDF,
    EPUB,
    TEI,
    HTML,
    RTF,
    ODT,
    FLAT_ODT,
    MARKDOWN,
    LATEX,
    RST,
    EMAIL,
    MAILBOX,
    CHAT,
)
UNSUPPORTED = (ZIP, OLD_WORD, PAGES, KINDLE, OFFICE, CODE)
BY_SUFFIX: Mapping[str, Format] = {
    suffix: each for each in (*SUPPORTED, *UNSUPPORTED) for suffix in each.suffixes
}
DOCUMENT_SUFFIXES = frozenset(suffix for each in SUPPORTED for suffix in each.suffixes)

_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_HTML_START = re.compile(rb"\s*+(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b", re.I | re.S)
_XML_START = re.compile(rb"\s*+(?:<\?xml\b|<(?:\w+:)?(?:TEI|teiCorpus|TEI\.2)\b)")
_LATEX_START = re.compile(rb"(?:\s*+%[^\n]*+\n)*+\s*+\\documentclass\b")
_FRONT_MATTER_START = re.compile(rb"---[ \t]*+\r?\n[\w-]++:")
_FLAT_OPEN_DOCUMENT = b"urn:oasis:names:tc:opendocument:xmlns:office"
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
_HEAD = 4096  # bytes in which the first tag is looked for


def has_known_suffix(suffix: str) -> bool:
    """Return whether a suffix states the format of a file."""
    return suffix.lower() in BY_SUFFIX or suffix.lower() in TEXT_SUFFIXES


def recognize(data: bytes) -> Format | None:
    """Recognise a format by the content of a file.

    Returns
    -------
    Format or None
        None for plain text and for anything unknown.
    """
    if data.startswith(_OLE_SIGNATURE):
        return ENCRYPTED_WORD if _ENCRYPTED_PACKAGE in data else OLD_WORD
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _recognize_archive(data)
    if b"%PDF-" in data[:1024]:
        return PDF
    if data.startswith(b"{\\rtf"):
        return RTF
    if data[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        return KINDLE
    if is_email(data[:_HEAD]):
        return EMAIL
    return _recognize_markup(data[:_HEAD].removeprefix(b"\xef\xbb\xbf"))


def _recognize_archive(data: bytes) -> Format | None:
    """Distinguish the formats that are ZIP archives by the names of their members.

    A damaged archive has no recognisable format.
    """
    try:
        archive = Archive(data, "", len(_OPEN_DOCUMENT) + 100)
        if "META-INF/container.xml" in archive:
            return EPUB
        if "[Content_Types].xml" in archive:
            is_word = any(member.lower().startswith("word/") for member in archive.members)
            return WORD if is_word else OFFICE
        media_type = archive.read("mimetype") if "mimetype" in archive else b""
    except CorpusError:
        return None
    if media_type.startswith(_OPEN_DOCUMENT):
        return ODT if media_type.startswith(_OPEN_DOCUMENT + b"text") else OFFICE
    return ZIP


def _recognize_markup(head: bytes) -> Format | None:
    if _HTML_START.match(head):
        return HTML
    if _LATEX_START.match(head):
        return LATEX
    if _FRONT_MATTER_START.match(head):
        return MARKDOWN
    if _XML_START.match(head) and _FLAT_OPEN_DOCUMENT in head:
        return FLAT_ODT
    if _XML_START.match(head):
        return HTML if re.search(rb"<!doctype\s+html|<html\b", head, re.IGNORECASE) else TEI
    return None


def format_of(data: bytes, name: str, suffix: str) -> Format | None:
    """Return the format as which Byline reads a file.

    The suffix decides. Where it states no format, as for standard input, the content does.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        What messages call the file.
    suffix : str
        The suffix of its name, with the dot.

    Returns
    -------
    Format or None
        None for plain text.

    Raises
    ------
    CorpusError
        Byline does not read the format, or the suffix contradicts the content.
    """
    named, found = BY_SUFFIX.get(suffix.lower()), recognize(data)
    is_named = has_known_suffix(suffix)
    if found and found.remedy:
        raise CorpusError(
            f"{name} is {found.description}, which Byline does not read as a text. {found.remedy}"
        )
    if found and found.is_binary and found is not named and is_named:
        raise CorpusError(
            f"{name} has the content of {found.description}, but the suffix {suffix}. "
            f"Rename it so that it ends in {found.suffixes[0]}."
        )
    if named and named.remedy:
        raise CorpusError(
            f"{name} has the suffix of {named.description}, which Byline does not read. "
            f"{named.remedy}"
        )
    return named if is_named else found
