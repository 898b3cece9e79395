"""Divide the JSON files of a folder into chats, the users of Slack, and what is no text."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath

from byline.corpus.decoding import decode
from byline.corpus.dialogue.chat_json import slack_users
from byline.corpus.readers.dialogues import is_chat_file
from byline.corpus.readers.formats import CHAT
from byline.corpus.readers.listing import Listing, TextFile
from byline.errors import CorpusError

_USERS = "users.json"


def skip_other_json(listing: Listing) -> dict[str, str]:
    """Skip JSON files that are no chats, and join the days of each channel of Slack.

    Returns
    -------
    dict of str to str
        The names of the users of Slack by their ids; empty if the folder is no export of Slack.
    """
    candidates = [file for file in listing.files if file.suffix.lower() in CHAT.suffixes]
    if not candidates:
        return {}
    users: dict[str, str] = {}
    for file in candidates:
        if file.parts[-1].lower() == _USERS:
            users |= _users(file)
    chats = [file for file in candidates if _is_chat(file)]
    other = [file for file in candidates if file not in chats]
    kept = [file for file in listing.files if file not in candidates]
    listing.files[:] = sorted(
        kept + (_by_channel(chats) if users else chats), key=lambda file: file.parts
    )
    skipped = [file.name for file in other if not (users and file.parts[-1].lower() == _USERS)]
    if skipped:
        listing.skipped["unknown-format"] += skipped
    listing.folders = sorted(
        {file.parts[0] for file in listing.files if len(file.parts) > 1}
        | (set() if users else set(listing.folders))
    )
    return users


def _is_chat(file: TextFile) -> bool:
    """Return whether a file is a chat; one that cannot be read is reported later."""
    try:
        return is_chat_file(file.content(), file.name)
    except CorpusError:
        return True


def _users(file: TextFile) -> dict[str, str]:
    try:
        return slack_users(decode(file.content(), file.name).text)
    except CorpusError:
        return {}


def _by_channel(chats: Sequence[TextFile]) -> list[TextFile]:
    """Make one file of the days of each channel, which Slack writes to a folder."""
    channels: dict[tuple[str, ...], list[TextFile]] = defaultdict(list)
    for file in chats:
        channels[file.parts[:-1]].append(file)
    return [
        TextFile((f"{folder[-1]}{PurePath(days[0].name).suffix}",), partial(_joined, days))
        if folder
        else days[0]
        for folder, days in channels.items()
    ]


def _joined(days: Sequence[TextFile]) -> bytes:
    messages = [message for day in days for message in json.loads(day.content())]
    return json.dumps(messages).encode("ascii")
