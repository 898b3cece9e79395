"""Find e-mail headers, quotations of other people's e-mails, and signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex

from byline.corpus.checking.edits import Edit, TextLine, remove_lines, split_lines
from byline.corpus.document import Document

_HEADER = regex.compile(
    r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Message-ID|Received|Return-Path|MIME-Version"
    r"|In-Reply-To|References|Importance|Organization|User-Agent|X-[\w-]+|Content-[\w-]+"
    r"|Von|An|Betreff|Datum|Gesendet|De|À|Objet|Envoyé|Para|Asunto|Fecha|Enviado)\s*:(?:\s|$)"
)
_MAX_LINES_BEFORE_HEADERS = 2
_MIN_HEADERS = 2
_QUOTED = regex.compile(r">")
_SPEAKER_CHANGE = regex.compile(r">>")  # in captions
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
_MAX_SIGNATURE_LINES = 10
_DEVICE = regex.compile(
    r"(?:Sent|Gesendet|Envoyé|Enviado) (?:from|via|von|de|desde) m\w{1,4}(?: [\w.]+){1,3}"
)


def find_email_parts(document: Document) -> list[Edit]:
    """Find the parts of an e-mail that its author did not write as running text.

    The codes are ``email-headers``, ``quoted-lines`` (lines that begin with ">", and everything
    after "Original Message") and ``email-signature`` (everything after a line of two hyphens near
    the end).
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
    first = lines[: _MAX_LINES_BEFORE_HEADERS + 1]
    begin = next((i for i, line in enumerate(first) if _HEADER.match(line.text)), None)
    if begin is None:
        return
    end = begin
    while end < len(lines) and (_HEADER.match(lines[end].text) or _continues(text, lines[end])):
        end += 1
    if sum(_HEADER.match(line.text) is not None for line in lines[begin:end]) >= _MIN_HEADERS:
        yield remove_lines(text, lines[begin].start, lines[end - 1].end, "email-headers")


def _continues(text: str, line: TextLine) -> bool:
    return text[line.start] in " \t"


def _quoted(text: str, lines: Sequence[TextLine]) -> Iterator[Edit]:
    quoted = [i for i, line in enumerate(lines) if _QUOTED.match(line.text)]
    attributed = [i - 1 for i in quoted if i and _ATTRIBUTION.fullmatch(lines[i - 1].text)]
    in_a_row = any(
        after == before + 1 and not _SPEAKER_CHANGE.match(lines[before].text)
        for before, after in pairwise(quoted)
    )
    if attributed or in_a_row:  # the author may use a single ">" for another purpose
        for index in sorted(quoted + attributed):
            yield remove_lines(text, lines[index].start, lines[index].end, "quoted-lines")


def _signature(text: str, lines: Sequence[TextLine]) -> Iterator[Edit]:
    """Find the signature. If there are several, the first one and all text after it are removed."""
    end = len(lines)
    while (start := _start_of_signature(lines, end)) is not None:
        end = start
    if end < len(lines):
        yield Edit(lines[end].start, len(text), "", "email-signature")


def _start_of_signature(lines: Sequence[TextLine], end: int) -> int | None:
    """Return the line that begins a signature ending before ``end``, but never the first line."""
    for index in range(max(1, end - _MAX_SIGNATURE_LINES - 1), end):
        if _SIGNATURE.fullmatch(lines[index].text):
            return index
    return end - 1 if end > 1 and _DEVICE.fullmatch(lines[end - 1].text) else None
