"""`SubwordEncoder`: the tokens of a pretrained model, their names and their places in the text."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from byline.errors import MissingBaseError, ModelFileError, TrainingError, UsageError
from byline.text import SubwordEncoder, TextEncoder
from byline.text.subwords import n_subwords, token_unit

pytestmark = pytest.mark.oracles
TEXT = "The Congress — of café 漢字 — <|endoftext|> met.\n\nIt met again."


@pytest.fixture(scope="module")
def encoder(pretrained_base: Path) -> SubwordEncoder:
    return SubwordEncoder(str(pretrained_base), normalization="none").fit([TEXT])


def test_the_vocabulary_is_that_of_the_tokenizer(encoder: SubwordEncoder) -> None:
    assert encoder.vocabulary_.size == n_subwords(encoder.base) + 1 == 401
    assert encoder.vocabulary_.tokens[:3] == ("<unk>", "<|endoftext|>", "!")
    assert " the" in encoder.vocabulary_ and "Ġthe" not in encoder.vocabulary_
    assert token_unit(encoder) == "subword" and token_unit(TextEncoder(unit="char")) == "char"


def test_ids_are_those_of_the_tokenizer_plus_one(encoder: SubwordEncoder) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(f"{encoder.base}/tokenizer.json")
    text = "The Congress met again, on 漢字."
    [ids] = encoder.encode(encoder.tokenize(text))
    assert (ids - 1).tolist() == tokenizer.encode(text).ids


def test_names_of_special_tokens_in_a_text_are_plain_text(encoder: SubwordEncoder) -> None:
    [tokens] = encoder.tokenize("a <|endoftext|> b")
    assert "<|endoftext|>" not in tokens and "".join(tokens) == "a <|endoftext|> b"


@given(st.text(max_size=60))
def test_no_token_is_unknown_and_each_has_a_place(encoder: SubwordEncoder, text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    tokens = [token for passage in encoder.tokenize(text) for token in passage]
    starts = encoder.token_starts(encoder.normalize(text))
    assert len(starts) == len(tokens) and (np.diff(starts) >= 0).all()
    assert all(0 <= start < len(text) for start in starts.tolist())
    assert all((ids > 0).all() for ids in encoder.encode([tokens]))


def test_the_place_of_a_token_is_its_first_visible_character(encoder: SubwordEncoder) -> None:
    starts = encoder.token_starts(TEXT).tolist()
    tokens = encoder.tokenize(TEXT)[0]
    for token, start in zip(tokens, starts, strict=True):
        if token.strip() and not token.startswith("<"):  # those are parts of a character
            assert TEXT[start:].startswith(token.strip())


def test_long_texts_are_split_into_passages(encoder: SubwordEncoder) -> None:
    [whole] = encoder.tokenize(TEXT)
    passages = clone(encoder).set_params(max_passage_tokens=10).tokenize(TEXT)
    assert [token for passage in passages for token in passage] == whole
    assert {len(passage) for passage in passages[:-1]} == {10}
    assert encoder.tokenize("") == []


def test_a_rebuilt_encoder_is_equal(encoder: SubwordEncoder) -> None:
    stored = json.loads(json.dumps(encoder.to_dict()))
    rebuilt = SubwordEncoder.from_dict(stored)
    assert rebuilt.vocabulary_ == encoder.vocabulary_
    assert rebuilt.get_params() == encoder.get_params()
    assert rebuilt.tokenize(TEXT) == encoder.tokenize(TEXT)


@pytest.mark.parametrize("stored", [[], {}, {"params": {"base": ""}}])
def test_damaged_encoders_are_rejected(stored: object) -> None:
    with pytest.raises(ModelFileError, match="must have exactly the parameters"):
        SubwordEncoder.from_dict(stored)


def test_a_changed_or_damaged_tokenizer_is_an_error(pretrained_base: Path, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    shutil.copy(pretrained_base / file.name, file)
    encoder = SubwordEncoder(str(tmp_path)).fit([TEXT])
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(MissingBaseError, match="has another tokenizer"):
        encoder.tokenize(TEXT)
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a tokenizer that the library"):
        clone(encoder).tokenize(TEXT)


def test_training_texts_without_tokens(pretrained_base: Path) -> None:
    with pytest.raises(TrainingError, match="contain no tokens"):
        SubwordEncoder(str(pretrained_base)).fit([""])
