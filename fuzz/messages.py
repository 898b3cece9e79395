"""Fuzz e-mails, mailboxes, chats, and dialogues in plain text."""

from __future__ import annotations

from harness import FindingError, fuzz, instrumented, mutate_text

with instrumented():
    from byline.corpus.checking.emails import find_email_parts
    from byline.corpus.document import Document
    from byline.corpus.readers.files import read_file
    from byline.errors import CorpusError

SUFFIXES = (".eml", ".mbox", ".txt", ".json", ".html", "")
EMAIL = b"""From: =?utf-8?q?Ann_Cr=C3=A8me?= <ann@example.org>
Subject: =?iso-8859-1?b?RGFzIFNlaWw=?=
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=iso-8859-1; format=flowed
Content-Transfer-Encoding: quoted-printable

The rope is =FCber=
 long.

On 4 Mar 2024, at 10:12, Ben Sail wrote:
> Is it?
-- =20
Ann
--b
Content-Type: text/html

<p>The rope<blockquote type="cite">Is it?</blockquote>
--b--
"""
MAILBOX = b"From a@b Mon Mar  4 10:12:00 2024\n" + EMAIL + b"\n>From x\n\n"
OUTLOOK = b"Yes.\n____________\nVon: Ben\nGesendet: Montag\nAn: Ann\nBetreff: Seil\n\nJa?\n"
CHAT = b"""01/03/2024, 08:18 - Ann: Is it
long?
[01/03/2024, 08:18:22] Ben: <Media omitted>
Ann, [01.03.2024 08:18]
Good.
"""
INTERVIEW = b"Q: Is it?\nANN CRANE (laughs): Yes.\nMILLER. No.\n\nMILLER\n[Exit.]\n" * 3
TELEGRAM = b"""{"messages": [{"type": "message", "date": "2024", "from": "Ann",
 "text": ["Is", {"type": "bold", "text": "it"}]}, {"type": "message", "date": "", "text": "a"}]}"""
SLACK = b"""[{"type": "message", "user": "U1", "ts": "1", "text": "<@U1|Ann> &amp; <!here>"},
 {"type": "message", "user": "U2", "ts": "1", "text": "```a```"}]"""


def read(data: bytes) -> None:
    """Read a message or a dialogue with one of the suffixes, and find its parts as plain text."""
    suffix = SUFFIXES[data[0] % len(SUFFIXES)] if data else ".txt"
    try:
        file = read_file(data[1:], "message" + suffix, suffix)
    except CorpusError:
        return
    texts = [file.text, *(turn.text for turn in file.dialogue.turns)] if file.dialogue else []
    for text in [file.text, *texts]:
        text.encode()
        if "\0" in text:
            raise FindingError("the text contains NUL")
    find_email_parts(Document("Ann", file.text, "a.txt"))


if __name__ == "__main__":
    fuzz(
        read,
        [b"\0" + EMAIL, b"\1" + MAILBOX, b"\2" + OUTLOOK, b"\2" + CHAT, b"\2" + INTERVIEW,
         b"\3" + TELEGRAM, b"\3" + SLACK, b"\5" + CHAT],
        mutate_text,
    )  # fmt: skip
