"""Who is taken for whom in single sentences; figure 5 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byline.array_types import Floats
from byline.experiments.reproductions.ge_sun_2016.accuracy import compared
from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator, ratio_interval
from byline.experiments.reproductions.ge_sun_2016.decisions import Decisions, Pair, pairs_of
from byline.experiments.reproductions.ge_sun_2016.finished_run import Run


def confusions(run: Run, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Confusion matrices of single test sentences over all seeds, and the pairs of one person."""
    return [_confusion(run, decisions) for decisions in decided]


def _confusion(run: Run, decisions: Decisions) -> dict[str, Any]:
    by_seed = decisions.by_seed.values()
    given = np.sum([seed.given for seed in by_seed], axis=0)  # (n_authors, n_authors)
    n_tested = np.rint(given.sum(axis=1)).astype(int)
    shares = given / n_tested[:, None]
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
        "right": float(np.trace(given) / n_tested.sum()),
        "right_by_highest": float(n_by_highest / n_tested.sum()),
        "pairs": [_pair(run, decisions, shares, pair) for pair in pairs_of(run)],
    }


def _pair(run: Run, decisions: Decisions, shares: Floats, pair: Pair) -> dict[str, Any]:
    author, named = pair
    low, high = _interval(run, decisions, pair, _given_to(decisions, decisions.seeds, pair))
    others = [place for place in range(len(run.authors)) if place not in pair]
    largest = max(others, key=lambda place: shares[author, place], default=None)
    return {
        "author": run.authors[author],
        "named": run.authors[named],
        "share": float(shares[author, named]),
        "low": low,
        "high": high,
        "largest_other": None if largest is None else float(shares[author, largest]),
        "largest_other_author": None if largest is None else run.authors[largest],
        "mean_other": float(shares[author, others].mean()) if others else None,
        "rank": 1 + int((shares[author, others] > shares[author, named]).sum()),
    }


def pair_claims(run: Run, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Compare how much models and rivals take one person's sentences for the same person's.

    Differences and intervals are those of shares of the single test sentences of an author.
    """
    return [
        _pair_claim(run, decisions, rival, seeds, pair)
        for decisions, rival, seeds in compared(run, decided)
        for pair in pairs_of(run)
    ]


def _pair_claim(
    run: Run, decisions: Decisions, rival: Decisions, seeds: Sequence[int], pair: Pair
) -> dict[str, Any]:
    differences = _given_to(decisions, seeds, pair) - _given_to(rival, seeds, pair)
    low, high = _interval(run, decisions, pair, differences, seeds)
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "author": run.authors[pair[0]],
        "named": run.authors[pair[1]],
        "model": decisions.model,
        "rival": rival.model,
        "seeds": list(seeds),
        "difference": float(differences.mean()),
        "low": low,
        "high": high,
    }


def _given_to(decisions: Decisions, seeds: Sequence[int], pair: Pair) -> Floats:
    """Say for each test sentence of all seeds what share of it is given to the pair's second."""
    return np.concatenate([decisions.by_seed[seed].given_to[pair] for seed in seeds])


def _interval(
    run: Run,
    decisions: Decisions,
    pair: Pair,
    values: Floats,
    seeds: Sequence[int] | None = None,
) -> tuple[float, float]:
    """Interval of the mean, distinct sentences drawn: one may be in the test part of many seeds."""
    chosen = decisions.seeds if seeds is None else seeds
    sentences = np.concatenate([decisions.by_seed[s].sentences[pair[0]] for s in chosen])
    _, which = np.unique(sentences, return_inverse=True)
    rng = generator(run.config.seed, "confusion", decisions.split, *pair)
    parts = np.bincount(which, weights=values).astype(np.float64)
    return ratio_interval(parts, np.bincount(which).astype(np.float64), rng)
