"""What every page shows of where it is, and how a page is made."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from byline.report.charts.lengths import length_chart
from byline.report.html import render
from byline.report.rolling import rolling_part

OF_FORMATS = ("lxml", "pypdfium2", "trafilatura")  # what the extra `formats` brings


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every page shows of where it is.

    Attributes
    ----------
    model, model_id : str
        Name and id of the model that answers.
    authors : tuple of str
        Its authors.
    open_set : bool
        Whether it can say that a text is by none of them.
    address : str
        Host and port, as a browser has them.
    local : bool
        Whether only this computer can reach the page.
    most_bytes : int
        Of an upload.
    kept : str
        How long texts and answers are kept, to follow "are kept".
    """

    model: str
    model_id: str
    authors: tuple[str, ...]
    open_set: bool
    address: str
    local: bool
    most_bytes: int
    kept: str


def show(template: str, site: Site, **values: Any) -> str:
    """Fill in a template of a page."""
    shared = {
        "site": site,
        "formats": all(find_spec(name) for name in OF_FORMATS),
        "megabytes": megabytes(site.most_bytes),
        "rolling_part": rolling_part,
        "length_chart": length_chart,
    }
    return render(template, shared | values, "byline.web")


def megabytes(n_bytes: int) -> str:
    """Write a size as people read it: ``20 MB``."""
    size = n_bytes / 1e6
    return f"{size:,.0f}\u00a0MB" if size >= 10 else f"{max(size, 0.1):.1f}\u00a0MB"
