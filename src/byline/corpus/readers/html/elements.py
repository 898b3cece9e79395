"""Classify the elements of an HTML page by tags, roles and classes: notes, menus, banners."""

from __future__ import annotations

import re
from collections.abc import Iterator

from byline.corpus.readers.markup import Element
from byline.corpus.readers.running_text import opening_text

_TYPE_ATTRIBUTES = ("{http://www.idpf.org/2007/ops}type", "epub:type", "role")
NOTES = "footnotes"
NOTE_MARKS = "note marks"
_PAGE_NUMBERS = "page numbers"
CONTENTS = "tables of contents"
# The names of classes, roles and EPUB types, without the prefix doc- of DPUB-ARIA.
_NAMES_OF_KIND = {
    NOTES: "footnote footnotes endnote endnotes rearnote rearnotes footnote-list sdfootnote "
    "sdendnote footnote-definition footnotetext references",
    NOTE_MARKS: "noteref footnote-ref footnote-reference footnoteref sdfootnoteanc sdendnoteanc "
    "fnanchor footnote-back footnote-backref backlink msofootnotereference sdfootnotesym "
    "sdendnotesym",
    _PAGE_NUMBERS: "pagebreak pagenum pageno page-number pagenumber",
    CONTENTS: "toc toctree-wrapper",
    "licences": "pg-boilerplate",
    "headings' links": "headerlink mw-editsection",
}
_CODE = "program code"
_CODE_CLASSES = frozenset({"sourcecode", "highlight", "codehilite", "literal-block", "code-block"})
_KIND_OF_NAME = {name: kind for kind, names in _NAMES_OF_KIND.items() for name in names.split()}
_NOTE_ID = re.compile(r"(?:sd)?(?:foot|end)note-?\d+|ftn\d+|edn\d+|fn-?\d+", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\s*+[\[({]?\s*+(?:\d{1,4}|[a-zivx]{1,5}|[*†‡§¶]{1,4})\s*+[\])}]?\s*+")

# In a page they contain a menu, and in a document no more than a title.
HEADERS = "page headers"
_NAMES_OF_BOILERPLATE = {
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
_BOILERPLATE_OF_NAME = {
    name: kind for kind, names in _NAMES_OF_BOILERPLATE.items() for name in names.split()
}
_ABOUT_OTHERS = ("has-", "with-", "no-", "is-")  # "with-sidebar" is the page next to the sidebar
_BOXES = frozenset(
    {
        *("nav", "header", "footer", "aside", "form", "dialog", "div", "section", "details"),
        *("ul", "ol", "dl", "table", "td"),
    }
)
_LINK_CONTAINERS = frozenset({"ul", "ol", "dl", "td", "div", "p", "table", "center", "nav"})
_MIN_LINKED_SHARE = 0.6  # of the characters of a list of links


def stated_types(element: Element) -> Iterator[str]:
    """Yield the names in the attributes ``epub:type``, ``role`` and ``class`` of an element."""
    for attribute in (*_TYPE_ATTRIBUTES, "class"):
        yield from _names(element, attribute)


def non_text_kind(element: Element) -> str:
    """Return the kind of an element that is nowhere running text; empty for other elements."""
    if element.attrib and (kind := _stated_kind(element)):
        return kind
    if element.tag == "figcaption":
        return "captions"
    if element.tag == "pre" and len(element) == 1 and element[0].tag == "code":
        return _CODE
    return NOTE_MARKS if _is_note_mark(element) else ""


def _stated_kind(element: Element) -> str:
    """Return the kind that the attributes of an element state."""
    for name in stated_types(element):
        if name in _KIND_OF_NAME:
            return _KIND_OF_NAME[name]
    # As a class, "note" is a box that begins with "Note:".
    types = (name for attribute in _TYPE_ATTRIBUTES for name in _names(element, attribute))
    if not {"note", "notes"}.isdisjoint(types):
        return NOTES
    if element.tag in ("div", "li", "p", "aside") and _NOTE_ID.fullmatch(element.get("id", "")):
        return NOTES
    if element.tag == "div" and element.get("title") in ("header", "footer"):  # by LibreOffice
        return "page headers and footers"
    if element.tag in ("div", "pre") and not _CODE_CLASSES.isdisjoint(_names(element, "class")):
        return _CODE
    return ""


def _is_note_mark(element: Element) -> bool:
    """Return whether an element is a superscript number that links to a place in the page."""
    if element.tag == "sup":
        links = list(element.iterchildren("a"))
    elif element.tag == "a" and any(child.tag == "sup" for child in element):
        links = [element]
    else:
        return False
    is_internal = any("#" in link.get("href", "") for link in links)
    return is_internal and _NOTE_MARK.fullmatch(opening_text(element)) is not None


def boilerplate_of(element: Element) -> tuple[str, bool]:
    """Return the kind of boilerplate that an element is, and whether this is certain.

    A tag or a role makes it certain, and a class alone does not. A form, or an element that is
    hidden at first, may contain the whole page, and is therefore uncertain too.

    Returns
    -------
    str, bool
        An empty kind for an element that is not boilerplate.
    """
    tag = element.tag
    if tag not in _BOXES:
        return "", False
    if tag == "header" and not _is_within(element, ("article", "main")):
        return HEADERS, True
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return "hidden text", False
    for name in (tag, *_names(element, "role")):
        if name in _BOILERPLATE_OF_NAME:
            return _BOILERPLATE_OF_NAME[name], name != "form"
    for name in _names(element, "class") + _names(element, "id"):
        parts = [] if name.startswith(_ABOUT_OTHERS) else [name, *re.split(r"[-_]", name)]
        for part in parts:
            if part in _BOILERPLATE_OF_NAME:
                return _BOILERPLATE_OF_NAME[part], False
    return "", False


def _is_within(element: Element, tags: tuple[str, ...]) -> bool:
    return next(element.iterancestors(*tags), None) is not None


def _names(element: Element, attribute: str) -> list[str]:
    names = element.get(attribute, "")[:500].lower().split()
    return [name.removeprefix("doc-") for name in names]


def links_within_page(element: Element) -> bool:
    """Return whether all links in an element lead to places in the same page."""
    return all(link.get("href", "#").startswith("#") for link in element.iter("a"))


def link_lists(root: Element) -> set[Element]:
    """Return the elements whose text is mainly several links, or one link and nothing else."""
    from lxml import etree

    found: set[Element] = set()
    # Of each open element: its characters, its characters in links, and its number of links.
    totals = [[0, 0, 0]]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            totals.append([len((element.text or "").strip()), 0, 0])
            continue
        characters, linked, n_links = totals.pop()
        if element.tag == "a" and element.get("href") is not None:
            linked, n_links = characters, 1
        is_list = n_links > 2 and linked > _MIN_LINKED_SHARE * characters
        if element.tag in _LINK_CONTAINERS and (is_list or 0 < characters == linked):
            found.add(element)
        above = totals[-1]
        above[0] += characters + len((element.tail or "").strip())
        above[1] += linked
        above[2] += n_links
    return found
