"""TextEncoder: from texts to ids."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.errors import BylineWarning, ModelFileError, TrainingError, UsageError
from byline.text import TextEncoder

TEXTS = [
    "The river rose. The river fell, and the boats came in.",
    "No boat rose with the river. It fell.",
]
ANY_TEXT = st.text(st.characters(codec=None), max_size=60)


def _encoder(**params: Any) -> TextEncoder:
    return TextEncoder(**{"min_count": 1, "min_frequency": 0.0} | params)


def test_tokenize_with_default_settings() -> None:
    tokens = TextEncoder().tokenize("She didn\u2019t go. [MUSIC] \u201cWhy?\u201d")
    assert tokens == [["she", "didn't", "go", "."], ['"', "why", "?", '"']]


def test_the_papers_settings() -> None:
    text = "They're computing h.left (see 2.5). Red-black trees: \u201cfast.\u201d Is x2 3?"
    assert [" ".join(s) for s in TextEncoder.like_ge_sun_2016().tokenize(text)] == [
        "thei're comput h . left see <num> .",
        "red black tree fast . is x2 <num> ?",
    ]


def test_characters() -> None:
    tokens = TextEncoder(unit="char").tokenize("Ah  no.\nIt\tis.")
    assert tokens == [["a", "h", " ", "n", "o", "."], ["i", "t", " ", "i", "s", "."]]
    assert TextEncoder(unit="char", lowercase=False).tokenize("Aé") == [["A", "é"]]


def test_lower_case_and_elision_depend_on_the_language() -> None:
    assert TextEncoder(language="tr").tokenize("ISI") == [["\u0131s\u0131"]]
    assert TextEncoder(language="fr").tokenize("L\u2019eau") == [["l'", "eau"]]


def test_case_is_kept_on_request() -> None:
    assert TextEncoder(lowercase=False).tokenize("The End") == [["The", "End"]]


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize("sentence_rule", ["segmenter", "punctuation"])
@pytest.mark.parametrize("text", ["", "  \n\n\t ", "\x00\x01", "\ufeff", "[MUSIC]"])
def test_texts_without_tokens(unit: str, sentence_rule: str, text: str) -> None:
    assert TextEncoder(unit=unit, sentence_rule=sentence_rule).tokenize(text) == []


def test_a_text_of_punctuation_only_has_tokens() -> None:
    assert TextEncoder().tokenize("?!") == [["?", "!"]]
    tokens = [t for s in TextEncoder().tokenize("... ,,, ;;; !!!") for t in s]
    assert "".join(tokens) == "...,,,;;;!!!"


@pytest.mark.parametrize("sentence_rule", ["segmenter", "punctuation"])
def test_a_long_text_without_punctuation_is_split(sentence_rule: str) -> None:
    text = "so we go on and on " * 2832  # 53,808 characters, 16,992 words
    segments = TextEncoder(sentence_rule=sentence_rule, max_sentence_tokens=100).tokenize(text)
    assert [len(segment) for segment in segments] == [100] * 169 + [92]
    assert (
        len(TextEncoder(sentence_rule=sentence_rule, max_sentence_tokens=None).tokenize(text)) == 1
    )


def test_a_line_of_a_million_characters_is_one_token() -> None:
    sentences = TextEncoder().tokenize("word" * 250_000)
    assert [len(sentence) for sentence in sentences] == [1]


def test_scripts_without_spaces_are_split_into_characters() -> None:
    assert TextEncoder(language="ja").tokenize("吾輩は猫である。名前はまだ無い。") == [
        list("吾輩は猫である。"),
        list("名前はまだ無い。"),
    ]


@settings(deadline=None)
@given(text=ANY_TEXT, unit=st.sampled_from(["word", "char"]), lowercase=st.booleans())
def test_tokenize_accepts_any_string_and_loses_nothing(
    text: str, unit: str, lowercase: bool
) -> None:
    encoder = TextEncoder(unit=unit, lowercase=lowercase, max_sentence_tokens=7)
    sentences = encoder.tokenize(text)
    assert all(0 < len(sentence) <= 7 for sentence in sentences)
    if not lowercase:
        joined = "".join(token for sentence in sentences for token in sentence)
        assert "".join(joined.split()) == "".join(encoder.normalize(text).split())


@settings(deadline=None)
@given(text=ANY_TEXT, sentence_rule=st.sampled_from(["segmenter", "punctuation"]))
def test_the_papers_settings_accept_any_string(text: str, sentence_rule: str) -> None:
    encoder = TextEncoder.like_ge_sun_2016().set_params(sentence_rule=sentence_rule)
    tokens = [token for sentence in encoder.tokenize(text) for token in sentence]
    assert all(token.isascii() and token for token in tokens)


@settings(deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=3), st.sampled_from(["word", "char"]))
def test_decode_reverses_encode_for_known_tokens(texts: list[str], unit: str) -> None:
    encoder = _encoder(unit=unit)
    documents = [encoder.tokenize(text) for text in texts]
    if not any(documents):
        return
    encoder.fit(texts)
    for text, document in zip(texts, documents, strict=True):
        encoded = encoder.encode(document)
        assert [encoder.decode(ids) for ids in encoded] == document
        assert encoder.tokenize(text) == document
    for ids, again in zip(encoded, encoder.transform(texts)[-1], strict=True):
        assert ids.dtype == np.int32
        np.testing.assert_array_equal(ids, again)


def test_fit_prunes_rare_tokens() -> None:
    encoder = TextEncoder().fit(TEXTS)
    # the 4; "." 4; river 3; fell 2; rose 2. Once each: "," and boats came in no boat with it
    assert encoder.vocabulary_.tokens == ("<unk>", ".", "the", "river", "fell", "rose")
    assert encoder.vocabulary_.counts == (9, 4, 4, 3, 2, 2)
    unseen = encoder.transform(["The ship fell."])
    assert [ids.tolist() for ids in unseen[0]] == [[2, 0, 4, 1]]


def test_fit_tokenized_equals_fit() -> None:
    encoder = TextEncoder()
    documents = [encoder.tokenize(text) for text in TEXTS]
    assert clone(encoder).fit_tokenized(documents).vocabulary_ == encoder.fit(TEXTS).vocabulary_


def test_encode_keeps_empty_sentences_in_place() -> None:
    encoded = TextEncoder().fit(TEXTS).encode([[], ["river"], []])
    assert [ids.tolist() for ids in encoded] == [[], [3], []]


def test_scikit_learn_conventions() -> None:
    encoder = TextEncoder(unit="char", min_count=3)
    copied = clone(encoder)
    assert copied.get_params() == encoder.get_params()
    assert copied.set_params(unit="word").unit == "word"
    with pytest.raises(NotFittedError):
        copied.encode([["a"]])
    assert "TextEncoder" in repr(copy.deepcopy(copied.fit(TEXTS)))
    TextEncoder(unit="invalid")  # __init__ only stores


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"unit": "syllable"}, r"'unit' .* 'char' or 'word'. Got 'syllable'"),
        ({"unit": ["word"]}, "'unit' parameter"),
        ({"word_rule": "ascii"}, "'word_rule' parameter"),
        ({"sentence_rule": "lines"}, "'sentence_rule' parameter"),
        ({"numbers": None}, "'numbers' parameter"),
        ({"normalization": "modern"}, "normalization 'modern' does not begin with a preset"),
        ({"normalization": True}, "'normalization' parameter of TextEncoder must be a str"),
        ({"lowercase": 1}, r"'lowercase' .* True or False"),
        ({"stem": "porter"}, r"'stem' .* True or False"),
        ({"language": "English!"}, "language must be an ISO 639 code"),
        ({"language": None}, "'language' parameter"),
        ({"min_count": 0}, r"'min_count' .* a whole number of at least 1. Got 0"),
        ({"min_count": True}, "min_count"),
        ({"min_count": 2.0}, "min_count"),
        ({"min_frequency": 1.0}, "min_frequency"),
        ({"min_frequency": float("nan")}, "min_frequency"),
        ({"min_frequency": "0"}, "min_frequency"),
        ({"max_sentence_tokens": 0}, "max_sentence_tokens"),
        ({"stem": True, "language": "de"}, "Set stem=False"),
        ({"unit": "char", "stem": True}, "there are no words"),
        ({"unit": "char", "numbers": "replace"}, "there are no words"),
        ({"unit": "char", "word_rule": "ge-sun-2016"}, "there are no words"),
    ],
)
def test_invalid_parameters_are_rejected(params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TextEncoder(**params).tokenize("a")
    with pytest.raises(UsageError, match=message):
        TextEncoder(**params).fit(["a a"])


def test_numpy_scalars_are_valid_parameters() -> None:
    encoder = TextEncoder().set_params(
        min_count=np.int64(2), min_frequency=np.float64(1e-5), lowercase=np.bool_(True)
    )
    encoder.fit(TEXTS)
    again = TextEncoder.from_dict(json.loads(json.dumps(encoder.to_dict())))
    assert again.vocabulary_ == encoder.vocabulary_


def test_invalid_texts_are_rejected() -> None:
    with pytest.raises(UsageError, match="Put it in a list"):
        TextEncoder().fit("one string")
    with pytest.raises(UsageError, match="must be a string, not int"):
        TextEncoder().fit([3])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="must be a string, not bytes"):
        TextEncoder().tokenize(b"abc")  # type: ignore[arg-type]


@pytest.mark.parametrize("texts", [[], ["", " \n"]])
def test_training_texts_without_tokens_are_rejected(texts: list[str]) -> None:
    with pytest.raises(TrainingError, match="no token"):
        TextEncoder().fit(texts)


@pytest.mark.parametrize(
    "encoder", [TextEncoder(), TextEncoder.like_ge_sun_2016(), TextEncoder(unit="char")]
)
def test_dict_round_trip(encoder: TextEncoder) -> None:
    fitted = clone(encoder).fit(TEXTS)
    data = fitted.to_dict()
    again = TextEncoder.from_dict(json.loads(json.dumps(data)))
    assert again.get_params() == fitted.get_params()
    assert again.vocabulary_ == fitted.vocabulary_
    assert again.to_dict() == data


def _without(data: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != key}


def test_from_dict_rejects_invalid_data() -> None:
    data = TextEncoder().fit(TEXTS).to_dict()
    params = data["params"]
    invalid: tuple[Any, ...] = (
        None,
        [],
        {},
        _without(data, "params"),
        data | {"more": 1},
        data | {"params": []},
        data | {"params": _without(params, "unit")},
        data | {"params": params | {"newer": 1}},
        data | {"params": params | {"unit": "syllable"}},
        data | {"params": params | {"min_count": "2"}},
        data | {"vocabulary": None},
        data | {"vocabulary": {"tokens": ["a"], "counts": [1]}},
    )
    for bad in invalid:
        with pytest.raises(ModelFileError):
            TextEncoder.from_dict(bad)


@pytest.mark.parametrize("unit", ["word", "char"])
def test_without_punctuation_a_sentence_of_symbols_is_dropped(unit: str) -> None:
    encoder = TextEncoder(unit=unit, punctuation="drop")
    sentences = encoder.tokenize("It's late. --- \n\n...\n\nGo!")
    expected = {"word": ["it'slate", "go"], "char": ["it's late", "go"]}[unit]
    assert ["".join(tokens) for tokens in sentences] == expected


def test_the_rule_of_the_paper_warns_of_letters_that_it_drops() -> None:
    encoder = TextEncoder.like_ge_sun_2016()
    with pytest.warns(BylineWarning, match=r"knows only unaccented Latin letters.*texts \(100 %\)"):
        encoder.fit(["Вечером к реке пришла женщина 1."])
    with pytest.warns(BylineWarning, match="Use another rule"):
        encoder.fit(["Une élève rêvait près de la rivière."])
    encoder.fit(["A café stood by the river. " + "Nobody in the village ever went there. " * 4])
    TextEncoder().fit(["Une élève rêvait près de la rivière."])
