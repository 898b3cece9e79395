"""Encodings repaired wrongly: ``dÃ©jÃ `` for ``déjà``, ``&amp;`` for ``&``, stray controls."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

import regex
from ftfy import ExplanationStep, TextFixerConfig, fix_encoding_and_explain
from ftfy.badness import is_bad

from byline.corpus.checking.edits import Edit
from byline.corpus.document import Document

_CONFIG = TextFixerConfig(unescape_html=False, replace_lossy_sequences=False)
_SURE = frozenset({"encode", "decode", "transcode"})
_BEYOND_ASCII = regex.compile(r"[^\n]*[^\x00-\x7f\n][^\n]*")
_ENTITY = regex.compile(r"&(?:#\d{2,7}|#[xX][\da-fA-F]{2,6}|[A-Za-z][A-Za-z\d]{1,24});")
_CONTROL = regex.compile(r"[\x00-\x08\x0e-\x1b\x7f]+")
_CONTROL_WITHIN_WORD = regex.compile(r"(?<=\p{L})[\x00-\x08\x0e-\x1b\x7f]+(?=\p{L})")
# Marks of Windows-1252 that were read as Latin-1. Its letters are others in another encoding (0x9a
# is š there and ö on an old Macintosh), and so is a mark within a word, but for the apostrophe.
_MARK = r"[\x85\x91-\x97]"
_WINDOWS_MARK = regex.compile(rf"(?<!\p{{L}}){_MARK}|{_MARK}(?!\p{{L}})|\x92")
_UNCLEAR = regex.compile(r"\N{REPLACEMENT CHARACTER}+|[\x80-\x9f]+")


def find_mojibake(document: Document) -> list[Edit]:
    """Find what a wrong encoding, or an export, has left, where it is sure what stood there.

    Codes are ``mojibake`` (characters that were decoded by the wrong encoding), ``html-entity``
    and ``control-character``.
    """
    text = document.text
    decoded = list(_wrongly_decoded(text))
    return [*decoded, *_windows_marks(text, decoded), *_entities(text), *_controls(text)]


def find_lost_characters(document: Document) -> list[int]:
    """Find where it is unclear what stood there: U+FFFD, and controls in place of letters."""
    text = document.text
    sure = sorted(find_mojibake(document)) if not text.isascii() or _CONTROL.search(text) else []
    unclear = (*_UNCLEAR.finditer(text), *_CONTROL_WITHIN_WORD.finditer(text))
    return _outside(sorted(match.start() for match in unclear), sure)


def _outside(places: Iterable[int], edits: Sequence[Edit]) -> list[int]:
    """Return the places that no edit covers; both in the order of the text."""
    found, number = [], 0
    for place in places:
        while number < len(edits) and edits[number].end <= place:
            number += 1
        if number == len(edits) or place < edits[number].start:
            found.append(place)
    return found


def _wrongly_decoded(text: str) -> Iterator[Edit]:
    if text.isascii():
        return
    for match in _BEYOND_ASCII.finditer(text):
        if not is_bad(match[0]):
            continue
        fixed = fix_encoding_and_explain(match[0], _CONFIG)
        if fixed.text != match[0] and _is_sure(fixed.text, fixed.explanation or ()):
            yield _changed(match.start(), match[0], fixed.text)


def _is_sure(fixed: str, steps: Sequence[ExplanationStep]) -> bool:
    """Whether the bytes were UTF-8 for certain, and nothing in the line is left to guess."""
    was_utf8 = any("utf-8" in step.parameter for step in steps)
    return (
        was_utf8
        and "\N{REPLACEMENT CHARACTER}" not in fixed
        and all(step.action in _SURE for step in steps)
    )


def _changed(start: int, before: str, after: str) -> Edit:
    """Return the edit of the part that differs."""
    shortest = min(len(before), len(after))
    head = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    rest = shortest - head
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    end = start + len(before) - tail
    return Edit(start + head, end, after[head : len(after) - tail], "mojibake")


def _windows_marks(text: str, decoded: Sequence[Edit]) -> Iterator[Edit]:
    places = [match.start() for match in _WINDOWS_MARK.finditer(text)]
    for place in _outside(places, decoded):
        mark = text[place].encode("latin-1").decode("cp1252")
        yield Edit(place, place + 1, mark, "mojibake")


def _entities(text: str) -> Iterator[Edit]:
    for match in _ENTITY.finditer(text):
        plain = html.unescape(match[0]).replace("\xa0", " ")
        if plain != match[0] and plain.isprintable():
            yield Edit(match.start(), match.end(), plain, "html-entity")


def _controls(text: str) -> Iterator[Edit]:
    for match in _CONTROL.finditer(text):
        if not _CONTROL_WITHIN_WORD.match(text, match.start()):
            yield Edit(match.start(), match.end(), "", "control-character")
