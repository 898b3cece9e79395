from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.mojibake import find_mojibake, find_unrecoverable_characters


def repaired(text: str) -> str:
    return apply_edits(text, find_mojibake(Document("ada", text, "a.txt")))


def codes(text: str) -> list[str]:
    return [edit.code for edit in find_mojibake(Document("ada", text, "a.txt"))]


def lost(text: str) -> list[int]:
    return find_unrecoverable_characters(Document("ada", text, "a.txt"))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@pytest.mark.parametrize(
    "text", ["Déjà vu, dit-elle: un câble été", "Größe und Übermut — “so” …", "¿Dónde está el año?"]
)
def test_utf8_that_was_decoded_wrongly_is_repaired(text: str, encoding: str) -> None:
    wrong = text.encode("utf-8").decode(encoding, "replace")
    if "\N{REPLACEMENT CHARACTER}" not in wrong:
        assert repaired(f"first line\n{wrong}\nlast") == f"first line\n{text}\nlast"
        assert codes(wrong) == ["mojibake"]


def test_an_edit_contains_only_the_difference() -> None:
    (edit,) = find_mojibake(Document("ada", "the cafÃ© is closed", "a.txt"))
    assert (edit.start, edit.end, edit.replacement) == (7, 9, "é")


@pytest.mark.parametrize(
    "text",
    [
        "Déjà vu", "Größe", "Ça va?", "naïve façade", "Łódź", "Ελληνικά", "日本語のテキスト",
        "ÀÉÎÕÜ", "“quoted” – and … more", "5 × 3 £ and 7 €", "Ærø Ål", "l’été",
    ],
)  # fmt: skip
def test_correct_text_is_unchanged(text: str) -> None:
    assert repaired(text) == text
    assert lost(text) == []


def test_windows_punctuation_is_repaired_next_to_letters() -> None:
    # 0x93 and 0x94 are quotation marks, 0x92 an apostrophe, 0x85 an ellipsis in Windows-1252
    assert repaired("\x93It\x92s here\x94, she said\x85") == "“It’s here”, she said…"


def test_a_letter_in_an_unknown_encoding_cannot_be_recovered() -> None:
    # 0x9a is š in Windows-1252 and ö on an old Macintosh
    text = "they co\x9aperate"
    assert repaired(text) == text
    assert lost(text) == [7]


def test_a_replacement_character_cannot_be_recovered() -> None:
    text = "the caf\N{REPLACEMENT CHARACTER} is closed"
    assert repaired(text) == text
    assert lost(text) == [7]


def test_entities_are_replaced_by_characters() -> None:
    assert repaired("Rope &amp; Sail, &#8220;caf&eacute;&#8221;&nbsp;7") == "Rope & Sail, “café” 7"
    assert codes("&amp;") == ["html-entity"]


@pytest.mark.parametrize("text", ["AT&T; and more", "a & b", "&rope;", "x &lt y", "&#0;"])
def test_text_that_is_not_an_entity_stays(text: str) -> None:
    assert repaired(text) == text


def test_control_characters_are_removed_but_not_inside_a_word() -> None:
    assert repaired("the end\x1a") == "the end"
    assert codes("\x02 so") == ["control-character"]
    # One or two letters are lost here.
    assert repaired("de\x03ned") == "de\x03ned"
    assert lost("de\x03ned") == [2]


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_repairs_terminate(text: str) -> None:
    for _ in range(20):
        before, text = text, repaired(text)
        if text == before:
            return
    raise AssertionError("the repairs do not terminate")
