"""Hostile input on the command line does no harm."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.cli import texts
from byline.cli.output import print_message
from byline.corpus import decoding
from byline.errors import CorpusError


def test_messages_contain_no_control_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    print_message("error", "known.csv: \x1b[2J\x07 \x9b1m\r\n  a second line \u202e,\tend")
    shown = (
        r"error: known.csv: \x1b[2J\x07 \x9b1m\r" + "\n" + r"  a second line \u202e,\tend" + "\n"
    )
    assert capsys.readouterr().err == shown


def test_an_error_about_a_hostile_table_is_plain_text(
    run: Callable[..., Any], tmp_path: Path, questioned: Path
) -> None:
    (tmp_path / "known.jsonl").write_text(
        json.dumps({"author": "a", "text": ["\x1b[2J"]}), encoding="utf-8"
    )
    ended = run("train", tmp_path / "known.jsonl", "-o", tmp_path / "model")
    assert ended.code == CorpusError.exit_code
    assert "text is not a string but list" in ended.err
    assert "\x1b" not in ended.err


def test_standard_input_without_end_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_TEXT_BYTES", 100)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"word " * 21)))
    with pytest.raises(CorpusError, match="Standard input is larger than"):
        texts.read_texts([Path("-")])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"word " * 20)))
    assert texts.read_pretokenized([Path("-")]) == ["word " * 20]
