from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.report.graphics import behind, confusions, heat_map, shade

CONFUSION = {
    "labels": ["Ada", "Ben", "Cy", "Di"],
    "matrix": [[3, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
}


def test_a_heat_map_omits_authors_without_any_text() -> None:
    laid_out = heat_map(CONFUSION)
    assert [label.name for label in laid_out.rows] == ["Ada", "Ben"]
    assert [label.name for label in laid_out.columns] == ["Ada", "Ben", "Cy"]
    assert [(cell.n, cell.share, cell.right) for cell in laid_out.cells] == [
        (3, 0.75, True),
        (1, 0.25, False),
        (2, 1.0, False),
    ]
    assert laid_out.cells[1].title == "1 of 4 by Ada: attributed to Ben"


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n
        ).filter(lambda matrix: any(map(any, matrix)))
    )
)
def test_a_heat_map_shows_every_count_without_overlap(matrix: list[list[int]]) -> None:
    labels = [f"author {number}" for number in range(len(matrix))]
    laid_out = heat_map({"labels": labels, "matrix": matrix})
    assert sum(cell.n for cell in laid_out.cells) == sum(map(sum, matrix))
    assert len({(cell.x, cell.y) for cell in laid_out.cells}) == len(laid_out.cells)
    for cell in laid_out.cells:
        assert laid_out.left <= cell.x <= laid_out.width - laid_out.cell
        assert laid_out.top <= cell.y <= laid_out.height - laid_out.cell


def test_a_long_name_is_shortened_in_the_figure_and_whole_in_its_title() -> None:
    name = "A" * 60
    (label,) = heat_map({"labels": [name], "matrix": [[1]]}).rows
    assert label.text == "A" * 23 + "…"
    assert label.name == name


def test_confusions_most_frequent_first() -> None:
    assert confusions(CONFUSION) == [
        {"author": "Ben", "predicted": "Cy", "n": 2, "of": 2},
        {"author": "Ada", "predicted": "Ben", "n": 1, "of": 4},
    ]


def test_behind_is_the_distance_to_the_first() -> None:
    ranking = [{"log_likelihood_per_token": value} for value in (-2.0, -2.5, None)]
    assert behind({"scored_by": "log-likelihood", "ranking": ranking}) == [0.0, 0.5, None]


def test_behind_is_the_difference_of_log_odds_for_a_stack() -> None:
    ranking = [
        {"score": 3.0, "log_likelihood_per_token": -5.0},
        {"score": -1.0, "log_likelihood_per_token": -4.0},
    ]
    assert behind({"scored_by": "log-odds", "ranking": ranking}) == [0.0, 4.0]


@pytest.mark.parametrize(
    ("log_lr", "style"),
    [(0.0, ""), (0.49, ""), (0.5, "f1"), (-0.5, "s1"), (1.5, "f2"), (-9.0, "s3"), (None, "")],
)
def test_shade(log_lr: float | None, style: str) -> None:
    assert shade(log_lr, strong=3.0) == style
    assert shade(log_lr and log_lr / 100, strong=0.03) == style
