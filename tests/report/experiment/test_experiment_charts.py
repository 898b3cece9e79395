from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.formatting import short_number, short_percent
from byline.report import experiment_charts as figures
from byline.report.charts import (
    Series,
    bar_chart,
    interval_plot,
    line_chart,
    log_heat_map,
    mark_chart,
)
from byline.report.charts.axes import label_width, round_values

numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
shares = st.floats(0, 1)
ONE, TWO = "one", "two"


def series(*values: float | None, spread: tuple[float | None, ...] = ()) -> Series:
    return Series("a model", 0, values, spread)


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.71, 1.0, [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0]),
        (0.0, 8878.0, [0.0, 2000.0, 4000.0, 6000.0, 8000.0, 10000.0]),
        (5.0, 5.0, [4.4, 4.6, 4.8, 5.0, 5.2, 5.4, 5.6]),
    ],
)
def test_round_values(low: float, high: float, values: list[float]) -> None:
    assert round_values(low, high) == values


@settings(deadline=None, max_examples=60)
@given(numbers, numbers)
def test_round_values_span_what_is_drawn_in_equal_steps(one: float, other: float) -> None:
    low, high = sorted((one, other))
    values = round_values(low, high)
    assert 3 <= len(values) <= 12
    steps = [after - before for before, after in pairwise(values)]
    assert max(steps) == pytest.approx(min(steps))
    unseen = 1e-6 * steps[0]
    assert values[0] <= low + unseen
    assert values[-1] >= high - unseen


def test_short_numbers() -> None:
    assert [short_number(value) for value in (3972.0, 0.05, -2.5)] == ["3,972", "0.05", "-2.5"]
    assert [short_percent(share) for share in (0.85, 0.825)] == ["85 %", "82.5 %"]


def test_a_line_goes_through_its_points_within_the_frame() -> None:
    chart = line_chart([1, 2, 3], [series(0.5, 0.75, 1.0)], x_label="x", y_label="y")
    assert chart is not None
    (line,) = chart.lines
    # Round values from 0.5 to 1.0 in steps of 0.1: the ends are the frame's top and bottom.
    assert [point.y for point in line.points] == pytest.approx(
        [chart.frame.bottom, (chart.frame.bottom + chart.frame.top) / 2, chart.frame.top]
    )
    assert line.path == "M" + "L".join(f"{point.x:.1f} {point.y:.1f}" for point in line.points)
    assert line.band == ""
    assert line.points[0].title == "a model, 1: 0.5"


def test_shares_that_are_all_equal_have_an_axis_of_shares() -> None:
    assert round_values(1.0, 1.0, bounds=(0.0, 1.0)) == [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert round_values(0.0, 0.0, bounds=(0.0, 1.0)) == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    chart = mark_chart(["one"], [series(1.0)])
    assert chart is not None
    assert [tick.text for tick in chart.x_ticks][-1] == "100 %"


def test_a_gap_breaks_line_and_band() -> None:
    with_gap = series(0.5, 0.6, None, 0.8, spread=(0.1, 0.1, 0.1, 0.1))
    chart = line_chart([1, 2, 3, 4], [with_gap], x_label="x", y_label="y")
    assert chart is not None
    (line,) = chart.lines
    assert len(line.points) == 3
    assert line.path.count("M") == line.band.count("M") == line.band.count("Z") == 2


def test_a_band_is_one_deviation_up_and_down_and_ends_at_the_bounds() -> None:
    wide = series(0.9, 0.9, spread=(0.2, 0.2))
    chart = line_chart([1, 2], [wide], x_label="x", y_label="y", bounds=(0.0, 1.0))
    assert chart is not None
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", chart.lines[0].band)]
    # Ticks go from 0.7 to 1.0; the upper edge, at 1.1, is cut.
    assert heights == [chart.frame.top] * 2 + [chart.frame.bottom] * 2


def test_only_what_five_divides_is_ticked_where_places_are_many() -> None:
    chart = line_chart(range(1, 21), [series(*[0.5] * 20)], x_label="x", y_label="y")
    assert chart is not None
    assert [tick.text for tick in chart.x_ticks] == ["1", "5", "10", "15", "20"]


def test_unknown_values_give_no_chart() -> None:
    unknown = series(None, None)
    assert line_chart([1, 2], [unknown], x_label="x", y_label="y") is None
    assert bar_chart(["one", "two"], [unknown], y_label="y") is None
    assert mark_chart(["one", "two"], [unknown]) is None
    assert log_heat_map(["one", "two"], [[0.0, None], [None, 0.0]]) is None
    assert mark_chart([], []) is None


def test_bars_are_as_high_as_their_values() -> None:
    chart = bar_chart(["one", "two"], [series(100.0, None), series(50.0, 25.0)], y_label="y")
    assert chart is not None
    full = chart.frame.bottom - chart.frame.top
    assert [bar.height for bar in chart.bars] == pytest.approx([full, full / 2, full / 4])
    assert all(bar.y + bar.height == pytest.approx(chart.frame.bottom) for bar in chart.bars)
    assert chart.bars[0].title == f"{ONE}, a model: 100"


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 50), st.integers(1, 4))
def test_bars_overlap_nowhere(n_labels: int, n_series: int) -> None:
    labels = [f"author {number}" for number in range(n_labels)]
    chart = bar_chart(labels, [series(*[1.0] * n_labels)] * n_series, y_label="y")
    assert chart is not None
    starts = sorted(bar.x for bar in chart.bars)
    gaps = [after - before for before, after in pairwise(starts)]
    assert min(gaps, default=math.inf) >= chart.bars[0].width - 1e-9
    assert starts[0] >= chart.frame.left
    assert starts[-1] + chart.bars[0].width <= chart.frame.right


