"""Sentence boundaries under both rules."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import BylineWarning
from byline.text.sentences import SENTENCE_RULES, split_sentences


def _split(text: str, rule: str = "segmenter", language: str = "en") -> list[str]:
    return list(split_sentences(text, rule=rule, language=language))


def test_abbreviations_do_not_end_a_sentence_for_the_segmenter() -> None:
    text = "Dr. Lamb met Mr. Orr at noon. They spoke of rain."
    assert _split(text) == ["Dr. Lamb met Mr. Orr at noon.", "They spoke of rain."]
    assert _split(text, "punctuation")[:2] == ["Dr.", "Lamb met Mr."]


def test_a_quotation_is_split_inside_and_keeps_its_quotation_marks() -> None:
    text = 'He said, "Go away. I have work. Never come back." Then he left. "Why?" No one knew.'
    assert _split(text) == [
        'He said, "Go away.',
        "I have work.",
        'Never come back."',
        "Then he left.",
        '"Why?"',
        "No one knew.",
    ]


def test_an_opening_quotation_mark_belongs_to_the_sentence_it_opens() -> None:
    assert _split("She rose. 'Come in. Sit.' He sat.") == [
        "She rose.",
        "'Come in.",
        "Sit.'",
        "He sat.",
    ]


def test_a_quoted_sentence_continues_before_lower_case() -> None:
    assert _split('"Stop!" he cried. "No." She ran.') == ['"Stop!" he cried.', '"No."', "She ran."]


def test_the_papers_rule_needs_white_space_after_the_punctuation_mark() -> None:
    text = 'Set h.left to x. Is 2.5 more? Yes! He said "no." Then "so".'
    assert _split(text, "punctuation") == [
        "Set h.left to x.",
        "Is 2.5 more?",
        "Yes!",
        'He said "no." Then "so".',
    ]


@pytest.mark.parametrize("rule", SENTENCE_RULES)
def test_a_line_end_is_a_space_and_a_blank_line_is_a_boundary(rule: str) -> None:
    text = "The rain\nfell on\nthe roof\n \nA title without a stop\n\n\nIt ended."
    assert _split(text, rule) == [
        "The rain fell on the roof",
        "A title without a stop",
        "It ended.",
    ]


@pytest.mark.parametrize("rule", SENTENCE_RULES)
@pytest.mark.parametrize("text", ["", " \n\n \n", "\n"])
def test_an_empty_text_has_no_sentences(rule: str, text: str) -> None:
    assert _split(text, rule) == []


@pytest.mark.parametrize("language", ["en", "de", "ru", "ja", "DE", "ar", "zh-Hant", "pt-BR"])
def test_every_language_code_can_be_used(language: str) -> None:
    assert len(_split("Uno due tre! Quattro cinque?", language=language)) == 2


@pytest.mark.parametrize("language", ["sw", "xx", "tr-TR", "deu"])
def test_a_language_without_rules_causes_a_warning(language: str) -> None:
    with pytest.warns(BylineWarning, match=f"no rules for the language '{language}'.*English"):
        assert len(_split("Moja mbili. Tatu nne.", language=language)) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(_split("Moja mbili. Tatu nne.", "punctuation", language)) == 2
        assert len(_split("Moja mbili! Tatu nne.", language=language)) == 2


@pytest.mark.parametrize("language", ["de", "DE", "de-AT"])
def test_only_the_first_part_of_a_language_code_counts(language: str) -> None:
    text = "Das war bzw. Anna war es. Ja."
    assert _split(text, language=language) == ["Das war bzw. Anna war es.", "Ja."]


@pytest.mark.parametrize("language", ["en", "zh", "ar", "th"])
@pytest.mark.parametrize(
    "sentences",
    [
        ["我看書。", "真的嗎？", "他寫字！", "完"],
        ["今日は雨です。", "「行くの？」と聞いた。", "はい！"],
        ["雨です。", "とにかく行く。", "「行こう。」", "母は笑った。"],
        ["كيف حالك؟", "أنا بخير.", "شكرا!"],
        ["یہ ایک جملہ ہے۔", "کیا؟", "ہاں۔"],
        ["آیا این خوب است؟", "بله!"],
        ["מה זה?", "זה ספר.", "יופי!"],
        ["यह एक वाक्य है।", "क्या?", "हाँ॥", "अंत"],
        ["এটি একটি বাক্য।", "আরেকটি।"],
        ["ይህ ቤት ነው።", "ነው፧", "አዎ።"],
        ["Սա տուն է։", "Այո։"],
        ["ဒါကအိမ်ဖြစ်သည်။", "ဟုတ်"],
        ["នេះជាផ្ទះ។", "មួយទៀត។", "ចប់៕"],
        ["འདི་ཁང་པ་ཡིན།", "གཞན་པ།"],
        ["วันนี้ฝนตก", "ฉันอยู่บ้านกับเพื่อน 3 คน", "เด็ก ๆ เล่นกัน"],
        ["ມື້ນີ້ຝົນຕົກ", "ຂ້ອຍຢູ່ເຮືອນ"],
        ["비가 왔다.", "정말요?", "네!"],
        ["Trời mưa.", "Thật không?", "Vâng!"],
    ],
)
@pytest.mark.filterwarnings("ignore:The sentence segmenter has no rules")
def test_each_script_ends_sentences_with_its_own_punctuation(
    sentences: list[str], language: str
) -> None:
    """The language code does not matter, so a user who forgets it still gets sentences."""
    joint = "" if sentences[0][-1] in "。។" else " "
    assert _split(joint.join(sentences), language=language) == sentences


def test_the_greek_question_mark_is_a_semicolon_elsewhere() -> None:
    greek = ["Τι κάνεις;", "Καλά είμαι."]
    assert _split(" ".join(greek), language="el") == greek
    assert _split("He ran; Mary did not.", language="en") == ["He ran; Mary did not."]


_PROSE = st.lists(
    st.sampled_from(
        ["He", "ran", "Mr", ".", ". ", '"', ' "', "'", "? ", "! ", "\n", "\n\n", "(", ")", " "]
    )
    | st.text(max_size=4)
).map("".join)


@settings(deadline=None)
@given(text=_PROSE, rule=st.sampled_from(sorted(SENTENCE_RULES)))
def test_only_white_space_is_lost(text: str, rule: str) -> None:
    sentences = _split(text, rule)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in sentences)


@pytest.mark.parametrize("sentence", ["河水在夜里上涨。", "「走吧。」他说。", "いいと思う。"])
def test_a_long_east_asian_paragraph_is_split_like_a_short_one(sentence: str) -> None:
    short = list(split_sentences(sentence * 10, language="zh"))
    n = 2_000
    assert list(split_sentences(sentence * n, language="zh")) == short * (n // 10)


def test_a_run_without_spaces_is_one_sentence() -> None:
    assert list(split_sentences("a!" * 2_000)) == ["a!" * 2_000]
