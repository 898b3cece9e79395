"""The parts of a page, or of a chapter of an e-book, in HTML: paragraphs, notes, menus, banners."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from byline.corpus.extraction import Keep, LeftOutTally
from byline.corpus.readers.flow import INLINE, Flow, Role, Treatment, beginning, gather
from byline.corpus.readers.markup import Element

_ROLES = {
    Role.BLOCK: "html body main article section header footer aside nav div p h1 h2 h3 h4 h5 h6 "
    "hgroup blockquote ul ol li dl dt dd table caption thead tbody tfoot tr figure figcaption "
    "address center details summary dialog form fieldset legend hr",
    Role.PREFORMATTED: "pre listing xmp plaintext",
    Role.CELL: "td th",
    Role.LINE_BREAK: "br",
    Role.OUT: "head script style template noscript iframe object embed applet canvas audio video "
    "svg math map datalist select option optgroup textarea button input meter progress rp rt rtc "
    "title meta link base frameset frame noframes img picture source track",
}
_TYPES = ("{http://www.idpf.org/2007/ops}type", "epub:type", "role")
_TREATMENTS: dict[str, Treatment] = {
    name: (role, "") for role, names in _ROLES.items() for name in names.split()
} | {"del": (Role.OUT, "deleted text"), "s": (Role.OUT, "deleted text")}

_NOTES = "footnotes"
_MARKS = "note marks"
_PAGES = "page numbers"
_CONTENTS = "tables of contents"
# What classes, roles and EPUB's types are called, without DPUB-ARIA's doc-.
_KINDS = {
    _NOTES: "footnote footnotes endnote endnotes rearnote rearnotes footnote-list sdfootnote "
    "sdendnote footnote-definition footnotetext references",
    _MARKS: "noteref footnote-ref footnote-reference footnoteref sdfootnoteanc sdendnoteanc "
    "fnanchor footnote-back footnote-backref backlink msofootnotereference sdfootnotesym "
    "sdendnotesym",
    _PAGES: "pagebreak pagenum pageno page-number pagenumber",
    _CONTENTS: "toc toctree-wrapper",
    "licences": "pg-boilerplate",
    "headings' links": "headerlink mw-editsection",
}
_CODE = "program code"
_CODE_CLASSES = frozenset({"sourcecode", "highlight", "codehilite", "literal-block", "code-block"})
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_UNTOLD = frozenset({_MARKS})
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


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph of a page.

    Attributes
    ----------
    text : str
    furniture : str
        The kind of box beside the text that it is in: a menu, a footer; or empty.
    is_certain : bool
        Whether a tag, a role or its links say so, and not a class alone.
    is_note : bool
        Whether it is of a note that is kept.
    """

    text: str
    furniture: str = ""
    is_certain: bool = False
    is_note: bool = False


def read_chapter(root: Element, keep: Iterable[Keep], tally: LeftOutTally) -> list[str]:
    """Return the paragraphs of what is text throughout, as a chapter of an e-book is.

    Notes, their marks, page numbers and tables of contents are left out.

    Parameters
    ----------
    root : lxml element
        As `parse_page` gives it.
    keep : iterable of Keep
    tally : LeftOutTally
        Is told what is left out.
    """
    flow = Flow()
    gather(root, _ChapterReader(flow, keep, _link_lists(root), tally).treat, flow, tally)
    return flow.paragraphs


def read_pieces(root: Element, keep: Iterable[Keep], tally: LeftOutTally) -> list[Piece]:
    """Return the paragraphs of a page in its order, those in boxes beside the text too.

    Notes that are kept come last.
    """
    flow = Flow()
    reader = _PageReader(flow, keep, _link_lists(root), tally)
    gather(root, reader.treat, flow, tally)
    reader.end_part()
    return reader.pieces + reader.notes


def empty_notes(root: Element, keep: Iterable[Keep]) -> None:
    """Empty the elements of a page that are running text nowhere: notes and such."""
    for element in list(root.iter("*")):
        if (kind := _kind(element)) and not (kind == _NOTES and Keep.NOTES in keep):
            element.clear(keep_tail=True)
            element.tag = "span"


