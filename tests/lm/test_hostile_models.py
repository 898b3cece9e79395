"""Models and sizes that would exhaust memory or time; `fuzz/` found most of them."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save

from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining
from byline.lm.arpa_format.reading import read_arpa
from byline.lm.networks.checkpoint import array_name, checksum
from byline.lm.ngrams.estimation import MAX_ORDER

ARPA = (
    b"\\data\\\nngram 1=3\nngram 2=1\n\n"
    b"\\1-grams:\n-0.1 a -0.3\n-0.2 b\n-0.3 c\n\n\\2-grams:\n-0.5 a b\n\n\\end\\\n"
)
LIMIT = 5.0  # seconds of CPU time; rejecting a file takes some milliseconds


def rejection_of(content: bytes, folder: Path) -> str:
    """Read a file that is not a model within the time limit; return the message."""
    path = folder / "hostile.arpa"
    path.write_bytes(content)
    start = time.process_time()
    with pytest.raises(ModelFileError) as caught:
        read_arpa(path)
    assert time.process_time() - start < LIMIT
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 1000
    return str(caught.value)


@pytest.mark.parametrize("count", [b"1000000000000", b"9" * 18])
def test_more_ngrams_are_declared_than_listed(count: bytes, tmp_path: Path) -> None:
    message = rejection_of(ARPA.replace(b"ngram 1=3", b"ngram 1=" + count), tmp_path)
    assert f"line 10: 3 1-grams are listed above, but \\data\\ declares {count.decode()}" in message


def test_a_declared_count_has_too_many_digits(tmp_path: Path) -> None:
    message = rejection_of(ARPA.replace(b"ngram 1=3", b"ngram 1=" + b"9" * 5000), tmp_path)
    assert "line 2: the line must have the form 'ngram 1=9'" in message


def test_too_many_orders_are_declared(tmp_path: Path) -> None:
    declared = b"".join(b"ngram %d=0\n" % n for n in range(1, 50_001))
    message = rejection_of(b"\\data\\\n" + declared + b"\\1-grams:\n\\end\\\n", tmp_path)
    assert f"n-grams of more than {MAX_ORDER} words are declared" in message


def test_many_orders_are_read_within_the_time_limit(tmp_path: Path) -> None:
    declared = b"".join(b"ngram %d=%d\n" % (n, n == 1) for n in range(1, MAX_ORDER + 1))
    sections = b"".join(b"\\%d-grams:\n" % n for n in range(2, MAX_ORDER + 1))
    content = b"\\data\\\n" + declared + b"\\1-grams:\n-1 a 0\n" + sections + b"\\end\\\n"
    (tmp_path / "model").write_bytes(content)
    start = time.process_time()
    assert read_arpa(tmp_path / "model")[1].order == MAX_ORDER
    assert time.process_time() - start < LIMIT


def test_a_small_file_that_unpacks_to_a_large_one(tmp_path: Path) -> None:
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = pack.compress(b"\\data\\\nngram 1=3\n\n\\1-grams:\n")
    blank = (b" " * 4095 + b"\n") * 256
    packed += b"".join(pack.compress(blank) for _ in range(64))
    message = rejection_of(packed + pack.flush(), tmp_path)
    assert "it unpacks to more than 100 times its size" in message


def test_a_line_is_too_long(tmp_path: Path) -> None:
    message = rejection_of(ARPA.replace(b"-0.2 b", b"-0.2 " + b"b" * 2**22), tmp_path)
    assert "a line is longer than one mebibyte" in message


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        (b"\xed\xa0\x80", "is not UTF-8"),  # half of a surrogate pair
        (b"\xff", "is not UTF-8"),
        (b"b b", "has more fields"),
        (b"a", "is listed twice"),
        (b"b\n" + b"x" * 50_000 + b" d", "a number was expected"),
    ],
)
def test_invalid_words_are_rejected(word: bytes, reason: str, tmp_path: Path) -> None:
    assert reason in rejection_of(ARPA.replace(b"-0.2 b\n", b"-0.2 " + word + b" 0\n"), tmp_path)


def test_a_word_may_contain_nul(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(ARPA.replace(b"c", b"c\0d"))
    words, _ = read_arpa(tmp_path / "model")
    assert words == ("<unk>", "a", "b", "c\0d")


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), packed=st.booleans())
def test_a_damaged_file_is_rejected_or_gives_a_model(
    data: st.DataObject, packed: bool, tmp_path: Path
) -> None:
    content = bytearray(gzip.compress(ARPA, mtime=0) if packed else ARPA)
    position = data.draw(st.integers(0, len(content) - 1), label="position")
    insert = data.draw(st.sampled_from([b"", b"\0", b"\xff", b"\n", b"9", b"\\", b"-inf ", b"nan"]))
    content[position : position + data.draw(st.integers(0, 9), label="length")] = insert
    path = tmp_path / "damaged.arpa"
    path.write_bytes(content)
    try:
        words, model = read_arpa(path)
    except ModelFileError as error:
        assert str(path) in str(error)
        return
    scores = model.score_tokens([np.arange(len(words), dtype=np.int32)]).log_probs
    assert (scores <= 1e-9).all()


@pytest.mark.parametrize(
    "sizes",
    [
        {"hidden_dims": (10**6, 10**6)},
        {"embedding_dim": 10**6, "context": 1000},
        {"embedding_dim": 20_000, "hidden_dims": (20_000,)},
        {"hidden_dims": (2,) * 200},
    ],
)
def test_oversized_networks_are_rejected_before_memory_is_allocated(sizes: Any) -> None:
    text = [np.arange(1, 4, dtype=np.int32)] * 4
    with pytest.raises(UsageError, match="at most"):
        FeedForwardLM(**sizes).fit(text, vocabulary_size=4)


TEXT = [np.array([1, 2, 3, 4, 2, 1], dtype=np.int32)] * 8


def fit(path: Path) -> FeedForwardLM:
    training = FeedForwardTraining(epochs=2, patience=2)
    model = FeedForwardLM(embedding_dim=2, hidden_dims=(2,), training=training)
    return model.fit(TEXT, vocabulary_size=5, validation=TEXT, checkpoint=path)


def with_state(path: Path, change: Callable[[dict[str, Any]], str]) -> None:
    """Replace the state of a checkpoint, and update its checksum."""
    with safe_open(path, framework="numpy") as file:
        state = json.loads(file.metadata()["state"])
        arrays = [file.get_tensor(array_name(place)) for place in range(len(file.keys()))]
    text = change(state)
    named = {array_name(place): array for place, array in enumerate(arrays)}
    path.write_bytes(save(named, {"state": text, "sha256": checksum(text, arrays)}))


def put(**values: Any) -> Callable[[dict[str, Any]], str]:
    return lambda state: json.dumps(state | values)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: "[" * 100_000,
        lambda state: "9" * 5000,
        lambda state: "[]",
        put(history=[]),
        put(history=[{"epoch": 1}]),
        put(random={"bit_generator": "PCG64", "state": {"state": -1, "inc": 2**200}}),
        put(random="PCG64"),
        lambda state: json.dumps(state).replace('"kept": true', '"kept": "yes"'),
        lambda state: json.dumps(state).replace(
            '"validation_cost": ', '"validation_cost": 1e999, "x": '
        ),
    ],
)
def test_checkpoints_with_an_invalid_state_are_rejected(
    change: Callable[[dict[str, Any]], str], tmp_path: Path
) -> None:
    path = tmp_path / "run"
    fit(path)
    with_state(path, change)
    with pytest.raises(ModelFileError, match="is not a checkpoint of this version of Byline"):
        fit(path)


def test_costs_in_a_checkpoint_may_be_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = fit(path)
    with_state(path, lambda state: json.dumps(state).replace('"momentum": 0.0', '"momentum": 0'))
    assert fit(path).history_ == whole.history_
