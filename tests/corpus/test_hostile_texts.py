"""Texts made to take long or to crash a reader; most of them were found by `fuzz/`."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import decode_text, unwrap
from byline.corpus.readers.plain_text import decode_plain_text
from byline.errors import CorpusError
from byline.text import TextEncoder

# Seconds of processor time. Linear code takes tenths of a second, quadratic code minutes.
LIMIT = 5.0
N = 100_000
TIMING = "00:00:01,000 --> 00:00:02,000\n"
LONG: dict[str, tuple[str, str]] = {
    "marks before a letter": ("." * 2 * N + "x\nAn end.\nAnd", ".txt"),
    "marks and quotes": ('."' * N + "x\nAn end.\nAnd", ".txt"),
    "a line of colons": (":" * N, ".srt"),
    "colons and dashes": (":" * N + "-" * N, ".srt"),
    "clocks without an arrow": ("1:-" * N, ".vtt"),
    "open tags": ("<b " * N, ".srt"),
    "a tag of spaces": ("<b" + " " * N, ".srt"),
    "spaces before a timing": (" " * N + "\n" + TIMING, ".srt"),
    "a cue's number of many digits": ("1" * N + "\n" + TIMING, ".srt"),
    "a timing of many digits": (f"{'1' * N}:00:00,000 --> {TIMING}", ".srt"),
    "settings without end": (TIMING[:-1] + " line:1" * N, ".vtt"),
    "cues of very many lines": ((TIMING + "so\n" * N + "\n") * 3, ".srt"),
    "blank lines": ("\n" * N + "x" + "\n" * N, ".txt"),
    "lines of one letter": ("x\n" * N, ".txt"),
    "subtitles within subtitles": ('{"subtitles": [' + '{"text":' * N, ".txt"),
    "subtitles of one brace": ('{"subtitles": [' + "{" * N, ".txt"),
    "entities": ("&amp" * N + ";", ".srt"),
}
RUNS = [
    *(
        ".",
        "a",
        "1",
        "1,",
        "1.",
        "'",
        "a'",
        '"',
        '" ',
        "-",
        "- ",
        "[",
        "[ ",
        "(",
        ">> ",
        "> ",
        "\n ",
    ),
    *("Mr. ", "Ab.", "<num", "e\u0301", "\u0301", "\u200d", "\U0001f468\u200d", "\u3002", "\u0e01"),
    *("\U0001f1e9\U0001f1ea", "\U0001f1e9", "\U0001f44d\U0001f3fd", "\ufe0f"),
]


def seconds_since(start: float) -> float:
    return time.process_time() - start


@pytest.mark.parametrize(("text", "suffix"), LONG.values(), ids=LONG)
def test_long_runs_are_read_in_time(text: str, suffix: str) -> None:
    start = time.process_time()
    decode_plain_text(text.encode(), "long", suffix)
    assert seconds_since(start) < LIMIT


@pytest.mark.parametrize(
    "encoder",
    [
        TextEncoder(),
        TextEncoder.like_ge_sun_2016(),
        TextEncoder(unit="char", sentence_rule="punctuation"),
        TextEncoder(language="fr", numbers="replace", punctuation="drop"),
    ],
    ids=["usual", "paper", "characters", "french"],
)
@pytest.mark.parametrize("run", RUNS)
def test_long_runs_are_cut_into_tokens_in_time(encoder: TextEncoder, run: str) -> None:
    start = time.process_time()
    encoder.tokenize(run * (N // len(run)) + "x")
    assert seconds_since(start) < LIMIT


def test_a_number_too_long_for_python_ends_amara_subtitles() -> None:
    cues = [{"text": "The river rose."}, {"start": "digits", "text": "It fell."}]
    text = json.dumps({"subtitles": cues}).replace('"digits"', "9" * 5000)
    assert decode_text(text.encode(), "speech") == "The river rose."


@settings(deadline=None, max_examples=40)
@given(
    before=st.text(max_size=20),
    run=st.text(st.sampled_from(".?!…\"'”)]:-> \t\n<&;[{1a—"), min_size=1, max_size=4),
    after=st.text(max_size=20),
    suffix=st.sampled_from([".txt", ".srt", ".vtt"]),
)
def test_any_run_is_read_in_time(before: str, run: str, after: str, suffix: str) -> None:
    text = before + run * (20_000 // len(run)) + after
    start = time.process_time()
    with suppress(CorpusError):  # of control characters
        decode_plain_text(text.encode("utf-8", "replace"), "long", suffix)
    assert seconds_since(start) < LIMIT


def test_sentence_ends_are_counted_once_per_run_of_punctuation() -> None:
    broken = "He waited... and\nwaited?! Then he\nsaid 'no!' to\nher... So it\nwas."
    assert unwrap(broken).count("\n") == 0


def test_bytes_that_decode_as_iso_2022_but_cannot_be_encoded_are_not_text() -> None:
    data = b"\x1b\xef\xe4" + b"\x1b" * 58 + b"$B\0\0$C$"
    with pytest.raises(
        CorpusError, match="noise is not a text: it contains the control character 0x00"
    ):
        decode_text(data, "noise")


def test_json_cannot_bring_surrogates_or_controls_into_subtitles() -> None:
    data = rb'{"subtitles": [{"text": "a \ud800 \u0000 \u001b b \ud83d\ude00&#xd800;"}]}'
    assert decode_text(data, "speech") == "a \ufffd \ufffd \ufffd b \U0001f600\ufffd"
