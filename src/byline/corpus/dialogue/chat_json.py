"""Read chats in JSON: exports of Telegram and Slack, and of programs that export Signal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import regex

from byline.corpus.dialogue.chats import Message, chat_of
from byline.corpus.dialogue.turns import Dialogue

TELEGRAM, SLACK, SIGNAL = "a Telegram chat", "a Slack channel", "a Signal chat"
_MIN_MESSAGES = 2
_SLACK_REFERENCE = regex.compile(
    r"<(?P<kind>[@#!]?)(?P<target>[^<>|\n]{1,500})(?:\|(?P<shown>[^<>\n]{0,500}))?>"
)
_SLACK_CODE = regex.compile(r"```[^`]*+(?:```|$)")
_SLACK_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_NOT_TEXT = regex.compile(r"[\ud800-\udfff]")

Record = Mapping[str, Any]


def find_json_chat(text: str, users: Mapping[str, str] | None = None) -> Dialogue | None:
    """Return the chat that a JSON document, or a text of JSON lines, contains; or None.

    Parameters
    ----------
    text : str
    users : mapping of str to str, optional
        The names of the users of Slack by their ids.

    Examples
    --------
    >>> from byline.corpus.dialogue.chat_json import find_json_chat
    >>> line = '{"type": "message", "user": "U1", "text": "Is it long?", "ts": "1709545%d.0"}'
    >>> chat = find_json_chat(f"[{line % 1}, {line % 2}]", {"U1": "Ann"})
    >>> chat.kind, chat.speakers
    ('a Slack channel', {'Ann': 2})
    """
    content = _parse(text)
    if content is None:
        return None
    for kind, messages in (
        (TELEGRAM, _telegram(content)),
        (SLACK, _slack(content, users or {})),
        (SIGNAL, _signal(content)),
    ):
        if len(messages) >= _MIN_MESSAGES:
            return chat_of(kind, [Message(name, _as_text(said)) for name, said in messages])
    return None


def slack_users(text: str) -> dict[str, str]:
    """Return the names by id from the file ``users.json`` of an export of Slack; empty if none."""
    content = _parse(text)
    users = _records(content) if isinstance(content, list) else []
    return {
        str(user["id"]): name
        for user in users
        if "id" in user and "profile" in user and (name := _slack_name(user))
    }


def _parse(text: str) -> Any:
    """Return the content of JSON, or of a text with one JSON object per line; None if invalid."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    records: list[Any] = []
    for line in text.split("\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except (ValueError, RecursionError):
                return None
    return records


def _records(content: Any) -> list[Record]:
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def _as_text(said: str) -> str:
    return str(_NOT_TEXT.sub("\ufffd", said))


def _telegram(content: Any) -> list[Message]:
    """Read ``result.json``: one chat, or all chats of an account."""
    if not isinstance(content, dict):
        return []
    chats = content.get("chats")
    each_chat = _records(chats.get("list")) if isinstance(chats, dict) else [content]
    return [
        Message(_telegram_speaker(record), _telegram_text(record.get("text", "")))
        for chat in each_chat
        for record in _records(chat.get("messages"))
        if "date" in record and "type" in record
    ]


def _telegram_speaker(record: Record) -> str:
    """Return who wrote a message; empty for a notice or a forwarded message."""
    is_own = record["type"] == "message" and not record.get("forwarded_from")
    return str(record.get("from") or "") if is_own else ""


def _telegram_text(text: Any) -> str:
    """Return a text, which is a string or a list of strings and of formatted parts."""
    parts = text if isinstance(text, list) else [text]
    return "".join(
        part if isinstance(part, str) else str(part.get("text", ""))
        for part in parts
        if isinstance(part, str | dict)
        and not (isinstance(part, dict) and part.get("type") in ("pre", "link"))
    )


def _slack(content: Any, users: Mapping[str, str]) -> list[Message]:
    return [
        Message(_slack_speaker(record, users), _slack_text(str(record["text"]), users))
        for record in _records(content)
        if record.get("type") == "message" and "ts" in record and "text" in record
    ]


def _is_slack_notice(record: Record) -> bool:
    """Return whether a record is a notice, such as that somebody joined a channel."""
    return record.get("subtype") not in (None, "thread_broadcast", "me_message", "file_share")


def _slack_speaker(record: Record, users: Mapping[str, str]) -> str:
    """Return who wrote a message; empty for a notice or a message of a program."""
    if "bot_id" in record or _is_slack_notice(record):
        return ""
    user = str(record.get("user") or "")
    profile = record.get("user_profile")
    return users.get(user) or (_slack_name({"profile": profile}) if profile else "") or user


def _slack_name(user: Record) -> str:
    profile = user.get("profile")
    stated: list[Any] = [user.get("real_name"), user.get("name")]
    if isinstance(profile, dict):
        stated = [profile.get("real_name"), profile.get("display_name"), *stated]
    return next((str(name).strip() for name in stated if name and str(name).strip()), "")


def _slack_text(text: str, users: Mapping[str, str]) -> str:
    """Return a text without code, links and markup; who is addressed stays, by name."""
    text = _SLACK_REFERENCE.sub(lambda found: _slack_reference(found, users), text)
    text = _SLACK_CODE.sub("", text)
    for entity, character in _SLACK_ENTITIES:
        text = text.replace(entity, character)
    return text.strip()


def _slack_reference(found: regex.Match[str], users: Mapping[str, str]) -> str:
    kind, target, shown = str(found["kind"]), str(found["target"]), str(found["shown"] or "")
    if kind == "@":
        return "@" + (shown or users.get(target, target))
    if kind:
        return kind.strip("!") + (shown or target)
    return shown if shown and "://" not in shown else ""


def _signal(content: Any) -> list[Message]:
    """Read JSON lines of signal-cli, or of programs with ``sender`` and ``body``."""
    return list(_signal_messages(_records(content)))


def _signal_messages(records: Iterable[Record]) -> Iterator[Message]:
    for record in records:
        envelope = record.get("envelope")
        if isinstance(envelope, dict):
            yield from _signal_cli_message(envelope)
        elif "date" in record or "timestamp" in record:
            sender, body = record.get("sender"), record.get("body")
            if isinstance(sender, str) and isinstance(body, str):
                yield Message(sender, body)


def _signal_cli_message(envelope: Record) -> Iterator[Message]:
    sent = envelope.get("syncMessage")
    inner = sent.get("sentMessage") if isinstance(sent, dict) else envelope.get("dataMessage")
    if isinstance(inner, dict) and isinstance(inner.get("message"), str):
        name = envelope.get("sourceName") or envelope.get("source") or ""
        yield Message(str(name), inner["message"])


def is_json(data: bytes) -> bool:
    """Return whether a content begins like a JSON object or array."""
    return data[:100].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