def test_a_row_joins_its_lowest_and_highest_mark() -> None:
    chart = mark_chart(["one", "two"], [series(0.5, None), series(0.7, 0.9)])
    assert chart is not None
    first, second = chart.rows
    xs = [point.x for _, point in chart.marks]
    assert (first.start, first.end) == (xs[0], xs[1])
    assert second.start == second.end == xs[2]
    assert [point.title for _, point in chart.marks][2] == f"{TWO}, a model: 90 %"


def test_a_long_name_is_shortened_and_given_room() -> None:
    chart = mark_chart(["A" * 60, "b"], [series(0.5, 0.6)])
    assert chart is not None
    assert chart.labels[0].text == "A" * 23 + "…"
    assert chart.labels[0].name == "A" * 60
    assert label_width(["王小波"]) > label_width(["abc"])


def test_colours_are_on_a_logarithmic_scale() -> None:
    drawn = log_heat_map(["one", "two"], [[1.0, 0.01], [0.1, 0.9]])
    assert drawn is not None
    faint, middle, dark = (drawn.cells[place].strength for place in (1, 2, 0))
    # 0.01, 0.1 and 1 are at equal distances, from the faintest colour to the darkest.
    assert faint == pytest.approx(drawn.faintest)
    assert middle == pytest.approx((faint + dark) / 2)
    assert dark == pytest.approx(1.0)
    assert [tick.text for tick in drawn.key] == ["1 %", "10 %", "100 %"]
    assert drawn.cells[1].title == f"{ONE} → {TWO}: 1 %"


def test_maps_can_share_a_scale() -> None:
    alone = log_heat_map(["one", "two"], [[0.9, 0.1], [0.1, 0.9]])
    shared = log_heat_map(["one", "two"], [[0.9, 0.1], [0.1, 0.9]], smallest=0.0002)
    assert alone is not None
    assert shared is not None
    assert len(alone.key) == 2
    assert [tick.text for tick in shared.key][:2] == ["0.01 %", "0.1 %"]


def test_cells_show_their_share_in_two_characters() -> None:
    row = [0.94, 0.0523, 0.0031, 0.00004, 0.0]
    drawn = log_heat_map(list("abcde"), [row, *[[1.0, 0.0, 0.0, 0.0, 0.0]] * 4])
    assert drawn is not None
    assert [cell.text for cell in drawn.cells[:4]] == ["94", "5", ".3", ""]
    assert drawn.cells[3].title.endswith("0.004 %")


def test_outlined_cells_may_be_empty() -> None:
    drawn = log_heat_map(["one", "two"], [[1.0, 0.0], [0.5, 0.5]], [("one", "two")])
    assert drawn is not None
    assert drawn.outlined == ((drawn.left + drawn.cell, drawn.top),)
    assert drawn.outlined[0] not in [(cell.x, cell.y) for cell in drawn.cells]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(shares, min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_a_larger_share_is_never_fainter(matrix: list[list[float]]) -> None:
    drawn = log_heat_map([f"author {number}" for number in range(len(matrix))], matrix)
    positive = [share for row in matrix for share in row if share]
    if drawn is None:
        assert not positive
        return
    strengths = [cell.strength for cell in drawn.cells]
    ranked = [strength for _, strength in sorted(zip(positive, strengths, strict=True))]
    assert ranked == sorted(ranked)
    assert all(drawn.faintest <= strength <= 1 for strength in strengths)
    assert all(cell.x + drawn.cell <= drawn.width for cell in drawn.cells)


def test_intervals_have_zero_and_all_values_on_one_scale() -> None:
    rows = [
        {"difference": -1.0, "low": -2.0, "high": 0.5, "claim": None},
        {"difference": None, "low": None, "high": None, "claim": 3.0},
    ]
    plot = interval_plot(rows)
    # From -2 to 3 between 4 % and 96 % of the width: 18.4 % a unit.
    assert [plot.at(value) for value in (-2.0, 0.0, 3.0)] == pytest.approx([4.0, 40.8, 96.0])
    assert plot.zero == 40.8
    assert interval_plot([]).zero == 4.0


def test_chance_is_a_flat_line(outcome: dict[str, Any]) -> None:
    chart = figures.groups(outcome, "accuracy")[0].mean
    assert chart is not None
    line = chart.lines[-1]
    assert line.series.label == "chance" and line.points == ()
    assert set(line.series.values) == {1 / len(outcome["authors"])}
    assert len({y for _, y in (place.split() for place in line.path[1:].split("L"))}) == 1
