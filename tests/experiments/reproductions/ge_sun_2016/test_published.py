from __future__ import annotations

import csv
import re
from dataclasses import astuple
from pathlib import Path

import pytest

from byline.experiments.reproductions.ge_sun_2016.published import (
    NETWORK,
    PUBLISHED,
    Perplexity,
    average_of,
    course_number,
)

PAPER = PUBLISHED["ge-sun-2016"]


def test_table_2_equals_the_printed_one(shared: Path) -> None:
    with (shared / "paper" / "table2.csv").open(encoding="utf-8") as file:
        *rows, average = csv.DictReader(file)
    for column, figures in PAPER.perplexity.items():
        printed = {
            int(row["id"]): Perplexity(float(row[f"{column}_mean"]), float(row[f"{column}_sd"]))
            for row in rows
        }
        assert figures == printed
        assert PAPER.average[column] == Perplexity(
            float(average[f"{column}_mean"]), float(average[f"{column}_sd"])
        )


def test_table_1_equals_the_printed_one_except_for_the_misprint(shared: Path) -> None:
    text = (shared / "paper" / "ge-sun-2016.tex").read_text(encoding="utf-8")
    table = text[text.index(r"\label{tab:data_profile}") : text.index(r"\end{tabular}")]
    rows = [
        [float(cell.replace(",", "")) for cell in re.split(r"[&/]", row[2])]
        for row in re.finditer(r"^(\d+) &[^&]+& ([\d,.\s&/]+)\\\\", table, re.MULTILINE)
    ]
    expected = [list(map(float, astuple(row))) for row in PAPER.profile]
    expected[1][0] = 14902
    assert PAPER.misprinted_sentences == {2: 14902}
    assert rows == expected


def test_words_per_sentence_are_words_over_sentences() -> None:
    # Row 1: 121,675 / 5,672 = 21.452; row 2 with 14,092 sentences: 294,055 / 14,092 = 20.867.
    for row in PAPER.profile:
        assert row.n_words / row.n_sentences == pytest.approx(row.words_per_sentence, abs=0.0051)


def test_printed_averages_by_arithmetic() -> None:
    # Only the mean of the 4-grams' cells, 1,105.0 / 16 = 69.0625, differs from the printed 69.0.
    found = {c: average_of(list(figures.values())) for c, figures in PAPER.perplexity.items()}
    off = {c for c, average in found.items() if round(average.mean, 1) != PAPER.average[c].mean}
    assert off == {"srilm_4gram"}
    assert found["srilm_4gram"].mean == pytest.approx(69.0625)
    for column, average in found.items():
        assert average.sd == pytest.approx(PAPER.average[column].sd, abs=0.05)


def test_the_recorded_column_times_the_factor_equals_the_printed_one() -> None:
    # Both are rounded to a tenth, so that they may differ by 0.05 + 0.82 * 0.05 = 0.091.
    printed, recorded = PAPER.perplexity[NETWORK], PAPER.recorded[NETWORK]
    for course in printed:
        assert printed[course].mean == pytest.approx(0.82 * recorded[course].mean, abs=0.091)
        assert printed[course].sd == pytest.approx(0.82 * recorded[course].sd)
    assert average_of(list(recorded.values())).mean == pytest.approx(82.125)


@pytest.mark.parametrize(
    ("author", "number"), [("course-07", 7), ("course 16", 16), ("Smith", None), ("7 up", None)]
)
def test_the_number_of_a_course_is_at_the_end_of_its_name(author: str, number: int | None) -> None:
    assert course_number(author) == number
