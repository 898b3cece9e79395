"""What the authors' plotting program would make of the accuracy: it exchanges curves.

For each course and split it draws the better of two models' curves as the neural one, whichever
that is; so its figures cannot show the network below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from byline.experiments.paper.accuracy import averaged, compared, right_by_author
from byline.experiments.paper.decisions import Decisions
from byline.experiments.paper.results import Run


def exchanges(run: Run, decided: Sequence[Decisions]) -> list[dict[str, Any]]:
    """Count the curves that would be exchanged, and say what that would do to the difference."""
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
