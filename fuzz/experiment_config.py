"""Fuzz the TOML file of an experiment: read it, also with its section ``[quick]``."""

from __future__ import annotations

import json
import random
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import atheris
from documents import change_value
from harness import fuzz, instrumented

with instrumented():
    from byline.experiments.runner.config import load_config

CONFIG = """
title = "A small experiment"
seed = 3
[corpora.texts]
path = "texts"
form = "tokenised"
[splits.by-sentence]
corpus = "texts"
unit = "sentence"
prune = "author"
seeds = [0, 1]
[models.kn2]
label = "Kneser-Ney"
kind = "ngram"
settings = { order = 2 }
unknown = ["score", "skip"]
[models.nn2]
label = "Neural"
kind = "feedforward"
settings = { embedding_dim = 2, hidden_dims = [2], epochs = 1 }
settings_from = "search"
seeds = { by-sentence = [0] }
[search]
model = "nn2"
split = "by-sentence"
authors = ["alder"]
settings = 2
ranges = { learning_rate = { low = 0.1, high = 0.5, scale = "linear" } }
[evaluation]
sentences = [1, 2, 3]
stages = [1]
rules = ["sum-of-perplexities", "log-likelihood"]
same_person = [["alder", "brook"]]
comparisons = [["nn2", "kn2"]]
[profile]
corpus = "texts"
[published]
source = "ge-sun-2016"
[quick]
splits.by-sentence.seeds = [0]
"""
FOLDER = tempfile.TemporaryDirectory()


def read(data: bytes) -> None:
    """Read a configuration, and then its quick form."""
    path = Path(FOLDER.name) / "experiment.toml"
    path.write_bytes(data)
    load_config(path)
    load_config(path, quick=True)


def mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Replace a value, or sometimes change the bytes without parsing them."""
    chance = random.Random(seed)  # noqa: S311
    if chance.random() < 0.2:
        return bytes(atheris.Mutate(data, longest))
    try:
        content = tomllib.loads(data.decode())
        change_value(content, chance)
        lines = [f"{json.dumps(key)} = {_toml(value)}\n" for key, value in content.items()]
        return "".join(lines).encode()[:longest]
    except Exception:  # it is damaged already
        return bytes(atheris.Mutate(data, longest))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        items = (f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)


if __name__ == "__main__":
    fuzz(read, [CONFIG.encode()], mutate)