class _PartReader:
    """Says what the elements of running text are to it."""

    def __init__(
        self, flow: Flow, keep: Iterable[Keep], link_lists: set[Element], tally: LeftOutTally
    ) -> None:
        self._flow, self._keep, self._tally = flow, frozenset(keep), tally
        self._link_lists = link_lists

    def treat(self, element: Element) -> Treatment:
        kind = _kind(element)
        if kind == _NOTES:
            return self._treat_note(element)
        if kind:
            return Role.OUT, "" if kind in _UNTOLD else kind
        if element in self._link_lists:
            return Role.OUT, _CONTENTS
        return _TREATMENTS.get(element.tag, INLINE)

    def _treat_note(self, element: Element) -> Treatment:
        """Keep a note, or count it; of a list of notes, each."""
        if Keep.NOTES in self._keep:
            return Role.ASIDE, ""
        items = [item for item in element.iter("li") if beginning(item)]
        for note in items or [element]:
            self._tally.add(_NOTES, beginning(note))
        return Role.OUT, ""


class _ChapterReader(_PartReader):
    """Reads what has no boxes beside its text."""

    def treat(self, element: Element) -> Treatment:
        if element.tag == "nav":
            return Role.OUT, "navigation"
        if element.get("hidden") is not None:
            return Role.OUT, "hidden text"
        return super().treat(element)


class _PageReader(_PartReader):
    """Reads boxes of furniture apart from the rest, and notes that are kept."""

    def __init__(
        self, flow: Flow, keep: Iterable[Keep], link_lists: set[Element], tally: LeftOutTally
    ) -> None:
        super().__init__(flow, keep, link_lists, tally)
        self.pieces: list[Piece] = []
        self.notes: list[Piece] = []

    def treat(self, element: Element) -> Treatment:
        if Keep.NOTES in self._keep and _kind(element) == _NOTES:
            self.notes += (Piece(text, is_note=True) for text in self._read(element))
            return Role.OUT, ""
        furniture, is_certain = _furniture(element)
        if element in self._link_lists and not _leads_within(element):
            furniture, is_certain = furniture or "navigation", True
        if not furniture:
            return super().treat(element)
        self.end_part()
        self.pieces += (Piece(text, furniture, is_certain) for text in self._read(element))
        return Role.OUT, ""

    def _read(self, element: Element) -> list[str]:
        flow = Flow()
        reader = _PartReader(flow, self._keep, set(), self._tally)
        gather(element, reader.treat, flow, self._tally)
        return flow.paragraphs

    def end_part(self) -> None:
        """Keep what was read since the last box."""
        self._flow.end_paragraph()
        self.pieces += map(Piece, self._flow.paragraphs)
        self._flow.paragraphs.clear()


def kinds_of(element: Element) -> Iterator[str]:
    """Yield what an element is said to be: ``epub:type``, ``role`` and ``class``."""
    for attribute in (*_TYPES, "class"):
        yield from _names(element, attribute)


def _kind(element: Element) -> str:
    """Name what an element is that is no running text anywhere; empty for all others."""
    if element.attrib and (kind := _stated_kind(element)):
        return kind
    if element.tag == "figcaption":
        return "captions"
    if element.tag == "pre" and len(element) == 1 and element[0].tag == "code":
        return _CODE
    return _MARKS if _is_note_mark(element) else ""


def _stated_kind(element: Element) -> str:
    """Name what the attributes of an element say that it is."""
    for name in kinds_of(element):
        if name in _KIND_OF:
            return _KIND_OF[name]
    if any(name in ("note", "notes") for each in _TYPES for name in _names(element, each)):
        return _NOTES  # as a class, it is a box that begins with "Note:"
    if element.tag in ("div", "li", "p", "aside") and _NOTE_ID.fullmatch(element.get("id", "")):
        return _NOTES
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


def _furniture(element: Element) -> tuple[str, bool]:
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


def _leads_within(element: Element) -> bool:
    """Whether all links of a list lead to places of the same page."""
    return all(link.get("href", "#").startswith("#") for link in element.iter("a"))


def _link_lists(root: Element) -> set[Element]:
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
