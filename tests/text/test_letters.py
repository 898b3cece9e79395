"""Words as stylo finds them: runs of letters in lower case."""

import csv
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from byline.text import letter_words
from byline.text.letters import letter_word_pattern
from byline.typography.letter_case import lower
from byline.typography.scripts import UNSPACED_SCRIPTS

UNSPACED = regex.compile(f"[{UNSPACED_SCRIPTS}]")


def test_only_letters_make_words() -> None:
    assert letter_words("Mr. O'Brien's 2nd well-known_book, 1805.") == [
        *("mr", "o", "brien", "s", "nd", "well", "known", "book")
    ]


def test_letters_of_all_scripts_make_words() -> None:
    assert letter_words("Ça ira, Ἀχιλῆος и 'Шинель'") == ["ça", "ira", "ἀχιλῆος", "и", "шинель"]


def test_a_combining_accent_belongs_to_its_word() -> None:
    assert letter_words("e\u0301te\u0301") == ["\u00e9t\u00e9"]


def test_signs_and_digits_are_not_letters() -> None:
    assert letter_words("2 × 3 ÷ 4 = ½ ² _") == []


def test_the_language_decides_the_lower_case() -> None:
    assert letter_words("IRAK", "tr") == ["ırak"]


@given(st.text())
def test_the_pattern_is_the_unicode_categories_of_letters_and_marks(text: str) -> None:
    text = UNSPACED.sub("", text)
    assert letter_word_pattern(text).findall(text) == regex.findall(r"[\p{L}\p{M}]+", text)


@given(st.text())
def test_words_are_the_lower_case_of_the_runs_in_the_text(text: str) -> None:
    runs = letter_word_pattern(text).findall(text)
    assert letter_words(text) == [lower(run) for run in runs]


def test_letters_outside_the_basic_plane_are_letters_too() -> None:
    assert letter_words("a𝔟𐐀 🙂c") == ["a𝔟𐐨", "c"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("讀3本書，Byline好", ["讀", "本", "書", "byline", "好"], id="Chinese"),
        pytest.param("コーヒー", ["コ", "ー", "ヒ", "ー"], id="Japanese"),
        pytest.param("ที่นี่", ["ที่", "นี่"], id="Thai"),
        pytest.param("말 했다", ["말", "했다"], id="Korean has spaces"),
    ],
)
def test_in_scripts_without_spaces_each_letter_is_a_word(text: str, words: list[str]) -> None:
    assert letter_words(text) == words


@given(st.text(alphabet="aé讀書ที่ンー 3,."))
def test_no_letter_is_lost_between_scripts(text: str) -> None:
    marks = regex.findall(r"[\p{L}\p{M}]", text)
    found = "".join(letter_words(text))
    assert [mark for mark in marks if regex.match(r"\p{L}", mark)] == regex.findall(r"\p{L}", found)


def test_as_many_words_as_stylo_counts(shared: Path) -> None:
    with (shared / "oracles/stylo/tokens.tsv").open(encoding="utf-8") as stream:
        rows = dict(csv.reader(stream, delimiter="\t"))
    for name in ("Austen_Emma", "EBronte_Wuthering"):
        path = shared / "corpora/british_fiction" / f"{name.replace('_', '/', 1)}.txt"
        assert len(letter_words(path.read_text(encoding="utf-8"))) == int(rows[name])
