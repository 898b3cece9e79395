"""``--figures`` and ``--grey``: every command that writes a report can also write its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import takes_settings
from byline.cli.output import check_output_folder, print_message
from byline.errors import UsageError

if TYPE_CHECKING:
    from byline.report.figures.figure import Figure


@dataclass(frozen=True, kw_only=True)
class FigureSettings:
    """Where figures are written, and how they look."""

    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write each figure as SVG, PDF and PNG (300 dpi) to a folder, with a file of "
            'captions. This needs matplotlib: pip install "byline[figures]".',
        ),
    ] = None
    grey: Annotated[
        bool,
        typer.Option(
            "--grey",
            help="With --figures, use greys, dashes and hatches instead of colours, for print.",
        ),
    ] = False

    def check(self, *inputs: Path | None) -> None:
        """Check, before the work starts, that figures can be drawn and written.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed.
        UsageError
            There is ``--grey`` without ``--figures``.
        OutputError
            As in `check_output_folder`.
        """
        from byline.report.figures.canvas import require_matplotlib

        if self.figures is None:
            if self.grey:
                raise UsageError("--grey changes only figures; give --figures FOLDER too")
            return
        require_matplotlib()
        check_output_folder(self.figures, *inputs)

    def write(self, list_figures: Callable[[], Iterable[Figure]]) -> None:
        """Write figures, which are laid out only if they were asked for."""
        from byline.report.figures.writing import write_figures

        if self.figures is None:
            return
        paths = write_figures(list_figures(), self.figures, grey=self.grey)
        if len(paths) == 1:  # only the file of captions
            message = f"there are no figures of these results; {paths[0]} contains no captions"
            print_message("note", message)


makes_figures = takes_settings(FigureSettings, "figures")
