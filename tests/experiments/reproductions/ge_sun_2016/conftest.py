"""Folders of runs with invented scores, in which each model suits its author best."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from byline.experiments.runner.config import ExperimentConfig, parse_config
from byline.experiments.runner.plan import Job

MakeRun = Callable[..., Path]
AUTHORS = ("course-03", "course-07", "course-08", "course-16")
N_TEST = 24
N_SENTENCES = 60  # per author
HISTORY = {"learning_rate": 0.1, "momentum": 0.9, "training_cost": 5.0, "kept": True}

CONFIG: dict[str, Any] = {
    "title": "A small experiment",
    "scoring": {"sentence_start": False, "sentence_end": False},
    "corpora": {"texts": {"path": "texts", "form": "tokenised"}},
    "splits": {
        "by-sentence": {"corpus": "texts", "unit": "sentence", "prune": "author", "seeds": [0, 1]},
        "by-lecture": {"corpus": "texts", "unit": "document", "seeds": [0]},
    },
    "models": {
        "gt4": {
            "label": "Good-Turing",
            "kind": "ngram",
            "preset": "srilm",
            "words": "all",
            "unknown": ["skip"],
            "part": "validation",
            "published": "srilm_4gram",
        },
        "kn4": {"label": "Kneser-Ney", "kind": "ngram", "unknown": ["score", "skip"]},
        "nn4": {
            "label": "Neural",
            "kind": "feedforward",
            "preset": "ge-sun-2016",
            "unknown": ["ge-sun-2016", "score", "skip"],
            "published": "nnlm_4gram",
        },
    },
    "evaluation": {
        "sentences": list(range(1, 21)),
        "random_texts": 20,
        "rules": ["sum-of-perplexities", "log-likelihood", "log-likelihood-shared"],
        "highlighted_author": "course-03",
        "excluded_from_mean": ["course-07", "course-16"],
        "same_person": [["course-07", "course-16"]],
        "comparisons": [["nn4", "gt4"], ["nn4", "kn4"]],
    },
    "published": {"source": "ge-sun-2016"},
}
SEARCH: dict[str, Any] = {
    "models": {
        "tuned": {
            "label": "Neural, searched",
            "kind": "feedforward",
            "preset": "ge-sun-2016",
            "settings_from": "search",
            "unknown": ["ge-sun-2016"],
            "attribution": False,
            "seeds": {"by-sentence": [0, 1]},
        }
    },
    "search": {
        "model": "nn4",
        "split": "by-sentence",
        "authors": ["course-08"],
        "settings": 3,
        "rounds": 1,
        "ranges": {"embedding_dim": {"low": 25, "high": 200, "whole": True}},
    },
}


def merge(content: Mapping[str, Any], *changes: Mapping[str, Any]) -> dict[str, Any]:
    """Change keys of a configuration; tables are merged."""
    merged = dict(content)
    for change in changes:
        for key, value in change.items():
            both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
            merged[key] = merge(merged[key], value) if both else value
    return merged


def measure(perplexity: float, n_tokens: int = 100) -> dict[str, float]:
    return {"log_prob": -n_tokens * float(np.log(perplexity)), "n_tokens": n_tokens, "n_oov": 3}


def place_of(job: Job) -> dict[str, Any]:
    places = ("split", "seed", "model", "author", "trial")
    return {"job": job.name, **{place: getattr(job, place) for place in places}}


def record_of(job: Job, config: ExperimentConfig, perplexity: float) -> dict[str, Any]:
    """Return the record of a job, with one perplexity that differs by treatment of unknowns."""
    unknown = config.models[job.model].unknown
    measures = {
        part: {
            how: measure(perplexity * more * (1 + 0.1 * place)) for place, how in enumerate(unknown)
        }
        for part, more in (("validation", 1.0), ("test", 1.02))
    }
    return {
        **place_of(job),
        "settings": dict(job.settings),
        "n_unk_types": 50,
        "measures": measures,
        "history": [
            {"epoch": epoch, "validation_cost": float(np.log(perplexity)) + 1 / epoch, **HISTORY}
            for epoch in (1, 2, 3)
        ],
        "stopped": None,
        "execution": {"seconds": 4.0, "cpu_seconds": 3.6},
    }


def scores_of(author: int, n_authors: int, advantage: float, seed: int) -> dict[str, Any]:
    """Score all test sentences; own sentences gain ``advantage`` nats per word."""
    rng = np.random.default_rng([author, seed, round(100 * advantage)])
    lengths = np.random.default_rng(seed).integers(3, 30, n_authors * N_TEST)
    own = np.repeat(np.arange(n_authors), N_TEST) == author
    per_word = 5 + rng.normal(0, 1, len(lengths)) - advantage * own
    n_unknown = rng.binomial(lengths, 0.1)
    return {
        "log_prob": -per_word * lengths,
        "n_counted": (lengths - n_unknown).astype(np.int32),
        "n_unknown": n_unknown.astype(np.int32),
    }


def write_run(
    path: Path,
    content: Mapping[str, Any] = CONFIG,
    *,
    authors: tuple[str, ...] = AUTHORS,
    advantages: Mapping[str, float] = {"gt4": 1.0, "kn4": 1.2, "nn4": 0.9},
    without: Iterable[str] = (),
    failed: Iterable[str] = (),
    profile: list[dict[str, Any]] | None = None,
) -> Path:
    """Write the folder of a run without the jobs in ``without``; those in ``failed`` failed."""
    config = parse_config(content, "test")
    (path / "jobs").mkdir(parents=True)
    (path / "splits").mkdir()
    run_info = {
        "title": config.title,
        "configuration": config.model_dump(mode="json"),
        "quick": False,
        "authors": list(authors),
        "corpora": {"texts": {"digest": "0" * 64, "n_documents": 4}},
        "versions": {"byline": "0.1.0"},
        "machine": {"system": "Linux"},
        "started": "2024-01-01",
    }
    (path / "run.json").write_text(json.dumps(run_info), encoding="utf-8")
    if profile is not None:
        (path / "profile.json").write_text(json.dumps({"rows": profile}), encoding="utf-8")
    for split, section in config.splits.items():
        for seed in section.seeds:
            _write_parts(path / "splits" / f"{split}.{seed}.safetensors", len(authors), seed)
    lost = set(without)
    for job in _jobs(config, authors):
        if job.name in failed:
            write_job(path, place_of(job) | {"failed": "the cost is not finite", "execution": {}})
        elif job.name not in lost:
            place = authors.index(job.author)
            if config.models[job.model].attribution and job.trial is None:
                advantage = advantages.get(job.model, 1.0)
                arrays = scores_of(place, len(authors), advantage, job.seed)
                save_file(arrays, path / "jobs" / f"{job.name}.safetensors")
            perplexity = 60 + 10 * place + job.seed - 2 * (job.trial or 0)
            write_job(path, record_of(job, config, perplexity))
    return path


def write_job(path: Path, record: Mapping[str, Any]) -> None:
    (path / "jobs" / f"{record['job']}.json").write_text(json.dumps(record), encoding="utf-8")


def _write_parts(path: Path, n_authors: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = {}
    for author in range(n_authors):
        order = (N_SENTENCES * author + rng.permutation(N_SENTENCES)).astype(np.int32)
        parts[f"{author}.test"] = order[:N_TEST].copy()
        parts[f"{author}.training"] = order[N_TEST:].copy()
        parts[f"{author}.validation"] = order[:0].copy()
    save_file(parts, path)


def _jobs(config: ExperimentConfig, authors: tuple[str, ...]) -> list[Job]:
    searched = config.search.authors if config.search else ()
    jobs = [
        Job(split=split, seed=seed, model=model, author=author)
        for model, section in config.models.items()
        for split in config.splits
        for seed in config.seeds_of(model, split)
        for author in (authors if section.settings_from is None else searched)
    ]
    search = config.search
    if search is None:
        return jobs
    trials = [
        Job(split=search.split, seed=search.seed, model=search.model, author=author, trial=trial)
        for author in searched
        for trial in range(search.settings or 0)
    ]
    return jobs + trials


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    def make(*changes: Mapping[str, Any], **how: Any) -> Path:
        path = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        return write_run(path, merge(CONFIG, *changes), **how)

    return make


@pytest.fixture(scope="session")
def searching() -> Mapping[str, Any]:
    """Return changes that add a search for one author's setting."""
    return SEARCH
