"""Convert a result to text, HTML, JSON values or a DataFrame, or save its report."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from byline.display import Displayable
from byline.errors import MissingExtraError, OutputError, UsageError
from byline.files import atomic_write
from byline.formatting import join_names
from byline.report.displays.results import display_of
from byline.report.displays.scoped_style import in_notebook
from byline.report.summary import Summary

if TYPE_CHECKING:
    import pandas

WIDTH = 100  # characters, as where the output of a command is not a terminal


def as_text(result: Displayable) -> str:
    """Return what the command line prints about a result, without colours.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> as_text(profile).split()[:3]
    ['author', 'texts', 'sent.']
    """
    console = Console(file=io.StringIO(), highlight=False, width=WIDTH, color_system=None)
    display_of(result).write(console)
    printed: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(map(str.rstrip, printed.splitlines())).rstrip("\n")


def as_notebook_html(result: Displayable) -> str:
    """Return the main part of a result's report, with styles that affect nothing else.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> as_notebook_html(profile)[:27]
    '<div class="byline-output">'
    """
    return in_notebook(display_of(result).section())


def as_dict(result: Displayable) -> Summary:
    """Return what the command line prints about a result with ``--json``.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> as_dict(profile)["rows"][0]["n_documents"]
    1
    """
    return display_of(result).summary()


def as_data_frame(result: Displayable, name: str | None = None) -> pandas.DataFrame:
    """Return a table of a result; by default its first.

    Raises
    ------
    UsageError
        The result has no such table.
    MissingExtraError
        pandas is not installed.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> as_data_frame(profile, "authors").n_documents.tolist()
    [1]
    """
    tables = display_of(result).tables
    chosen = next(iter(tables)) if name is None else name
    if chosen not in tables:
        kind = type(result).__name__
        names = join_names([repr(each) for each in tables])
        raise UsageError(f"{kind} has no table {chosen!r}; choose from {names}")
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError(
            'A table requires pandas. Install it: python -m pip install "byline[pandas]"'
        ) from error
    table = tables[chosen]()
    return pandas.DataFrame(list(table.rows), columns=list(table.columns))


def save_report(result: Displayable, path: str | os.PathLike[str]) -> None:
    """Write the report of a result as one HTML file.

    Raises
    ------
    OutputError
        The file cannot be written, or its name does not end in .html or .htm.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> try:
    ...     save_report(profile, "profile.pdf")
    ... except OutputError as error:
    ...     print(error)
    profile.pdf: reports are HTML; give a name that ends in .html
    """
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path}: reports are HTML; give a name that ends in .html")
    page = display_of(result).page()
    with atomic_write(path) as stream:
        stream.write(page.encode("utf-8"))
