"""Extract the text of an e-book (EPUB 2 or 3): its chapters, without covers and colophons."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import regex

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Heading,
    Keep,
    join_paragraphs,
)
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.epub_contents import contents_of, headings_of_page
from byline.corpus.readers.html.elements import stated_types
from byline.corpus.readers.html.paragraphs import read_chapter
from byline.corpus.readers.markup import Element, local_name, parse_html, parse_xml
from byline.errors import CorpusError
from byline.formatting import quantity

MAX_UNPACKED_BYTES = 256 * 2**20
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_NCX = "application/x-dtbncx+xml"
_PAGE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
# Pages that are not part of the work, by their names in EPUB 3 (Structural Semantics) and EPUB 2.
_NAVIGATION = frozenset({"toc", "landmarks", "page-list", "loi", "lot", "index", "nav", "contents"})
_COVER = frozenset({"cover", "titlepage", "title-page", "halftitlepage", "halftitle"})
_COLOPHON = frozenset(
    {"colophon", "imprint", "copyright-page", "copyright", "uncopyright", "other-credits"}
)
_EXCLUDED_PAGES = {
    **dict.fromkeys(_NAVIGATION, "navigation"),
    **dict.fromkeys(_COVER, "covers and title pages"),
    **dict.fromkeys(_COLOPHON, "colophons and copyright pages"),
}
# How programs name the files of such pages: title_page.xhtml, cover1.xhtml.
_FILE_NAME = regex.compile(r"(?:\d+[-_])?(?P<type>[a-z]+(?:[-_][a-z]+)?)[-_]?\d*")


@dataclass(frozen=True, slots=True)
class _Item:
    """A file that the package document lists."""

    path: str
    media_type: str
    properties: frozenset[str]


def extract_epub(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of an e-book.

    Raises
    ------
    CorpusError
        The content is not an e-book, is protected against copying, is damaged, or unpacks to far
        more than its size.
    MissingExtraError
        lxml is not installed.
    """
    archive = Archive(data, name, MAX_UNPACKED_BYTES)
    path = _package_path(archive, name)
    package = parse_xml(archive.read(path), f"{name}, {path}").root
    spine, n_outside = _spine(package, posixpath.dirname(path))
    _refuse_protected(archive, [item.path for item in spine], name)
    excluded = ExclusionCounter()
    paragraphs: list[str] = []
    headings: list[Heading] = []
    titles = _titles(archive, package, posixpath.dirname(path), name)
    guide = _guide(package, posixpath.dirname(path))
    n_pages = 0
    for item in spine:
        page = parse_html(archive.read(item.path), f"{name}, {item.path}").root
        if kind := _excluded_page_kind(item, page, guide.get(item.path, "")):
            excluded.add(kind, _text_of(page))
        else:
            own = read_chapter(page, keep, excluded)
            headings += headings_of_page(page, own, titles.get(item.path))
            paragraphs += own
            n_pages += 1
    if n_outside:
        excluded.add("pages outside the reading order", "", n_outside)
    text = join_paragraphs(paragraphs)
    no_text = (
        f"{quantity(n_pages, 'page contains', 'pages contain')} no text; if they are pictures, run "
        "OCR on them first"
    )
    return ExtractedText(
        text,
        _authors(package),
        next(_metadata(package, "title"), None),
        excluded.parts(),
        () if text else (no_text,),
        headings=tuple(headings),
    )


def _package_path(archive: Archive, name: str) -> str:
    if _CONTAINER not in archive:
        raise CorpusError(
            f"{name} is not an EPUB e-book: it lacks {_CONTAINER}. Get it again, or rename it to "
            "the suffix of its format."
        )
    container = parse_xml(archive.read(_CONTAINER), f"{name}, {_CONTAINER}").root
    for element in container.iter("*"):
        if local_name(element) == "rootfile" and element.get("full-path"):
            return posixpath.normpath(unquote(element.get("full-path")))
    raise CorpusError(
        f"{name} cannot be read as an EPUB e-book: {_CONTAINER} names no package document. Get it "
        "again."
    )


def _elements(package: Element, name: str) -> Iterator[Element]:
    return (element for element in package.iter("*") if local_name(element) == name)


def _resolve(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _spine(package: Element, folder: str) -> tuple[list[_Item], int]:
    """Return the pages in reading order, and the number of pages outside of it."""
    items = {
        item.get("id"): _Item(
            _resolve(folder, item.get("href", "")),
            item.get("media-type", ""),
            frozenset(item.get("properties", "").split()),
        )
        for item in _elements(package, "item")
    }
    references = [
        (items[reference.get("idref")], reference.get("linear") == "no")
        for reference in _elements(package, "itemref")
        if reference.get("idref") in items
    ]
    pages = [(item, outside) for item, outside in references if item.media_type in _PAGE_TYPES]
    inside = list(dict.fromkeys(item for item, outside in pages if not outside))
    return inside, sum(outside for _, outside in pages)


def _titles(archive: Archive, package: Element, folder: str, name: str) -> dict[str, str]:
    """Return the titles of the pages in the table of contents; empty if there is none."""
    for item in _elements(package, "item"):
        path = _resolve(folder, item.get("href", ""))
        is_ncx = item.get("media-type") == _NCX
        if (is_ncx or "nav" in item.get("properties", "").split()) and path in archive:
            parse = parse_xml if is_ncx else parse_html
            return contents_of(parse(archive.read(path), f"{name}, {path}").root, path)
    return {}


def _guide(package: Element, folder: str) -> dict[str, str]:
    """Return the type that the guide of EPUB 2 states of each page, by its path."""
    return {
        _resolve(folder, reference.get("href", "")): reference.get("type", "").lower()
        for reference in _elements(package, "reference")
    }


def _excluded_page_kind(item: _Item, page: Element, guide_type: str) -> str:
    """Return the kind of a page that is not part of the work; empty for other pages."""
    if "nav" in item.properties:
        return "navigation"
    stem = posixpath.splitext(posixpath.basename(item.path))[0].lower()
    match = _FILE_NAME.fullmatch(stem)
    name_type = match["type"].replace("_", "-") if match else ""
    types = [guide_type, *_page_types(page), name_type]
    return next((_EXCLUDED_PAGES[each] for each in types if each in _EXCLUDED_PAGES), "")


def _page_types(page: Element) -> Iterator[str]:
    """Yield the stated types of the body, and of a section that is its only child."""
    for body in page.iter("body"):
        yield from stated_types(body)
        if len(body) == 1:
            yield from stated_types(body[0])


def _text_of(page: Element) -> str:
    return " ".join(text for body in page.iter("body") for text in body.itertext())[:500]


def _refuse_protected(archive: Archive, pages: list[str], name: str) -> None:
    """Refuse a book with encrypted pages; encrypted fonts are common, and are not read."""
    if _ENCRYPTION not in archive:
        return
    root = parse_xml(archive.read(_ENCRYPTION), f"{name}, {_ENCRYPTION}").root
    encrypted = {
        _resolve("", element.get("URI", ""))
        for element in root.iter("*")
        if local_name(element) == "CipherReference"
    }
    if encrypted & set(pages):
        raise CorpusError(
            f"{name} is protected against copying (DRM). Get it without protection, or in another "
            "format."
        )


def _metadata(package: Element, wanted: str) -> Iterator[str]:
    for element in _elements(package, wanted):
        if value := " ".join("".join(element.itertext()).split()):
            yield value


def _authors(package: Element) -> str | None:
    return " and ".join(dict.fromkeys(_metadata(package, "creator"))) or None
