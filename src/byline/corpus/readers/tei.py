"""TEI-XML, P5 and P4: the text of the body, as its author wrote it and its editor reads it.

Left out are the header, front and back matter, speakers' names, page furniture, deletions, what
editors add about the text, and, unless asked for, notes and stage directions.

One rule holds wherever an editor gives two readings of a place (``choice``, or an attribute in
P4): the one that the editor would have read, so ``corr``, ``reg`` and ``expan`` before ``sic``,
``orig`` and ``abbr``. A misprint is the compositor's, and old spelling mostly the printer's; who
reads both sides learns every such word twice. The plain texts of the Women Writers Project have
the same side, and those of DraCor are to; stylo deletes tags alone, and so keeps both. Of an
apparatus (``app``) the lemma is read, or the first reading where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

from byline.corpus.extraction import ExclusionCounter, ExtractedText, Keep, join_paragraphs
from byline.corpus.readers import html
from byline.corpus.readers.flow import INLINE, Flow, Role, Treatment, gather
from byline.corpus.readers.markup import Element, Parsed, local_name, namespace, parse_xml
from byline.corpus.readers.tei_header import authors, title
from byline.corpus.readers.tei_words import space_words
from byline.errors import CorpusError
from byline.formatting import join_names, printable, quantity

_ROLES = {
    Role.BLOCK: "text body group div div0 div1 div2 div3 div4 div5 div6 div7 p ab head lg sp list "
    "item label row table u opener closer postscript salute signed dateline trailer argument "
    "floatingText address addrLine cit postBox desc entry listPerson castGroup",
    Role.VERSE: "l",
    Role.CELL: "cell space",
    Role.BREAK: "lb pb cb gb milestone",
}
_LEFT_OUT = {
    "TEI headers": "teiHeader",
    "front matter": "front",
    "back matter": "back",
    "title pages": "titlePage docTitle titlePart docAuthor byline docImprint docDate docEdition "
    "imprimatur",
    "cast lists": "castList",
    "speakers' names": "speaker",
    "stage directions": "stage move sound camera tech caption set",
    "notes": "note noteGrp",
    "running heads and page numbers": "fw",
    "deleted text": "del surplus secl",
    "epigraphs": "epigraph",
    "references": "listBibl biblStruct biblFull",
    "figures": "figure notatedMusic",
    "formulas": "formula",
    "gaps in the source": "gap",
    "sounds and pauses": "vocal kinesic incident pause shift writing",
    "facsimiles and annotations": "facsimile sourceDoc standOff",
    "": "index interp interpGrp spanGrp span linkGrp link joinGrp certainty respons fs fLib fvLib "
    "metamark am graphic figDesc divGen timeline alt altGrp",
}
_TREATMENTS: dict[str, Treatment] = {
    **{name: (role, "") for role, names in _ROLES.items() for name in names.split()},
    **{name: (Role.OUT, what) for what, names in _LEFT_OUT.items() for name in names.split()},
}
_OF_KEEP = {Keep.NOTES: "notes", Keep.STAGE: "stage directions"}
_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_DOCUMENT = frozenset({"TEI", "TEI.2"})
_PARAPHERNALIA = frozenset({"contents", "toc", "index", "errata", "corrigenda", "advert"})
_WITHIN_PARAGRAPH = frozenset({"p", "l", "ab", "q", "said", "hi", "emph", "seg", "u"})
_ALTERNATIVES = frozenset({"choice", "app", "rdgGrp"})
_PREFERRED = frozenset({"corr", "reg", "expan", "lem"})
_NO_READING = frozenset({"note", "wit", "witDetail"})
_EDITOR_READS = {"sic": "corr", "orig": "reg", "abbr": "expan"}  # as attributes, of P4
_BY_EDITOR = regex.compile(r"editorial|critical|textual|\bed(?:itor)?s?\b", regex.IGNORECASE)
# What EEBO-TCP writes for a hyphen at a line's end, and for a mark that cannot be read.
_OF_TCP: dict[str, Treatment] = {
    "char:EOLhyphen": (Role.BREAK_IN_WORD, ""),
    "char:punc": (Role.OUT, "gaps in the source"),
}
_NOTE_MARK = regex.compile(r"[\W\d_]{0,6}|\w")


def extract(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> ExtractedText:
    """Return the text of a TEI file; of a ``teiCorpus``, all its texts as one.

    Raises
    ------
    CorpusError
        It cannot be parsed (see `parse_xml`), or is other XML than TEI, or has no text.
    MissingExtraError
        lxml is not installed.
    """
    parsed = parse_xml(data, name)
    if local_name(parsed.root).lower() == "html":
        return html.extract(data, name, keep)
    documents = _documents(parsed.root, name)
    space_words(parsed.root)
    flow, tally = Flow(), ExclusionCounter()
    for document in documents:
        gather(document, _Reader(document, flow, keep).treat, flow, tally)
    if flow.n_hyphens:
        tally.add("hyphens at line ends", "", flow.n_hyphens)
    writers = _authors(documents)
    are_together = len(documents) == 1 or len(writers) == 1
    return ExtractedText(
        text=join_paragraphs(flow.paragraphs),
        author=(" and ".join(writers) or None) if are_together else None,
        title=title(_header(documents[0])) if len(documents) == 1 else None,
        excluded=tally.found(),
        notes=tuple(_notes(parsed, documents, writers)),
    )


def _documents(root: Element, name: str) -> list[Element]:
    """Return the TEI documents of a file: it, those of a corpus, or what a program wrapped."""
    if local_name(root) in _DOCUMENT:
        found = [root]
    else:
        found = [each for each in root.iter("*") if _is_outermost_document(each)]
    if not found:
        raise CorpusError(
            f"{name} is XML but no TEI: its outermost element is <{printable(root.tag)[:100]}>, "
            "not <TEI>; save its text as plain text"
        )
    if not any(True for each in found for _ in each.iter("{*}text")):
        raise CorpusError(f"{name} is TEI without <text>, so it holds no text to read")
    return found


def _is_outermost_document(element: Element) -> bool:
    return local_name(element) in _DOCUMENT and not any(
        local_name(above) in _DOCUMENT for above in element.iterancestors()
    )


def _header(document: Element) -> Element:
    return next(document.iterchildren("{*}teiHeader"), document.makeelement("teiHeader"))


def _authors(documents: Iterable[Element]) -> list[str]:
    return list(dict.fromkeys(each for one in documents for each in authors(_header(one))))


def _notes(parsed: Parsed, documents: list[Element], writers: list[str]) -> Iterator[str]:
    if parsed.guessed_encoding:
        yield f"the encoding is guessed as {parsed.guessed_encoding}"
    if len(documents) > 1:
        by = f" by {join_names(writers)}" if writers else ""
        yield f"{len(documents):,} texts{by} are read as one"
    if parsed.missing:
        entities = quantity(len(parsed.missing), "entity", "entities")
        yield f"{entities} of other files left out ({join_names(parsed.missing)})"
    n_elsewhere = sum(1 for _ in parsed.root.iter(_INCLUDE))
    if n_elsewhere:
        yield f"{quantity(n_elsewhere, 'part')} in other files (xi:include) and not read"


class _Reader:
    """Says of each element of one document what it is to the running text."""

    def __init__(self, document: Element, flow: Flow, keep: frozenset[Keep]) -> None:
        self._namespace = namespace(document)
        self._flow = flow
        self._kept = {_OF_KEEP[each] for each in keep}
        self._other_readings: set[Element] = set()

    def treat(self, element: Element) -> Treatment:
        name = local_name(element)
        if element.tag == _INCLUDE:
            return Role.OUT, ""
        if namespace(element) != self._namespace:
            return Role.OUT, "passages in other markup"
        if element in self._other_readings:
            return Role.OUT, "other readings of an editor's choice"
        if name in _ALTERNATIVES:
            _forget_layout(element)
            self._choose(element)
        if (attribute := _EDITOR_READS.get(name)) and element.get(attribute) is not None:
            self._flow.add(element.get(attribute))
            return Role.OUT, "other readings of an editor's choice"
        role, what = _special(element, name) or _TREATMENTS.get(name, INLINE)
        if what in self._kept:
            return _kept_role(element, name), ""
        return role, what

    def _choose(self, element: Element) -> None:
        """Take the editor's reading of several, or the first."""
        readings = [child for child in element if local_name(child) not in _NO_READING]
        preferred = [child for child in readings if local_name(child) in _PREFERRED]
        taken = (preferred or readings)[:1]
        self._other_readings.update(child for child in readings if child not in taken)


