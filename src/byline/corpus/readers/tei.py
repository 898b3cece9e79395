"""Extract the text of TEI XML (P5 and P4): the body, in the reading that its editor prefers.

Excluded are the header, front and back matter, speakers' names, running heads, deletions, what
editors add about the text, and, unless they are asked for, notes and stage directions.

If an editor gives two readings of a passage (``choice``, or an attribute in P4), one rule holds:
the reading that the editor prefers is taken, so ``corr``, ``reg`` and ``expan`` before ``sic``,
``orig`` and ``abbr``. A misprint is the compositor's, and old spelling is mostly the printer's; a
model that is trained on both readings counts every such word twice. The plain texts of the Women
Writers Project have the same readings, and those of DraCor are to have them; stylo removes only the
tags, and so keeps both readings. Of a critical apparatus (``app``) the lemma is taken, or the first
reading if there is no lemma.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import regex

from byline.corpus.extraction import ExclusionCounter, ExtractedText, Keep, join_paragraphs
from byline.corpus.readers.html.document import extract_html
from byline.corpus.readers.markup import (
    Element,
    ParsedMarkup,
    local_name,
    namespace,
    parse_xml,
)
from byline.corpus.readers.running_text import (
    INLINE,
    ParagraphBuilder,
    Role,
    Treatment,
    collect_text,
    treatments_by_name,
)
from byline.errors import CorpusError
from byline.formatting import join_names, printable, quantity

_NAMES_OF_ROLE = {
    Role.BLOCK: "text body group div div0 div1 div2 div3 div4 div5 div6 div7 p ab head lg sp list "
    "item label row table u opener closer postscript salute signed dateline trailer argument "
    "floatingText address addrLine cit postBox desc entry listPerson castGroup",
    Role.VERSE: "l",
    Role.CELL: "cell space",
    Role.BREAK: "lb pb cb gb milestone",
}
_EXCLUDED_NAMES = {
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
_TREATMENTS = treatments_by_name(_NAMES_OF_ROLE, _EXCLUDED_NAMES)
_KIND_OF_KEEP = {Keep.NOTES: "notes", Keep.STAGE: "stage directions"}
_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_DOCUMENT = frozenset({"TEI", "TEI.2"})
_DIVISIONS = frozenset({"div", *(f"div{level}" for level in range(8))})
_EXCLUDED_TYPES = frozenset({"contents", "toc", "index", "errata", "corrigenda", "advert"})
_WITHIN_PARAGRAPH = frozenset({"p", "l", "ab", "q", "said", "hi", "emph", "seg", "u"})
_ALTERNATIVES = frozenset({"choice", "app", "rdgGrp"})
_PREFERRED = frozenset({"corr", "reg", "expan", "lem"})
_NOT_READINGS = frozenset({"note", "wit", "witDetail"})
_PREFERRED_ATTRIBUTE = {"sic": "corr", "orig": "reg", "abbr": "expan"}  # in P4
_BY_EDITOR = regex.compile(r"editorial|critical|textual|\bed(?:itor)?s?\b", regex.IGNORECASE)
# EEBO-TCP's signs for a hyphen at a line end, and for an illegible punctuation mark.
_TCP_CHARACTERS: dict[str, Treatment] = {
    "char:EOLhyphen": (Role.BREAK_IN_WORD, ""),
    "char:punc": (Role.EXCLUDED, "gaps in the source"),
}
_NOTE_MARK = regex.compile(r"[\W\d_]{0,6}|\w")
_OTHER_READING = "other readings of an editor's choice"

# Elements in the author's element of a header that are not part of the name.
_NOT_NAME = frozenset(
    {"idno", "note", "date", "birth", "death", "ref", "ptr", "email", "affiliation"}
)
_SUBORDINATE = frozenset({"sub", "subordinate", "desc", "volume", "part", "alt", "short"})
# "Austen, Jane (1775-1817)", "Behn, Aphra, 1640-1689.", "Anger, Jane, fl. 1589"
_YEAR = r"(?:(?:b|d|ca?|fl)\. ?){0,3}+\d{3,4}\??"
_YEARS_OF_LIFE = regex.compile(
    rf"(?<![\s,])[\s,]*+[(\[]?{_YEAR}(?: ?[-–] ?(?:{_YEAR})?)?[)\]]?\.?$"
)

_TOKENS = frozenset({"w", "pc", "c"})


def extract_tei(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> ExtractedText:
    """Return the text of a TEI file; all texts of a ``teiCorpus`` are joined.

    Raises
    ------
    CorpusError
        The content cannot be parsed (see `parse_xml`), is XML other than TEI, or has no text.
    MissingExtraError
        lxml is not installed.
    """
    parsed = parse_xml(data, name)
    if local_name(parsed.root).lower() == "html":
        return extract_html(data, name, keep)
    documents = tei_documents(parsed.root, name)
    builder, excluded = ParagraphBuilder(), ExclusionCounter()
    for document in documents:
        reader = TeiDocumentReader(document, builder, keep)
        collect_text(document, reader.treat, builder, excluded)
    if builder.n_hyphens:
        excluded.add("hyphens at line ends", "", builder.n_hyphens)
    authors = _authors(documents)
    has_one_author = len(documents) == 1 or len(authors) == 1
    return ExtractedText(
        text=join_paragraphs(builder.paragraphs),
        author=(" and ".join(authors) or None) if has_one_author else None,
        title=_title(_header(documents[0])) if len(documents) == 1 else None,
        excluded=excluded.parts(),
        warnings=tuple(_warnings(parsed, documents, authors)),
        headings=builder.headings(),
    )


def tei_documents(root: Element, name: str) -> list[Element]:
    """Return the TEI documents in a file: the root, those of a corpus, or those in a wrapper.

    The white space between words is corrected in all of them.
    """
    if local_name(root) in _DOCUMENT:
        found = [root]
    else:
        found = [each for each in root.iter("*") if _is_outermost_document(each)]
    if not found:
        raise CorpusError(
            f"{name} is XML but not TEI: its outermost element is <{printable(root.tag)[:100]}>, "
            "not <TEI>. Save its text as plain text."
        )
    if not any(True for each in found for _ in each.iter("{*}text")):
        raise CorpusError(
            f"{name} is TEI without the element <text>, so that there is no text to read. Delete "
            "it, or get the edition that contains the text."
        )
    _normalize_word_spaces(root)
    return found


def _is_outermost_document(element: Element) -> bool:
    return local_name(element) in _DOCUMENT and not any(
        local_name(above) in _DOCUMENT for above in element.iterancestors()
    )


def _header(document: Element) -> Element:
    return next(document.iterchildren("{*}teiHeader"), document.makeelement("teiHeader"))


def _authors(documents: Iterable[Element]) -> list[str]:
    return list(
        dict.fromkeys(name for each in documents for name in _header_authors(_header(each)))
    )


def _warnings(parsed: ParsedMarkup, documents: list[Element], authors: list[str]) -> Iterator[str]:
    if parsed.guessed_encoding:
        yield f"the encoding is guessed as {parsed.guessed_encoding}"
    if len(documents) > 1:
        by = f" by {join_names(authors)}" if authors else ""
        yield f"{len(documents):,} texts{by} are read as one text"
    if missing := parsed.missing_entities:
        yield (
            f"{quantity(len(missing), 'entity is', 'entities are')} declared in other files and "
            f"therefore removed ({join_names(missing)})"
        )
    n_elsewhere = sum(1 for _ in parsed.root.iter(_INCLUDE))
    if n_elsewhere:
        parts = quantity(n_elsewhere, "part is", "parts are")
        yield f"{parts} in other files (xi:include) and not read"


class TeiDocumentReader:
    """Decides on the role of each element of one document in the running text."""

    def __init__(self, document: Element, builder: ParagraphBuilder, keep: frozenset[Keep]) -> None:
        self._namespace = namespace(document)
        self._builder = builder
        self._kept = {_KIND_OF_KEEP[each] for each in keep & _KIND_OF_KEEP.keys()}
        self._other_readings: set[Element] = set()

    def treat(self, element: Element) -> Treatment:
        """Return the role of an element, and the kind under which it is counted if excluded."""
        name = local_name(element)
        if element.tag == _INCLUDE:
            return Role.EXCLUDED, ""
        if namespace(element) != self._namespace:
            return Role.EXCLUDED, "passages in other markup"
        if element in self._other_readings:
            return Role.EXCLUDED, _OTHER_READING
        if name in _ALTERNATIVES:
            _remove_spaces_between_children(element)
            self._choose(element)
        if (attribute := _PREFERRED_ATTRIBUTE.get(name)) and element.get(attribute) is not None:
            self._builder.add(element.get(attribute))
            return Role.EXCLUDED, _OTHER_READING
        role, kind = _special_treatment(element, name) or _TREATMENTS.get(name, INLINE)
        if kind in self._kept:
            return _kept_role(element, name), ""
        if name in _DIVISIONS and role is Role.BLOCK:
            self._builder.begin_part(_depth(element), _head(element))
        return role, kind

    def _choose(self, element: Element) -> None:
        """Take the reading that the editor prefers, or the first one."""
        readings = [child for child in element if local_name(child) not in _NOT_READINGS]
        preferred = [child for child in readings if local_name(child) in _PREFERRED]
        taken = (preferred or readings)[:1]
        self._other_readings.update(child for child in readings if child not in taken)


def _remove_spaces_between_children(element: Element) -> None:
    """Remove the white space between alternatives, which may stand within a word."""
    if not (element.text or "").strip():
        element.text = None
    for child in element:
        if not (child.tail or "").strip():
            child.tail = None


def _special_treatment(element: Element, name: str) -> Treatment | None:
    """Treat an element whose role depends on attributes or place; return None for all others."""
    if name in ("lb", "pb", "cb", "gb", "milestone") and element.get("break") == "no":
        return Role.BREAK_IN_WORD, ""
    if name == "g" and (character := _TCP_CHARACTERS.get(element.get("ref", ""))):
        return character
    if name == "note" and _is_by_editor(element):
        return Role.EXCLUDED, "editors' notes"
    if name in ("ref", "ptr") and element.get("target", "").startswith("#") and _is_mark(element):
        return Role.EXCLUDED, ""
    if name == "bibl" and _name_of_parent(element) in ("cit", "epigraph", "div", "body"):
        return Role.EXCLUDED, "references"
    if element.get("type", "").lower() in _EXCLUDED_TYPES and name in ("div", "list"):
        return Role.EXCLUDED, "tables of contents, lists of errata and advertisements"
    return None


def _is_by_editor(note: Element) -> bool:
    return any(map(_BY_EDITOR.search, (note.get("type", ""), note.get("resp", ""))))


def _is_mark(reference: Element) -> bool:
    return _NOTE_MARK.fullmatch("".join(reference.itertext()).strip()) is not None


def _kept_role(element: Element, name: str) -> Role:
    """Return the role of kept content; a stage direction within a speech stays there."""
    if name in ("note", "noteGrp"):
        return Role.ASIDE
    return Role.INLINE if _name_of_parent(element) in _WITHIN_PARAGRAPH else Role.BLOCK


def _depth(division: Element) -> int:
    """Return the level of a division: 1 if no other division contains it."""
    return 1 + sum(local_name(above) in _DIVISIONS for above in division.iterancestors())


def _head(division: Element) -> str:
    """Return the heading of a division in one line, or else its type and number, or else ""."""
    heads = (
        " ".join(" ".join(head.itertext()).split()) for head in division.iterchildren("{*}head")
    )
    stated = f"{division.get('type', '')} {division.get('n', '')}" if division.get("n") else ""
    return next(filter(None, heads), stated.strip().capitalize())


def _name_of_parent(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else local_name(parent)


def _header_authors(header: Element) -> list[str]:
    """Return the authors' names; ``Forename Surname`` if the header marks these parts.

    They are those of the title statement, or else the first author of the source.
    """
    description = _first_child(header, "fileDesc")
    elements = list(_first_child(description, "titleStmt").iterchildren("{*}author"))
    names = list(filter(None, map(_person_name, elements)))
    if not names:
        elements = _first_child(description, "sourceDesc").iter("{*}author")
        names = list(filter(None, map(_person_name, elements)))[:1]
    return list(dict.fromkeys(names))


def _title(header: Element) -> str | None:
    statement = _first_child(_first_child(header, "fileDesc"), "titleStmt")
    titles = list(statement.iterchildren("{*}title"))
    main = [each for each in titles if each.get("type") == "main"]
    other = [each for each in titles if each.get("type") not in _SUBORDINATE]
    return next((text for each in main + other + titles if (text := _text_of(each))), None)


def _first_child(element: Element, name: str) -> Element:
    """Return the first child of this name, or an empty element."""
    return next(element.iterchildren(f"{{*}}{name}"), element.makeelement(name))


def _person_name(author: Element) -> str:
    """Return the name of a person without the years of life; of several forms, the first."""
    person = next(author.iter("{*}persName", "{*}name"), author)
    forename, link, surname = (
        " ".join(map(_text_of, person.iter(f"{{*}}{part}")))
        for part in ("forename", "nameLink", "surname")
    )
    if forename and surname:
        return " ".join(filter(None, (forename, link, surname)))
    return str(_YEARS_OF_LIFE.sub("", _text_of(person, " ")))


def _text_of(element: Element, separator: str = "") -> str:
    return " ".join(separator.join(_name_parts(element)).split())


def _name_parts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if local_name(child) not in _NOT_NAME:
            yield from _name_parts(child)
        yield child.tail or ""


def _normalize_word_spaces(root: Element) -> None:
    """Correct the white space between words in editions that mark every word.

    Some editions have an element for each space (``<c> </c>``), so that line ends between elements
    mean nothing. Others have no space between words at all, and some state where a punctuation
    mark joins a word.
    """
    tokens = [element for element in root.iter("*") if local_name(element) in _TOKENS]
    if any(local_name(token) == "c" and _is_space(token.text) for token in tokens):
        _remove_layout_spaces(tokens)
    elif _lacks_spaces(tokens):
        for token, following in pairwise(tokens):
            if _lacks_space(token, following):
                token.tail = " "
    for token in tokens:
        _apply_join(token)


def _is_space(text: str | None) -> bool:
    return bool(text) and not str(text).strip()


def _remove_layout_spaces(tokens: list[Element]) -> None:
    for token in tokens:
        parent = token.getparent()
        if _is_space(token.tail):
            token.tail = None
        if token.getprevious() is None and parent is not None and _is_space(parent.text):
            parent.text = None


def _lacks_spaces(tokens: list[Element]) -> bool:
    pairs = [pair for pair in pairwise(tokens) if _are_adjacent_words(*pair)]
    return 2 * sum(_lacks_space(*pair) for pair in pairs) > len(pairs)


def _are_adjacent_words(token: Element, following: Element) -> bool:
    return token.getnext() is following and local_name(token) == local_name(following) == "w"


def _lacks_space(token: Element, following: Element) -> bool:
    text = "".join(token.itertext())
    is_part = token.get("part", "N") in ("I", "M") or "join" in token.keys() + following.keys()
    has_space = bool(token.tail) or text != text.rstrip()
    return _are_adjacent_words(token, following) and not (has_space or is_part)


def _apply_join(token: Element) -> None:
    """Apply the attribute ``join``, which states on which side a token has no space."""
    side, previous = token.get("join"), token.getprevious()
    if side in ("right", "both") and _is_space(token.tail):
        token.tail = None
    if side in ("left", "both") and previous is not None and _is_space(previous.tail):
        previous.tail = None
