import re
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from byline.report.charts.colours import (
    DARK_PALETTE,
    PALETTE,
    author_class,
    author_colours,
    author_shape,
)


@given(st.permutations(["Ada", "Ben", "Cy", "Ada"]))
def test_the_colour_of_an_author_does_not_depend_on_the_order(names: list[str]) -> None:
    assert author_colours(names) == {"Ada": 0, "Ben": 1, "Cy": 2}


def test_48_authors_have_different_pairs_of_colour_and_shape() -> None:
    assert len({(author_class(number), author_shape(number)) for number in range(48)}) == 48


def test_neighbours_have_different_shapes() -> None:
    assert all(author_shape(number) != author_shape(number + 1) for number in range(7))


def test_the_style_sheet_has_the_palettes_for_light_and_dark() -> None:
    style = files("byline.report").joinpath("templates/style.css").read_text("utf-8")
    values = re.findall(r"--author-\d: (#\w{6});", style)
    assert values == [*PALETTE, *DARK_PALETTE]
    classes = re.findall(r"\.(author-\d) \{ color", style)
    assert classes == [author_class(number) for number in range(len(PALETTE))]


def test_every_colour_has_a_contrast_of_at_least_2_5_to_the_page() -> None:
    for palette, page in ((PALETTE, "#ffffff"), (DARK_PALETTE, "#14181d")):
        assert min(_contrast(colour, page) for colour in palette) >= 2.5


def _contrast(first: str, second: str) -> float:
    """Return the contrast of WCAG 2."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
