"""Figures as files, and what is written in them."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.image import imread
from tests.report.collisions import colliding_labels

from byline.errors import BylineWarning, MissingExtraError, UsageError
from byline.report.charts import (
    BarChart,
    MarkChart,
    Series,
    bar_chart,
    line_chart,
    log_heat_map,
    mark_chart,
)
from byline.report.charts.differences import difference_map
from byline.report.charts.tree import tree_chart
from byline.report.figures import Figure, write_figures
from byline.report.figures.canvas import Canvas, outline
from byline.report.figures.figure import drawable, file_name
from byline.report.figures.look import Look
from byline.report.figures.renderers import draw_chart
from byline.report.figures.writing import draw, missing_letters
from byline.report.graphics import heat_map

ADA, BEN = "Ada Lovelace", "Ben $x^2$ & <b>"
SVG = "{http://www.w3.org/2000/svg}"


def _figures() -> list[Figure]:
    """Return one figure of each kind of chart."""
    series = [Series("words", 0, [0.5, 0.75]), Series("n-grams", 1, [0.6, None], [0.1, None])]
    joins = [{"first": 0, "second": 1, "height": 0.5}]
    charts = {
        "lines": line_chart([1, 5], series, x_label="sentences", y_label="accuracy"),
        "bars": bar_chart([ADA, BEN], series, y_label="share"),
        "marks": mark_chart([ADA, BEN], series, x_label="share"),
        "shares": log_heat_map([ADA, BEN], [[0.99, 0.01], [0.0, 1.0]], marked=[(ADA, BEN)]),
        "confusions": heat_map({"labels": [ADA, BEN], "matrix": [[3, 1], [0, 4]]}),
        "tree": tree_chart([ADA, BEN], [0, 1], joins, x_label="distance"),
        "differences": difference_map({"toy": {(ADA, "50"): 0.05, (BEN, "50"): -0.02}}, ["50"]),
    }
    return [Figure(name, name, f"What {name} are.", c, "shares") for name, c in charts.items()]


FIGURES = {figure.name: figure for figure in _figures()}


def _texts(path: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.parse(path).iter(f"{SVG}text")]  # noqa: S314


@pytest.mark.parametrize("grey", [False, True])
def test_every_kind_of_chart_becomes_three_files(tmp_path: Path, grey: bool) -> None:
    write_figures(FIGURES.values(), tmp_path / "figures", grey=grey)
    for name in FIGURES:
        svg, pdf, png = (tmp_path / "figures" / f"{name}.{kind}" for kind in ("svg", "pdf", "png"))
        assert "<svg" in svg.read_text("utf-8")
        assert pdf.read_bytes().startswith(b"%PDF-1.4")
        assert b"/Type0" in pdf.read_bytes() or b"/Type /Font" in pdf.read_bytes()
        height, width, _ = imread(png).shape
        assert min(height, width) > 100  # 300 dots per inch
    assert (tmp_path / "figures" / "captions.md").read_text("utf-8").count("\n## ") == len(FIGURES)


def test_formats_can_be_chosen(tmp_path: Path) -> None:
    written = write_figures([FIGURES["tree"]], tmp_path, formats=["svg"])
    assert [path.name for path in written] == ["tree.svg", "captions.md"]
    assert {path.name for path in tmp_path.iterdir()} == {"tree.svg", "captions.md"}
    with pytest.raises(UsageError, match="format is 'gif'; it must be 'svg' or 'pdf' or 'png'"):
        write_figures([FIGURES["tree"]], tmp_path, formats=["gif"])


@pytest.mark.parametrize("name", sorted({*FIGURES} - {"lines"}))
def test_names_are_written_as_they_are(tmp_path: Path, name: str) -> None:
    write_figures([FIGURES[name]], tmp_path, formats=["svg"])
    texts = _texts(tmp_path / f"{name}.svg")
    assert {ADA, BEN, name} <= set(texts)
    assert set(texts) == set(draw(FIGURES[name]).texts)


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("name", FIGURES)
def test_labels_do_not_collide(name: str, grey: bool) -> None:
    assert colliding_labels(draw(FIGURES[name], grey=grey)) == []


def test_a_figure_is_written_with_the_same_bytes_whatever_a_program_sets(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    figures = [FIGURES["lines"], FIGURES["tree"]]
    write_figures(figures, first)
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
        write_figures(figures, second)
        assert matplotlib.rcParams["font.size"] == 30
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name
        assert not re.search(rb"20\d\d-\d\d-\d\dT|CreationDate", path.read_bytes())


def test_letters_that_the_font_lacks_are_reported(tmp_path: Path) -> None:
    chart = mark_chart(["王小明", "ليلى", "Ἀνδρέας"], [Series("words", 0, [0.1, 0.2, 0.3])])
    figure = Figure("authors", "Authors", "", chart, "shares")
    with pytest.warns(BylineWarning, match="boxes instead of 小明王, because the font DejaVu"):
        write_figures([figure], tmp_path)
    assert {"王小明", "ليلى", "Ἀνδρέας"} <= set(_texts(tmp_path / "authors.svg"))
    assert missing_letters(["ليلى", "Ἀνδρέας", "Ада"]) == []


def test_direction_marks_are_not_missing_letters() -> None:
    canvas = Canvas(100, 100, Look())
    canvas.text(0, 0, "\u2068ليلى\u2069")
    assert canvas.texts == ["ليلى"]


def test_figures_without_data_are_left_out_and_names_are_unique() -> None:
    lines = FIGURES["lines"]
    empty = Figure("empty", "Empty", "", None, "shares")
    assert [each.name for each in drawable([lines, empty, lines])] == ["lines", "lines-2"]


@pytest.mark.parametrize(
    ("parts", "name"),
    [(("A b", "c/d"), "a-b-c-d"), (("王", "1"), "王-1"), (("a" * 99,), "a" * 60)],
)
def test_file_names_have_no_signs_that_a_system_refuses(parts: tuple[str, ...], name: str) -> None:
    assert file_name(*parts) == name


def test_without_matplotlib_the_message_states_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'python -m pip install "byline\[figures\]"'):
        write_figures(FIGURES.values(), tmp_path)


def test_an_unknown_chart_is_refused() -> None:
    with pytest.raises(TypeError, match="no renderer for int"):
        draw_chart(3, Canvas(10, 10, Look()))


def test_a_circle_of_svg_is_a_circle() -> None:
    # A circle of radius 1 around (0, 0) lies within one unit in each direction.
    box = outline("M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z").get_extents()
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((-1, -1, 1, 1))


def test_points_have_whiskers_where_values_have_intervals() -> None:
    series = Series("accuracy", 0, [0.5], intervals=[(0.25, 1.0)])
    chart = mark_chart(["Ada"], [series])
    assert isinstance(chart, MarkChart)
    [(_, point)] = chart.marks
    assert point.whisker is not None
    low, high = point.whisker
    # From 0.25 to 0.5 is a third of the way from 0.25 to 1.
    assert (point.x - low) / (high - low) == pytest.approx(1 / 3)
    assert point.title == "Ada, accuracy: 50 % (25.0 to 100 %)"


def test_a_chart_with_one_series_needs_no_legend() -> None:
    one = mark_chart(["Ada"], [Series("words", 0, [0.5])])
    two = mark_chart(["Ada"], [Series("words", 0, [0.5]), Series("n-grams", 1, [0.5])])
    alike = mark_chart(["Ada"], [Series("words", 0, [0.5]), Series("n-grams", 0, [0.5])])
    assert [len(chart.legend) for chart in (one, two, alike) if chart] == [0, 2, 0]
    assert isinstance(bar_chart(["Ada"], [Series("words", 0, [1])], y_label="n"), BarChart)


def test_no_warning_reaches_the_user_where_the_font_has_all_letters(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_figures([FIGURES["tree"]], tmp_path)
