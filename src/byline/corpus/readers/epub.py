"""E-books (EPUB 2 and 3): the chapters in reading order, without what a publisher puts around."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import regex

from byline.corpus.extraction import ExclusionCounter, ExtractedText, Keep, join_paragraphs
from byline.corpus.readers.archive import Archive
from byline.corpus.readers.markup import Element, local_name, parse_page, parse_xml
from byline.corpus.readers.page import read_chapter
from byline.corpus.readers.page_elements import kinds_of
from byline.errors import CorpusError
from byline.formatting import quantity

MAX_UNPACKED_BYTES = 256 * 2**20
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
# Whole pages that are no part of the work, as EPUB 3 (Structural Semantics) and EPUB 2 call them.
_NAVIGATION = frozenset({"toc", "landmarks", "page-list", "loi", "lot", "index", "nav", "contents"})
_COVER = frozenset({"cover", "titlepage", "title-page", "halftitlepage", "halftitle"})
_COLOPHON = frozenset(
    {"colophon", "imprint", "copyright-page", "copyright", "uncopyright", "other-credits"}
)
_WHOLE_PAGES = {
    **dict.fromkeys(_NAVIGATION, "navigation"),
    **dict.fromkeys(_COVER, "covers and title pages"),
    **dict.fromkeys(_COLOPHON, "colophons and copyright pages"),
}
# What generators call such files, where they do not say it otherwise: title_page.xhtml, cover1.
_FILE_NAME = regex.compile(r"(?:\d+[-_])?(?P<kind>[a-z]+(?:[-_][a-z]+)?)[-_]?\d*")


@dataclass(frozen=True, slots=True)
class _Item:
    """A file that the package lists."""

    path: str
    media_type: str
    properties: frozenset[str]


def extract(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of an e-book.

    Raises
    ------
    CorpusError
        It is no e-book, is protected against copying, or is damaged or made to explode.
    MissingExtraError
        lxml is not installed.
    """
    archive = Archive(data, name, MAX_UNPACKED_BYTES)
    path = _package_path(archive, name)
    package = parse_xml(archive.read(path), f"{name}, {path}").root
    spine, extra = _spine(package, posixpath.dirname(path))
    _refuse_protected(archive, [item.path for item in spine], name)
    excluded = ExclusionCounter()
    paragraphs: list[str] = []
    guides = _guides(package, posixpath.dirname(path))
    n_pages = 0
    for item in spine:
        page = parse_page(archive.read(item.path), f"{name}, {item.path}").root
        if what := _part_of_the_book(item, page, guides.get(item.path, "")):
            excluded.add(what, _said(page))
        else:
            paragraphs += read_chapter(page, keep, excluded)
            n_pages += 1
    if extra:
        excluded.add("pages outside the reading order", "", extra)
    text = join_paragraphs(paragraphs)
    pictures = f"{quantity(n_pages, 'page')} without text: are they pictures? run OCR on them first"
    return ExtractedText(
        text, _authors(package), next(_metadata(package, "title"), None), excluded.found(),
        () if text else (pictures,),
    )  # fmt: skip


def _package_path(archive: Archive, name: str) -> str:
    if _CONTAINER not in archive:
        raise CorpusError(f"{name} is no e-book in EPUB: it lacks {_CONTAINER}")
    container = parse_xml(archive.read(_CONTAINER), f"{name}, {_CONTAINER}").root
    for element in container.iter("*"):
        if local_name(element) == "rootfile" and element.get("full-path"):
            return posixpath.normpath(unquote(element.get("full-path")))
    raise CorpusError(f"{name} is no e-book that can be read: {_CONTAINER} names no package")


def _named(package: Element, name: str) -> Iterator[Element]:
    return (element for element in package.iter("*") if local_name(element) == name)


def _resolve(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _spine(package: Element, folder: str) -> tuple[list[_Item], int]:
    """Return the pages in reading order, and how many are listed that are outside of it."""
    items = {
        item.get("id"): _Item(
            _resolve(folder, item.get("href", "")),
            item.get("media-type", ""),
            frozenset(item.get("properties", "").split()),
        )
        for item in _named(package, "item")
    }
    references = [
        (items[reference.get("idref")], reference.get("linear") == "no")
        for reference in _named(package, "itemref")
        if reference.get("idref") in items
    ]
    pages = [(item, outside) for item, outside in references if item.media_type in _PAGES]
    inside = list(dict.fromkeys(item for item, outside in pages if not outside))
    return inside, sum(outside for _, outside in pages)


def _guides(package: Element, folder: str) -> dict[str, str]:
    """Return what EPUB 2 calls a page, by its path."""
    return {
        _resolve(folder, guide.get("href", "")): guide.get("type", "").lower()
        for guide in _named(package, "reference")
    }


def _part_of_the_book(item: _Item, page: Element, guide: str) -> str:
    """Return what a whole page is, where it is not a part of the work; else nothing."""
    if "nav" in item.properties:
        return "navigation"
    stem = posixpath.splitext(posixpath.basename(item.path))[0].lower()
    called = _FILE_NAME.fullmatch(stem)
    names = [guide, *_kinds_of_page(page), called["kind"].replace("_", "-") if called else ""]
    return next((_WHOLE_PAGES[name] for name in names if name in _WHOLE_PAGES), "")


def _kinds_of_page(page: Element) -> Iterator[str]:
    """Yield the kinds of the body, and of a section that is all there is in it."""
    for body in page.iter("body"):
        yield from kinds_of(body)
        if len(body) == 1:
            yield from kinds_of(body[0])


def _said(page: Element) -> str:
    return " ".join(text for body in page.iter("body") for text in body.itertext())[:500]


def _refuse_protected(archive: Archive, pages: list[str], name: str) -> None:
    """Refuse a book whose pages are encrypted; fonts often are, and are not read."""
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
            f"{name} is protected against copying (DRM), and cannot be read; get it without, or "
            "as another format"
        )


def _metadata(package: Element, wanted: str) -> Iterator[str]:
    for element in _named(package, wanted):
        if said := " ".join("".join(element.itertext()).split()):
            yield said


def _authors(package: Element) -> str | None:
    return " and ".join(dict.fromkeys(_metadata(package, "creator"))) or None
