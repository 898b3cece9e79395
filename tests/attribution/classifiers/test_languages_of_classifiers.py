"""Scripts without spaces, lower-casing by language, and the sentence rule in text classifiers."""

from __future__ import annotations

import pytest

from byline.attribution import AuthorshipAttributor
from byline.attribution.classifiers import ChunkedClassifier, NgramBlock, NgramRidge, NgramSVM
from byline.attribution.classifiers.blocks import split_units, unmasked_words
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.classifiers.units import (
    sentence_lengths,
    sentence_spans,
    spans_of_tokens,
    spans_of_words_without_punctuation,
    split_tokens,
    split_words_without_punctuation,
)
from byline.attribution.model_files.classifiers import describe_classifier, rebuild_classifier
from byline.attribution.stacking.base_classifiers import (
    default_base_classifiers,
    sentence_settings_of,
)
from byline.attribution.stacking.folds import SentenceSettings
from byline.text import TextEncoder

MIXED = "我讀Byline，\n他說：“OK！”"
THAI = "ฉันมาแล้ว เธอไปไหน เด็ก ๆ เล่นกัน"


def test_characters_are_words_and_have_spans() -> None:
    tokens = ["我", "讀", "Byline", "，", "\n", "他", "說", "：“", "OK", "！”"]
    assert split_tokens(MIXED) == tokens
    assert [MIXED[start:end] for start, end in spans_of_tokens(MIXED)] == tokens
    words = ["我", "讀", "byline", "他", "說", "ok"]
    assert split_words_without_punctuation(MIXED) == words
    assert [
        MIXED[start:end].lower() for start, end in spans_of_words_without_punctuation(MIXED)
    ] == words


def test_chunks_count_characters_as_words() -> None:
    chunks = split_into_chunks("春夏秋冬。" * 30, 40)
    assert [len(chunk) for chunk in chunks] == [50, 50, 50]  # forty characters and ten full stops
    assert "".join(chunks) == "春夏秋冬。" * 30
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
def test_lengths_are_those_of_the_scripts_sentences(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


def test_lengths_count_characters() -> None:
    assert sentence_lengths("春夏秋冬。" + "春夏秋冬" * 5 + "。") == ["4-6", "16-21"]


def test_turkish_capitals_are_lower_cased_correctly() -> None:
    assert split_words_without_punctuation("ISLAK İZ", "tr") == ["ıslak", "iz"]
    assert split_words_without_punctuation("ISLAK iz", "en") == ["islak", "iz"]
    block = NgramBlock("masked", (1, 1), keep=1, language="tr")
    kept = unmasked_words(["ışık Işık IŞIK iz"], block)
    assert kept == {"ışık"}
    assert split_units("IŞIK İZ", block, kept) == ["IŞIK", "A"]
    assert split_units("IŞIK İZ", NgramBlock("masked", (1, 1), keep=1), kept) == ["A", "A"]


def test_base_classifiers_use_the_language_and_sentence_rule_of_the_encoder() -> None:
    encoder = TextEncoder(language="tr", sentence_rule="punctuation")
    base_classifiers = default_base_classifiers(AuthorshipAttributor(encoder=encoder))
    assert sentence_settings_of(base_classifiers) == SentenceSettings("punctuation", "tr")
    assert sentence_settings_of([("svm", NgramSVM())]) == SentenceSettings("segmenter", "en")
    for name in ("style", "word-ngrams", "cosine-delta"):
        chunked = dict(base_classifiers)[name]
        assert isinstance(chunked, ChunkedClassifier)
        again = rebuild_classifier(describe_classifier(chunked))
        assert isinstance(again, ChunkedClassifier)
        for classifier in (chunked.classifier, again.classifier):
            if isinstance(classifier, NgramRidge):
                assert {block.language for block in classifier.blocks} == {"tr"}
                assert {block.sentence_rule for block in classifier.blocks} == {"punctuation"}
            else:
                assert classifier.get_params()["language"] == "tr"


def test_classifiers_without_a_language_are_english() -> None:
    description = describe_classifier(NgramSVM("word-without-punctuation"))
    description["params"].pop("language")
    assert rebuild_classifier(description).get_params()["language"] == "en"


def test_passages_are_split_by_the_rules_of_the_language() -> None:
    text = "Τι κάνεις; Καλά είμαι. Εσύ;"
    assert len(SentenceSettings(language="el").spans(text)) == 3
    assert len(SentenceSettings().spans(text)) == 2
