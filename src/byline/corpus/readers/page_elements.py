"""What the elements of a page say they are: notes, menus, banners, by tags, roles and classes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from byline.corpus.readers.flow import beginning
from byline.corpus.readers.markup import Element

_TYPES = ("{http://www.idpf.org/2007/ops}type", "epub:type", "role")
NOTES = "footnotes"
MARKS = "note marks"
_PAGES = "page numbers"
CONTENTS = "tables of contents"
# What classes, roles and EPUB's types are called, without DPUB-ARIA's doc-.
_KINDS = {
    NOTES: "footnote footnotes endnote endnotes rearnote rearnotes footnote-list sdfootnote "
    "sdendnote footnote-definition footnotetext references",
    MARKS: "noteref footnote-ref footnote-reference footnoteref sdfootnoteanc sdendnoteanc "
    "fnanchor footnote-back footnote-backref backlink msofootnotereference sdfootnotesym "
    "sdendnotesym",
    _PAGES: "pagebreak pagenum pageno page-number pagenumber",
    CONTENTS: "toc toctree-wrapper",
    "licences": "pg-boilerplate",
    "headings' links": "headerlink mw-editsection",
}
_CODE = "program code"
_CODE_CLASSES = frozenset({"sourcecode", "highlight", "codehilite", "literal-block", "code-block"})
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_NOTE_ID = re.compile(r"(?:sd)?(?:foot|end)note-?\d+|ftn\d+|edn\d+|fn-?\d+", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\s*[\[({]?\s*(?:\d{1,4}|[a-zivx]{1,5}|[*†‡§¶]{1,4})\s*[\])}]?\s*")

HEADERS = "page headers"  # they have a menu in a page, and no more than a title in a document
_FURNITURE = {
    "navigation": "nav navbar navigation menu menubar breadcrumb breadcrumbs search toolbar pager "
    "pagination sphinxsidebar catlinks navbox skip",
    "comments": "comment comments disqus respond comment-list commentlist",
    "cookie banners": "cookie cookies consent gdpr dialog alertdialog modal",
    "asides": "aside complementary sidebar related share sharing social sharedaddy promo widget "
    "advert advertisement ads newsletter subscribe recommended teaser teasers",
    HEADERS: "banner masthead site-header page-header",
    "page footers": "footer contentinfo colophon site-footer",
    "forms": "form",
}
_FURNITURE_OF = {name: kind for kind, names in _FURNITURE.items() for name in names.split()}
_ABOUT_OTHERS = ("has-", "with-", "no-", "is-")  # "with-sidebar" is the page beside it
_BOXES = frozenset(
    {"nav", "header", "footer", "aside", "form", "dialog", "div", "section", "details"}
)
_BOXES |= {"ul", "ol", "dl", "table", "td"}
_CONTAINERS = frozenset({"ul", "ol", "dl", "td", "div", "p", "table", "center", "nav"})
_MIN_LINKED = 0.6  # of a menu's letters


def kinds_of(element: Element) -> Iterator[str]:
    """Yield what an element is said to be: ``epub:type``, ``role`` and ``class``."""
    for attribute in (*_TYPES, "class"):
        yield from _names(element, attribute)


def kind_of(element: Element) -> str:
    """Name what an element is that is no running text anywhere; empty for all others."""
    if element.attrib and (kind := _stated_kind(element)):
        return kind
    if element.tag == "figcaption":
        return "captions"
    if element.tag == "pre" and len(element) == 1 and element[0].tag == "code":
        return _CODE
    return MARKS if _is_note_mark(element) else ""


def _stated_kind(element: Element) -> str:
    """Name what the attributes of an element say that it is."""
    for name in kinds_of(element):
        if name in _KIND_OF:
            return _KIND_OF[name]
    if any(name in ("note", "notes") for each in _TYPES for name in _names(element, each)):
        return NOTES  # as a class, it is a box that begins with "Note:"
    if element.tag in ("div", "li", "p", "aside") and _NOTE_ID.fullmatch(element.get("id", "")):
        return NOTES
    if element.tag == "div" and element.get("title") in ("header", "footer"):  # of LibreOffice
        return "page headers and footers"
    if element.tag in ("div", "pre") and not _CODE_CLASSES.isdisjoint(_names(element, "class")):
        return _CODE
    return ""


def _is_note_mark(element: Element) -> bool:
    """Whether an element is a raised number that is a link within the page."""
    if element.tag == "sup":
        links = list(element.iterchildren("a"))
    elif element.tag == "a" and any(child.tag == "sup" for child in element):
        links = [element]
    else:
        return False
    leads_within = any("#" in link.get("href", "") for link in links)
    return leads_within and _NOTE_MARK.fullmatch(beginning(element)) is not None


def furniture_of(element: Element) -> tuple[str, bool]:
    """Name the kind of furniture that a box is, and whether its tag or role says so.

    A form, or what is hidden at first, may be the whole page: that is no more certain than a class.
    """
    tag = element.tag
    if tag not in _BOXES:
        return "", False
    if tag == "header" and not _is_within(element, ("article", "main")):
        return HEADERS, True
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return "hidden text", False
    for name in (tag, *_names(element, "role")):
        if name in _FURNITURE_OF:
            return _FURNITURE_OF[name], name != "form"
    for name in _names(element, "class") + _names(element, "id"):
        parts = [] if name.startswith(_ABOUT_OTHERS) else [name, *re.split(r"[-_]", name)]
        for part in parts:
            if part in _FURNITURE_OF:
                return _FURNITURE_OF[part], False
    return "", False


def _is_within(element: Element, tags: tuple[str, ...]) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _names(element: Element, attribute: str) -> list[str]:
    names = element.get(attribute, "")[:500].lower().split()
    return [name.removeprefix("doc-") for name in names]


def leads_within(element: Element) -> bool:
    """Whether all links of a list lead to places of the same page."""
    return all(link.get("href", "#").startswith("#") for link in element.iter("a"))


def link_lists(root: Element) -> set[Element]:
    """Return the elements whose text is several links for the most part, or one and no more."""
    from lxml import etree

    found: set[Element] = set()
    totals = [[0, 0, 0]]  # letters, letters in links, links; of each element that is open
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            totals.append([len((element.text or "").strip()), 0, 0])
            continue
        letters, linked, n_links = totals.pop()
        if element.tag == "a" and element.get("href") is not None:
            linked, n_links = letters, 1
        is_list = n_links > 2 and linked > _MIN_LINKED * letters
        if element.tag in _CONTAINERS and (is_list or 0 < letters == linked):
            found.add(element)
        above = totals[-1]
        above[0] += letters + len((element.tail or "").strip())
        above[1] += linked
        above[2] += n_links
    return found
