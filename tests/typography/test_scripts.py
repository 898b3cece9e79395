"""Words in scripts with spaces, and characters in scripts without."""

from __future__ import annotations

import sys
import unicodedata

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution.classifiers import units
from byline.text import tokens
from byline.typography.scripts import (
    UNSPACED_CHARACTER,
    WHITESPACE_WORDS,
    WORDS,
    WordPattern,
    count_words,
    format_word_count,
    is_unspaced,
    may_have_unspaced_characters,
)

THAI = "ฉันไม่รู้"  # nine characters, of which four are combining marks


def test_every_unspaced_character_is_a_word_and_other_words_stay_words() -> None:
    assert WORDS.of("我讀Byline看3本書。").findall("我讀Byline看3本書。") == [
        *("我", "讀", "Byline", "看", "3", "本", "書"),
    ]
    assert WORDS.of("コーヒー").findall("コーヒー") == list("コーヒー")


def test_combining_marks_stay_on_their_character() -> None:
    signs = WORDS.of(THAI).findall(THAI)
    assert "".join(signs) == THAI
    assert len(signs) == sum(unicodedata.category(sign)[0] != "M" for sign in THAI)


def test_punctuation_belongs_to_the_character_before_it() -> None:
    text = "「好。」 Well, 你好！"
    assert WHITESPACE_WORDS.of(text).findall(text) == ["「", "好。」", "Well,", "你", "好！"]


@pytest.mark.parametrize(
    ("text", "n", "named"),
    [
        ("", 0, "0 words"),
        ("one", 1, "1 word"),
        ("don’t — go…", 3, "3 words"),
        ("너 정말 왔구나", 3, "3 words"),
        ("我來了。", 3, "3 characters"),
        ("มา ไหม", 5, "5 characters"),
        ("မြန်မာစာ", 4, "4 characters"),
    ],
)
def test_count_words(text: str, n: int, named: str) -> None:
    assert count_words(text) == n
    assert format_word_count(n, text) == named


@pytest.mark.parametrize(
    ("text", "spaceless"),
    [
        ("去年夏天", True),
        ("昨日、Mary と会った。", True),
        ("Mary met 山田 in the old town of Kyoto yesterday.", False),
        ("지난여름 숲이", False),
        ("Đêm qua trời mưa", False),
        ("كتاب", False),
        ("…—“”’", False),
    ],
)
def test_is_unspaced(text: str, spaceless: bool) -> None:
    assert is_unspaced(text) is spaceless


@settings(deadline=None)
@given(st.text())
def test_both_expressions_agree_without_unspaced_characters(text: str) -> None:
    if not regex.search(UNSPACED_CHARACTER, text):
        assert regex.findall(WORDS.plain, text) == regex.findall(WORDS.unspaced, text)
        between = regex.findall(WHITESPACE_WORDS.unspaced, text)
        assert regex.findall(WHITESPACE_WORDS.plain, text) == between


def test_no_unspaced_character_is_missed() -> None:
    unspaced = regex.findall(UNSPACED_CHARACTER, "".join(map(chr, range(sys.maxunicode + 1))))
    assert len(unspaced) > 90_000
    assert [c for c in unspaced if not may_have_unspaced_characters(c)] == []


@pytest.mark.parametrize("pattern", [tokens._JOINING, tokens._ELIDING, units._TOKEN])
@given(
    st.text(st.characters(max_codepoint=127), max_size=30) | st.text("a1'.,<num> -\n", max_size=12)
)
@settings(max_examples=300)
def test_the_expression_for_ascii_finds_the_same(pattern: WordPattern, text: str) -> None:
    assert pattern.of(text).pattern != pattern.plain or pattern is units._TOKEN
    assert pattern.of(text).findall(text) == regex.compile(pattern.plain).findall(text)
