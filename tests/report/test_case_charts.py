from __future__ import annotations

import pytest

from byline.report.charts.lines import LENGTH_FRAME, LENGTH_INSET, length_chart


def row(shortest: int, longest: int, accuracy: float) -> dict[str, object]:
    return {
        "shortest": shortest,
        "longest": longest,
        "n": 20,
        "accuracy": accuracy,
        "accuracy_interval": [accuracy - 0.1, accuracy + 0.1],
    }


def test_lengths_are_on_a_logarithmic_scale() -> None:
    chart = length_chart([row(100, 100, 0.5), row(10_000, 10_000, 0.9)], size=1000)
    assert chart is not None
    left, right = LENGTH_FRAME.left + LENGTH_INSET, LENGTH_FRAME.right - LENGTH_INSET
    points = chart.lines[0].points
    assert [point.x for point in points] == [left, right]
    assert chart.here == pytest.approx((left + right) / 2)  # 1,000 is midway from 100 to 10,000
    assert [tick.text for tick in chart.x_ticks] == ["100", "1,000", "10,000"]
    # Half right is half way up.
    assert points[0].y == pytest.approx((LENGTH_FRAME.top + LENGTH_FRAME.bottom) / 2)
    assert points[0].whisker is not None
    low, high = points[0].whisker
    assert high < points[0].y < low
    assert points[1].title == ("20 texts of 10,000 to 10,000 characters: 90 %, 80 % to 100 %")


def test_a_questioned_text_beyond_all_others_is_on_the_chart() -> None:
    chart = length_chart([row(100, 200, 0.5)], size=50_000)
    assert chart is not None
    assert chart.here == pytest.approx(LENGTH_FRAME.right - LENGTH_INSET)
    assert length_chart([row(100, 200, 0.5)]).here is None  # type: ignore[union-attr]


def test_without_rows_there_is_no_chart() -> None:
    assert length_chart([], size=10) is None


def test_lengths_within_one_power_of_ten_are_marked() -> None:
    chart = length_chart([row(120, 130, 0.5), row(590, 818, 0.9)])
    assert chart is not None
    assert [tick.text for tick in chart.x_ticks] == ["200", "500"]


@pytest.mark.parametrize(
    ("shortest", "longest", "marked"),
    [
        (510, 900, ["510", "900"]),
        (100, 1_000_000, ["100", "1,000", "10,000", "100,000", "1,000,000"]),
        (1, 10_000_000, ["1", "100", "10,000", "1,000,000"]),
    ],
)
def test_long_numbers_of_a_length_axis_are_written_out(
    shortest: int, longest: int, marked: list[str]
) -> None:
    chart = length_chart([row(shortest, shortest, 0.5), row(longest, longest, 0.9)])
    assert chart is not None
    assert [tick.text for tick in chart.x_ticks] == marked
