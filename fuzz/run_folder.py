"""Fuzz the folder of a run (as an archive): print its status, and write its report."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness import fuzz, instrumented
from members import mutate_members, pack, unpack

with instrumented():
    from byline.experiments.reproductions.ge_sun_2016.results import experiment_results
    from byline.experiments.runner.status import run_status
    from byline.report import experiment_html, experiment_summary, experiment_tables

from byline.experiments.runner.loop import run_experiment

LONGEST = 2**19
CONFIG = """
title = "A small experiment"
corpora.texts = { path = "texts", form = "text" }
splits.by-sentence = { corpus = "texts", unit = "sentence", seeds = [0] }
profile.corpus = "texts"
[models]
kn2 = { label = "Kneser-Ney", kind = "ngram", settings = { order = 2, smoothing = "witten-bell" } }
kn1 = { label = "Words", kind = "ngram", settings = { order = 1, smoothing = "witten-bell" } }
[models.nn2]
label = "Neural"
kind = "feedforward"
settings = { embedding_dim = 2, hidden_dims = [2], epochs = 1 }
settings_from = "search"
[search]
model = "nn2"
split = "by-sentence"
authors = ["alder", "brook"]
settings = 2
ranges = { learning_rate = { low = 0.1, high = 0.5, scale = "linear" } }
[evaluation]
sentences = [1, 2]
stages = [1]
random_texts = 3
rules = ["sum-of-perplexities", "log-likelihood-shared"]
comparisons = [["kn1", "kn2"]]
"""
WORDS = ("river", "rose", "night", "nobody", "heard", "dog", "slept", "boat")
FOLDER = tempfile.TemporaryDirectory()
PLACES = {"": (".json", ".jsonl"), "jobs": (".json", ".safetensors"), "splits": (".safetensors",)}


def read(data: bytes) -> None:
    """Unpack the folder, and write all reports from it."""
    runs = Path(FOLDER.name) / "runs"
    shutil.rmtree(runs, ignore_errors=True)
    for folder in PLACES:
        (runs / folder).mkdir(parents=True, exist_ok=True)
    try:
        members = unpack(data)
    except Exception:  # not an archive, and this target does not test archives
        return
    for name, content in members:
        folder, _, file = name.rpartition("/")
        if folder in PLACES and file.isprintable() and file.endswith(PLACES[folder]):
            (runs / folder / file[-200:]).write_bytes(content)
    run_status(runs)
    summary = experiment_summary(experiment_results(runs))
    json.dumps(summary, allow_nan=False)
    experiment_tables(summary)
    experiment_html(summary, tables="tables").encode()


def _seeds() -> Iterator[bytes]:
    """Run a small experiment, and remove the checksums of its arrays."""
    folder = Path(FOLDER.name) / "seed"
    for author, start in (("alder", 0), ("brook", 3), ("cedar", 5)):
        lines = (" ".join(WORDS[(start + i * k) % 8] for k in range(4)) for i in range(60))
        (folder / "texts" / author).mkdir(parents=True)
        (folder / "texts" / author / "1.txt").write_text(". ".join(lines), encoding="utf-8")
    (folder / "small.toml").write_text(CONFIG, encoding="utf-8")
    run_experiment(folder / "small.toml", folder / "runs", data=folder)
    for record in (folder / "runs" / "jobs").glob("*.json"):
        content = json.loads(record.read_text(encoding="utf-8"))
        content["execution"] = {"seconds": 1.0, "cpu_seconds": 1.0}
        record.write_text(json.dumps(content), encoding="utf-8")
    files = sorted(path for path in (folder / "runs").rglob("*.*") if path.is_file())
    yield pack([(str(path.relative_to(folder / "runs")), path.read_bytes()) for path in files])


if __name__ == "__main__":
    fuzz(read, list(_seeds()), mutate_members, longest=LONGEST)
