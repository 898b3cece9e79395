"""The files that pages load: a style sheet, a script, an icon; all come with Byline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    media_type: str


def asset(name: str) -> Asset | None:
    """Return a file by its name; None where there is none of that name."""
    return _assets().get(name)


@cache
def _assets() -> Mapping[str, Asset]:
    own = files("byline.web") / "static"
    reports = files("byline.report") / "templates" / "style.css"
    style = reports.read_bytes() + (own / "page.css").read_bytes()
    return {
        "style.css": Asset(style, "text/css; charset=utf-8"),
        "page.js": Asset((own / "page.js").read_bytes(), "text/javascript; charset=utf-8"),
        "icon.svg": Asset((own / "icon.svg").read_bytes(), "image/svg+xml"),
    }
