from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.mojibake import find_lost_characters, find_mojibake


def mended(text: str) -> str:
    return apply_edits(text, find_mojibake(Document("ada", text, "a.txt")))


def codes(text: str) -> list[str]:
    return [edit.code for edit in find_mojibake(Document("ada", text, "a.txt"))]


def lost(text: str) -> list[int]:
    return find_lost_characters(Document("ada", text, "a.txt"))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@pytest.mark.parametrize(
    "text", ["Déjà vu, dit-elle: un câble été", "Größe und Übermut — “so” …", "¿Dónde está el año?"]
)
def test_utf8_that_was_read_as_something_else_is_decoded_anew(text: str, encoding: str) -> None:
    wrong = text.encode("utf-8").decode(encoding, "replace")
    if "\N{REPLACEMENT CHARACTER}" not in wrong:
        assert mended(f"first line\n{wrong}\nlast") == f"first line\n{text}\nlast"
        assert codes(wrong) == ["mojibake"]


def test_an_edit_is_no_longer_than_what_differs() -> None:
    (edit,) = find_mojibake(Document("ada", "the cafÃ© is closed", "a.txt"))
    assert (edit.start, edit.end, edit.replacement) == (7, 9, "é")


@pytest.mark.parametrize(
    "text",
    [
        "Déjà vu", "Größe", "Ça va?", "naïve façade", "Łódź", "Ελληνικά", "日本語のテキスト",
        "ÀÉÎÕÜ", "“quoted” – and … more", "5 × 3 £ and 7 €", "Ærø Ål", "l’été",
    ],
)  # fmt: skip
def test_good_text_is_untouched(text: str) -> None:
    assert mended(text) == text
    assert lost(text) == []


def test_marks_of_windows_are_decoded_beside_letters() -> None:
    # 0x93 and 0x94 are quotation marks, 0x92 an apostrophe, 0x85 an ellipsis in Windows-1252
    assert mended("\x93It\x92s here\x94, she said\x85") == "“It’s here”, she said…"


def test_a_letter_of_an_unknown_encoding_is_left_to_a_human() -> None:
    # 0x9a is š in Windows-1252 and ö on an old Macintosh
    text = "they co\x9aperate"
    assert mended(text) == text
    assert lost(text) == [7]


def test_what_could_not_be_decoded_is_left_to_a_human() -> None:
    text = "the caf\N{REPLACEMENT CHARACTER} is closed"
    assert mended(text) == text
    assert lost(text) == [7]


def test_entities_become_their_characters() -> None:
    assert mended("Rope &amp; Sail, &#8220;caf&eacute;&#8221;&nbsp;7") == "Rope & Sail, “café” 7"
    assert codes("&amp;") == ["html-entity"]


@pytest.mark.parametrize("text", ["AT&T; and more", "a & b", "&rope;", "x &lt y", "&#0;"])
def test_what_is_no_entity_stays(text: str) -> None:
    assert mended(text) == text


def test_controls_go_but_not_within_a_word() -> None:
    assert mended("the end\x1a") == "the end"
    assert codes("\x02 so") == ["control-character"]
    # a letter, or two, are lost here
    assert mended("de\x03ned") == "de\x03ned"
    assert lost("de\x03ned") == [2]


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_mending_comes_to_an_end(text: str) -> None:
    for _ in range(20):
        before, text = text, mended(text)
        if text == before:
            return
    raise AssertionError("it goes on and on")
