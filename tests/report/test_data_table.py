"""Tables as files of comma-separated values."""

from __future__ import annotations

import csv
import io

import pytest

from byline.report.data_table import DataTable


@pytest.mark.parametrize("text", ['a "quoted", line', "two\nlines", "caf\udce9"])
def test_texts_come_back_from_csv(text: str) -> None:
    written = DataTable(("text", "n"), [(text, 1), (None, 2)]).to_csv()
    shown = text.encode("utf-8", "backslashreplace").decode("utf-8")
    assert list(csv.reader(io.StringIO(written))) == [["text", "n"], [shown, "1"], ["", "2"]]


@pytest.mark.parametrize("name", ["=1+2", "+Ada", "-Ben", "@Zoe", "\t=1"])
def test_a_text_is_no_formula(name: str) -> None:
    written = DataTable(("text", "n"), [(name, -1.5)]).to_csv()
    assert list(csv.reader(io.StringIO(written))) == [["text", "n"], [f"'{name}", "-1.5"]]
