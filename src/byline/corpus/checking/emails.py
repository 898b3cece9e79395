"""What an e-mail has beside its author's words: headers, others' words quoted, a signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex

from byline.corpus.checking.edits import Edit, TextLine, leave_out, split_lines
from byline.corpus.document import Document

_HEADER = regex.compile(
    r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Received|Return-Path|MIME-Version"
    r"|In-Reply-To|References|Importance|Organization|User-Agent|X-[\w-]+|Content-[\w-]+"
    r"|Von|An|Betreff|Datum|Gesendet|De|À|Objet|Envoyé|Para|Asunto|Fecha|Enviado)\s*:(?:\s|$)"
)
_MOST_BEFORE_HEADERS = 2  # lines
_FEWEST_HEADERS = 2
_QUOTED = regex.compile(r">")
_SPEAKER = regex.compile(r">>")  # in captions, the next speaker begins
_ATTRIBUTION = regex.compile(
    r"(?:On\b.{4,120}\bwrote|Am\b.{4,120}\bschrieb\b.{0,60}|Le\b.{4,120}\ba écrit"
    r"|El\b.{4,120}\bescribió)\s*:$"
)
_FORWARDED = regex.compile(
    r"-{2,}\s*(?:Original Message|Forwarded (?:by|message)\b.*|Ursprüngliche Nachricht"
    r"|Message d['’]origine|Mensaje original)\s*-*",
    regex.IGNORECASE,
)
_SIGNATURE = regex.compile(r"--|—-?")
_MOST_SIGNED = 10  # lines
_DEVICE = regex.compile(
    r"(?:Sent|Gesendet|Envoyé|Enviado) (?:from|via|von|de|desde) m\w{1,4}(?: [\w.]+){1,3}"
)


def find_email_parts(document: Document) -> list[Edit]:
    """Find what an e-mail has beside its author's words.

    Codes are ``email-headers``, ``quoted-lines`` (lines that begin with ">", and all after
    "Original Message") and ``email-signature`` (all after a line of two hyphens near the end).
    """
    text = document.text
    lines = split_lines(text)
    forwarded = _first(lines, _FORWARDED)
    own = lines if forwarded is None else lines[:forwarded]
    edits = [*_headers(text, own), *_quoted(text, own), *_signature(text, own)]
    if forwarded is not None and forwarded:
        edits.append(Edit(lines[forwarded].start, len(text), "", "quoted-lines"))
    return edits


def _first(lines: Sequence[TextLine], pattern: regex.Pattern[str]) -> int | None:
    return next((i for i, line in enumerate(lines) if pattern.fullmatch(line.text)), None)


def _headers(text: str, lines: Sequence[TextLine]) -> Iterator[Edit]:
    begin = next(
        (i for i, line in enumerate(lines[: _MOST_BEFORE_HEADERS + 1]) if _HEADER.match(line.text)),
        None,
    )
    if begin is None:
        return
    end = begin
    while end < len(lines) and (_HEADER.match(lines[end].text) or _continues(text, lines[end])):
        end += 1
    if sum(_HEADER.match(line.text) is not None for line in lines[begin:end]) >= _FEWEST_HEADERS:
        yield leave_out(text, lines[begin].start, lines[end - 1].end, "email-headers")


def _continues(text: str, line: TextLine) -> bool:
    return text[line.start] in " \t"


def _quoted(text: str, lines: Sequence[TextLine]) -> Iterator[Edit]:
    quoted = [i for i, line in enumerate(lines) if _QUOTED.match(line.text)]
    attributed = [i - 1 for i in quoted if i and _ATTRIBUTION.fullmatch(lines[i - 1].text)]
    in_a_row = any(
        after == before + 1 and not _SPEAKER.match(lines[before].text)
        for before, after in pairwise(quoted)
    )
    if attributed or in_a_row:  # one alone may be a mark of the author's
        for place in sorted(quoted + attributed):
            yield leave_out(text, lines[place].start, lines[place].end, "quoted-lines")


def _signature(text: str, lines: Sequence[TextLine]) -> Iterator[Edit]:
    """Find what is signed; where more than one thing is, the first one and all behind it."""
    end = len(lines)
    while (begin := _begin_of_signature(lines, end)) is not None:
        end = begin
    if end < len(lines):
        yield Edit(lines[end].start, len(text), "", "email-signature")


def _begin_of_signature(lines: Sequence[TextLine], end: int) -> int | None:
    """Return the line where a signature begins that ends before ``end``; the first is none."""
    for place in range(max(1, end - _MOST_SIGNED - 1), end):
        if _SIGNATURE.fullmatch(lines[place].text):
            return place
    return end - 1 if end > 1 and _DEVICE.fullmatch(lines[end - 1].text) else None
