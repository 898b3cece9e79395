"""Maps, trees, networks and heat maps of texts."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.report.charts.axes import NARROW, WIDE, label_width
from byline.report.charts.distance_map import LEVELS, distance_map
from byline.report.charts.text_maps import network_chart, text_map_chart
from byline.report.charts.text_points import (
    PlacedLabel,
    place_labels_apart,
    text_points,
    text_styles,
)
from byline.report.charts.text_trees import (
    cluster_node,
    consensus_node,
    text_tree_chart,
    unrooted_tree_chart,
)

TEXTS: list[dict[str, str | None]] = [
    {"name": "Ada_One", "author": "Ada"},
    {"name": "Ada_Two", "author": "Ada"},
    {"name": "Ben_Sea", "author": "Ben"},
    {"name": "Questioned_letter", "author": None},
]
STYLES = text_styles(text["author"] for text in TEXTS)


def _box(label: PlacedLabel) -> tuple[float, float, float, float]:
    wide = label_width([label.text])
    left = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    return left, label.y - 9, left + wide, label.y + 3


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), min_size=1, max_size=25))
def test_labels_do_not_collide(places: list[tuple[float, float]]) -> None:
    texts: list[dict[str, str | None]] = [
        {"name": f"Ada_{place}", "author": "Ada"} for place in range(len(places))
    ]
    points = text_points(texts, places, STYLES)
    labels = place_labels_apart(points, [str(text["name"]) for text in texts], 300, 200)
    for first, second in combinations(map(_box, labels), 2):
        apart = first[2] <= second[0] or second[2] <= first[0]
        assert apart or first[3] <= second[1] or second[3] <= first[1]
    assert all(box[0] >= 0 and box[2] <= 300 for box in map(_box, labels))


def test_the_line_to_a_label_does_not_touch_another_point() -> None:
    # The neighbours of the first point are 12 to 14 units away: its label needs a line. The place
    # 30 units to the right is free, but the line would touch the point there. The next place is 30
    # to the right and 22 above: its line is 12 * 22 / sqrt(30^2 + 22^2) = 7.1 from that point.
    places = [(100.0, 100.0), (112.0, 100.0), (88.0, 100.0), (100.0, 86.0), (100.0, 114.0)]
    texts: list[dict[str, str | None]] = [{"name": f"Ada_{n}", "author": "Ada"} for n in range(5)]
    points = text_points(texts, places, STYLES)
    first, *_ = place_labels_apart(points, [str(text["name"]) for text in texts], 400, 200)
    assert (first.point, first.leader) == (0, "M100.0 100.0L130.0 78.0")


def test_texts_of_an_author_have_one_style_and_questioned_texts_another() -> None:
    points = text_points(TEXTS, [(0.0, 0.0)] * 4, STYLES)
    assert points[0].style == points[1].style
    assert len({point.style.colour for point in points}) == 3
    assert points[3].style.colour == "questioned"


def test_a_map_has_one_scale_on_both_axes() -> None:
    found = {"method": "PCA", "coordinates": [[0, 0], [4, 0], [0, 2], [4, 2]], "shares": [0.6, 0.3]}
    chart = text_map_chart(TEXTS, STYLES, found, WIDE)
    first, right, up, _ = chart.points
    assert right.x - first.x == pytest.approx(2 * (first.y - up.y))
    assert chart.axes == pytest.approx((first.x, first.y))
    assert chart.x_label == "component 1 (60.0 %)"


def test_narrow_figures_have_titles_without_authors() -> None:
    found = {"method": "UMAP", "coordinates": [[0, 0], [4, 0], [0, 2], [4, 2]], "shares": []}
    chart = text_map_chart(TEXTS, STYLES, found, NARROW)
    assert {label.text for label in chart.labels} == {"One", "Two", "Sea", "letter"}
    assert chart.x_label == "dimension 1"


def test_branches_have_the_colour_of_a_single_author() -> None:
    joins = [
        {"first": 0, "second": 1, "height": 1.0},
        {"first": 2, "second": 3, "height": 2.0},
        {"first": 4, "second": 5, "height": 4.0},
    ]
    chart = text_tree_chart(TEXTS, STYLES, cluster_node(4, joins), WIDE, x_label="height")
    colours = [branch.colour for branch in chart.branches]
    ada, ben = STYLES["Ada"].colour, STYLES["Ben"].colour
    # The root has Ada's texts and the others; then come the leaves of both.
    assert colours == [ada, "mixed", ada, ada, ben, "questioned"]
    assert [tick.text for tick in chart.x_ticks] == ["0", "1", "2", "3", "4"]
    assert chart.x_ticks[0].at == chart.points[0].x > chart.x_ticks[-1].at


def test_groups_of_a_consensus_join_outside_of_the_middle() -> None:
    root = consensus_node(4, [((0, 1), 0.7)])
    chart = unrooted_tree_chart(TEXTS, STYLES, root, WIDE)
    assert len(chart.branches) == 5  # four leaves and one group
    assert "Ada_One, Ada_Two: in 70 % of the trees" in [branch.title for branch in chart.branches]
    assert len(chart.labels) == 4


def test_a_consensus_of_many_texts_is_drawn_in_rows() -> None:
    texts: list[dict[str, str | None]] = [
        {"name": f"Ada_{place}", "author": "Ada"} for place in range(40)
    ]
    root = consensus_node(40, [((0, 1), 0.7)])
    narrow, wide = (unrooted_tree_chart(texts, STYLES, root, width) for width in (NARROW, WIDE))
    assert len({point.x for point in narrow.points}) == 1
    assert len({point.x for point in wide.points}) > 1
    assert "Ada_0, Ada_1: in 70 % of the trees" in [branch.title for branch in narrow.branches]


def test_the_strongest_connection_has_the_widest_line() -> None:
    edges = [
        {"first": "Ada_One", "second": "Ada_Two", "weight": 6},
        {"first": "Ada_One", "second": "Ben_Sea", "weight": 3},
    ]
    positions = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
    chart = network_chart(TEXTS, STYLES, positions, edges, WIDE)
    assert [line.width for line in chart.connections] == [5.0, 2.5]


def test_near_texts_have_the_strongest_colour() -> None:
    distances: list[list[float]] = [[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 5], [9, 9, 5, 0]]
    chart = distance_map(TEXTS, [0, 1, 2, 3], distances, NARROW)
    assert [cell.level for cell in chart.cells[:3]] == [LEVELS - 1, 0, 0]
    assert (chart.nearest, chart.farthest) == (1, 9)
    # Two of twelve cells have the distance 1, two have 5, and eight have 9.
    assert [chart.path(level).count("M") for level in range(LEVELS)] == [8, 0, 0, 2, 0, 0, 0, 2]


def test_rows_that_are_too_low_have_no_labels() -> None:
    texts = [{"name": f"Ada_{place}", "author": "Ada"} for place in range(60)]
    distances = [[float(row != column) for column in range(60)] for row in range(60)]
    assert distance_map(texts, list(range(60)), distances, NARROW).rows == ()
    assert len(distance_map(texts, list(range(60)), distances, WIDE).rows) == 60
