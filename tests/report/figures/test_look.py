"""Colours of figures can be distinguished by all readers, and in grey."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.report.charts.colours import PALETTE
from byline.report.figures.look import FILLS, PAPER, QUIET, Look, is_dark, luminance, mixed

N_STYLES = 8
STYLE = files("byline.report").joinpath("templates/style.css").read_text("utf-8")
DARK = tuple(re.findall(r"--author-\d: (#\w{6});", STYLE)[N_STYLES:])  # of dark pages
DARK_QUIET = re.findall(r"--quiet: (#\w{6});", STYLE)[1]
# What a reader without one kind of cone sees (Machado et al. 2009), in linear RGB.
SEEN = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.01182, 0.04294, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.3039],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def _linear(colour: str) -> NDArray[np.float64]:
    shares = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coordinates of CIELAB, in which equal distances look about equally large."""
    t = TO_XYZ @ linear.clip(0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("reader", SEEN)
@pytest.mark.parametrize(("palette", "quiet"), [(PALETTE, QUIET), (DARK, DARK_QUIET)])
def test_readers_with_each_kind_of_colour_vision_can_distinguish_the_colours(
    palette: tuple[str, ...], quiet: str, reader: str
) -> None:
    seen = [_lab(SEEN[reader] @ _linear(colour)) for colour in palette]
    assert _least_distance(seen) > 20  # about 2 is a difference that can just be seen
    assert _least_distance(seen[:4]) > 28
    # Branches of trees with texts by several authors are grey.
    grey = _lab(SEEN[reader] @ _linear(quiet))
    assert min(float(np.linalg.norm(grey - colour)) for colour in seen) > 15


def _least_distance(seen: list[NDArray[np.float64]]) -> float:
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


@pytest.mark.parametrize("grey", [False, True])
def test_lines_have_contrast_to_the_paper(grey: bool) -> None:
    for style in range(N_STYLES):
        colour = Look(grey).line(style)
        assert (luminance(PAPER) + 0.05) / (luminance(colour) + 0.05) > 2.5


def test_grey_has_no_colours() -> None:
    look = Look(grey=True)
    for style in range(N_STYLES):
        # INK is the colour of text: nearly black.
        red, green, blue = (int(look.line(style)[place : place + 2], 16) for place in (1, 3, 5))
        assert max(red, green, blue) - min(red, green, blue) <= 11


def test_in_grey_lines_differ_by_dashes_and_areas_by_shade_and_hatch() -> None:
    look = Look(grey=True)
    assert len({look.dashes(style) for style in range(N_STYLES)}) == N_STYLES
    shades = [luminance(look.fill(style)) for style in range(len(FILLS))]
    assert min(abs(a - b) for a, b in combinations(shades, 2)) > 0.04
    assert len({look.hatch(style) for style in range(len(FILLS))}) == len(FILLS)


def test_text_on_a_colour_has_contrast() -> None:
    for style in range(N_STYLES):
        for strength in (0.0, 0.3, 0.6, 0.8, 1.0):
            colour = mixed(Look().line(style), strength)
            ink = 1.0 if is_dark(colour) else luminance("#1c2127")
            light, dark = sorted((ink, luminance(colour)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) > 3.5
