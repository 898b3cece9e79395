"""Colours, dashes and hatches of published figures, in colour and in grey.

The colours of series are those of authors (`byline.report.charts.colours`). A series can also be
recognised by its dashes and its points, and the bars of a series by their hatch, so that a figure
can be read in grey and by readers with any kind of colour blindness.
"""

from __future__ import annotations

from dataclasses import dataclass

from byline.report.charts.colours import PALETTE

PAPER, INK, QUIET, GRID = "#ffffff", "#1c2127", "#57606a", "#d5dae0"
# Without colour, series are nearly black; bars and areas need shades that are far apart.
GREYS = ("#1c2127", "#4a4a4a", "#6e6e6e", "#2f2f2f", "#5c5c5c", "#808080", "#000000", "#3d3d3d")
FILLS = (0.85, 0.55, 0.25, 0.7, 0.4)  # strengths of the shades of bars and areas
# Lengths of dashes and gaps in units of the width of a line; the first series has a solid line.
DASHES: tuple[tuple[float, ...], ...] = (
    *((), (3.5, 1.5), (1, 1.5), (4.5, 1.5, 1, 1.5)),
    *((2, 1), (6, 2), (0.5, 1), (3, 1, 1, 1, 1, 1)),
)
FAINT_DASHES = (4.0, 4.0)
HATCHES = ("", "///", "...", "\\\\\\", "xxx")


@dataclass(frozen=True, slots=True)
class Look:
    """How series are distinguished: by colours, or by greys, dashes and hatches.

    Attributes
    ----------
    grey : bool

    Examples
    --------
    >>> Look().line(0), Look(grey=True).line(0)
    ('#0072b2', '#1c2127')
    >>> Look(grey=True).hatch(0) == Look(grey=True).hatch(1)
    False
    """

    grey: bool = False

    def line(self, style: int) -> str:
        """Return the colour of the lines, points and names of a series."""
        return (GREYS if self.grey else PALETTE)[style % len(PALETTE)]

    def fill(self, style: int) -> str:
        """Return the colour of the bars and areas of a series."""
        if self.grey:
            return mixed(INK, FILLS[style % len(FILLS)])
        return mixed(self.line(style), 0.8)

    def hatch(self, style: int) -> str:
        """Return the hatch of the bars and areas of a series, in matplotlib's notation."""
        return HATCHES[style % len(HATCHES)] if self.grey else ""

    def dashes(self, style: int) -> tuple[float, ...]:
        """Return the lengths of dashes and gaps of a line; none for a solid line."""
        return DASHES[style % len(DASHES)]


def mixed(colour: str, strength: float) -> str:
    """Mix a colour with white: 0 is white, 1 the colour.

    Examples
    --------
    >>> mixed("#000000", 0.25)
    '#bfbfbf'
    """
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * strength):02x}" for part in parts)


def is_dark(colour: str) -> bool:
    """Return whether white text on a colour has more contrast than black text.

    Examples
    --------
    >>> is_dark("#0072b2"), is_dark("#e69f00")
    (True, False)
    """
    return luminance(colour) < 0.179  # where (1 + 0.05) / (L + 0.05) = (L + 0.05) / 0.05


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2, from 0 (black) to 1 (white)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
