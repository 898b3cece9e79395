"""Find wrongly decoded characters (``dÃ©jÃ `` for ``déjà``), HTML entities, control characters."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import regex

from byline.corpus.checking.edits import Edit
from byline.corpus.document import Document

if TYPE_CHECKING:
    from ftfy import ExplanationStep

_CERTAIN_ACTIONS = frozenset({"encode", "decode", "transcode"})
_BEYOND_ASCII = regex.compile(r"[^\n]*[^\x00-\x7f\n][^\n]*")
_ENTITY = regex.compile(r"&(?:#\d{2,7}|#[xX][\da-fA-F]{2,6}|[A-Za-z][A-Za-z\d]{1,24});")
_CONTROL = regex.compile(r"[\x00-\x08\x0e-\x1b\x7f]+")
_CONTROL_INSIDE_WORD = regex.compile(r"(?<=\p{L})[\x00-\x08\x0e-\x1b\x7f]+(?=\p{L})")
# Punctuation of Windows-1252 that was decoded as Latin-1. Letters are not repaired, because they
# differ between encodings: 0x9a is š in Windows-1252 and ö on an old Macintosh. Therefore no
# punctuation inside a word is repaired either, except for the apostrophe.
_PUNCTUATION = r"[\x85\x91-\x97]"
_WINDOWS_PUNCTUATION = regex.compile(rf"(?<!\p{{L}}){_PUNCTUATION}|{_PUNCTUATION}(?!\p{{L}})|\x92")
_UNCLEAR = regex.compile(r"\N{REPLACEMENT CHARACTER}+|[\x80-\x9f]+")


def find_mojibake(document: Document) -> list[Edit]:
    """Find characters that are damaged by a wrong encoding or an export and can be repaired.

    The codes are ``mojibake`` (characters that were decoded with the wrong encoding),
    ``html-entity`` and ``control-character``.
    """
    text = document.text
    decoded = list(_wrongly_decoded(text))
    return [*decoded, *_windows_punctuation(text, decoded), *_entities(text), *_controls(text)]


def find_unrecoverable_characters(document: Document) -> list[int]:
    """Find the positions of damaged characters that cannot be repaired.

    These are U+FFFD, and control characters in the place of letters.
    """
    text = document.text
    certain = sorted(find_mojibake(document)) if not text.isascii() or _CONTROL.search(text) else []
    unclear = (*_UNCLEAR.finditer(text), *_CONTROL_INSIDE_WORD.finditer(text))
    return _outside(sorted(match.start() for match in unclear), certain)


def _outside(positions: Iterable[int], edits: Sequence[Edit]) -> list[int]:
    """Return the positions that no edit covers. Positions and edits must be in ascending order."""
    found, number = [], 0
    for position in positions:
        while number < len(edits) and edits[number].end <= position:
            number += 1
        if number == len(edits) or position < edits[number].start:
            found.append(position)
    return found


def _wrongly_decoded(text: str) -> Iterator[Edit]:
    if text.isascii():
        return
    from ftfy import TextFixerConfig, fix_encoding_and_explain
    from ftfy.badness import is_bad

    config = TextFixerConfig(unescape_html=False, replace_lossy_sequences=False)
    for match in _BEYOND_ASCII.finditer(text):
        if not is_bad(match[0]):
            continue
        fixed = fix_encoding_and_explain(match[0], config)
        if fixed.text != match[0] and _is_certain(fixed.text, fixed.explanation or ()):
            yield _difference(match.start(), match[0], fixed.text)


def _is_certain(fixed: str, steps: Sequence[ExplanationStep]) -> bool:
    """Return whether the bytes were certainly UTF-8 and no character had to be guessed."""
    was_utf8 = any("utf-8" in step.parameter for step in steps)
    return (
        was_utf8
        and "\N{REPLACEMENT CHARACTER}" not in fixed
        and all(step.action in _CERTAIN_ACTIONS for step in steps)
    )


def _difference(start: int, before: str, after: str) -> Edit:
    """Return the edit that replaces only the part that differs."""
    shortest = min(len(before), len(after))
    head = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    rest = shortest - head
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    end = start + len(before) - tail
    return Edit(start + head, end, after[head : len(after) - tail], "mojibake")


def _windows_punctuation(text: str, decoded: Sequence[Edit]) -> Iterator[Edit]:
    positions = [match.start() for match in _WINDOWS_PUNCTUATION.finditer(text)]
    for position in _outside(positions, decoded):
        repaired = text[position].encode("latin-1").decode("cp1252")
        yield Edit(position, position + 1, repaired, "mojibake")


def _entities(text: str) -> Iterator[Edit]:
    for match in _ENTITY.finditer(text):
        plain = html.unescape(match[0]).replace("\xa0", " ")
        if plain != match[0] and plain.isprintable():
            yield Edit(match.start(), match.end(), plain, "html-entity")


def _controls(text: str) -> Iterator[Edit]:
    for match in _CONTROL.finditer(text):
        if not _CONTROL_INSIDE_WORD.match(text, match.start()):
            yield Edit(match.start(), match.end(), "", "control-character")
