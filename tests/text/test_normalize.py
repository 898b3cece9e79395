"""Normalisation: what changes, and that nothing else changes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.text.normalize import (
    lower,
    lowercase_function,
    normalize,
    remove_transcript_annotations,
)


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("don\u2019t", "don't"),
        ("\u201cYes,\u201d she said.", '"Yes," she said.'),
        ("\u00abOui\u00bb", '"Oui"'),
        ("wait\u2026", "wait..."),
        ("well\u2010known \u2212 5", "well-known - 5"),
        ("so \u2013 then -- or\u2015not", "so \u2014 then \u2014 or\u2014not"),
        ("1914\u201318", "1914-18"),
        ("cafe\u0301", "caf\u00e9"),
        ("soft\u00adhyphen\ufeff", "softhyphen"),
        ("\u200fשלום\u200e", "שלום"),
        ("می\u200cروم", "می\u200cروم"),
        ("a\x00b\tc", "a b c"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\fb\u2029c", "a\n\nb\n\nc"),
        ("bad \ud800 half", "bad \ufffd half"),
        ("", ""),
    ],
)
def test_normalize_known_values(given_text: str, expected: str) -> None:
    assert normalize(given_text) == expected


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("So [MUSIC] on", "So   on"),
        ("So [inaudible] on", "So   on"),
        ("So [BLANK_AUDIO] on", "So   on"),
        ("So (Laughter) on", "So   on"),
        (">> Good day.\n>> and you?", "  Good day.\n  and you?"),
        ("Right. >> Why?", "Right.   Why?"),
        ("Right. >> [inaudible] fine", "Right.     fine"),
        ("\u226b Hello", "  Hello"),
    ],
)
def test_transcript_annotations_are_removed(given_text: str, expected: str) -> None:
    assert remove_transcript_annotations(given_text) == expected


@pytest.mark.parametrize(
    "prose",
    [
        "[sic]",
        "a[i] and b[J]",
        "[the king] rose",
        "see [EU]",
        "(a sound)",
        "cin >> x",
        "[1]",
        "[x](y)",
    ],
)
def test_brackets_in_prose_stay(prose: str) -> None:
    assert remove_transcript_annotations(prose) == prose


def test_transcript_annotations_are_kept_on_request() -> None:
    assert normalize(">> So [MUSIC]", transcript_annotations="keep") == ">> So [MUSIC]"


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("ISPARTA", "tr", "\u0131sparta"),
        ("\u0130zmir", "tr-TR", "izmir"),
        ("ISPARTA", "en", "isparta"),
        ("Stra\u00dfe", "de", "stra\u00dfe"),
        ("STRA\u1e9eE", "de", "stra\u00dfe"),
        ("GROẞ", "de-AT", "groß"),
        ("ΟΔΟΣ", "el", "οδος"[:-1] + "ς"),
        ("ΣΟΦΟΣ", "en", "σοφος"[:-1] + "ς"),
        ("ΣΑΣ", "el", "σας"),
        ("ĲSSEL", "nl", "ĳssel"),
        ("ЇЖАК", "uk", "їжак"),
        ("ԵՒ", "hy", "եւ"),
        ("ქართული", "ka", "ქართული"),
        ("ᲥᲐᲠᲗᲣᲚᲘ", "ka", "ქართული"),
        ("ĞIK", "az", "ğık"),
        ("LÌ", "lt", "lì"),
        ("東京タワー", "ja", "東京タワー"),
    ],
)
def test_lower_case(word: str, language: str, expected: str) -> None:
    assert lower(word, language) == expected
    assert lowercase_function(language)(word) == expected


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=80))
def test_normalised_text_is_stable_nfc_and_printable(text: str) -> None:
    once = normalize(text, transcript_annotations="keep")
    assert unicodedata.is_normalized("NFC", once)
    assert once.encode("utf-8").decode("utf-8") == once
    controls = {c for c in once if unicodedata.category(c) == "Cc"}
    assert controls <= {"\n"}
