"""The vocabulary: pruning, order and ids."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.errors import ModelFileError
from byline.text.vocabulary import Vocabulary


def test_order_is_by_count_then_alphabet() -> None:
    vocabulary = Vocabulary.from_counts({"b": 3, "c": 5, "a": 3, "once": 1}, min_frequency=0)
    assert vocabulary.tokens == ("<unk>", "c", "a", "b")
    assert vocabulary.counts == (1, 5, 3, 3)
    assert vocabulary.size == len(vocabulary) == 4
    assert "a" in vocabulary
    assert "once" not in vocabulary


def test_frequency_counts_one_end_token_per_sentence() -> None:
    counts = {"often": 299_990, "rare": 3}
    # 3 / 299,993 is above 1/100,000; with 8 end-of-sentence tokens, 3 / 300,001 is below it.
    assert "rare" in Vocabulary.from_counts(counts)
    assert "rare" not in Vocabulary.from_counts(counts, n_sentences=8)
    # 3 / 300,000 is exactly 1/100,000, which is not below it.
    assert "rare" in Vocabulary.from_counts(counts, n_sentences=7)


def test_a_literal_unk_is_id_0() -> None:
    vocabulary = Vocabulary.from_counts({"<unk>": 9, "a": 4, "b": 1}, min_frequency=0)
    assert vocabulary.tokens == ("<unk>", "a")
    assert vocabulary.counts == (10, 4)  # 9 literal <unk> and the pruned b
    assert vocabulary.encode(["<unk>", "a", "b"]).tolist() == [0, 1, 0]


def test_encode_returns_int32_even_without_tokens() -> None:
    vocabulary = Vocabulary.from_counts({"a": 2}, min_frequency=0)
    for tokens in ([], ["a", "z"]):
        ids = vocabulary.encode(tokens)
        assert ids.dtype == np.int32
        assert ids.shape == (len(tokens),)


@pytest.mark.parametrize("bad", [-1, 2])
def test_decode_rejects_ids_outside_the_vocabulary(bad: int) -> None:
    with pytest.raises(IndexError, match=r"outside \[0, 2\)"):
        Vocabulary.from_counts({"a": 2}, min_frequency=0).decode([bad])


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=1))
def test_vocabulary_laws(tokens: list[str]) -> None:
    counts = Counter(tokens)
    vocabulary = Vocabulary.from_counts(counts)
    assert sum(vocabulary.counts) == len(tokens)
    kept = [token for token in tokens if counts[token] > 1]
    assert vocabulary.decode(vocabulary.encode(kept)) == kept
    assert Vocabulary.from_counts(Counter(sorted(tokens))) == vocabulary
    assert Vocabulary.from_dict(json.loads(json.dumps(vocabulary.to_dict()))) == vocabulary
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary  # noqa: S301


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "NoneType"),
        ({"tokens": ["<unk>"]}, "'tokens'"),
        ({"tokens": "<unk>", "counts": [0]}, "must be a list of strings"),
        ({"tokens": ["<unk>", 3], "counts": [0, 1]}, "must be a list of strings"),
        ({"tokens": [], "counts": []}, "first token"),
        ({"tokens": ["a", "<unk>"], "counts": [1, 1]}, "first token"),
        ({"tokens": ["<unk>", "a", "a"], "counts": [0, 2, 2]}, "twice"),
        ({"tokens": ["<unk>", "a"], "counts": [0, -2]}, "non-negative integers"),
        ({"tokens": ["<unk>", "a"], "counts": [0, True]}, "non-negative integers"),
        ({"tokens": ["<unk>", "a"], "counts": [0]}, "2 tokens, but 1 counts"),
    ],
)
def test_from_dict_rejects_invalid_data(data: Any, message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        Vocabulary.from_dict(data)


@given(st.lists(st.lists(st.sampled_from(["the", "loom", "ship"]), max_size=4), max_size=5))
def test_sentences_are_encoded_one_by_one(sentences: list[list[str]]) -> None:
    vocabulary = Vocabulary.from_counts({"the": 3, "loom": 2, "ship": 1}, min_count=2)
    encoded = vocabulary.encode_sentences(sentences)
    assert all(ids.dtype == np.int32 for ids in encoded)
    assert [ids.tolist() for ids in encoded] == [
        vocabulary.encode(sentence).tolist() for sentence in sentences
    ]
