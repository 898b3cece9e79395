"""Find the speeches in TEI XML: those of the characters of a play, or those of a transcript."""

from __future__ import annotations

import regex

from byline.corpus.dialogue.turns import Dialogue, Turn
from byline.corpus.extraction import ExclusionCounter, Keep, join_paragraphs
from byline.corpus.readers.markup import Element, local_name, parse_xml
from byline.corpus.readers.running_text import ParagraphBuilder, Role, Treatment, collect_text
from byline.corpus.readers.tei import TeiDocumentReader, tei_documents

_KIND = "a play or a transcript with names of speakers"
_SPEECHES = frozenset({"sp", "u"})
_SPEECH = regex.compile(rb"[<:](?:sp|(u))[\s>]")
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def speech_elements(data: bytes) -> frozenset[str]:
    """Return which elements for speeches a TEI file has: "sp" of plays, "u" of transcripts.

    Examples
    --------
    >>> sorted(speech_elements(b'<sp who="#a"><speaker>Ann</speaker>'))
    ['sp']
    """
    # In UTF-16, every other byte is zero.
    found = _SPEECH.finditer(data.replace(b"\0", b""))
    return frozenset("u" if match[1] else "sp" for match in found)


def find_tei_speeches(data: bytes, name: str, keep: frozenset[Keep]) -> Dialogue | None:
    """Return the speeches of a TEI file, or None if no speaker is named.

    A speaker has the name in the list of persons or roles, or the one above the first speech.

    Raises
    ------
    CorpusError
        The content cannot be parsed, or is not TEI.
    MissingExtraError
        lxml is not installed.
    """
    root = parse_xml(data, name).root
    if local_name(root).lower() == "html":
        return None
    names, excluded, turns = _names_of_persons(root), ExclusionCounter(), list[Turn]()
    for document in tei_documents(root, name):
        for speech in _speeches(document, keep, excluded):
            text = _text(document, speech, keep, excluded)
            if text:
                turns.append(Turn(_speaker(speech, names), text))
    if not any(turn.speaker for turn in turns):
        return None
    return Dialogue(_KIND, tuple(turns), excluded.parts(), is_certain=False)


def _names_of_persons(root: Element) -> dict[str, str]:
    """Return the names that a file gives to the identifiers of persons, as "#ann"."""
    names: dict[str, str] = {}
    for person in root.iter("{*}person", "{*}personGrp", "{*}role"):
        named = next(person.iter("{*}persName", "{*}name"), person)
        if person.get(_ID) and (found := _clean(named)):
            names.setdefault(f"#{person.get(_ID)}", found)
    return names


def _speeches(
    document: Element, keep: frozenset[Keep], excluded: ExclusionCounter
) -> list[Element]:
    """Return the speeches in the running text; the text outside them is counted as excluded."""
    builder, speeches = ParagraphBuilder(), list[Element]()
    reader = TeiDocumentReader(document, builder, keep)

    def treat(element: Element) -> Treatment:
        role, kind = reader.treat(element)
        if role is Role.EXCLUDED or local_name(element) not in _SPEECHES:
            return role, kind
        builder.end_paragraph()
        speeches.append(element)
        return Role.EXCLUDED, ""

    collect_text(document, treat, builder, excluded)
    for paragraph in builder.paragraphs:
        excluded.add("text outside speeches", paragraph)
    return speeches


def _text(
    document: Element, speech: Element, keep: frozenset[Keep], excluded: ExclusionCounter
) -> str:
    builder = ParagraphBuilder()
    collect_text(speech, TeiDocumentReader(document, builder, keep).treat, builder, excluded)
    return join_paragraphs(builder.paragraphs)


def _speaker(speech: Element, names: dict[str, str]) -> str:
    """Return who speaks; what is found by an identifier or a label is remembered in ``names``."""
    label = next((_clean(each) for each in speech.iterchildren("{*}speaker")), "")
    who = " ".join(speech.get("who", "").split())
    shown = label or who.replace("#", "")
    return names.setdefault(who or label.casefold(), shown)


def _clean(element: Element) -> str:
    return " ".join("".join(element.itertext()).split()).strip(" .:,;")
