from __future__ import annotations

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.emails import find_email_parts

HEADERS = """From: Ada Quill <ada@example.org>
To: Ben Sail
Subject: The rope
 and its knots
Date: Mon, 1 Jan 2001 10:00:00

"""
BODY = "Dear Ben,\nthe rope is long.\n\nIt holds, and so does the anchor.\nYours, A.\n"


def found(text: str) -> tuple[str, list[str]]:
    edits = find_email_parts(Document("ada", text, "a.txt"))
    return apply_edits(text, edits), [edit.code for edit in edits]


def test_a_letter_has_no_email_parts() -> None:
    assert found(BODY) == (BODY, [])


def test_headers_are_removed_with_their_continuation_lines() -> None:
    assert found(HEADERS + BODY) == ("\n" + BODY, ["email-headers"])


def test_a_single_line_like_a_header_stays() -> None:
    text = "To: the harbour\n" + BODY
    assert found(text) == (text, [])


def test_lines_like_headers_inside_a_text_stay() -> None:
    text = BODY + BODY + HEADERS
    assert found(text) == (text, [])


def test_quoted_lines_are_removed_with_the_line_that_names_their_author() -> None:
    text = "On Monday, 1 January, Ben Sail wrote:\n> Is it long?\n>\n> Ben\n" + BODY
    assert found(text) == (BODY, ["quoted-lines"] * 4)


def test_every_quoted_line_is_removed_if_two_are_consecutive() -> None:
    text = "> Is it long?\n> And strong?\nYes.\n> And new?\nNo.\n"
    assert found(text) == ("Yes.\nNo.\n", ["quoted-lines"] * 3)


def test_a_single_line_that_begins_with_the_sign_stays() -> None:
    text = "one line\n> a mark in a margin\nanother\n" + BODY
    assert found(text) == (text, [])


def test_a_speaker_change_in_captions_is_not_a_quotation() -> None:
    text = ">> Good morning.\n>> Morning.\n>> Is it long?\n"
    assert found(text) == (text, [])


def test_everything_after_original_message_is_removed() -> None:
    text = BODY + "\n-----Original Message-----\nFrom: Ben\nIs it long?\n"
    assert found(text) == (BODY + "\n", ["quoted-lines"])


def test_a_text_that_begins_with_original_message_stays() -> None:
    text = "-----Original Message-----\n" + BODY
    assert found(text) == (text, [])


def test_a_signature_is_removed() -> None:
    assert found(BODY + "-- \nAda Quill\nHarbour 7\n") == (BODY, ["email-signature"])


def test_hyphens_far_from_the_end_are_not_a_signature() -> None:
    text = BODY + "--\n" + "\n".join(f"knot {n} holds" for n in range(20))
    assert found(text) == (text, [])


def test_a_last_sentence_that_begins_with_sent_from_stays() -> None:
    text = BODY + "\nSent from my mother in the harbour, it came too late."
    assert found(text) == (text, [])


def test_the_line_of_a_telephone_is_removed() -> None:
    assert found(BODY + "\nSent from my telephone") == (BODY + "\n", ["email-signature"])
