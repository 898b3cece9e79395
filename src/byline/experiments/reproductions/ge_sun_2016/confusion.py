"""Confusions of authors on single sentences (the paper's Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byline.array_types import Floats
from byline.experiments.reproductions.ge_sun_2016.accuracy import compared
from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator, ratio_interval
from byline.experiments.reproductions.ge_sun_2016.decisions import Decisions, Pair, pairs_of
from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun


def confusion_matrices(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Compute confusion matrices of single test sentences over all seeds.

    Each comes with the confusions between candidates who are the same person.
    """
    return [_confusion(run, decisions) for decisions in decided]


def _confusion(run: ExperimentRun, decisions: Decisions) -> dict[str, Any]:
    by_seed = decisions.by_seed.values()
    attributed = np.sum([seed.attributed for seed in by_seed], axis=0)  # (n_authors, n_authors)
    n_tested = np.rint(attributed.sum(axis=1)).astype(int)
    shares = attributed / n_tested[:, None]
    n_by_highest = sum(seed.n_by_highest for seed in by_seed)
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "model": decisions.model,
        "label": run.config.models[decisions.model].label,
        "seeds": decisions.seeds,
        "labels": list(run.authors),
        "n": n_tested.tolist(),
        "shares": shares.tolist(),
        "accuracy": float(np.trace(attributed) / n_tested.sum()),
        "accuracy_of_highest": float(n_by_highest / n_tested.sum()),
        "pairs": [_pair(run, decisions, shares, pair) for pair in pairs_of(run)],
    }


def _pair(run: ExperimentRun, decisions: Decisions, shares: Floats, pair: Pair) -> dict[str, Any]:
    author, predicted = pair
    low, high = _interval(run, decisions, pair, _attributed_to(decisions, decisions.seeds, pair))
    others = [place for place in range(len(run.authors)) if place not in pair]
    largest = max(others, key=lambda place: shares[author, place], default=None)
    return {
        "author": run.authors[author],
        "predicted": run.authors[predicted],
        "share": float(shares[author, predicted]),
        "low": low,
        "high": high,
        "largest_other": None if largest is None else float(shares[author, largest]),
        "largest_other_author": None if largest is None else run.authors[largest],
        "mean_other": float(shares[author, others].mean()) if others else None,
        "rank": 1 + int((shares[author, others] > shares[author, predicted]).sum()),
    }


def pair_claims(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Compare how often models and rivals confuse two candidates who are the same person.

    Differences and intervals are shares of an author's single test sentences.
    """
    return [
        _pair_claim(run, decisions, rival, seeds, pair)
        for decisions, rival, seeds in compared(run, decided)
        for pair in pairs_of(run)
    ]


def _pair_claim(
    run: ExperimentRun, decisions: Decisions, rival: Decisions, seeds: Sequence[int], pair: Pair
) -> dict[str, Any]:
    differences = _attributed_to(decisions, seeds, pair) - _attributed_to(rival, seeds, pair)
    low, high = _interval(run, decisions, pair, differences, seeds)
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "author": run.authors[pair[0]],
        "predicted": run.authors[pair[1]],
        "model": decisions.model,
        "rival": rival.model,
        "seeds": list(seeds),
        "difference": float(differences.mean()),
        "low": low,
        "high": high,
    }


def _attributed_to(decisions: Decisions, seeds: Sequence[int], pair: Pair) -> Floats:
    """Return the share of each of an author's test sentences that goes to the other author."""
    return np.concatenate([decisions.by_seed[seed].attributed_to[pair] for seed in seeds])


def _interval(
    run: ExperimentRun,
    decisions: Decisions,
    pair: Pair,
    values: Floats,
    seeds: Sequence[int] | None = None,
) -> tuple[float, float]:
    """Return the interval of the mean, resampling sentences.

    One sentence may be in the test parts of several seeds, so all its values are drawn together.
    """
    chosen = decisions.seeds if seeds is None else seeds
    sentences = np.concatenate([decisions.by_seed[s].sentences[pair[0]] for s in chosen])
    _, which = np.unique(sentences, return_inverse=True)
    rng = generator(run.config.seed, "confusion", decisions.split, *pair)
    parts = np.bincount(which, weights=values).astype(np.float64)
    return ratio_interval(parts, np.bincount(which).astype(np.float64), rng)
