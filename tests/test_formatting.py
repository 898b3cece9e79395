"""One format for every number, percentage, list and name that a person reads."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.formatting import (
    bounded_percent,
    duration,
    file_size,
    isolated,
    join_names,
    number,
    p_value,
    percent,
    percent_range,
    printable,
    quantity,
    short_number,
    short_percent,
    signed,
    significant,
    times_as_much,
    typographic,
)

FINITE = st.floats(min_value=-1e12, max_value=1e12)


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.9764, 1, "97.6 %"),
        (0.9764, 0, "98 %"),
        (0.05, 1, "5.0 %"),
        (0.008, 1, "0.8 %"),
        (0.0, 1, "0 %"),
        (1.0, 1, "100 %"),
        (0.99961, 1, "100 %"),  # four digits would be more than the figure deserves
        (-0.0001, 1, "0 %"),
        (-0.025, 1, "-2.5 %"),
        (1.234, 1, "123.4 %"),
        (None, 1, "–"),
    ],
)
def test_percent(share: float | None, decimals: int, text: str) -> None:
    assert percent(share, decimals) == text


def test_percent_range_names_the_unit_once() -> None:
    assert percent_range(0.7712, 0.8031) == "77.1 to 80.3 %"
    assert percent_range(0.0, 1.0, 0) == "0 to 100 %"


def test_short_number_has_no_trailing_zeros() -> None:
    values = (3_972.0, 0.05, -2.5, 1e6, 0.1 + 0.2)
    assert [short_number(value) for value in values] == [
        "3,972",
        "0.05",
        "-2.5",
        "1,000,000",
        "0.3",
    ]


def test_short_percent_has_no_trailing_zeros() -> None:
    assert [short_percent(share) for share in (0.05, 0.125, 0.001, 1.0, 0.0)] == [
        "5 %", "12.5 %", "0.1 %", "100 %", "0 %",
    ]  # fmt: skip


def test_probabilities_and_p_values_near_their_limits_are_bounds() -> None:
    assert bounded_percent(0.999) == "99.9 %"
    assert bounded_percent(0.9991) == "more than 99.9 %"
    assert bounded_percent(0.001) == "0.1 %"
    assert bounded_percent(0.0009) == "less than 0.1 %"
    assert p_value(0.0412) == "p = 0.041"
    assert p_value(0.0009) == "p < 0.001"


def test_number_and_signed() -> None:
    assert number(1234567.891, 1) == "1,234,567.9"
    assert number(None) == signed(None) == significant(None) == "–"
    assert signed(0.5, 1) == "+0.5"
    assert signed(-1234.5, 1) == "-1,234.5"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (15_611, "15,600"),
        (2.1449, "2.14"),
        (0.00804, "0.00804"),
        (0.5, "0.5"),
        (9.999, "10"),
        (-1.80, "-1.8"),
        (0, "0"),
        (-0.0, "0"),
        (math.inf, "inf"),
    ],
)
def test_significant(value: float, text: str) -> None:
    assert significant(value) == text


@given(FINITE, st.integers(0, 4))
def test_no_function_writes_a_negative_zero(value: float, decimals: int) -> None:
    texts = number(value, decimals), signed(value, decimals), percent(value, decimals)
    for text in (*texts, significant(value)):
        assert not re.fullmatch(r"-0(\.0*)?( %)?", text)


@given(st.floats(min_value=1e-9, max_value=1e9))
def test_significant_digits_are_those_of_the_value(value: float) -> None:
    written = float(significant(value, 3).replace(",", ""))
    assert written == pytest.approx(value, rel=0.005)


def test_times_as_much() -> None:
    assert [times_as_much(ratio) for ratio in (0.0, 0.3, 1.0, 3.2, -1.6)] == [
        "1.0 times", "2.0 times", "10 times", "1,600 times", "1/40",
    ]  # fmt: skip


def test_quantity_agrees_with_its_noun() -> None:
    assert quantity(0, "text") == "0 texts"
    assert quantity(1, "entry", "entries") == "1 entry"
    assert quantity(1_000, "entry", "entries") == "1,000 entries"


def test_join_names() -> None:
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"]
    assert join_names([]) == ""
    assert join_names(names[:1]) == "Ann"
    assert join_names(names[:2]) == "Ann and Bob"
    assert join_names(names[:5]) == "Ann, Bob, Cleo, Dan and Eve"
    assert join_names(names) == "Ann, Bob, Cleo, Dan, Eve and 1 more"
    assert join_names(names, limit=None) == "Ann, Bob, Cleo, Dan, Eve and Fay"
    assert join_names(range(2_000), limit=1) == "0 and 1,999 more"


def test_duration_and_file_size() -> None:
    assert [duration(seconds) for seconds in (0.4, 119.4, 120, 7_199, 12_000)] == [
        "0 s", "119 s", "2 min", "2 h 0 min", "3 h 20 min",
    ]  # fmt: skip
    assert [file_size(n) for n in (0, 1_250_000, 9_990_000, 20_000_000, 5_000_000_000)] == [
        "0.1 MB", "1.2 MB", "10.0 MB", "20 MB", "5,000 MB",
    ]  # fmt: skip


def test_typographic_changes_numbers_alone() -> None:
    assert typographic("-0.25") == "\u22120.25"
    assert typographic("from -3 to -1") == "from \u22123 to \u22121"
    assert typographic("77.1 to 80.3 %") == "77.1 to 80.3\u202f%"
    assert typographic("20 MB") == "20\u202fMB"
    for unchanged in ("1-2", "Mary-Ann", "letter-3", "2016-05-01", "--order 3", "5 texts", "a %"):
        assert typographic(unchanged) == unchanged


def test_names_that_could_disturb_what_surrounds_them() -> None:
    assert printable("a\nb\u202e") == "a\\x0ab\\u202e"
    assert printable("e\u0301") == "é"
    assert isolated("Ann") == "Ann"
    assert isolated("רות") == "\u2068רות\u2069"
