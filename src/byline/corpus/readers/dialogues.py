"""Read files whose format states several speakers: chats and mailboxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from byline.corpus.decoding import decode
from byline.corpus.dialogue.chat_json import find_json_chat, is_json
from byline.corpus.dialogue.chats import find_chat, may_be_chat
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.readers.email import read_mailbox
from byline.corpus.readers.email_headers import is_mailbox
from byline.corpus.readers.formats import (
    CHAT,
    HTML,
    MAILBOX,
    SUBTITLE_SUFFIXES,
    TEXT_SUFFIXES,
    has_known_suffix,
)
from byline.corpus.readers.html.telegram import is_telegram_html, read_telegram_html
from byline.corpus.readers.markup import parse_html
from byline.errors import CorpusError

_MARKDOWN = (".md", ".markdown")  # the form in which programs export Signal
_HEAD = 4_000  # bytes


def read_dialogue(
    data: bytes, name: str, suffix: str, users: Mapping[str, str] | None = None
) -> Dialogue | None:
    """Return the dialogue in a file, or None if its format states no speakers.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call the file.
    suffix : str
        The suffix of its name, with the dot.
    users : mapping of str to str, optional
        The names of the users of Slack by their ids.

    Raises
    ------
    CorpusError
        The file has the suffix of a chat or a mailbox, but is none.
    MissingExtraError
        A message is only HTML, and lxml is not installed.
    """
    suffix = suffix.lower()
    is_named = has_known_suffix(suffix)
    if suffix in MAILBOX.suffixes or (not is_named and is_mailbox(data)):
        return read_mailbox(data, name)
    if suffix in CHAT.suffixes or (not is_named and is_json(data)):
        chat = find_json_chat(decode(data, name).text, users) if is_json(data) else None
        if chat is None and suffix in CHAT.suffixes:
            raise CorpusError(
                f"{name} is no chat that Byline knows. It reads the JSON that Telegram, Slack and "
                "Signal export. Convert other JSON to .jsonl or .csv with author and text."
            )
        return chat
    if (suffix in HTML.suffixes or not is_named) and is_telegram_html(data[:_HEAD]):
        return read_telegram_html(parse_html(data, name).root)
    is_text = suffix in TEXT_SUFFIXES - SUBTITLE_SUFFIXES or suffix in _MARKDOWN or not is_named
    if is_text and may_be_chat(data[:_HEAD].decode("utf-8", "replace")):
        return find_chat(decode(data, name).text)
    return None


def is_chat_file(data: bytes, name: str) -> bool:
    """Return whether a file with the suffix of a chat is one, and not other JSON."""
    try:
        return read_dialogue(data, name, PurePath(name).suffix) is not None
    except CorpusError:
        return False
