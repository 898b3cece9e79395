"""Generate parts of pages from the program, so that they are complete and up to date.

The line ``<!-- commands -->`` is replaced by the reference of all commands. A line
``<!-- names byline.lm -->`` is replaced by the reference of a package.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from commands import command_reference
from names import name_reference
from sphinx.application import Sphinx

COMMANDS = re.compile(r"^<!-- commands -->$", re.MULTILINE)
NAMES = re.compile(r"^<!-- names ([\w.]+) -->$", re.MULTILINE)


def _insert_references(app: Sphinx, document: str, content: list[str]) -> None:
    text = COMMANDS.sub(lambda found: command_reference(), content[0])
    content[0] = NAMES.sub(lambda found: name_reference(found[1], listed_modules(app.srcdir)), text)


def listed_modules(docs: Path) -> frozenset[str]:
    """Return all modules that have a page."""
    pages = (path.read_text(encoding="utf-8") for path in docs.rglob("*.md"))
    return frozenset(name for page in pages for name in NAMES.findall(page))


def setup(app: Sphinx) -> dict[str, Any]:
    """Insert the generated references into each page when it is read."""
    app.connect("source-read", _insert_references)
    return {"parallel_read_safe": True}
