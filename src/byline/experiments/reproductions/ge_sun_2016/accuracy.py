"""Accuracy by length, author and rank, comparisons of models, and the exchange of curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator, ratio_interval
from byline.experiments.reproductions.ge_sun_2016.decisions import Decisions
from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun, numbers_of


def averaged(run: ExperimentRun) -> list[int]:
    """Return the numbers of the authors whose accuracy is averaged."""
    excluded = run.config.evaluation.excluded_from_mean
    return [number for number, author in enumerate(run.authors) if author not in excluded]


def accuracies(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Compute the accuracy of every model and rule on every split (the paper's Figures 3, 4)."""
    return [entry for decisions in decided if (entry := _accuracy(run, decisions))]


def too_short(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Return, per split, the author whose test part is too short for the longest random texts."""
    found = (_shortest(run, split, decided) for split in run.config.splits)
    return [row for row in found if row is not None and row["n_sentences"] < row["longest"]]


def _shortest(
    run: ExperimentRun, split: str, decided: Sequence[Decisions]
) -> dict[str, Any] | None:
    parts = [
        (len(seed.sentences[author]), run.authors[author])
        for decisions in decided
        if decisions.split == split
        for seed in decisions.by_seed.values()
        for author in authors_shown(run)
    ]
    if not parts:
        return None
    n_sentences, author = min(parts)
    longest = max(run.config.evaluation.sentences)
    return {"split": split, "author": author, "n_sentences": n_sentences, "longest": longest}


def authors_shown(run: ExperimentRun) -> list[int]:
    """Return the numbers of the authors whose accuracy is averaged or highlighted."""
    return sorted({*averaged(run), *_highlighted(run)})


def _highlighted(run: ExperimentRun) -> list[int]:
    return numbers_of(run.authors, [run.config.evaluation.highlighted_author or ""])


def _accuracy(run: ExperimentRun, decisions: Decisions) -> dict[str, Any] | None:
    evaluation, authors = run.config.evaluation, averaged(run)
    highlighted = _highlighted(run)
    places = decisions.possible(authors_shown(run)) if authors else []
    if not places:
        return None
    lengths = [decisions.lengths[place] for place in places]
    ranks = decisions.ranks(authors)[..., places]
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "model": decisions.model,
        "label": run.config.models[decisions.model].label,
        "seeds": decisions.seeds,
        "sentences": lengths,
        "highlighted": _over_trials(decisions.ranks(highlighted)[..., places])
        | {"author": run.authors[highlighted[0]]}
        if highlighted
        else None,
        "mean": {"authors": [run.authors[a] for a in authors], **_over_trials(ranks)},
        "stages": [_stages(run, decisions, author) for author in authors],
        "n_best": [
            _n_best(run, length, ranks[..., lengths.index(length)])
            for length in evaluation.stages
            if length in lengths
        ],
    }


def _over_trials(ranks: NDArray[np.int16]) -> dict[str, list[float | None]]:
    """Return mean and standard deviation of the accuracy over random texts.

    ``ranks`` has the shape (n_seeds, n_authors, n_texts, n_lengths).
    """
    shares = (ranks == 0).mean(axis=(0, 1))  # (n_trials, n_lengths)
    n_trials, n_lengths = shares.shape
    deviations = shares.std(axis=0, ddof=1).tolist() if n_trials > 1 else [None] * n_lengths
    return {"mean": shares.mean(axis=0).tolist(), "sd": deviations}


def _stages(run: ExperimentRun, decisions: Decisions, author: int) -> dict[str, Any]:
    right = decisions.ranks([author])  # (n_seeds, 1, n_trials, n_lengths)
    places = decisions.possible([author])
    shares = {decisions.lengths[p]: float((right[..., p] == 0).mean()) for p in places}
    stages = run.config.evaluation.stages
    return {
        "author": run.authors[author],
        "accuracy": {str(length): shares.get(length) for length in stages},
    }


def _n_best(run: ExperimentRun, length: int, ranks: NDArray[np.int16]) -> dict[str, Any]:
    places = [n for n in run.config.evaluation.n_best if n <= len(run.authors)]
    return {
        "sentences": length,
        "shares": [{"n": n, "share": float((ranks < n).mean())} for n in places],
    }


def compared(
    run: ExperimentRun, decided: Sequence[Decisions]
) -> list[tuple[Decisions, Decisions, list[int]]]:
    """Pair the decisions of each model and its rival by split and rule, with common seeds."""
    known = {(d.split, d.rule, d.model): d for d in decided}
    found = []
    for model, rival in run.config.evaluation.comparisons:
        for (split, rule, name), decisions in known.items():
            other = known.get((split, rule, rival))
            if name == model and other is not None:
                seeds = [seed for seed in decisions.seeds if seed in other.by_seed]
                if seeds:
                    found.append((decisions, other, seeds))
    return found


def comparisons(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Compute differences in accuracy between models on the same texts, with paired intervals."""
    authors = averaged(run)
    evaluation = run.config.evaluation
    lengths = sorted({*evaluation.stages, max(evaluation.sentences)} & {*evaluation.sentences})
    return [
        _comparison(run, decisions, rival, seeds, authors, length)
        for decisions, rival, seeds in compared(run, decided)
        for length in lengths
        if authors and evaluation.sentences.index(length) in decisions.possible(authors, seeds)
    ]


def _comparison(
    run: ExperimentRun,
    decisions: Decisions,
    rival: Decisions,
    seeds: Sequence[int],
    authors: Sequence[int],
    length: int,
) -> dict[str, Any]:
    place = decisions.lengths.index(length)
    of_model, of_rival = (
        right_by_author(d, authors, seeds, [place])[..., 0].mean(axis=0) for d in (decisions, rival)
    )
    points = 100 * (of_model - of_rival)  # (n_authors,)
    rng = generator(run.config.seed, "comparison", decisions.split, length)
    low, high = ratio_interval(points, np.ones_like(points), rng)
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "sentences": length,
        "model": decisions.model,
        "rival": rival.model,
        "seeds": list(seeds),
        "accuracy": float(of_model.mean()),
        "rival_accuracy": float(of_rival.mean()),
        "difference": float(points.mean()),
        "low": low,
        "high": high,
        "n_authors": len(authors),
        "wins": int((points > 0).sum()),
        "losses": int((points < 0).sum()),
        "claim": _claim(run, decisions, length),
    }


