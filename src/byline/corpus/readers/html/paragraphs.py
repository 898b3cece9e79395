"""Divide an HTML page, or a chapter of an e-book, into paragraphs, notes and boilerplate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from byline.corpus.extraction import ExclusionCounter, Keep
from byline.corpus.readers.html.elements import (
    CONTENTS,
    NOTE_MARKS,
    NOTES,
    boilerplate_of,
    link_lists,
    links_within_page,
    non_text_kind,
)
from byline.corpus.readers.markup import Element
from byline.corpus.readers.running_text import (
    INLINE,
    ParagraphBuilder,
    Role,
    Treatment,
    collect_text,
    opening_text,
)

_TAGS_OF_ROLE = {
    Role.BLOCK: "html body main article section header footer aside nav div p h1 h2 h3 h4 h5 h6 "
    "hgroup blockquote ul ol li dl dt dd table caption thead tbody tfoot tr figure figcaption "
    "address center details summary dialog form fieldset legend hr",
    Role.PREFORMATTED: "pre listing xmp plaintext",
    Role.CELL: "td th",
    Role.LINE_BREAK: "br",
    Role.EXCLUDED: "head script style template noscript iframe object embed applet canvas audio "
    "video svg math map datalist select option optgroup textarea button input meter progress rp "
    "rt rtc title meta link base frameset frame noframes img picture source track",
}
_TREATMENTS: dict[str, Treatment] = {
    tag: (role, "") for role, tags in _TAGS_OF_ROLE.items() for tag in tags.split()
} | {"del": (Role.EXCLUDED, "deleted text"), "s": (Role.EXCLUDED, "deleted text")}


@dataclass(frozen=True, slots=True)
class PageParagraph:
    """A paragraph of a page.

    Attributes
    ----------
    text : str
    boilerplate : str
        The kind of boilerplate that contains the paragraph: a menu, a footer; or empty.
    is_certain : bool
        Whether a tag, a role or the links prove that it is boilerplate, and not a class alone.
    is_note : bool
        Whether it belongs to a note that is kept.
    """

    text: str
    boilerplate: str = ""
    is_certain: bool = False
    is_note: bool = False


def read_chapter(root: Element, keep: Iterable[Keep], excluded: ExclusionCounter) -> list[str]:
    """Return the paragraphs of a page that has no boilerplate, such as a chapter of an e-book.

    Notes, note marks, page numbers and tables of contents are excluded.

    Parameters
    ----------
    root : lxml element
        As `parse_html` returns it.
    keep : iterable of Keep
    excluded : ExclusionCounter
        Counts what is excluded.
    """
    builder = ParagraphBuilder()
    reader = _ChapterReader(builder, keep, link_lists(root), excluded)
    collect_text(root, reader.treat, builder, excluded)
    return builder.paragraphs


def read_page_paragraphs(
    root: Element, keep: Iterable[Keep], excluded: ExclusionCounter
) -> list[PageParagraph]:
    """Return the paragraphs of a page in its order, including boilerplate.

    Notes that are kept come last. The parameters are those of `read_chapter`.
    """
    builder = ParagraphBuilder()
    reader = _PageReader(builder, keep, link_lists(root), excluded)
    collect_text(root, reader.treat, builder, excluded)
    reader.end_part()
    return reader.paragraphs + reader.notes


def clear_non_text(root: Element, keep: Iterable[Keep]) -> None:
    """Empty the elements of a page that are nowhere running text, such as notes."""
    for element in list(root.iter("*")):
        if (kind := non_text_kind(element)) and not (kind == NOTES and Keep.NOTES in keep):
            element.clear(keep_tail=True)
            element.tag = "span"


class _PartReader:
    """Decides on the role of each element in running text."""

    def __init__(
        self,
        builder: ParagraphBuilder,
        keep: Iterable[Keep],
        link_lists: set[Element],
        excluded: ExclusionCounter,
    ) -> None:
        self._builder, self._keep, self._excluded = builder, frozenset(keep), excluded
        self._link_lists = link_lists

    def treat(self, element: Element) -> Treatment:
        kind = non_text_kind(element)
        if kind == NOTES:
            return self._treat_note(element)
        if kind:
            return Role.EXCLUDED, "" if kind == NOTE_MARKS else kind
        if element in self._link_lists:
            return Role.EXCLUDED, CONTENTS
        return _TREATMENTS.get(element.tag, INLINE)

    def _treat_note(self, element: Element) -> Treatment:
        """Keep a note, or count it; in a list of notes, count each."""
        if Keep.NOTES in self._keep:
            return Role.ASIDE, ""
        items = [item for item in element.iter("li") if opening_text(item)]
        for note in items or [element]:
            self._excluded.add(NOTES, opening_text(note))
        return Role.EXCLUDED, ""


class _ChapterReader(_PartReader):
    """Reads a page that has no boilerplate."""

    def treat(self, element: Element) -> Treatment:
        if element.tag == "nav":
            return Role.EXCLUDED, "navigation"
        if element.get("hidden") is not None:
            return Role.EXCLUDED, "hidden text"
        return super().treat(element)


class _PageReader(_PartReader):
    """Reads boilerplate separately from the rest, and so the notes that are kept."""

    def __init__(
        self,
        builder: ParagraphBuilder,
        keep: Iterable[Keep],
        link_lists: set[Element],
        excluded: ExclusionCounter,
    ) -> None:
        super().__init__(builder, keep, link_lists, excluded)
        self.paragraphs: list[PageParagraph] = []
        self.notes: list[PageParagraph] = []

    def treat(self, element: Element) -> Treatment:
        if Keep.NOTES in self._keep and non_text_kind(element) == NOTES:
            self.notes += (PageParagraph(text, is_note=True) for text in self._read(element))
            return Role.EXCLUDED, ""
        boilerplate, is_certain = boilerplate_of(element)
        if element in self._link_lists and not links_within_page(element):
            boilerplate, is_certain = boilerplate or "navigation", True
        if not boilerplate:
            return super().treat(element)
        self.end_part()
        self.paragraphs += (
            PageParagraph(text, boilerplate, is_certain) for text in self._read(element)
        )
        return Role.EXCLUDED, ""

    def _read(self, element: Element) -> list[str]:
        builder = ParagraphBuilder()
        reader = _PartReader(builder, self._keep, set(), self._excluded)
        collect_text(element, reader.treat, builder, self._excluded)
        return builder.paragraphs

    def end_part(self) -> None:
        """Store what was read since the last boilerplate element."""
        self._builder.end_paragraph()
        self.paragraphs += map(PageParagraph, self._builder.paragraphs)
        self._builder.paragraphs.clear()
