"""Encoding of texts that are already tokenized."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.errors import CorpusError, ModelFileError, TrainingError, UsageError
from byline.text.pretokenized import PretokenizedEncoder

TOKENS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\v\f\r "), min_size=1).filter(
    lambda token: token not in {"<s>", "</s>"}
)


@given(st.lists(st.lists(TOKENS, max_size=4), max_size=5))
def test_lines_are_sentences_and_only_spaces_separate_tokens(sentences: list[list[str]]) -> None:
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    assert PretokenizedEncoder(blank_lines="sentence").tokenize(text) == sentences
    assert PretokenizedEncoder().tokenize(text) == [s for s in sentences if s]
    assert PretokenizedEncoder().tokenize(text.replace("\n", " \r\n")) == [
        s for s in sentences if s
    ]


def test_tokens_are_neither_lower_cased_nor_pruned() -> None:
    encoder = PretokenizedEncoder().fit(["The loom <unk>\nthe loom 3.5"])
    assert encoder.vocabulary_.tokens == ("<unk>", "loom", "3.5", "The", "the")
    assert encoder.vocabulary_.counts[0] == 1
    ids = encoder.encode([["the", "ship", "<unk>"], []])
    assert [part.tolist() for part in ids] == [[4, 0, 0], []]
    assert ids[1].dtype == np.int32


def test_pruning_matches_the_papers_program() -> None:
    # 299,986 + 3 + 4 + 1 tokens and 6 sentence ends are 300,000. A count of 3 is exactly 1/100,000,
    # which the program prunes. A count of 4 is above it.
    sentences = [["the"] * 299_986, ["three"] * 3, ["four"] * 4, ["once"], [], []]
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    encoder = PretokenizedEncoder.like_ge_sun_2016().set_params(blank_lines="sentence").fit([text])
    assert encoder.vocabulary_.tokens == ("<unk>", "the", "four")
    assert encoder.vocabulary_.counts == (4, 299_986, 4)
    # Without the ends of the two blank lines, a count of 3 is above 1/100,000.
    encoder = PretokenizedEncoder.like_ge_sun_2016().fit([text])
    assert encoder.vocabulary_.tokens == ("<unk>", "the", "four", "three")


def test_pruning_by_count() -> None:
    encoder = PretokenizedEncoder(min_count=3).fit(["a a a b b c <unk> <unk> <unk>\n"])
    assert encoder.vocabulary_.tokens == ("<unk>", "a")
    assert encoder.vocabulary_.counts == (6, 3)


def test_invalid_texts_and_parameters_are_rejected() -> None:
    with pytest.raises(CorpusError, match=r"Line 2 .*</s>"):
        PretokenizedEncoder().tokenize("a b\nc </s>\n")
    with pytest.raises(UsageError, match=r"'blank_lines' .* Got 'keep'"):
        PretokenizedEncoder(blank_lines="keep").tokenize("a")
    for name, value in (("min_count", 0), ("min_count", True), ("min_frequency", 1.0)):
        with pytest.raises(UsageError, match=rf"'{name}' .* Got {value}"):
            PretokenizedEncoder(**{name: value}).fit_tokenized([[["a"]]])  # type: ignore[arg-type]
    with pytest.raises(TrainingError, match="no tokens"):
        PretokenizedEncoder().fit(["\n\n", ""])


def test_an_encoder_can_be_saved_and_restored() -> None:
    encoder = PretokenizedEncoder(blank_lines="sentence", min_count=2, min_frequency=0.25)
    encoder.fit(["b a b\n"])
    data = json.loads(json.dumps(encoder.to_dict()))
    restored = PretokenizedEncoder.from_dict(data)
    assert restored.to_dict() == data
    assert repr(restored) == repr(encoder)
    changes: tuple[dict[str, object], ...] = (
        {"kind": "x"},
        {"blank_lines": "x"},
        {"min_count": "2"},
        {"min_frequency": -1},
        {"vocabulary": 1},
        {"more": 1},
    )
    for change in changes:
        with pytest.raises(ModelFileError):
            PretokenizedEncoder.from_dict(data | change)
    with pytest.raises(ModelFileError):
        PretokenizedEncoder.from_dict([])
