"""The tables and the heat map of small cases."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from byline.experiments.small_cases.cells import Accuracy, CaseCell, CellCounts
from byline.experiments.small_cases.run import SmallCasesResult
from byline.report.charts.differences import difference_map
from byline.report.figures.studies import small_cases_figures
from byline.report.small_cases import print_small_cases, small_cases_summary


def _cell(settings: str, n_words: int, difference: float, corpus: str = "toy") -> CaseCell:
    methods = {
        "default": Accuracy(0.6 + difference, 0.02, 0),
        "burrows-delta": Accuracy(0.6, 0.03, 0),
        "svm": Accuracy(0.5, 0.03, 0),
    }
    return CaseCell(
        *(corpus, settings, 2, 1, 150, "", "", n_words, 240, 12, methods, "burrows-delta"),
        *(difference, 0.015, difference + 0.01, 0.015, 0.6, 0.693, 0.04, 0.03, 0.06, 0.8),
    )


@pytest.fixture
def summary() -> dict[str, Any]:
    cells = (
        _cell("2x1x150", 50, 0.05),
        _cell("2x1x150", 0, -0.1),
        _cell("2x5x150", 50, 0.0),
        _cell("2x5x150", 2000, 0.2),
        _cell("2x1x150", 50, -0.02, "other"),
    )
    result = SmallCasesResult(
        data="corpora",
        side="test",
        grid="short",
        seed=0,
        corpora=("toy", "other"),
        impossible={"other": ["2x5x150"]},
        n_cases=36,
        n_questioned=1200,
        cpu_seconds=90.0,
        failures={"default": {"too few texts": 2}},
        counts=CellCounts.of(cells),
        by_corpus={
            name: CellCounts.of([cell for cell in cells if cell.corpus == name])
            for name in ("toy", "other")
        },
        cells=cells,
    )
    return small_cases_summary(result)


def test_the_tables(summary: dict[str, Any]) -> None:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    print_small_cases(console, summary)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [line.split() for line in printed.splitlines()]
    row = "2x1x150 50 240 65.0 ± 2.0 burrows-delta 60.0 +5.0 ± 1.5"
    assert row.split() in lines
    assert [
        "whole",
        "240",
        "50.0",
        "±",
        "2.0",
        "burrows-delta",
        "60.0",
        "-10.0",
        "±",
        "1.5",
    ] in lines
    assert ["2x1x150", "50", "0.600", "0.693", "0.040", "0.030", "to", "0.060", "0.800"] in lines
    # The default's mean accuracy by length: 65 and 60, 80, 50.
    assert ["default", "62.5", "80.0", "50.0"] in lines
    assert "Note: the corpus does not have the texts for 2x5x150." in printed
    assert "Note: default failed in 2 cases: too few texts." in printed
    # 5, -10, 0 and 20 points in one corpus; -2 in the other, more than the error of 1.5.
    [toy] = [line for line in lines if line[:2] == ["toy", "4"]]
    assert toy[2:5] == ["0", "1", "(25"]
    [total] = [line for line in lines if line[:2] == ["all", "5"]]
    assert "+2.6" in total
    assert max(map(len, printed.splitlines())) <= 100


def test_the_heat_map(summary: dict[str, Any]) -> None:
    [figure] = small_cases_figures(summary)
    panels = figure.chart.panels
    assert [panel.heading for panel in panels] == ["toy", "other"]
    cells = [cell for panel in panels for cell in panel.cells]
    assert len(cells) == 5
    assert [cell.is_positive for cell in cells].count(False) == 2
    assert "+20.0" in {cell.text for cell in cells}
    # The first row has no text of 2,000 words.
    assert [name for _, name in panels[0].columns] == ["50", "2,000", "whole"]


def test_panels_are_laid_out_in_lines() -> None:
    panels = {str(n): {("row", "50"): 0.1 * n, ("long row", "0"): -0.1} for n in range(4)}
    found = difference_map(panels, ["50", "0"])
    tops = [panel.y for panel in found.panels]
    assert tops[0] == tops[1] == tops[2] < tops[3]
    first = found.panels[0]
    assert [name for _, name in first.rows] == ["row", "long row"]
    assert all(cell.x + found.cell_width <= found.width for cell in first.cells)
    assert max(panel.y for panel in found.panels) + 2 * found.cell_height <= found.height
    # A difference of more than 15 points has the full colour.
    assert [panel.cells[0].strength for panel in found.panels][2:] == [1.0, 1.0]
