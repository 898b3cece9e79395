"""`Displayable`: results show themselves as text, in a notebook, as JSON, tables and reports.

Results belong to the layers that compute them, and rendering to the layer ``report`` above them.
This module is the only one that imports a layer above its own, and only when a result is shown.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

__all__ = ["Displayable"]


class Displayable:
    """A result that shows itself.

    ``print(result)`` prints what the command line prints. In a notebook, the result is shown as in
    its report.

    See Also
    --------
    byline.report : The functions that do the work.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ann": ["The looms hum. The loom is new."]})
    >>> str(profile).split()[:3]
    ['author', 'texts', 'sent.']
    >>> sorted(profile.to_dict()), profile._repr_html_()[:4]
    (['rows', 'schema'], '<div')
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return what the command line prints about the result, without colours."""
        from byline.report.displays import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        """Return the main part of the report, with styles that affect nothing else."""
        from byline.report.displays import as_notebook_html

        return as_notebook_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as the command line prints it with ``--json``."""
        from byline.report.displays import as_dict

        return as_dict(self)

    def to_pandas(self, table: str | None = None) -> pandas.DataFrame:
        """Return a table of the result.

        Parameters
        ----------
        table : str, optional
            The name of the table; an error names all tables of the result. By default the first.

        Raises
        ------
        UsageError
            The result has no such table.
        MissingExtraError
            pandas is not installed.
        """
        from byline.report.displays import as_data_frame

        return as_data_frame(self, table)

    def save_report(self, path: str | os.PathLike[str]) -> None:
        """Write a report as one HTML file.

        Raises
        ------
        OutputError
            The file cannot be written, or its name does not end in .html.
        """
        from byline.report.displays import save_report

        save_report(self, path)
