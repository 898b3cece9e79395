"""What each element of an e-book's page is to the running text."""

from __future__ import annotations

from collections.abc import Iterator

from byline.corpus.extraction import Keep, LeftOutTally
from byline.corpus.readers.flow import INLINE, Role, Treatment
from byline.corpus.readers.markup import Element, local_name

_OUT: Treatment = (Role.OUT, "")
_NOTES = frozenset(
    {"footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "note", "notes"}
)
_NOTE_MARKS = frozenset({"noteref", "backlink", "fnanchor", "footnote-ref", "footnote-back"})
_PAGE_NUMBERS = frozenset({"pagebreak", "pagenum", "pageno", "pagenumber"})
_BOILERPLATE = frozenset({"pg-boilerplate"})
_BLOCKS = (
    "address article aside blockquote body caption center dd div dl dt figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr html li main ol p section table tbody tfoot thead tr ul"
)
_WITHOUT_TEXT = "head script style svg math object audio video rt rp"
_ROLES = {
    **dict.fromkeys(_BLOCKS.split(), Role.BLOCK),
    **dict.fromkeys(_WITHOUT_TEXT.split(), Role.OUT),
    **dict.fromkeys(("td", "th"), Role.CELL),
    "pre": Role.PREFORMATTED,
    "br": Role.LINE_BREAK,
}


def kinds_of(element: Element) -> Iterator[str]:
    """Yield what an element is said to be: ``epub:type``, ``role`` and ``class``."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2].removeprefix("epub:") in ("type", "role", "class"):
            yield from (kind.removeprefix("doc-") for kind in str(value).lower().split())


class Page:
    """Treats the elements of one page.

    Parameters
    ----------
    root : element
    keep : frozenset of Keep
    tally : LeftOutTally
        Counts the notes in a list that is left out whole.
    """

    def __init__(self, root: Element, keep: frozenset[Keep], tally: LeftOutTally) -> None:
        self._root, self._keeps_notes, self._tally = root, Keep.NOTES in keep, tally

    def treat(self, element: Element) -> Treatment:
        """Return what an element is to the running text."""
        tag = local_name(element)
        if tag == "nav":
            return (Role.OUT, "navigation")
        kinds = set(kinds_of(element))
        if kinds:
            if kinds & _NOTE_MARKS:
                return _OUT
            if kinds & _PAGE_NUMBERS:
                return (Role.OUT, "page numbers")
            if kinds & _BOILERPLATE:
                return (Role.OUT, "licences")
            if kinds & _NOTES and not self._keeps_notes:
                self._count_notes(element)
                return _OUT
        if element.get("hidden") is not None:
            return (Role.OUT, "hidden text")
        return (_ROLES[tag], "") if tag in _ROLES else INLINE

    def _count_notes(self, element: Element) -> None:
        """Count the notes in a list of them, or the one that ``element`` is."""
        items = [item for item in element.iter("li") if "".join(item.itertext()).strip()]
        for note in items or [element]:
            self._tally.add("footnotes", " ".join(note.itertext())[:500])
