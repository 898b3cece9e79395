"""Words, characters, stems and numbers."""

from __future__ import annotations

import sys

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.text.tokens import (
    PorterStemmer,
    WordForms,
    drop_punctuation,
    replace_numbers,
    split_characters,
    split_words,
    word_forms,
)
from byline.typography.normalize import normalize


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("I don't know, o'clock.", ["I", "don't", "know", ",", "o'clock", "."]),
        ("the dogs' well-known den", ["the", "dogs", "'", "well", "-", "known", "den"]),
        ("'tis 3.14 or 1,000.", ["'", "tis", "3.14", "or", "1,000", "."]),
        ("x2 20th 5% $7", ["x2", "20th", "5", "%", "$", "7"]),
        ("wait... no?!", ["wait", ".", ".", ".", "no", "?", "!"]),
        ("_so_ <unk> <num> <s>", ["_", "so", "_", "<unk>", "<num>", "<", "s", ">"]),
        ("naïve Ελλάδα Привет", ["naïve", "Ελλάδα", "Привет"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("שלום, עולם", ["שלום", ",", "עולם"]),
        ("می\u200cروم خانه", ["می\u200cروم", "خانه"]),
        ("我看書。", ["我", "看", "書", "。"]),
        ("我愛Byline2的書", ["我", "愛", "Byline2", "的", "書"]),
        ("ที่นี่ 3.5 กม.", ["ที่", "นี่", "3.5", "ก", "ม", "."]),
        ("ok 👍🏽👩‍👩‍👧 ❤️!", ["ok", "👍🏽", "👩‍👩‍👧", "❤️", "!"]),
        ("x²+½", ["x²", "+", "½"]),
        ("", []),
    ],
)
def test_words_are_split(sentence: str, words: list[str]) -> None:
    assert split_words(sentence) == words


@given(st.lists(st.sampled_from(["\U0001f1e9", "\U0001f1ea\u0301", "\u200d", "\U0001f469", "-"])))
def test_flags_are_divided_as_unicode_divides_them(parts: list[str]) -> None:
    sentence = "-" + "".join(parts)
    assert split_words(sentence) == regex.findall(r"\X", sentence)


def test_elision_ends_a_token_in_languages_with_elision() -> None:
    sentence = "L'homme qu'il aime, aujourd'hui ' non"
    french = ["L'", "homme", "qu'", "il", "aime", ",", "aujourd'", "hui", "'", "non"]
    assert split_words(sentence, language="fr") == french
    assert split_words(sentence)[:2] == ["L'homme", "qu'il"]


def test_words_under_the_papers_rule() -> None:
    sentence = 'It\'s a red-black tree (x_1): "2.5" or 3.14; naïve!'
    expected = ["It's", "a", "red", "black", "tree", "x_1", "2.5", "or", "3", ".", "14", ";"]
    assert split_words(sentence, rule="ge-sun-2016") == [*expected, "na", "ve", "!"]


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=60), st.sampled_from(["en", "fr"]))
def test_splitting_into_words_loses_only_white_space(text: str, language: str) -> None:
    plain = normalize(text)
    words = split_words(plain, language=language)
    assert "".join(words) == "".join(plain.split())
    assert "" not in words


def test_every_combining_mark_belongs_to_its_letter() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    combining = regex.findall(r"\p{M}", everything)
    assert len(combining) > 2000
    assert [each for each in combining if split_characters(f"a{each}") != [f"a{each}"]] == []


@pytest.mark.parametrize(
    "characters",
    [list("Déjà vu"), ["แ", "ล้", "ว"], ["हि", "न्", "दी"], ["בְּ", "רֵ"], ["ọ̣", "x"], ["我", "。"]],
)
def test_accents_and_vowel_signs_stay_on_their_letter(characters: list[str]) -> None:
    assert split_characters("".join(characters)) == characters


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=60))
def test_characters_together_are_the_text(text: str) -> None:
    characters = split_characters(text)
    assert "".join(characters) == " ".join(text.split())
    assert all(len(regex.sub(r"\p{M}", "", character)) <= 1 for character in characters)


@pytest.mark.parametrize(
    ("word", "replaced"),
    [
        ("3", "<num>"),
        ("3.14", "<num>"),
        ("1,000", "<num>"),
        ("½", "<num>"),
        ("٣", "<num>"),
        ("2's", "<num>'s"),
        ("x2", "x2"),
        ("20th", "20th"),
        ("word", "word"),
        ("<num>", "<num>"),
    ],
)
def test_numbers_are_replaced_unless_they_are_part_of_a_word(word: str, replaced: str) -> None:
    assert replace_numbers(word) == replaced


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Examples from Porter (1980), and runs that are too short to be stemmed.
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("relational", "relat"),
        ("hopefulness", "hope"),
        ("effective", "effect"),
        ("is", "is"),
        ("as", "as"),
        ("they're", "thei're"),
        ("that's", "that's"),
        ("mid60s", "mid60s"),
        ("<num>", "<num>"),
        ("<unk>", "<unk>"),
    ],
)
def test_porter_stems(word: str, stem: str) -> None:
    assert PorterStemmer()(word) == stem


def test_word_forms_are_computed_once_and_shared() -> None:
    forms = word_forms(lowercase=True, stem=True, numbers="replace", language="en")
    assert forms["Running"] == "run"
    assert "Running" in forms
    assert word_forms(lowercase=True, stem=True, numbers="replace", language="en") is forms


def test_the_cache_of_word_forms_has_a_maximum_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.text.tokens._MAX_FORMS", 3)
    forms = WordForms(lowercase=True, stem=False, numbers="keep", language="en")
    assert [forms[word] for word in "ABCDE"] == list("abcde")
    assert len(forms) <= 3


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ('Don\'t -- "stop"!', "Don't stop "),
        ("the dogs' bowls, 3.14", "the dogs bowls 3 14"),
        ("well-known: \u00e9t\u00e9", "well known \u00e9t\u00e9"),
        ("?!", " "),
    ],
)
def test_drop_punctuation(sentence: str, plain: str) -> None:
    # White space is normalised later, when words are split.
    assert drop_punctuation(sentence).split() == plain.split()
