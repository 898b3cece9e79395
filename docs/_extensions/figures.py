"""Draw the figures of the pages from the demo corpus, with the commands that the pages show.

The code of the page for users of stylo writes the texts. Then ``byline explore``, ``keywords`` and
``rolling`` write their figures to a folder next to the built pages, so that no figure is kept in
the repository. A line ``<!-- figure FOLDER/NAME: ALTERNATIVE TEXT -->`` is replaced by a figure.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

PAGE_WITH_CORPUS = "how-to/from-stylo.md"
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"^<!-- figure ([\w-]+/[\w-]+): (.+?) -->$", re.MULTILINE | re.DOTALL)
COMMANDS = (
    "explore corpus --figures explore",
    "keywords Obama Bush --known corpus --slice 2000 --figures keywords",
    "train corpus -o authors.byline --method language-models",  # takes a quarter of the time
    "rolling authors.byline book.txt --figures rolling",
)


def _folder(app: Sphinx) -> Path:
    return Path(app.outdir).parent / "figures"


def _make(app: Sphinx) -> None:
    """Write the texts, and draw the figures with the commands."""
    folder = _folder(app)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    code = CODE.search((Path(app.srcdir) / PAGE_WITH_CORPUS).read_text(encoding="utf-8"))
    if code is None:
        raise SphinxError(f"{PAGE_WITH_CORPUS} has no code that writes a corpus")
    _run(folder, "-c", code[1])
    for command in COMMANDS:
        _run(folder, "-m", "byline", *command.split())


def _run(folder: Path, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SphinxError(f"python {' '.join(arguments[:4])} failed: {done.stderr}")


def _show(app: Sphinx, document: str, content: list[str]) -> None:
    """Replace each line that names a figure by the figure."""
    folder = os.path.relpath(_folder(app), app.srcdir)

    def figure(found: re.Match[str]) -> str:
        alternative = " ".join(found[2].split())
        return f"```{{figure}} /{Path(folder).as_posix()}/{found[1]}.svg\n:alt: {alternative}\n```"

    content[0] = FIGURE.sub(figure, content[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Draw the figures before the pages are read."""
    app.connect("builder-inited", _make)
    app.connect("source-read", _show)
    return {"parallel_read_safe": True}
