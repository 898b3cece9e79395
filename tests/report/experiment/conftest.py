"""Complete results of an experiment with invented figures, for any number of authors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.random import Generator

from byline.report import experiment_html, experiment_summary
from byline.report.html import SCRIPT_ELEMENT

Outcome = dict[str, Any]
MODELS = {
    "ngram1": ("Good-Turing 1-gram", "ngram", 255.0),
    "ngram2": ("Good-Turing 2-gram", "ngram", 80.2),
    "ngram3": ("Good-Turing 3-gram", "ngram", 69.7),
    "ngram4": ("Good-Turing 4-gram", "ngram", 69.0),
    "kn4": ("Kneser-Ney 4-gram", "ngram", 64.6),
    "nn4": ("Neural 4-gram", "feedforward", 82.1),
}
# Accuracy on single sentences; models without a number are not used for attribution.
NAMING = {"ngram1": 0.55, "ngram4": 0.74, "kn4": 0.78, "nn4": 0.72}
RULES = ("sum-of-perplexities", "log-likelihood")
SENTENCES = list(range(1, 21))
N_BEST = (1, 2, 3, 5)


def course_names(n: int) -> list[str]:
    return [f"course-{number:02}" for number in range(1, n + 1)]


def make_outcome(authors: list[str] | None = None, *, seed: int = 0) -> Outcome:
    """Invent the results of an experiment in which the first author is highlighted."""
    authors = course_names(16) if authors is None else authors
    rng = np.random.default_rng(seed)
    splits = [
        {"split": "by-sentence", "unit": "sentence", "prune": "author", "seeds": list(range(10))},
        {"split": "by-lecture", "unit": "document", "prune": "training", "seeds": [0, 1, 2]},
    ]
    for split in splits:
        split["corpus"] = "stems"
    names = [str(split["split"]) for split in splits]
    return {
        "schema": 1,
        "title": "Ge & Sun 2016",
        "quick": False,
        "corpora": {"stems": _corpus("1f" * 32), "texts": _corpus("a0" * 32)},
        "versions": {"byline": "0.1.0", "python": "3.11.2", "numpy": "2.3.1"},
        "machine": {"processor": "x86_64", "cores": 2, "memory_gib": 8.0},
        "authors": authors,
        "seed": 0,
        "splits": splits,
        "config": {
            "title": "Ge & Sun 2016",
            "published": {"source": "ge-sun-2016"},
            "evaluation": {"sentences": SENTENCES, "random_texts": 100, "rules": list(RULES)},
        },
        "models": [_model(name) for name in MODELS],
        "jobs": {
            "total": 900,
            "done": 897,
            "failed": 1,
            "failures": [{"job": "by-sentence.3.nn4.course-02", "error": "the cost is not finite"}],
        },
        "profile": {"rows": [_profile(author, place, rng) for place, author in enumerate(authors)]},
        "perplexity": [_perplexity(split, authors, rng) for split in names],
        "counting": [_counted(split, model) for split in names for model in MODELS],
        "accuracy": [
            _accuracy(split, rule, model, authors, rng)
            for split in names
            for rule in RULES
            for model in NAMING
        ],
        "too_short": [],
        "comparisons": [
            _comparison(split, rule, n, rival, len(authors))
            for split in names
            for rule in RULES
            for rival in ("ngram4", "kn4")
            for n in (1, 5, 10, 20)
        ],
        "confusion": [
            _confusion(split, rule, model, authors, rng)
            for split in names
            for rule in RULES
            for model in ("ngram4", "nn4")
        ],
        "pair_claim": [
            _pair_claim(split, rule, pair, low)
            for split in names
            for rule in RULES
            for pair, low in ((authors[:2], -0.01), (authors[1::-1], 0.01))
        ],
        "search": [_search(author, rng) for author in authors[:3]],
        "costs": [_cost(split, model) for split in names for model in MODELS],
        "search_costs": [{"author": author, "trials": 24, "hours": 2.25} for author in authors[:3]],
        "errata": [
            {
                "title": "The baseline is Good-Turing",
                "text": "The paper says Kneser-Ney; the program's call has no such flag.",
                "figures": [{"what": "Good-Turing, order 4", "value": "69.2"}],
            },
            {"title": "A sign", "text": "The arg max of Eq. 17 is an arg min.", "figures": []},
        ],
    }


def empty_outcome() -> Outcome:
    """Return the results of a run without finished jobs."""
    outcome = make_outcome(course_names(2))
    lists = "perplexity counting accuracy comparisons confusion pair_claim search costs errata"
    outcome |= {key: [] for key in [*lists.split(), "search_costs"]}
    outcome["jobs"] = {"total": 0, "done": 0, "failed": 0, "failures": []}
    return outcome | {"profile": None}


def without_numbers(value: Any, instead: float | None) -> Any:
    """Replace every fraction by ``instead``."""
    if isinstance(value, dict):
        return {key: without_numbers(entry, instead) for key, entry in value.items()}
    if isinstance(value, list):
        return [without_numbers(entry, instead) for entry in value]
    return instead if isinstance(value, float) else value


def _corpus(digest: str) -> Outcome:
    return {"digest": digest, "n_documents": 941, "n_sentences": 131_814, "n_tokens": 2_426_744}


def _model(name: str) -> Outcome:
    label, kind, _ = MODELS[name]
    settings = {"order": 4} if kind == "ngram" else {"hidden_dims": [200], "epochs": 15}
    return {"model": name, "label": label, "kind": kind, "words": "pruned", "settings": settings}


def _profile(author: str, place: int, rng: Generator) -> Outcome:
    n_sentences = int(rng.integers(4_000, 20_000))
    sizes = {
        "n_sentences": n_sentences,
        "n_words": n_sentences * 18,
        "words_per_sentence": 18.0,
        "vocabulary_original": 4_400 + 100 * place,
        "vocabulary_stemmed": 3_000 + 50 * place,
        "vocabulary_pruned": 2_000 + 20 * place,
    }
    return {
        "author": author,
        "published_row": place + 1,
        **sizes,
        "coverage": {"500": 0.88, "1000": 0.95, "2000": 0.99},
        "unknown_share": 0.012,
        "published": sizes | {"n_words": n_sentences * 18 + 3},
    }


def _perplexity(split: str, authors: list[str], rng: Generator) -> Outcome:
    by_sentence = split == "by-sentence"
    return {
        "split": split,
        "columns": [
            {
                "model": model,
                "label": label,
                "part": "validation" if kind == "ngram" else "test",
                "unknown": "skip" if kind == "ngram" else "ge-sun-2016",
                "seeds": list(range(10)) if kind == "ngram" else [0, 1, 2],
                "rows": [
                    {"author": author} | _figures(mean * rng.uniform(0.7, 1.4), model, by_sentence)
                    for author in authors
                ],
                "average": _figures(mean, model, by_sentence),
            }
            for model, (label, kind, mean) in MODELS.items()
        ],
    }


def _figures(mean: float, model: str, published: bool) -> Outcome:
    printed = {"mean": round(mean - 0.4, 1), "sd": 2.4} if published and model != "kn4" else None
    return {
        "mean": mean,
        "sd": mean / 40,
        "n": 10,
        "n_infinite": 0,
        "published": printed,
        "recorded": {"mean": 82.1, "sd": 2.9} if published and model == "nn4" else None,
        "difference": None if printed is None else mean - printed["mean"],
    }


def _counted(split: str, model: str) -> Outcome:
    label, _, mean = MODELS[model]
    how = {"part": "test", "unknown": "score", "n_seeds": 3, "n_authors": 16}
    found = {"mean": mean * 1.05, "n_infinite": 0}
    return {"split": split, "model": model, "label": label} | how | found


def _accuracy(split: str, rule: str, model: str, authors: list[str], rng: Generator) -> Outcome:
    wrong = 1 - NAMING[model] * (1.0 if split == "by-sentence" else 0.8)
    mean = [1 - wrong * np.exp(-0.35 * (n - 1)) for n in SENTENCES]
    alone = [min(1.0, value + 0.03 * rng.uniform(-1, 1)) for value in mean]
    sd = [0.35 * (1 - value) for value in mean]
    levels = {str(n): mean[n - 1] for n in (1, 5, 10)}
    return {
        "split": split,
        "rule": rule,
        "model": model,
        "label": MODELS[model][0],
        "seeds": [0, 1, 2],
        "sentences": SENTENCES,
        "highlighted": {"author": authors[0], "mean": alone, "sd": sd},
        "mean": {"authors": authors[2:] or authors, "mean": mean, "sd": sd},
        "stages": [
            {
                "author": author,
                "accuracy": {
                    n: min(1.0, level + (1 - level) * float(rng.uniform(-1, 1)))
                    for n, level in levels.items()
                },
            }
            for author in authors[2:] or authors
        ],
        "n_best": [
            {
                "sentences": n,
                "shares": [{"n": best, "share": 1 - (1 - mean[n - 1]) / best} for best in N_BEST],
            }
            for n in (1, 5, 10)
        ],
    }


def _comparison(split: str, rule: str, sentences: int, rival: str, n_authors: int) -> Outcome:
    difference = (-2.0 if rival == "kn4" else 1.5) * (1.0 if split == "by-sentence" else 0.4)
    return {
        "split": split,
        "rule": rule,
        "sentences": sentences,
        "model": "nn4",
        "rival": rival,
        "seeds": [0, 1, 2],
        "accuracy": 0.72,
        "rival_accuracy": 0.72 - difference / 100,
        "difference": difference / sentences**0.5,
        "low": difference / sentences**0.5 - 1.0,
        "high": difference / sentences**0.5 + 1.0,
        "n_authors": n_authors,
        "wins": n_authors // 2,
        "losses": n_authors - n_authors // 2,
        "claim": 3.43 if sentences == 5 and split == "by-sentence" else None,
    }


def _confusion(split: str, rule: str, model: str, authors: list[str], rng: Generator) -> Outcome:
    shares = []
    for place in range(len(authors)):
        given = 10 ** rng.uniform(-4, -1.5, len(authors))
        given[given < 2e-4] = 0.0
        given[place] = 0.0
        given[place] = 1 - given.sum()
        shares.append([float(share) for share in given])
    return {
        "split": split,
        "rule": rule,
        "model": model,
        "label": MODELS[model][0],
        "seeds": [0, 1, 2],
        "accuracy": 0.7,
        "accuracy_of_highest": 0.1,
        "labels": authors,
        "n": [700] * len(authors),
        "shares": shares,
        "pairs": [
            {
                "author": author,
                "predicted": predicted,
                "share": 0.06,
                "low": 0.05,
                "high": 0.07,
                "largest_other": 0.04,
                "largest_other_author": authors[-1],
                "mean_other": 0.01,
                "rank": 1,
            }
            for author, predicted in (authors[:2], authors[1::-1])
        ],
    }


def _pair_claim(split: str, rule: str, pair: list[str], low: float) -> Outcome:
    authors = dict(zip(("author", "predicted"), pair, strict=True))
    models = {"model": "nn4", "rival": "ngram4"}
    figures = {"difference": low + 0.01, "low": low, "high": low + 0.02}
    return {"split": split, "rule": rule, "seeds": [0, 1, 2]} | authors | models | figures


def _search(author: str, rng: Generator) -> Outcome:
    costs = [float(4.4 + 0.3 * rng.uniform()) for _ in range(24)]
    trials = [
        {
            "trial": number,
            "round": number // 8,
            "settings": {
                "embedding_dim": 25 * int(rng.integers(1, 9)),
                "hidden_dim": 100 * int(rng.integers(1, 9)),
                "learning_rate": float(rng.uniform(0.05, 0.3)),
                "momentum": float(rng.uniform(0.8, 0.99)),
                "batch_size": 100 * int(rng.integers(1, 5)),
            },
            "cost": None if number == 5 else cost,
            "perplexity": None if number == 5 else float(np.exp(cost)),
            "epochs": 15,
            "stopped": {3: "unpromising", 5: "failed"}.get(number),
            "seconds": 300.0,
        }
        for number, cost in enumerate(costs)
    ]
    best = min((cost, number) for number, cost in enumerate(costs) if number != 5)[1]
    return {
        "author": author,
        "model": "nn4",
        "split": "by-sentence",
        "seed": 0,
        "budget": {"settings": 24, "rounds": 3},
        "trials": trials,
        "best": best,
        "production": 0,
        "tuned": {"seeds": [0, 1, 2], "production_mean": 82.0, "tuned_mean": 79.5},
    }


def _cost(split: str, model: str) -> Outcome:
    work = {"jobs_done": 160, "jobs_failed": 1, "jobs_left": 0 if model != "nn4" else 112}
    spent = {"mean_cpu_seconds": 12.5, "spent_hours": 0.55, "left_hours": 0.4}
    return {"model": model, "label": MODELS[model][0], "split": split} | work | spent


@pytest.fixture(scope="session")
def outcome_of() -> Callable[..., Outcome]:
    return make_outcome


@pytest.fixture
def outcome() -> Outcome:
    return make_outcome()


@pytest.fixture(scope="session")
def begun() -> Outcome:
    return empty_outcome()


@pytest.fixture(scope="session")
def unknown() -> Callable[[float | None], Outcome]:
    """Return a function for results in which no fraction is known."""
    return lambda instead: without_numbers(make_outcome(), instead)


class Page:
    """A report as a tree, which must be well-formed."""

    def __init__(self, html: str) -> None:
        html = html.replace(SCRIPT_ELEMENT, "")
        self.html = html
        marks_up = re.sub(r"<!doctype html>|<meta[^>]*>", "", html).replace("&nbsp;", "\u00a0")
        self.root = ElementTree.fromstring(marks_up)  # noqa: S314
        self.elements = list(self.root.iter())
        self.text = re.sub(r"[ \n]+", " ", "".join(self.root.itertext()))

    def all(self, tag: str, **attributes: str) -> list[ElementTree.Element]:
        """Return all elements with a name and attributes."""
        return [e for e in self.root.iter(tag) if attributes.items() <= e.attrib.items()]

    def of_class(self, name: str) -> list[ElementTree.Element]:
        return [e for e in self.elements if name in e.get("class", "").split()]


def page_of(outcome: Outcome) -> Page:
    return Page(experiment_html(experiment_summary(outcome), tables="report-tables"))


@pytest.fixture(scope="session")
def render() -> Callable[[Outcome], Page]:
    return page_of


HOSTILE = (
    "<script>alert('&')</script>\"'",
    "\u0634\u0643\u0633\u0628\u064a\u0631 <b>",  # from right to left
    "A" * 40,
    "caf\udce9",  # of a file name that is not UTF-8
)


@pytest.fixture(scope="session")
def hostile_names() -> list[str]:
    return list(HOSTILE)
