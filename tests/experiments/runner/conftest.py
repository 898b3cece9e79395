"""A small experiment of two models and a search, and work that makes up its results."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.experiments.runner.config import merge_settings, parse_config
from byline.experiments.runner.plan import JobPlan

WORK_FOLDERS = (Path(__file__).parent, Path(__file__).parents[2] / "processes")
MakePlan = Callable[..., JobPlan]
NETWORK = {"kind": "feedforward", "preset": "ge-sun-2016"}
CONFIG: dict[str, Any] = {
    "title": "A small experiment",
    "scoring": {"sentence_start": False, "sentence_end": False},
    "corpora": {"c": {"path": "texts", "form": "tokenised"}},
    "splits": {"s": {"corpus": "c", "unit": "sentence", "seeds": [0, 1]}},
    "models": {
        "kn": {"label": "n-grams", "kind": "ngram"},
        "nn": {"label": "network", **NETWORK},
        "best": {"label": "searched", "settings_from": "search", **NETWORK},
    },
    "search": {
        "model": "nn",
        "split": "s",
        "authors": ["ann"],
        "settings": 5,
        "rounds": 2,
        "ranges": {"hidden_dim": {"low": 50, "high": 200, "whole": True}},
    },
}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import the module `runner_work`, which other processes can import too."""
    for folder in WORK_FOLDERS:
        monkeypatch.syspath_prepend(folder)
    return importlib.import_module("runner_work")


@pytest.fixture(scope="session")
def make_plan() -> MakePlan:
    """Return a function for the plan of the experiment: 2 x 2 x 2 jobs, 5 trials, 2 tuned jobs."""

    def make(*authors: str, **changes: Any) -> JobPlan:
        return JobPlan(
            parse_config(merge_settings(CONFIG, changes), "test"), authors or ("ann", "bob")
        )

    return make