def right_by_author(
    decisions: Decisions, authors: Sequence[int], seeds: Sequence[int], places: Sequence[int]
) -> Floats:
    """Return the share of random texts that are correctly attributed, at some of the lengths.

    Returns
    -------
    (n_seeds, n_authors, n_places) float64
    """
    ranks = decisions.ranks(authors, seeds)[..., list(places)]
    return np.asarray((ranks == 0).mean(axis=2), dtype=np.float64)


def _claim(run: ExperimentRun, decisions: Decisions, length: int) -> float | None:
    """Return the gain that the paper claims for such a model, split and length, if any."""
    published = run.published
    if published is None or run.config.splits[decisions.split].unit != "sentence":
        return None
    is_network = run.config.models[decisions.model].published in published.recorded
    return (
        published.accuracy_gain if is_network and length == published.accuracy_sentences else None
    )


def exchanges(run: ExperimentRun, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Count the curves that the authors' plotting program would exchange.

    For each course and split that program draws the better of two models' curves as the neural one,
    whichever it is. Its figures therefore cannot show the neural model below the n-grams. The
    result includes the difference in accuracy before and after the exchange.
    """
    published, authors = run.published, averaged(run)
    if published is None or not authors:
        return []
    return [
        _exchanged(decisions, rival, seeds, authors, published.accuracy_sentences)
        for decisions, rival, seeds in compared(run, decided)
        if run.config.models[decisions.model].published in published.recorded
        if run.config.splits[decisions.split].unit == "sentence"
        if published.accuracy_sentences
        in [decisions.lengths[place] for place in decisions.possible(authors, seeds)]
    ]


def _exchanged(
    decisions: Decisions,
    rival: Decisions,
    seeds: Sequence[int],
    authors: Sequence[int],
    length: int,
) -> dict[str, Any]:
    places = decisions.possible(authors, seeds)
    of_model, of_rival = (right_by_author(d, authors, seeds, places) for d in (decisions, rival))
    differences = of_model - of_rival  # (n_seeds, n_authors, n_places)
    lower = differences.mean(axis=2) < 0  # of the whole curve
    at_length = 100 * differences[..., places.index(decisions.lengths.index(length))]
    return {
        "split": decisions.split,
        "rule": decisions.rule,
        "model": decisions.model,
        "rival": rival.model,
        "seeds": list(seeds),
        "n_curves": lower.size,
        "n_lower": int(lower.sum()),
        "sentences": length,
        "difference": float(at_length.mean()),
        "exchanged_difference": float(np.where(lower, -at_length, at_length).mean()),
    }
