import re
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from byline.report.charts.colours import PALETTE, author_class, author_colours, author_shape
from byline.report.figures.look import luminance

STYLE = files("byline.report").joinpath("templates/style.css").read_text("utf-8")
COLOURS = re.findall(r"--author-\d: (#\w{6});", STYLE)  # of light pages, then of dark ones


@given(st.permutations(["Ada", "Ben", "Cy", "Ada"]))
def test_the_colour_of_an_author_does_not_depend_on_the_order(names: list[str]) -> None:
    assert author_colours(names) == {"Ada": 0, "Ben": 1, "Cy": 2}


def test_48_authors_have_different_pairs_of_colour_and_shape() -> None:
    assert len({(author_class(number), author_shape(number)) for number in range(48)}) == 48


def test_neighbours_have_different_shapes() -> None:
    assert all(author_shape(number) != author_shape(number + 1) for number in range(7))


def test_the_style_sheet_has_the_palette_and_one_for_dark_pages() -> None:
    assert len(COLOURS) == 2 * len(PALETTE)
    assert COLOURS[: len(PALETTE)] == [*PALETTE]
    classes = re.findall(r"\.(author-\d) \{ color", STYLE)
    assert classes == [author_class(number) for number in range(len(PALETTE))]


def test_every_colour_has_a_contrast_of_at_least_2_5_to_the_page() -> None:
    light, dark = COLOURS[: len(PALETTE)], COLOURS[len(PALETTE) :]
    for palette, page in ((light, "#ffffff"), (dark, "#14181d")):
        assert min(_contrast(colour, page) for colour in palette) >= 2.5


def _contrast(first: str, second: str) -> float:
    """Return the contrast of WCAG 2."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)
