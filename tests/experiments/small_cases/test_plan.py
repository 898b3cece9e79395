"""Cases follow until there are enough questioned texts of each length."""

from __future__ import annotations

import pytest

from byline.experiments.small_cases import run
from byline.experiments.small_cases.grid import Grid, parse_settings
from byline.experiments.small_cases.run import take_case
from byline.experiments.small_cases.sources import Source


# The works have 300 words, so that there are passages of 50 and 150 words, and whole works. In a
# case, two candidates have 20 passages of 50 words; 12 of 150 words, because two fit into a work
# and three works of each are not known; and one whole work each, because one reaches 300 words. So
# 60 texts need five cases, or 30 if there must be 60 whole works.
@pytest.mark.parametrize(("grid", "expected"), [("short", 5), ("full", 30)])
def test_short_grids_do_not_wait_for_rare_lengths(
    source: Source, monkeypatch: pytest.MonkeyPatch, grid: Grid, expected: int
) -> None:
    monkeypatch.setattr(run, "FEWEST_TEXTS", 60)
    monkeypatch.setattr(run, "WHOLE_WORDS", 300)
    monkeypatch.setattr(run, "MOST_CASES", {"short": 40, "full": 40})
    plan, impossible = _plan(source, "2x1x40", grid)
    assert len(plan) == expected
    assert impossible == {}
    case = take_case(source, plan[0].settings, plan[0].number, seed=0)
    assert case is not None
    assert {n: len(texts) for n, texts in case.questioned.items()} == {50: 20, 150: 12, 0: 2}


def test_settings_without_cases_are_reported(source: Source) -> None:
    plan, impossible = _plan(source, "6x1x40", "short")
    assert (plan, impossible) == ([], {"toy": ["6x1x40"]})


def _plan(
    source: Source, name: str, grid: Grid
) -> tuple[list[run.PlannedCase], dict[str, list[str]]]:
    return run._plan({"toy": [source]}, {"toy": [parse_settings(name)]}, grid, 0)
