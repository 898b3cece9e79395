"""Read e-mails (.eml) and mailboxes (.mbox): what the sender wrote, decoded."""

from __future__ import annotations

import email
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message
from email.utils import parseaddr

from byline.corpus.decoding import decode
from byline.corpus.dialogue.turns import Dialogue, Turn
from byline.corpus.emails.parts import email_parts
from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    merge_excluded,
)
from byline.corpus.readers.email_headers import FIELD, FROM_LINE
from byline.corpus.readers.html.messages import read_html_message
from byline.corpus.readers.markup import decode_as
from byline.errors import CorpusError
from byline.typography.lines import unwrap

KIND_OF_MAILBOX = "a mailbox"
_KIND_OF_CODE = {
    "email-headers": "quoted e-mail headers",
    "quoted-lines": "quoted messages",
    "email-signature": "e-mail signatures",
    "email-disclaimer": "e-mail disclaimers",
}
_MAX_NESTED = 60  # parts within parts
_MAX_HEADER = 10_000  # characters of a header that is decoded
_ESCAPED_FROM = re.compile(rb"^>(?=>{0,20}From )", re.MULTILINE)
_BOUNDARY = re.compile(rb"boundary\s{0,5}=", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def extract_email(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> ExtractedText:
    """Return what the sender of an e-mail wrote; the sender is the stated author.

    Raises
    ------
    CorpusError
        The content is no e-mail, or is nested too deeply.
    MissingExtraError
        The message is only HTML, and lxml is not installed.
    """
    message = _parse(data, name)
    if not message.keys():
        raise CorpusError(
            f"{name} is no e-mail: it does not begin with headers such as From. Save the message "
            "again, or rename the file to .txt."
        )
    return _extract(message, name)


def read_mailbox(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> Dialogue:
    """Return the messages of a mailbox as turns, one per message.

    Senders with the same address are one speaker.

    Raises
    ------
    CorpusError
        The content is no mailbox, or a message is nested too deeply.
    MissingExtraError
        A message is only HTML, and lxml is not installed.
    """
    messages = [_parse(each, name) for each in _split(data.replace(b"\r\n", b"\n"))]
    if not messages:
        raise CorpusError(
            f"{name} is no mailbox: it does not begin with a line such as "
            '"From ann@example.org Mon Mar 4 10:12:00 2024". Export it again as mbox.'
        )
    names = _names_of_senders(messages)
    read = [_extract(message, name) for message in messages]
    turns = [
        Turn(names[_address(message)], each.text, each.title or "", _thread(message), number)
        for number, (message, each) in enumerate(zip(messages, read, strict=True), start=1)
    ]
    excluded = merge_excluded(each.excluded for each in read)
    warnings = tuple(dict.fromkeys(warning for each in read for warning in each.warnings))
    return Dialogue(KIND_OF_MAILBOX, tuple(turns), excluded, warnings, is_one_text_per_turn=True)


def _parse(data: bytes, name: str) -> Message:
    if len(_BOUNDARY.findall(data, 0, len(data))) > _MAX_NESTED:
        _check_nesting(data, name)
    try:
        return email.message_from_bytes(data.lstrip(b"\r\n"))
    except RecursionError as error:
        raise _nested_too_deeply(name) from error


def _check_nesting(data: bytes, name: str) -> None:
    """Refuse parts within parts within parts: the parser compares each line with all of them."""
    open_parts = 0
    for line in data.split(b"\n"):
        if line.startswith(b"--") and line.rstrip().endswith(b"--"):
            open_parts = max(0, open_parts - 1)
        elif _BOUNDARY.search(line[:_MAX_HEADER]):
            open_parts += 1
        if open_parts > _MAX_NESTED:
            raise _nested_too_deeply(name)


def _nested_too_deeply(name: str) -> CorpusError:
    return CorpusError(
        f"{name} has more than {_MAX_NESTED} parts within parts. Save the message as plain text."
    )


def _split(data: bytes) -> Iterator[bytes]:
    """Yield the messages of a mailbox; a line "From ..." inside a message has no date."""
    starts = [
        match
        for match in FROM_LINE.finditer(data)
        if not match.start() or data[match.start() - 2 : match.start()] == b"\n\n"
        if FIELD.match(data, match.end())
    ]
    ends = [match.start() for match in starts[1:]] + [len(data)]
    if starts and not data[: starts[0].start()].strip():
        for start, end in zip(starts, ends, strict=True):
            yield _ESCAPED_FROM.sub(b"", data[start.end() : end])


def _header(message: Message, field: str) -> str:
    """Return the decoded content of a header in one line; empty if there is none."""
    raw = message.get(field, "")
    try:
        parts = decode_header(raw if isinstance(raw, Header) else raw[:_MAX_HEADER])
    except (HeaderParseError, ValueError):
        parts = [(str(raw)[:_MAX_HEADER], None)]
    text = "".join(
        part if isinstance(part, str) else _decode_bytes(part, charset or "", "a header")[0]
        for part, charset in parts
    )
    return _SPACES.sub(" ", text[:_MAX_HEADER]).strip()


def _address(message: Message) -> str:
    name, address = parseaddr(_header(message, "From"))
    return (address or name).casefold()


def _sender(message: Message) -> str:
    name, address = parseaddr(_header(message, "From"))
    return clean_name(name) or clean_name(address) or ""


def _names_of_senders(messages: Sequence[Message]) -> dict[str, str]:
    """Return the most frequent name of the sender at each address."""
    named: dict[str, Counter[str]] = defaultdict(Counter)
    for message in messages:
        named[_address(message)][_sender(message)] += 1
    return {
        address: max(names, key=lambda name: (names[name], "@" not in name))
        for address, names in named.items()
    }


def _thread(message: Message) -> str:
    """Return the id of the message that began the conversation."""
    for field in ("References", "In-Reply-To", "Message-ID"):
        if ids := _header(message, field).split():
            return ids[0]
    return ""


class _MessageReader:
    """Reads the parts of one message, and collects what is excluded from it.

    Parameters
    ----------
    name : str
        What messages call the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.excluded = ExclusionCounter()
        self.warnings: list[str] = []

    def read(self, message: Message) -> str:
        """Return what the sender wrote."""
        texts = [self._own_words(self._text_of(part)) for part in self._bodies(message)]
        return "\n\n".join(filter(None, texts))

    def _bodies(self, part: Message) -> Iterator[Message]:
        """Yield the parts that a reader of the message sees, each in one version."""
        kind = part.get_content_type()
        is_text = kind in ("text/plain", "text/html")
        is_attached = part.get_content_disposition() == "attachment"
        if kind == "message/rfc822":
            self.excluded.add("attached messages")
        elif is_attached or not (is_text or part.is_multipart()):
            self.excluded.add("attachments", part.get_filename() or kind)
        elif is_text and not part.is_multipart():
            yield part
        elif kind == "multipart/alternative":
            yield from self._best_version(part)
        else:
            for each in _parts(part):
                yield from self._bodies(each)

    def _best_version(self, part: Message) -> Iterator[Message]:
        """Yield the plain text of a message that is there twice, or else its HTML."""
        versions = [list(self._bodies(each)) for each in _parts(part)]
        filled = [version for version in versions if any(_bytes(each).strip() for each in version)]
        plain = [each for each in filled if each[0].get_content_type() == "text/plain"]
        yield from next(iter(plain or filled), [])

    def _text_of(self, part: Message) -> str:
        text, guessed = _decode_bytes(
            _bytes(part), str(part.get_content_charset() or ""), self._name
        )
        if guessed:
            self.warnings.append(f"the encoding is guessed as {guessed}")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if part.get_content_type() == "text/html":
            return read_html_message(text, self._name, self.excluded) if text.strip() else ""
        if str(part.get_param("format", "")).casefold() == "flowed":
            deletes_space = str(part.get_param("delsp", "")).casefold() == "yes"
            return _join_flowed(text, deletes_space=deletes_space)
        return text

    def _own_words(self, text: str) -> str:
        """Return a text without what others wrote and what programs added, which is counted."""
        kept: list[str] = []
        done, code = 0, ""
        for part in email_parts(text, is_email=True):
            between = text[done : part.start]
            if code != part.code or between.strip():
                self.excluded.add(_KIND_OF_CODE[part.code], text[part.start : part.end])
            kept.append(between)
            done, code = part.end, part.code
        return unwrap("".join([*kept, text[done:]]))


def _extract(message: Message, name: str) -> ExtractedText:
    reader = _MessageReader(name)
    reader.excluded.add("e-mail headers", f"From: {_header(message, 'From')}")
    text = reader.read(message)
    title = clean_name(_header(message, "Subject"))
    author = _sender(message) or None
    return ExtractedText(text, author, title, reader.excluded.parts(), tuple(reader.warnings))


def _parts(part: Message) -> list[Message]:
    content = part.get_payload()
    return [each for each in content if isinstance(each, Message)] if content else []


def _bytes(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _decode_bytes(data: bytes, charset: str, name: str) -> tuple[str, str | None]:
    """Decode by the stated encoding if that fits, and otherwise like any text.

    Returns
    -------
    str, str or None
        The text, and the encoding if it is a guess.
    """
    # A charset of ASCII is often a wrong default.
    text = None if charset.lower() in ("", "us-ascii", "ascii") else decode_as(data, charset)
    if text is not None:
        return text.replace("\0", "\ufffd"), None
    try:
        decoded = decode(data, name)
    except CorpusError:
        return data.decode("utf-8", "replace").replace("\0", "\ufffd"), "UTF-8, with damage"
    return decoded.text, decoded.guessed_encoding


def _join_flowed(text: str, *, deletes_space: bool) -> str:
    """Join the lines of RFC 3676 that end with a space, except "-- " above a signature."""
    lines: list[str] = []
    joins = False
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        own = line if depth else line.removeprefix(" ")
        if joins and not depth:
            lines[-1] += own
        else:
            lines.append(own)
        joins = not depth and own.endswith(" ") and own != "-- "
        if joins and deletes_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
