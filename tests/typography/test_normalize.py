"""Normalisation: what changes, and that nothing else changes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.typography.normalize import normalize


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


def test_transcript_annotations_are_kept_on_request() -> None:
    assert normalize(">> So [MUSIC]", transcript_annotations="keep") == ">> So [MUSIC]"


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=80))
def test_normalised_text_is_stable_nfc_and_printable(text: str) -> None:
    once = normalize(text, transcript_annotations="keep")
    assert unicodedata.is_normalized("NFC", once)
    assert once.encode("utf-8").decode("utf-8") == once
    controls = {c for c in once if unicodedata.category(c) == "Cc"}
    assert controls <= {"\n"}
