"""Dashes and ellipses have one form each."""

from __future__ import annotations

import pytest

from byline.typography.dashes import simplify_dashes, simplify_ellipses


@pytest.mark.parametrize(
    "dash",
    [
        "\u2014",
        " \u2014 ",
        "--",
        " -- ",
        "---",
        " \u2013 ",
        "\u00a0\u2013 ",
        "\u2015",
        " - ",
    ],
)
def test_dashes_are_one(dash: str) -> None:
    expected = "The river\u2014a brook in summer\u2014rose."
    assert simplify_dashes(f"The river{dash}a brook in summer{dash}rose.") == expected


@pytest.mark.parametrize("dash", ["-", "\u2013", "\u2014", "--", " \u2013 ", " - "])
def test_ranges_of_numbers_have_a_hyphen(dash: str) -> None:
    assert simplify_dashes(f"1914{dash}18, pages 3{dash}5") == "1914-18, pages 3-5"


@pytest.mark.parametrize("hyphen", "-\u2010\u2011")
def test_hyphens_stay_hyphens(hyphen: str) -> None:
    text = "a well-known two- and three-fold -5 re-entry"
    assert simplify_dashes(text.replace("-", hyphen)) == text


def test_a_dash_may_begin_or_end_a_line() -> None:
    text = "- Come in.\n\u2014 Thank you --\n- \nH---, Mr. ----"
    expected = "\u2014Come in.\n\u2014Thank you\u2014\n\u2014\nH\u2014, Mr.\u2014"
    assert simplify_dashes(text) == expected


@pytest.mark.parametrize(
    "written",
    [
        "Well\u2026 perhaps",
        "Well... perhaps",
        "Well . . . perhaps",
        "Well ... perhaps",
        "Well...perhaps",
        "Well.... perhaps",
        "Well \u2026perhaps",
        "Well\u00a0.\u00a0.\u00a0. perhaps",
    ],
)
def test_ellipses_are_one(written: str) -> None:
    assert simplify_ellipses(written) == "Well... perhaps"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("'Well . . .'", "'Well...'"),
        ("Well ... 'Come.'", "Well... 'Come.'"),
        ("Well . . .\nNext ...", "Well...\nNext..."),
        ("\u6cb3\u2026\u2026\u5c71", "\u6cb3...\u5c71"),
        ("Fine. It is, e.g. J. R. Smith.. yes", "Fine. It is, e.g. J. R. Smith.. yes"),
    ],
)
def test_spaces_at_ellipses(written: str, expected: str) -> None:
    assert simplify_ellipses(written) == expected
