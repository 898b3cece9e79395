"""Malformed and malicious configurations, found by `fuzz/` and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from byline.errors import UsageError
from byline.experiments.runner.config import load_config, parse_config

HEAD = """
title = "Small"
corpora.texts = { path = "texts", form = "text" }
splits.one = { corpus = "texts", unit = "sentence", seeds = [0] }
"""
HOSTILE: dict[str, tuple[str, str]] = {
    "lists within lists": ("a = " + "[" * 10**5, "not a valid TOML file: maximum recursion depth"),
    "tables within tables": (
        "a = " + "{a = " * 10**5,
        "not a valid TOML file: maximum recursion depth",
    ),
    "a number of many digits": ("a = " + "9" * 5000, "not a valid TOML file: Exceeds the limit"),
    "NUL": ('a = "\0"', "not a valid TOML file: Illegal character"),
    "half of a character": (r'a = "\ud800"', "not a valid TOML file: Escaped character"),
    "a giant file": (
        "#" * 2**20 + "\n",
        "not a valid TOML file: it is larger than 1,048,576 bytes",
    ),
    "very many keys": ("".join(f"k{n} = 1\n" for n in range(20_000)), r"and 19,\d{3} more"),
    "a long key": ("k" * 10**5 + " = 1", "there is no such key"),
    "a long value": ('corpora.a = { path = "x", form = "' + "y" * 10**5 + '" }', "corpora.a.form"),
}


@pytest.mark.parametrize(("content", "flaw"), HOSTILE.values(), ids=HOSTILE)
def test_malicious_files_give_short_errors(content: str, flaw: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=flaw) as caught:
        load_config(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 20_000


@pytest.mark.parametrize(
    "settings",
    [
        "{ hidden_dims = [1000000, 1000000] }",
        "{ embedding_dim = 1000000, context = 1000 }",
        "{ hidden_dims = [2, 2, 2, 2], epochs = 1000000000000 }",
    ],
)
def test_networks_that_are_too_large_for_memory(settings: str, tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    model = f'models.m = {{ label = "L", kind = "feedforward", settings = {settings} }}\n'
    path.write_text(HEAD + model, encoding="utf-8")
    with pytest.raises(UsageError, match=r"models\.m: .*(at most|must be)"):
        load_config(path)


def test_many_epochs_are_checked_without_running_them() -> None:
    section = {
        "label": "L",
        "kind": "feedforward",
        "settings": {"embedding_dim": 2, "hidden_dims": [2], "epochs": 10**6, "patience": 10**6},
    }
    content = {
        "title": "Small",
        "corpora": {"texts": {"path": "texts", "form": "text"}},
        "splits": {"one": {"corpus": "texts", "unit": "sentence", "seeds": [0]}},
        "models": {"m": section},
    }
    assert parse_config(content, "here").models["m"].settings["epochs"] == 10**6
