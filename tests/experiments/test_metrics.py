from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments import AccuracyEstimate, Decision, ShortlistRecall, metrics_of


def decision(
    author: str, predicted: str, rank: int, *, declined: bool = False, fold: int = 0
) -> Decision:
    return Decision("a.txt", fold, None, author, predicted, rank, declined)


# Ada has 2 of 3 correct and Ben 1 of 2. Cy has no questioned text but is predicted once.
DECISIONS = [
    decision("Ada", "Ada", 1),
    decision("Ada", "Ada", 1, declined=True),
    decision("Ada", "Ben", 3),
    decision("Ben", "Ben", 1),
    decision("Ben", "Cy", 2, declined=True, fold=1),
]


def test_wilson_interval_by_hand() -> None:
    # z = 1.959964, z^2 = 3.841459, p = 0.8, n = 10:
    # centre = (0.8 + 3.841459 / 20) / (1 + 3.841459 / 10) = 0.992073 / 1.384146 = 0.716740
    # half = 1.959964 * sqrt(0.16 / 10 + 3.841459 / 400) / 1.384146 = 0.226578
    share = AccuracyEstimate.from_counts(8, 10)
    assert share.accuracy == 0.8
    assert share.accuracy_interval == pytest.approx((0.490162, 0.943318), abs=1e-6)


def test_wilson_interval_of_all_and_none() -> None:
    # p = 1, n = 20: low = 1 / (1 + z^2 / n) = 1 / 1.192073 = 0.838875
    assert AccuracyEstimate.from_counts(20, 20).accuracy_interval == pytest.approx(
        (0.838875, 1.0), abs=1e-6
    )
    assert AccuracyEstimate.from_counts(0, 20).accuracy_interval == pytest.approx(
        (0.0, 0.161125), abs=1e-6
    )


def test_metrics_by_hand() -> None:
    metrics = metrics_of(DECISIONS, ["Ada", "Ben", "Cy"], "Ada", n_dropped_sentences=4)
    assert (metrics.n_questioned, metrics.n_declined, metrics.n_dropped_sentences) == (5, 2, 4)
    assert metrics.accuracy == 3 / 5
    assert metrics.accuracy_answered == 2 / 3
    # Reciprocal ranks 1, 1, 1/3, 1, 1/2.
    assert metrics.mean_reciprocal_rank == pytest.approx((1 + 1 + 1 / 3 + 1 + 1 / 2) / 5)
    assert metrics.shortlist == ShortlistRecall({1: 3 / 5}, size=3)  # one of five ranks is 3
    # F1 of Ada = 2*1*(2/3) / (1 + 2/3) = 4/5, of Ben = 1/2; Cy has no questioned text.
    assert metrics.macro_f1 == pytest.approx((4 / 5 + 1 / 2) / 2)
    # The baseline predicts Ada, who wrote 3 of the 5 texts.
    assert metrics.baselines["most_frequent_author"].accuracy == 3 / 5
    assert metrics.confusion == {
        "labels": ["Ada", "Ben", "Cy"],
        "matrix": [[2, 1, 0], [0, 1, 1], [0, 0, 0]],
    }
    ada, ben = metrics.per_author
    assert (ada.author, ada.n, ada.precision) == ("Ada", 3, 1.0)
    assert ada.recall == pytest.approx(2 / 3)
    assert (ben.author, ben.n, ben.precision, ben.recall, ben.f1) == ("Ben", 2, 0.5, 0.5, 0.5)


def test_without_answers_there_is_no_accuracy_of_answers() -> None:
    metrics = metrics_of([decision("Ada", "Ada", 1, declined=True)], ["Ada", "Ben"], "Ben")
    assert metrics.accuracy_answered is None
    assert metrics.accuracy == 1.0


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD"), st.booleans()), min_size=1)
)
def test_sums_agree(answers: list[tuple[str, str, bool]]) -> None:
    decisions = [
        decision(author, predicted, 1 if author == predicted else 2, declined=declined)
        for author, predicted, declined in answers
    ]
    metrics = metrics_of(decisions, list("ABCD"), "A")
    matrix = metrics.confusion["matrix"]
    assert sum(map(sum, matrix)) == metrics.n_questioned == len(answers)
    assert sum(matrix[i][i] for i in range(4)) == round(metrics.accuracy * len(answers))
    rows = dict(zip("ABCD", map(sum, matrix), strict=True))
    assert {entry.author: entry.n for entry in metrics.per_author} == {
        author: n for author, n in rows.items() if n
    }
    low, high = metrics.accuracy_interval
    assert 0 <= low <= metrics.accuracy <= high <= 1
    json.dumps(metrics.to_dict(), allow_nan=False)
