"""Write figures as SVG, PDF and PNG files; the same figure always gives the same bytes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from byline import __version__
from byline.attribution.inputs import check_choice
from byline.errors import BylineWarning
from byline.files import atomic_write, create_folder
from byline.report.figures import text_renderers  # noqa: F401 (registers renderers)
from byline.report.figures.canvas import FONT, TITLE, Canvas, own_settings, require_matplotlib
from byline.report.figures.figure import Figure, drawable
from byline.report.figures.look import Look
from byline.report.figures.renderers import draw_chart, size_of

FORMATS = ("svg", "pdf", "png")
DOTS_PER_INCH = 300
CAPTIONS = "captions.md"
MOST_CHARACTERS = 12  # of those that the font lacks, in a warning


def write_figures(
    figures: Iterable[Figure],
    folder: Path,
    *,
    grey: bool = False,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Write each figure as an SVG, a PDF and a PNG file, and all captions to one file.

    Parameters
    ----------
    figures : iterable of Figure
        Figures without data are left out.
    folder : Path
        It is created if it does not exist.
    grey : bool
        Distinguish series by dashes, points and hatches instead of colours.
    formats : sequence of {"svg", "pdf", "png"}

    Returns
    -------
    list of Path
        The files, the captions last.

    Raises
    ------
    UsageError
        If there is no such format.
    MissingExtraError
        If matplotlib is not installed.
    OutputError
        If a file cannot be written.

    Warns
    -----
    BylineWarning
        If the font of the PDF and PNG files lacks letters of a name.

    Examples
    --------
    >>> import tempfile
    >>> from byline.report.charts import Series, line_chart
    >>> chart = line_chart([1, 5], [Series("words", 0, [0.5, 0.75])], x_label="n", y_label="share")
    >>> figure = Figure("accuracy", "Accuracy", "Accuracy by length.", chart, "share of texts")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_figures([figure], Path(folder))]
    ['accuracy.svg', 'accuracy.pdf', 'accuracy.png', 'captions.md']
    """
    for kind in formats:
        check_choice("format", kind, FORMATS)
    require_matplotlib()
    create_folder(folder)
    shown = drawable(figures)
    drawn = [(figure, draw(figure, grey=grey)) for figure in shown]
    if set(formats) - {"svg"}:
        _warn_of_missing_letters(text for _, canvas in drawn for text in canvas.texts)
    paths = [
        _write(folder / f"{figure.name}.{kind}", encoded(figure, canvas, kind))
        for figure, canvas in drawn
        for kind in formats
    ]
    return [*paths, _write(folder / CAPTIONS, captions(shown).encode("utf-8", "backslashreplace"))]


def draw(figure: Figure, *, grey: bool = False) -> Canvas:
    """Draw a figure on a canvas, with its title.

    Parameters
    ----------
    figure : Figure
        A figure that has a chart.
    grey : bool
    """
    with own_settings():
        canvas = Canvas(*size_of(figure.chart), Look(grey))
        draw_chart(figure.chart, canvas)
        canvas.write_above(figure.title.rstrip("."), size=TITLE, bold=True)
    return canvas


def encoded(figure: Figure, canvas: Canvas, kind: str) -> bytes:
    """Return the content of a file.

    Parameters
    ----------
    figure : Figure
    canvas : Canvas
        As `draw` returns it.
    kind : {"svg", "pdf", "png"}
    """
    written = io.BytesIO()
    with own_settings(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # we warn ourselves
        canvas.figure.savefig(
            written,
            format=kind,
            dpi=DOTS_PER_INCH,
            bbox_inches=canvas.page,
            metadata=_metadata(figure, kind),
        )
    return written.getvalue()


def captions(figures: Sequence[Figure]) -> str:
    """Return the captions of figures as a page in Markdown."""
    parts = [
        f"## {figure.name}\n\n**{figure.title.rstrip('.')}.** {figure.caption}\n\n"
        f"Units: {figure.units}.\n"
        for figure in figures
    ]
    return "\n".join(["# Captions of the figures\n", *parts])


def _metadata(figure: Figure, kind: str) -> dict[str, Any]:
    """Describe a figure in the terms of each format, without the time at which it was made."""
    made_by = f"Byline {__version__}"
    title, says = figure.title.rstrip("."), figure.sentence
    if kind == "svg":
        return {"Date": None, "Creator": made_by, "Title": title, "Description": says}
    if kind == "pdf":
        return {"CreationDate": None, "Creator": made_by, "Title": title, "Subject": says}
    return {"Software": made_by, "Title": title, "Description": says}


def _write(path: Path, content: bytes) -> Path:
    with atomic_write(path) as stream:
        stream.write(content)
    return path


def _warn_of_missing_letters(texts: Iterable[str]) -> None:
    missing = missing_letters(texts)
    if missing:
        shown = "".join(missing[:MOST_CHARACTERS]) + ("…" if len(missing) > MOST_CHARACTERS else "")
        warnings.warn(
            f"the PDF and PNG figures show boxes instead of {shown}, because the font {FONT} lacks "
            "them; use the SVG files (a browser or Inkscape shows them with other fonts and can "
            "save them as PDF)",
            BylineWarning,
            stacklevel=3,
        )


def missing_letters(texts: Iterable[str]) -> list[str]:
    """Return the characters that the font of the figures lacks, in order of their codes.

    Examples
    --------
    >>> missing_letters(["Ада Лавлейс", "ليلى", "王小明"])
    ['小', '明', '王']
    """
    known = _letters_of_the_font()
    return sorted(
        {letter for text in texts for letter in text if letter.isprintable()}.difference(known)
    )


@cache
def _letters_of_the_font() -> frozenset[str]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(map(chr, get_font(findfont(FONT)).get_charmap()))
