from __future__ import annotations

import pytest

from byline.typography.letter_case import lower, lowercase_function


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
