from __future__ import annotations

import pytest

from byline.corpus.dialogue.chats import find_chat, message_prefix

LRM, THIN = "\u200e", "\u202f"
ANDROID = (
    "01/03/2024, 08:17 - Messages and calls are end-to-end encrypted. Tap to learn more.\n"
    '01/03/2024, 08:17 - Ann created group "Boats: 2024"\n'
    "01/03/2024, 08:18 - Ann: Is it long?\nI mean the rope.\n\nTell me: yes?\n"
    "01/03/2024, 08:19 - Ben Sail: Very.\n"
    "01/03/2024, 08:20 - Ann: <Media omitted>\n"
    "01/03/2024, 08:20 - Ben Sail: IMG-20240301-WA0001.jpg (file attached)\nLook: the knot.\n"
    "01/03/2024, 08:21 - +49 170 1234567: This message was deleted\n"
    "01/03/2024, 08:22 - Ann: Good <This message was edited>\n"
)


def test_a_chat_of_whatsapp_on_android_is_divided_by_speaker() -> None:
    chat = find_chat(ANDROID)
    assert chat is not None
    assert chat.is_certain
    assert chat.speakers == {"Ann": 2, "Ben Sail": 2}
    assert [turn.text for turn in chat.turns] == [
        "Is it long?\n\nI mean the rope.\n\nTell me: yes?", "Very.", "Look: the knot.", "Good",
    ]  # fmt: skip
    assert {part.kind: part.n for part in chat.excluded} == {
        "messages of the chat program": 2,
        "pictures and other media": 2,
        "deleted messages and calls": 1,
    }


def test_a_chat_of_whatsapp_on_ios_has_marks_and_brackets() -> None:
    chat = find_chat(
        f"[01/03/2024, 08:18:22] Ann: {LRM}Messages and calls are end-to-end encrypted.\n"
        "[01/03/2024, 08:18:22] Ann: Is it long?\n"
        f"{LRM}[01/03/2024, 08:18:23] Ben: {LRM}image omitted\n"
        "[01/03/2024, 08:18:24] ~ Ben: Very.\n"
        f"[01/03/2024, 08:19:24] Ann: {LRM}<attached: 00001.jpg>\n"
        "[01/03/2024, 08:19:24] Ann: Good.\n"
    )
    assert chat is not None
    assert [(turn.speaker, turn.text) for turn in chat.turns] == [
        ("Ann", "Is it long?"), ("Ben", "Very."), ("Ann", "Good."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "stamp",
    [
        "01/03/2024, 08:18 - ", "3/1/24, 8:18 AM - ", f"3/1/24, 8:18{THIN}PM - ",
        "01.03.24, 08:18 - ", "[01.03.24, 08:18:59] ", "01/03/2024 à 08:18 - ",
        "1/3/24 8:18 a. m. - ", "1/3/24, 8:18 p.\u00a0m. - ", "2024-03-01 08:18 - ",
        "[2024-03-01, 08:18] ", "[2024-03-01 08:18] ", "01-03-2024 08:18 - ",
        "[3/1/24, 8:18:22 PM] ", "2024/03/01 08:18 - ", "[2024/3/1 下午8:18:22] ",
        "1.3.2024 klo 8.18 - ", "١\u200f/٣\u200f/٢٠٢٤، ٨:١٨ ص - ", "2024년 3월 1일 오전 8:18, ",
        "[08:18] ", "08:18:33 ", "08:18:33\t From ",
    ],
)  # fmt: skip
def test_dates_and_times_have_many_forms(stamp: str) -> None:
    chat = find_chat("".join(f"{stamp}{name}: Is it long?\n" for name in ("Ann", "Ben", "Ann")))
    assert chat is not None
    assert chat.speakers == {"Ann": 2, "Ben": 1}
    assert message_prefix(f"{stamp}Ann: Yes") == len(f"{stamp}Ann: ")


@pytest.mark.parametrize(
    "omitted",
    ["<Media omitted>", "<Medien ausgeschlossen>", "<Médias omis>", "<Multimedia omitido>",
     "image omitted", "Bild weggelassen", "image absente", "imagen omitida",
     "This message was deleted", "Diese Nachricht wurde gelöscht", "Ce message a été supprimé",
     "Se eliminó este mensaje", "Missed voice call", "null"],
)  # fmt: skip
def test_media_and_deleted_messages_are_left_out_in_four_languages(omitted: str) -> None:
    lines = "".join(f"01/03/24, 08:18 - Ann: {words}\n" for words in ("Yes", omitted, "No"))
    chat = find_chat(lines)
    assert chat is not None
    assert chat.text == "Yes\n\nNo"


def test_messages_copied_from_telegram_have_the_name_above() -> None:
    chat = find_chat(
        "Ann Quill, [01.03.2024 08:18]\nIs it long?\nReally?\n\n"
        "Ben, [01.03.2024 08:19:11]\nVery.\n\nAnn Quill, [01.03.2024 08:20]\nGood.\n"
    )
    assert chat is not None
    assert chat.only("Ann Quill").text == "Is it long?\n\nReally?\n\nGood."


@pytest.mark.parametrize(
    "text",
    [
        "On 01/03/2024, 08:18 - Ann: no\nshe said.\n" * 5,
        "01/03/2024, 08:18 - Ann: a single message.\nThe rest is prose.\n",
        "01/03/2024\nDear diary: the rope holds.\n02/03/2024\nIt broke: at noon.\n" * 5,
        "",
    ],
)
def test_prose_and_diaries_are_no_chat(text: str) -> None:
    assert find_chat(text) is None


def test_one_in_five_lines_of_a_chat_begins_a_message() -> None:
    messages = [f"01/03/2024, 08:{minute} - Ann: Is it long?" for minute in range(10, 14)]
    chat = find_chat("\n".join([*messages, *["I mean the rope."] * 16, ""]))
    assert chat is not None and len(chat.turns) == 4
    assert find_chat("\n".join([*messages, *["I mean the rope."] * 17])) is None


@pytest.mark.parametrize(
    "line",
    [
        "[01-Mar-24 08:18 AM] {}\n{}", "[3/1/2024 8:18 AM] {}\n{}", "{}  8:18 AM\n{}",
        "{}  0:18\n{}", "{} says (08:18):\n{}", "[08:18] <{}> {}", "08:18 <{}> {}", "08:18\t{}\t{}",
        "08:18:33\t From {} to Everyone:\n\t{}",
    ],
)  # fmt: skip
def test_chats_of_other_programs_have_the_name_in_other_places(line: str) -> None:
    said = [("Ann", "Is it long?"), ("Ben", "Very."), ("Ann", "Good: it holds.")] * 2
    chat = find_chat("\n".join(line.format(*each) for each in said))
    assert chat is not None
    assert [(turn.speaker, turn.text) for turn in chat.turns] == said


@pytest.mark.parametrize(
    "text",
    ["John 3:16\nIt rained.\n" * 6, "10:30 Breakfast: eggs\n11:00 Walk: the mill\n" * 4,
     "Ann  came at 10:30\n" * 8],
)  # fmt: skip
def test_a_time_alone_makes_no_chat(text: str) -> None:
    assert find_chat(text) is None
