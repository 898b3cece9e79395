"""Metrics of a classifier, computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from byline.experiments import Decision
from byline.experiments.benchmarks.metrics import MethodMetrics


def decision(path: str, author: str, predicted: str, **values: Any) -> Decision:
    rank = 1 if author == predicted else 2
    made: dict[str, Any] = {"fold": 0, "sentences": None, "rank": rank, "declined": False}
    return Decision(path=path, author=author, predicted=predicted, **(made | values))


@pytest.fixture
def metrics() -> MethodMetrics:
    decisions = [
        decision("0", "ann", "ann"),
        decision("1", "ann", "bob", fold=1),
        decision("2", "bob", "bob", fold=1),
        decision("3", "ann", "ann", fold=1),
    ]
    tokens = {"0": 3, "1": 4, "2": 7, "3": 400}
    return MethodMetrics.of("m", "Method", decisions, ["first", "second"], tokens)


def test_accuracy_and_macro_f1(metrics: MethodMetrics) -> None:
    assert metrics.accuracy == 3 / 4
    # ann has 2 of 3 correct, bob 1 of 1
    assert metrics.balanced_accuracy == pytest.approx((2 / 3 + 1) / 2)
    # ann: precision 1, recall 2/3, F1 0.8; bob: precision 1/2, recall 1, F1 2/3
    assert metrics.macro_f1 == pytest.approx((0.8 + 2 / 3) / 2)
    assert metrics.mean_reciprocal_rank == pytest.approx((1 + 1 / 2 + 1 + 1) / 4)
    # Wilson's interval of 3 in 4
    assert metrics.interval == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_subsets(metrics: MethodMetrics) -> None:
    def counted(part: str) -> list[tuple[str, int, int]]:
        return [(found.name, found.n, found.n_correct) for found in getattr(metrics, part)]

    assert counted("by_fold") == [("first", 1, 1), ("second", 3, 2)]
    assert counted("by_author") == [("ann", 3, 2), ("bob", 1, 1)]
    assert counted("by_tokens") == [
        ("1 to 3 tokens", 1, 1),
        ("4 to 7 tokens", 2, 1),
        ("30 or more tokens", 1, 1),
    ]
    assert metrics.to_dict()["by_fold"][1]["accuracy"] == pytest.approx(2 / 3)


def test_macro_f1_leaves_out_authors_without_questioned_texts() -> None:
    decisions = [decision("0", "ann", "ann"), decision("1", "ann", "cyd")]
    # only ann: precision 1, recall 1/2
    assert MethodMetrics.of("m", "M", decisions, ["all"], {}).macro_f1 == pytest.approx(2 / 3)
