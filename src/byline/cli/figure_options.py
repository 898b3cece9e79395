"""``--figures`` and ``--grey``: every command that writes a report can also write its figures."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import takes_settings
from byline.errors import OutputError, UsageError

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
        UsageError
            matplotlib is not installed, or ``--grey`` was given without ``--figures``.
        OutputError
            The folder is a file, its parent folder does not exist, or it is inside one of
            ``inputs``.
        """
        from byline.report.figures.canvas import require_matplotlib

        if self.figures is None:
            if self.grey:
                raise UsageError("--grey changes only figures; give --figures FOLDER too")
            return
        require_matplotlib()
        target = Path(os.path.realpath(self.figures))
        if target.exists() and not target.is_dir():
            raise OutputError(f"{self.figures} is not a folder; name another folder for figures")
        if not target.parent.is_dir():
            raise OutputError(
                f"{self.figures}: the folder {target.parent} does not exist; create it, or choose "
                "another"
            )
        for given in inputs:
            if given is not None and target.is_relative_to(os.path.realpath(given)):
                raise OutputError(
                    f"{self.figures} would be inside {given}; name another folder for figures"
                )

    def write(self, figures: Iterable[Figure]) -> None:
        """Write figures if they were asked for."""
        from byline.cli.output import print_message
        from byline.report.figures.writing import write_figures

        if self.figures is None:
            return
        paths = write_figures(figures, self.figures, grey=self.grey)
        if len(paths) == 1:  # only the file of captions
            message = f"there are no figures of these results; {paths[0]} contains no captions"
            print_message("note", message)


makes_figures = takes_settings(FigureSettings, "pictures")