def _forget_layout(element: Element) -> None:
    """Take away the white space between alternatives, which may stand within a word."""
    if not (element.text or "").strip():
        element.text = None
    for child in element:
        if not (child.tail or "").strip():
            child.tail = None


def _special(element: Element, name: str) -> Treatment | None:
    """Treat the elements whose attributes or place say what they are; None for all others."""
    if name in ("lb", "pb", "cb", "gb", "milestone") and element.get("break") == "no":
        return Role.BREAK_IN_WORD, ""
    if name == "g" and (character := _OF_TCP.get(element.get("ref", ""))):
        return character
    if name == "note" and _is_by_editor(element):
        return Role.OUT, "editors' notes"
    if name in ("ref", "ptr") and element.get("target", "").startswith("#") and _is_mark(element):
        return Role.OUT, ""
    if name == "bibl" and _name_of_parent(element) in ("cit", "epigraph", "div", "body"):
        return Role.OUT, "references"
    if element.get("type", "").lower() in _PARAPHERNALIA and name in ("div", "list"):
        return Role.OUT, "tables of contents, lists of errata and advertisements"
    return None


def _is_by_editor(note: Element) -> bool:
    return any(map(_BY_EDITOR.search, (note.get("type", ""), note.get("resp", ""))))


def _is_mark(reference: Element) -> bool:
    return _NOTE_MARK.fullmatch("".join(reference.itertext()).strip()) is not None


def _kept_role(element: Element, name: str) -> Role:
    """Return the role of what is otherwise left out: a direction within a speech stays there."""
    if name in ("note", "noteGrp"):
        return Role.ASIDE
    return Role.INLINE if _name_of_parent(element) in _WITHIN_PARAGRAPH else Role.BLOCK


def _name_of_parent(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else local_name(parent)
