"""Right answers counted, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from byline.experiments import Decision
from byline.experiments.benchmarks.metrics import Figures, figures_of


def decision(path: str, author: str, named: str, **values: Any) -> Decision:
    rank = 1 if author == named else 2
    made: dict[str, Any] = {"fold": 0, "sentences": None, "rank": rank, "declined": False}
    return Decision(path=path, author=author, named=named, **(made | values))


@pytest.fixture
def figures() -> Figures:
    decisions = [
        decision("0", "ann", "ann"),
        decision("1", "ann", "bob", fold=1),
        decision("2", "bob", "bob", fold=1),
        decision("3", "ann", "ann", fold=1),
    ]
    tokens = {"0": 3, "1": 4, "2": 7, "3": 400}
    return figures_of("m", "Method", decisions, ["first", "second"], tokens)


def test_accuracy_and_macro_f1(figures: Figures) -> None:
    assert figures.accuracy == 3 / 4
    # ann is right in 2 of 3, bob in 1 of 1
    assert figures.balanced_accuracy == pytest.approx((2 / 3 + 1) / 2)
    # ann: precision 1, recall 2/3, F1 0.8; bob: precision 1/2, recall 1, F1 2/3
    assert figures.macro_f1 == pytest.approx((0.8 + 2 / 3) / 2)
    assert figures.mean_reciprocal_rank == pytest.approx((1 + 1 / 2 + 1 + 1) / 4)
    # Wilson's interval of 3 in 4
    assert figures.interval == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_parts(figures: Figures) -> None:
    def counted(part: str) -> list[tuple[str, int, int]]:
        return [(found.name, found.n, found.n_right) for found in getattr(figures, part)]

    assert counted("by_fold") == [("first", 1, 1), ("second", 3, 2)]
    assert counted("by_author") == [("ann", 3, 2), ("bob", 1, 1)]
    assert counted("by_tokens") == [
        ("1 to 3 tokens", 1, 1),
        ("4 to 7 tokens", 2, 1),
        ("30 or more tokens", 1, 1),
    ]
    assert figures.to_dict()["by_fold"][1]["accuracy"] == pytest.approx(2 / 3)


def test_an_author_named_wrongly_who_was_not_asked_about_is_not_in_macro_f1() -> None:
    decisions = [decision("0", "ann", "ann"), decision("1", "ann", "cyd")]
    # ann alone: precision 1, recall 1/2
    assert figures_of("m", "M", decisions, ["all"], {}).macro_f1 == pytest.approx(2 / 3)
