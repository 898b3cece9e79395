"""Pages, once built, are looked through for paths of this machine, and for what lies elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

# A link that a reader follows may lead anywhere; what a browser loads by itself may not.
LOADED = re.compile(
    r"""<(?:script|img|source|iframe|link)\b[^>]*?\b(?:src|href)=["']((?:https?:)?//[^"']+)"""
)


def _check(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html":
        return
    here = re.compile("|".join(re.escape(str(place)) for place in (app.srcdir.parent, Path.home())))
    flaws = [
        f"{page.relative_to(app.outdir)}: {flaw}"
        for page in sorted(Path(app.outdir).rglob("*.html"))
        for flaw in _flaws(page.read_text(encoding="utf-8"), here)
    ]
    if flaws:
        raise SphinxError("; ".join(flaws))


def _flaws(page: str, here: re.Pattern[str]) -> list[str]:
    paths = [f"shows the path {found[0]}" for found in here.finditer(page)]
    return paths + [f"loads {found[1]}" for found in LOADED.finditer(page)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Look through the pages at the end."""
    app.connect("build-finished", _check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
