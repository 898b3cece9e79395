from __future__ import annotations

import json

import pytest

from byline.corpus.dialogue.chat_json import find_json_chat, slack_users

TELEGRAM = {
    "name": "Ben", "type": "personal_chat", "id": 1,
    "messages": [
        {"id": 1, "type": "service", "date": "2024-03-01T08:17:00", "actor": "Ann",
         "action": "create_group", "text": ""},
        {"id": 2, "type": "message", "date": "2024-03-01T08:18:00", "from": "Ann",
         "text": ["Is it ", {"type": "bold", "text": "long"}, "?"]},
        {"id": 3, "type": "message", "date": "2024-03-01T08:19:00", "from": "Ben", "text": "Very."},
        {"id": 4, "type": "message", "date": "2024-03-01T08:20:00", "from": "Ben",
         "forwarded_from": "The Harbour News", "text": "Ropes are short this year."},
    ],
}  # fmt: skip
SLACK = [
    {"type": "message", "subtype": "channel_join", "user": "U1", "ts": "1.0",
     "text": "<@U1> has joined the channel"},
    {"type": "message", "user": "U1", "ts": "2.0", "text": "Is it long, <@U2>? See <https://a.org|it>"},
    {"type": "message", "user": "U2", "ts": "3.0", "text": "Very &amp; strong. ```x = 1```"},
    {"type": "message", "user": "U3", "ts": "4.0", "text": "Hi",
     "user_profile": {"real_name": "Cleo Reed"}},
    {"type": "message", "bot_id": "B1", "ts": "5.0", "text": "A reminder"},
]  # fmt: skip
USERS = [
    {"id": "U1", "name": "ann", "profile": {"real_name": "Ann Quill"}},
    {"id": "U2", "name": "ben", "profile": {"display_name": "Ben"}},
]


def test_telegram_without_services_and_forwarded_messages() -> None:
    chat = find_json_chat(json.dumps(TELEGRAM))
    assert chat is not None
    assert [(turn.speaker, turn.text) for turn in chat.turns] == [
        ("Ann", "Is it long?"), ("Ben", "Very."),
    ]  # fmt: skip
    assert [(part.kind, part.n) for part in chat.excluded] == [("messages of the chat program", 2)]


def test_all_chats_of_a_telegram_account() -> None:
    chat = find_json_chat(json.dumps({"chats": {"list": [TELEGRAM, TELEGRAM]}}))
    assert chat is not None
    assert chat.speakers == {"Ann": 2, "Ben": 2}


def test_slack_with_the_names_of_its_users() -> None:
    chat = find_json_chat(json.dumps(SLACK), slack_users(json.dumps(USERS)))
    assert chat is not None
    assert [(turn.speaker, turn.text) for turn in chat.turns] == [
        ("Ann Quill", "Is it long, @Ben? See it"), ("Ben", "Very & strong."), ("Cleo Reed", "Hi"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "records",
    [
        [{"date": "2024-03-01 08:18", "sender": name, "body": "Yes"} for name in ("Ann", "Ben")],
        [
            {"envelope": {"sourceName": "Ann", "dataMessage": {"message": "Yes"}}},
            {"envelope": {"sourceName": "Ben", "syncMessage": {"sentMessage": {"message": "Yes"}}}},
            {"envelope": {"sourceName": "Ben", "receiptMessage": {}}},
        ],
    ],
)
def test_signal_in_json_lines(records: list[object]) -> None:
    chat = find_json_chat("\n".join(map(json.dumps, records)))
    assert chat is not None
    assert chat.kind == "a Signal chat"
    assert chat.speakers == {"Ann": 1, "Ben": 1}


@pytest.mark.parametrize(
    "text",
    ["", "[1, 2", "[]", "{}", "7", '[{"author": "Ann", "text": "Yes"}]', "[" * 100_000,
     '{"messages": 3}', '[{"type": "message", "ts": 1, "text": null}]'],
)  # fmt: skip
def test_other_json_is_no_chat(text: str) -> None:
    assert find_json_chat(text) is None
