from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun
from byline.experiments.reproductions.ge_sun_2016.published import PUBLISHED
from byline.experiments.reproductions.ge_sun_2016.tables import match_rows, profile_table
from byline.text.profile import profile_texts

MakeRun = Callable[..., Path]
PAPER = PUBLISHED["ge-sun-2016"]


def row_like(printed: int, author: str = "Ada", more: float = 1.0) -> dict[str, Any]:
    """Return a measured row with the printed figures times ``more``."""
    figures = {name: value * more for name, value in asdict(PAPER.profile[printed]).items()}
    coverage = {"500": 0.9, "1000": 0.95, "2000": 0.99}
    return {"author": author, **figures, "coverage": coverage, "unknown_share": 0.01}


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(16)), st.integers(1, 16), st.integers(0, 100))
def test_rows_are_matched_in_any_order_and_number(order: list[int], n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [row_like(printed, more=rng.uniform(0.99, 1.01)) for printed in order[:n]]
    assert match_rows(rows, PAPER) == dict(enumerate(order[:n]))


def test_a_row_that_describes_no_author_is_not_matched() -> None:
    assert match_rows([row_like(0), row_like(1, more=3.0)], PAPER) == {0: 0}
    bare = dict.fromkeys(row_like(0), 0)
    assert match_rows([bare, row_like(3)], PAPER) == {1: 3}


def test_profile_by_hand(make_run: MakeRun) -> None:
    rows = [row_like(4, "course-03", 1.01), row_like(1, "course-02")]
    found = profile_table(ExperimentRun(make_run(profile=rows)))
    assert found is not None
    first, second = found["rows"]
    assert (first["author"], first["published_row"]) == ("course-03", 5)
    assert first["published"] == asdict(PAPER.profile[4])
    assert first["n_sentences"] == pytest.approx(1.01 * 6906)
    assert first["coverage"]["500"] == 0.9
    # The correct number, not the printed 14,902.
    assert second["published"]["n_sentences"] == 14092


def test_profile_of_texts_other_than_the_papers(make_run: MakeRun) -> None:
    texts = {"course-03": ["One word. Two words here."], "course-07": []}
    rows = profile_texts(texts).to_dict()["rows"]
    for published in ({"source": "ge-sun-2016"}, None):
        found = profile_table(ExperimentRun(make_run({"published": published}, profile=rows)))
        assert found is not None
        assert [row["published"] for row in found["rows"]] == [None, None]
        assert [row["n_sentences"] for row in found["rows"]] == [2, 0]
    assert profile_table(ExperimentRun(make_run())) is None
