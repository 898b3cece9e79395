"""Check that built pages show no path of this machine and load nothing from other servers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

# Links that a reader follows may lead anywhere. What a browser loads by itself must be local.
LOADED = re.compile(
    r"""<(?:script|img|source|iframe|link)\b[^>]*?\b(?:src|href)=["']((?:https?:)?//[^"']+)"""
)


def _check(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html":
        return
    here = re.compile("|".join(re.escape(str(place)) for place in (app.srcdir.parent, Path.home())))
    problems = [
        f"{page.relative_to(app.outdir)}: {problem}"
        for page in sorted(Path(app.outdir).rglob("*.html"))
        for problem in _problems(page.read_text(encoding="utf-8"), here)
    ]
    if problems:
        raise SphinxError("; ".join(problems))


def _problems(page: str, here: re.Pattern[str]) -> list[str]:
    paths = [f"shows the path {found[0]}" for found in here.finditer(page)]
    return paths + [f"loads {found[1]}" for found in LOADED.finditer(page)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Check all pages at the end of the build."""
    app.connect("build-finished", _check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
