"""A reader of one's own: an mbox, the file in which mail programs keep the letters of a folder.

The author is the address in ``From``, a thread is a work, and what a letter quotes of others is
left out, as is a signature. A reader is a function from a path to a `ReadResult`; `byline.corpus`
has
a table of them by suffix. What this one reads can also be written as a table that each command
takes:

    python examples/mbox_reader.py letters.mbox > letters.jsonl
    byline train letters.jsonl -o letters.byline
"""

from __future__ import annotations

import json
import mailbox
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr
from pathlib import Path

from byline.corpus import Document, check_corpus
from byline.corpus.document import Corpus
from byline.corpus.extraction import ExclusionCounter, join_paragraphs
from byline.corpus.findings import Finding
from byline.corpus.readers.result import ReadResult
from byline.errors import CorpusError
from byline.formatting import printable, quantity

_ESCAPED = re.compile(r"^>(>*From )", re.MULTILINE)  # by who wrote the mbox
_QUOTED = re.compile(r"^>.*\n?", re.MULTILINE)
_ATTRIBUTION = re.compile(r"^.{3,200}\b(?:wrote|schrieb|a écrit|escribió)\s*:\s*$", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- \n.*\Z", re.MULTILINE | re.DOTALL)
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_LEFT_OUT = (
    ("signatures", _SIGNATURE),
    ("quoted lines", _QUOTED),
    ("lines that name who is quoted", _ATTRIBUTION),
)


def read_mbox(path: Path, name: str) -> ReadResult:
    """Read the letters of an mbox.

    Parameters
    ----------
    path : Path
    name : str
        What messages call it.

    Raises
    ------
    CorpusError
        It cannot be read, or holds no letter.
    """
    try:
        with closing(mailbox.mbox(path, create=False)) as box:
            letters = list(box)
    except (OSError, mailbox.Error) as error:
        raise CorpusError(f"{name} cannot be read as an mbox: {error}; export it again") from error
    if not letters:
        raise CorpusError(f"{name} holds no letter; an mbox begins with a line 'From '")
    documents, without_text = [], []
    for number, letter in enumerate(letters, start=1):
        place = f"{name}, letter {number}"
        document = _document(letter, place)
        if document.text:
            documents.append(document)
        else:
            without_text.append(place)
    return ReadResult(documents, list(_about(without_text)))


def _about(without_text: list[str]) -> Iterator[Finding]:
    if without_text:
        message = f"{quantity(len(without_text), 'letter')} without a text of its own left out"
        yield Finding("warning", "letter-without-text", message, tuple(without_text))


def _document(letter: Message, place: str) -> Document:
    subject = _header(letter, "Subject")
    text, tally = _text(letter), ExclusionCounter()
    for what, pattern in _LEFT_OUT:
        for found in pattern.findall(text):
            tally.add(what, found)
        text = pattern.sub("", text)
    return Document(
        author=printable(parseaddr(_header(letter, "From"))[1].lower()),
        text=join_paragraphs(re.split(r"\n\s*\n", text)),
        path=place,
        work=printable(_REPLY.sub("", subject).strip()) or place,
        metadata={"title": printable(subject)} if subject else {},
        excluded=tally.found(),
    )


def _header(letter: Message, name: str) -> str:
    """Return a header in Unicode, in one line; empty where it is missing."""
    return " ".join(str(make_header(decode_header(str(letter.get(name, ""))))).split())


def _text(letter: Message) -> str:
    """Join a letter's parts in plain text; attachments are not its author's words."""
    parts = [
        _decoded(part)
        for part in letter.walk()
        if part.get_content_type() == "text/plain" and not part.get_filename()
    ]
    return _ESCAPED.sub(r"\1", "\n\n".join(parts).replace("\r\n", "\n"))


def _decoded(part: Message) -> str:
    data = part.get_payload(decode=True)
    charset = part.get_content_charset() or "utf-8"
    try:
        return data.decode(charset, "replace") if isinstance(data, bytes) else ""
    except LookupError:  # no such charset
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def main(path: str) -> None:
    """Print the letters as a table in JSON Lines, and what should be known of them."""
    reading = read_mbox(Path(path), printable(Path(path).name))
    corpus = Corpus(reading.documents, printable(Path(path).name))
    for finding in [*reading.findings, *check_corpus(corpus)]:
        print(f"{finding.severity}: {finding.message}", file=sys.stderr)
    for document in corpus:
        row = {"author": document.author, "work": document.work, "text": document.text}
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
