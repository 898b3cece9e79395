"""Write your own reader: an mbox, the file in which mail programs keep the letters of a folder.

The author is the address in ``From``, and a thread is a work. What a letter quotes from others is
excluded, and so is a signature. A reader is a function from a path to a `ReadResult`;
`byline.corpus.readers.table` has a table of them by suffix. What this reader reads can also be
written as a table, which every command reads:

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
from byline.corpus.document import Corpus, Finding
from byline.corpus.extraction import ExclusionCounter, join_paragraphs
from byline.corpus.readers.result import ReadResult
from byline.errors import CorpusError
from byline.formatting import printable, quantity

_ESCAPED = re.compile(r"^>(>*From )", re.MULTILINE)  # by the program that wrote the mbox
_QUOTED = re.compile(r"^>.*\n?", re.MULTILINE)
_INTRODUCTION = re.compile(r"^.{3,200}\b(?:wrote|schrieb|a écrit|escribió)\s*:\s*$", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- \n.*\Z", re.MULTILINE | re.DOTALL)
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_EXCLUDED = (
    ("signatures", _SIGNATURE),
    ("quoted lines", _QUOTED),
    ("lines that introduce a quotation", _INTRODUCTION),
)


def read_mbox(path: Path, name: str) -> ReadResult:
    """Read the letters in an mbox.

    Parameters
    ----------
    path : Path
    name : str
        What messages call the file.

    Raises
    ------
    CorpusError
        The file cannot be read, or contains no letter.
    """
    try:
        with closing(mailbox.mbox(path, create=False)) as box:
            letters = list(box)
    except (OSError, mailbox.Error) as error:
        raise CorpusError(f"{name} cannot be read as an mbox: {error}. Export it again.") from error
    if not letters:
        raise CorpusError(
            f"{name} contains no letter. An mbox begins with a line 'From '; export it again."
        )
    documents, without_text = [], []
    for number, letter in enumerate(letters, start=1):
        place = f"{name}, letter {number}"
        document = _document(letter, place)
        if document.text:
            documents.append(document)
        else:
            without_text.append(place)
    return ReadResult(documents, list(_findings(without_text)))


def _findings(without_text: list[str]) -> Iterator[Finding]:
    if without_text:
        message = f"{quantity(len(without_text), 'letter')} skipped: without text by the author."
        yield Finding("warning", "letter-without-text", message, tuple(without_text))


def _document(letter: Message, place: str) -> Document:
    subject = _header(letter, "Subject")
    text, excluded = _text(letter), ExclusionCounter()
    for kind, pattern in _EXCLUDED:
        for found in pattern.findall(text):
            excluded.add(kind, found)
        text = pattern.sub("", text)
    return Document(
        author=printable(parseaddr(_header(letter, "From"))[1].lower()),
        text=join_paragraphs(re.split(r"\n\s*\n", text)),
        path=place,
        work=printable(_REPLY.sub("", subject).strip()) or place,
        metadata={"title": printable(subject)} if subject else {},
        excluded=excluded.parts(),
    )


def _header(letter: Message, name: str) -> str:
    """Return a header in Unicode, in one line; empty if it is missing."""
    return " ".join(str(make_header(decode_header(str(letter.get(name, ""))))).split())


def _text(letter: Message) -> str:
    """Join the plain-text parts of a letter; attachments are not the author's words."""
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
    except LookupError:  # an unknown charset
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def main(path: str) -> None:
    """Print the letters as a table in JSON Lines, and the findings about them."""
    name = printable(Path(path).name)
    result = read_mbox(Path(path), name)
    corpus = Corpus(result.documents, name)
    for finding in [*result.findings, *check_corpus(corpus)]:
        print(f"{finding.severity}: {finding.message}", file=sys.stderr)
    for document in corpus:
        row = {"author": document.author, "work": document.work, "text": document.text}
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
