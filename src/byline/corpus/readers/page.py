"""The parts of a page, or of a chapter of an e-book, in HTML: paragraphs, notes, menus, banners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from byline.corpus.extraction import ExclusionCounter, Keep
from byline.corpus.readers.flow import INLINE, Flow, Role, Treatment, beginning, gather
from byline.corpus.readers.markup import Element
from byline.corpus.readers.page_elements import (
    CONTENTS,
    MARKS,
    NOTES,
    furniture_of,
    kind_of,
    leads_within,
    link_lists,
)

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
_TREATMENTS: dict[str, Treatment] = {
    name: (role, "") for role, names in _ROLES.items() for name in names.split()
} | {"del": (Role.OUT, "deleted text"), "s": (Role.OUT, "deleted text")}


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


def read_chapter(root: Element, keep: Iterable[Keep], tally: ExclusionCounter) -> list[str]:
    """Return the paragraphs of what is text throughout, as a chapter of an e-book is.

    Notes, their marks, page numbers and tables of contents are left out.

    Parameters
    ----------
    root : lxml element
        As `parse_page` gives it.
    keep : iterable of Keep
    tally : ExclusionCounter
        Is told what is left out.
    """
    flow = Flow()
    gather(root, _ChapterReader(flow, keep, link_lists(root), tally).treat, flow, tally)
    return flow.paragraphs


def read_pieces(root: Element, keep: Iterable[Keep], tally: ExclusionCounter) -> list[Piece]:
    """Return the paragraphs of a page in its order, those in boxes beside the text too.

    Notes that are kept come last.
    """
    flow = Flow()
    reader = _PageReader(flow, keep, link_lists(root), tally)
    gather(root, reader.treat, flow, tally)
    reader.end_part()
    return reader.pieces + reader.notes


def empty_notes(root: Element, keep: Iterable[Keep]) -> None:
    """Empty the elements of a page that are running text nowhere: notes and such."""
    for element in list(root.iter("*")):
        if (kind := kind_of(element)) and not (kind == NOTES and Keep.NOTES in keep):
            element.clear(keep_tail=True)
            element.tag = "span"


class _PartReader:
    """Says what the elements of running text are to it."""

    def __init__(
        self, flow: Flow, keep: Iterable[Keep], link_lists: set[Element], tally: ExclusionCounter
    ) -> None:
        self._flow, self._keep, self._tally = flow, frozenset(keep), tally
        self._link_lists = link_lists

    def treat(self, element: Element) -> Treatment:
        kind = kind_of(element)
        if kind == NOTES:
            return self._treat_note(element)
        if kind:
            return Role.OUT, "" if kind == MARKS else kind
        if element in self._link_lists:
            return Role.OUT, CONTENTS
        return _TREATMENTS.get(element.tag, INLINE)

    def _treat_note(self, element: Element) -> Treatment:
        """Keep a note, or count it; of a list of notes, each."""
        if Keep.NOTES in self._keep:
            return Role.ASIDE, ""
        items = [item for item in element.iter("li") if beginning(item)]
        for note in items or [element]:
            self._tally.add(NOTES, beginning(note))
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
        self, flow: Flow, keep: Iterable[Keep], link_lists: set[Element], tally: ExclusionCounter
    ) -> None:
        super().__init__(flow, keep, link_lists, tally)
        self.pieces: list[Piece] = []
        self.notes: list[Piece] = []

    def treat(self, element: Element) -> Treatment:
        if Keep.NOTES in self._keep and kind_of(element) == NOTES:
            self.notes += (Piece(text, is_note=True) for text in self._read(element))
            return Role.OUT, ""
        furniture, is_certain = furniture_of(element)
        if element in self._link_lists and not leads_within(element):
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
