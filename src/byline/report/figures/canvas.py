"""A page on which the geometry of a chart is drawn with matplotlib.

The units are those of the charts, 96 per inch; y grows downwards. Only matplotlib's object-oriented
interface is used, so that nothing depends on the figures or settings of a user's program.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from byline.errors import MissingExtraError
from byline.report.figures.look import GRID, INK, Look

if TYPE_CHECKING:
    from matplotlib.path import Path as Outline

PER_INCH = 96  # units of a chart
POINTS = 72 / PER_INCH  # of one unit
FONT = "DejaVu Sans"  # comes with matplotlib, so that a figure looks the same everywhere
TEXT, TITLE = 11.0, 13.0  # heights of letters
LINE_HEIGHT = 1.35
MARGIN = 8.0  # around everything that is drawn
NARROWEST = 380.0  # to which a title is wrapped, even if the chart is narrower
AVERAGE_LETTER = 0.58  # of the height of letters
# Marks that a browser or a terminal needs around names; a figure shows each name on its own.
_ISOLATES = re.compile("[\u2066-\u2069]")
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # names remain text: they can be searched, edited, and set in any font
    "svg.hashsalt": "byline",  # otherwise, the identifiers would differ each time
    "pdf.fonttype": 42,  # publishers refuse fonts of type 3
    "font.family": [FONT],
    "hatch.linewidth": 0.6,
    "path.simplify": False,
}


def require_matplotlib() -> None:
    """Check that figures can be drawn.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed; the message states how to install it.
    """
    try:
        import fontTools  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            'Figures require matplotlib. Install it: python -m pip install "byline[figures]"'
        ) from error


def own_settings() -> AbstractContextManager[None]:
    """Use Byline's settings of matplotlib in a block, whatever a user's program or files set."""
    import matplotlib

    return matplotlib.rc_context({**matplotlib.rcParamsDefault, **SETTINGS})


class Canvas:
    """A page for one chart.

    Parameters
    ----------
    width, height : float
        In the units of the charts.
    look : Look
    """

    def __init__(self, width: float, height: float, look: Look) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.look = look
        self.width = width
        self.top = 0.0  # where the next line above the chart ends
        self.figure = Figure(figsize=(width / PER_INCH, height / PER_INCH), dpi=PER_INCH)
        self._measure: Any = FigureCanvasAgg(self.figure).get_renderer()  # type: ignore[no-untyped-call]
        self._axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)

    def path(
        self,
        drawn: str,
        *,
        at: tuple[float, float] = (0.0, 0.0),
        size: float = 1.0,
        **style: Any,
    ) -> None:
        """Draw an SVG path, enlarged by ``size`` around (0, 0) and then moved to ``at``.

        Parameters
        ----------
        drawn : str
            As in the attribute "d" of an SVG path.
        **style
            "line" and "fill", colours; "thickness" of the line; "dashes", lengths of dashes and
            gaps in thicknesses of the line; "opacity"; "hatch", in matplotlib's notation, which has
            the colour of the line.
        """
        from matplotlib.transforms import Affine2D

        move = Affine2D().scale(size).translate(*at)
        self._add(move.transform_path(outline(drawn)), **style)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: Any) -> None:
        """Draw a straight line; `path` describes the style."""
        from matplotlib.path import Path as Outline

        self._add(Outline([(x1, y1), (x2, y2)]), **({"line": GRID} | style))

    def rectangle(self, x: float, y: float, width: float, height: float, **style: Any) -> None:
        """Draw a rectangle; `path` describes the style."""
        from matplotlib.path import Path as Outline

        right, bottom = x + width, y + height
        corners = [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)]
        self._add(Outline(corners, closed=True), **style)

    def _add(
        self,
        shape: Outline,
        *,
        line: str | None = None,
        fill: str | None = None,
        thickness: float = 1.0,
        dashes: Sequence[float] = (),
        opacity: float | None = None,
        hatch: str = "",
    ) -> None:
        from matplotlib.patches import PathPatch

        patch = PathPatch(
            shape,
            facecolor=fill or "none",
            edgecolor=line or "none",
            linewidth=thickness * POINTS,
            linestyle=(0, tuple(dashes)) if dashes else "solid",
            capstyle="butt",
            joinstyle="round",
            alpha=opacity,
            hatch=hatch or None,
            clip_on=False,
        )
        self._axes.add_patch(patch)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "left",
        size: float = TEXT,
        colour: str = INK,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        """Write text with its baseline at y.

        Parameters
        ----------
        anchor : {"left", "center", "right"}
            Which part of the text is at x.
        turned : bool
            Whether the text runs from bottom to top.
        """
        self._axes.text(
            x,
            y,
            shown(words),
            ha=anchor,
            va="baseline",
            fontsize=size * POINTS,
            color=colour,
            weight="bold" if bold else "normal",
            rotation=90 if turned else 0,
            rotation_mode="anchor",
            parse_math=False,
        )

    def measured(self, words: str) -> float:
        """Return the width of a text."""
        from matplotlib.font_manager import FontProperties

        font = FontProperties(family=FONT, size=TEXT * POINTS)
        width, _, _ = self._measure.get_text_width_height_descent(shown(words), font, ismath=False)
        return float(width)

    def write_above(self, words: str, *, size: float = TEXT, **style: Any) -> None:
        """Write text in as many lines as it needs, above the chart and the lines above it."""
        letters = int(max(self.width, NARROWEST) / (size * AVERAGE_LETTER))
        for each in reversed(textwrap.wrap(words, letters, break_on_hyphens=False)):
            self.text(0, self.top - size * 0.4, each, size=size, **style)
            self.top -= size * LINE_HEIGHT

    @cached_property
    def page(self) -> Any:
        """The figure, enlarged to all that was drawn, as matplotlib's ``bbox_inches``."""
        box = self.figure.get_tightbbox(self._measure)
        return box.padded(MARGIN / PER_INCH)

    @property
    def texts(self) -> list[str]:
        """All texts on the page."""
        return [each.get_text() for each in self._axes.texts]


def shown(words: str) -> str:
    """Return a text without the invisible marks that isolate its direction."""
    return _ISOLATES.sub("", words)


@lru_cache(maxsize=64)
def outline(drawn: str) -> Outline:
    """Convert an SVG path to one of matplotlib.

    Parameters
    ----------
    drawn : str
        As in the attribute "d" of an SVG path.
    """
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path
    from matplotlib.path import Path as Outline

    pen = RecordingPen()
    parse_path(drawn, pen)
    points: list[tuple[float, float]] = []
    codes: list[int] = []
    kinds = {
        "moveTo": Outline.MOVETO,
        "lineTo": Outline.LINETO,
        "curveTo": Outline.CURVE4,
        "qCurveTo": Outline.CURVE3,
    }
    for command, places in _commands(pen.value):
        if command == "closePath":
            points.append(points[-1])
            codes.append(int(Outline.CLOSEPOLY))
        elif command in kinds:
            points += places
            codes += [int(kinds[command])] * len(places)
    return Outline(points, codes)


def _commands(value: Iterable[Any]) -> Iterable[tuple[str, list[tuple[float, float]]]]:
    for command, places in value:
        yield command, list(places)
