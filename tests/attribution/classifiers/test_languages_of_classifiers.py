"""Scripts without spaces and lower-casing by language in what classifiers read."""

from __future__ import annotations

import pytest

from byline.attribution import AuthorshipAttributor
from byline.attribution.classifiers import ChunkedClassifier, NgramBlock, NgramRidge, NgramSVM
from byline.attribution.classifiers.blocks import split_units, unmasked_words
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.classifiers.units import (
    spans_of_words_without_punctuation,
    sentence_spans,
    sentence_lengths,
    split_tokens,
    split_words_without_punctuation,
    token_spans,
)
from byline.attribution.model_files.classifiers import describe_classifier, rebuild_classifier
from byline.attribution.stacking.base_classifiers import default_base_classifiers, language_of
from byline.attribution.stacking.held_out import sentence_spans as held_out_bounds
from byline.text import TextEncoder

MIXED = "我讀Byline，\n他說：“OK！”"
THAI = "ฉันมาแล้ว เธอไปไหน เด็ก ๆ เล่นกัน"


def test_signs_are_words_and_places_are_theirs() -> None:
    tokens = ["我", "讀", "Byline", "，", "\n", "他", "說", "：“", "OK", "！”"]
    assert split_tokens(MIXED) == tokens
    assert [MIXED[start:end] for start, end in token_spans(MIXED)] == tokens
    words = ["我", "讀", "byline", "他", "說", "ok"]
    assert split_words_without_punctuation(MIXED) == words
    assert [
        MIXED[start:end].lower() for start, end in spans_of_words_without_punctuation(MIXED)
    ] == words


def test_pieces_have_as_many_signs_as_others_have_words() -> None:
    pieces = split_into_chunks("春夏秋冬。" * 30, 40)
    assert [len(piece) for piece in pieces] == [50, 50, 50]  # forty signs and ten marks
    assert "".join(pieces) == "春夏秋冬。" * 30
    assert split_into_chunks("one two three four", 2) == ["one two ", "three four"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (THAI, ["ฉันมาแล้ว", "เธอไปไหน", "เด็ก ๆ เล่นกัน"]),
        ("នេះជាផ្ទះ។ មួយទៀត។", ["នេះជាផ្ទះ។", "មួយទៀត។"]),
        ("ይህ ቤት ነው። አዎ።", ["ይህ ቤት ነው።", "አዎ።"]),
        ("他來了。「走吧！」她說。", ["他來了。", "「走吧！」", "她說。"]),
        ("كيف؟ نعم.", ["كيف؟", "نعم."]),
    ],
)
def test_lengths_are_of_the_scripts_own_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


def test_lengths_count_signs() -> None:
    assert sentence_lengths("春夏秋冬。" + "春夏秋冬" * 5 + "。") == ["4-6", "16-21"]


def test_turkish_capitals_are_told_from_others() -> None:
    assert split_words_without_punctuation("ISLAK İZ", "tr") == ["ıslak", "iz"]
    assert split_words_without_punctuation("ISLAK iz", "en") == ["islak", "iz"]
    block = NgramBlock("masked", (1, 1), keep=1, language="tr")
    kept = unmasked_words(["ışık Işık IŞIK iz"], block)
    assert kept == {"ışık"}
    assert split_units("IŞIK İZ", block, kept) == ["IŞIK", "A"]
    assert split_units("IŞIK İZ", NgramBlock("masked", (1, 1), keep=1), kept) == ["A", "A"]


def test_members_have_the_language_of_the_encoder_and_keep_it() -> None:
    members = default_base_classifiers(AuthorshipAttributor(encoder=TextEncoder(language="tr")))
    assert language_of(members) == "tr"
    assert language_of([("svm", NgramSVM())]) == "en"
    for name in ("style", "word-ngrams"):
        member = dict(members)[name]
        assert isinstance(member, ChunkedClassifier)
        again = rebuild_classifier(describe_classifier(member))
        assert isinstance(again, ChunkedClassifier)
        for classifier in (member.classifier, again.classifier):
            if isinstance(classifier, NgramRidge):
                assert {block.language for block in classifier.blocks} == {"tr"}
            else:
                assert classifier.get_params()["language"] == "tr"


def test_classifiers_stored_before_they_had_a_language_are_english() -> None:
    description = describe_classifier(NgramSVM("word-without-punctuation"))
    description["params"].pop("language")
    assert rebuild_classifier(description).get_params()["language"] == "en"


def test_runs_of_sentences_are_cut_in_the_language() -> None:
    text = "Τι κάνεις; Καλά είμαι. Εσύ;"
    assert len(held_out_bounds(text, "el")) == 3
    assert len(held_out_bounds(text)) == 2
