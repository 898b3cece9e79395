"""Recognise e-mails and mailboxes by how they begin."""

from __future__ import annotations

import re

FROM_LINE = re.compile(rb"^From [^\n]{1,300}\d\d:\d\d[^\n]{0,60}\d{4}[^\n]{0,60}\n", re.MULTILINE)
FIELD = re.compile(rb"([!-9;-~]{1,76}):[ \t]?[^\n]{0,2000}\r?\n?")
_FOLDED = re.compile(rb"[ \t][^\n]{0,2000}\r?\n?")
# A person who types "From: Ann" and "To: Ben" above a letter does not type these.
_WRITTEN_BY_PROGRAMS = {b"message-id", b"mime-version", b"received", b"return-path", b"x-mailer"}


def is_email(data: bytes) -> bool:
    """Return whether a content begins with the headers of an e-mail that a program wrote."""
    names = set[bytes]()
    position = 0
    for _ in range(100):
        if field := FIELD.match(data, position):
            names.add(field[1].lower())
        elif (field := _FOLDED.match(data, position)) is None or not names:
            break
        position = field.end()
    return b"from" in names and bool(names & _WRITTEN_BY_PROGRAMS)


def is_mailbox(data: bytes) -> bool:
    """Return whether a content begins with the line that separates the messages of a mailbox."""
    head = data[:4000].replace(b"\r\n", b"\n")
    start = FROM_LINE.match(head)
    return start is not None and FIELD.match(head, start.end()) is not None
