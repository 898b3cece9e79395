"""Held-out results in a model file."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from byline.attribution.model_files.held_out_results import (
    held_out_arrays,
    read_held_out_results,
)
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.folds import assign_folds
from byline.attribution.stacking.held_out import hold_out_folds


def test_a_passage_that_counts_for_several_texts_is_unchanged_by_saving() -> None:
    long, short = " ".join(map(str, range(100))), "a b c"
    units = assign_folds(
        [long, *[f"{short} {n}" for n in range(4)], long + " x"],
        list("aaaaaa"),
        list("111112"),
        n_folds=2,
        random_state=0,
    )
    parts = hold_out_folds(units, lengths=(60,), random_state=0)
    shares = np.array([share for part in parts for share in part.shares])
    # Work 1 has five texts, of which one has a passage of 60 words: it counts as the root of five.
    np.testing.assert_allclose(shares.max(), 5**0.5)
    n = len(shares)
    results = HeldOutResults(
        n_texts=6,
        sizes=np.full(n, 100),
        labels=np.zeros(n, dtype=np.int64),
        shares=shares,
        is_whole=np.ones(n, dtype=bool),
        log_odds=np.zeros((n, 2), dtype=np.float32),
        nats_per_character=None,
    )
    read = read_held_out_results(held_out_arrays(results), 2)
    for field in fields(HeldOutResults):
        np.testing.assert_equal(getattr(read, field.name), getattr(results, field.name))
