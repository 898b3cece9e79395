"""Fuzz the checkpoint of a training run: it is resumed, or refused."""

from __future__ import annotations

import json
import random
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import atheris
import numpy as np
from documents import change_json
from harness import fuzz, instrumented
from safetensors.numpy import load, save

with instrumented():
    from byline.lm import FeedForwardLM, FeedForwardTraining, RecurrentLM, RecurrentTraining
    from byline.lm.networks.checkpoint import array_name, checksum

TEXT = [np.array([1, 2, 3, 4, 2, 1], dtype=np.int32)] * 8
MODELS = [
    FeedForwardLM(
        embedding_dim=2, hidden_dims=(2,), training=FeedForwardTraining(epochs=2, patience=2)
    ),
    RecurrentLM(units=2, training=RecurrentTraining(epochs=2)),
]
FOLDER = tempfile.TemporaryDirectory()
FILE = Path(FOLDER.name) / "model.checkpoint"


def read(data: bytes) -> None:
    """Resume the training run of the checkpoint."""
    FILE.write_bytes(data[1:])
    model = MODELS[data[0] % len(MODELS)] if data else MODELS[0]
    model.fit(TEXT, vocabulary_size=5, validation=TEXT, checkpoint=FILE)


def mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Change the state or an array, and update the checksum."""
    chance = random.Random(seed)  # noqa: S311
    try:
        size = int.from_bytes(data[1:9], "little")
        text = json.loads(data[9 : 9 + size])["__metadata__"]["state"]
        arrays = list(load(data[1:]).values())
        if chance.random() < 0.7:
            text = change_json(text.encode(), chance).decode()
        else:
            arrays = _changed(arrays, chance)
        named = {array_name(place): array for place, array in enumerate(arrays)}
        return data[:1] + save(named, {"state": text, "sha256": checksum(text, arrays)})
    except Exception:  # it is damaged already
        return bytes(atheris.Mutate(data, longest))


def _changed(arrays: list[np.ndarray], chance: random.Random) -> list[np.ndarray]:
    place = chance.randrange(len(arrays))
    array = arrays[place].copy()
    how = chance.randrange(5)
    if how == 0:
        return arrays[:place] + arrays[place + 1 :]
    if how == 1:
        return [*arrays, array]
    if how == 2:
        array = array[:-1].copy()
    elif how == 3:
        array = array.astype(chance.choice([np.float64, np.float32, np.int64, np.uint8]))
    elif array.size:
        array.flat[chance.randrange(array.size)] = chance.choice([0, 1, 3e38])
    return [*arrays[:place], array, *arrays[place + 1 :]]


def _seeds() -> Iterator[bytes]:
    for number, model in enumerate(MODELS):
        FILE.unlink(missing_ok=True)
        model.fit(TEXT, vocabulary_size=5, validation=TEXT, checkpoint=FILE)
        yield bytes([number]) + FILE.read_bytes()


if __name__ == "__main__":
    np.seterr(all="ignore")  # hostile weights may overflow
    warnings.simplefilter("ignore")
    fuzz(read, list(_seeds()), mutate)
