"""Draw the figures of the pages from the demo corpus, as the commands that the pages show do.

The code of the page for users of stylo writes the texts. The figures of ``byline explore``,
``keywords`` and ``rolling`` are written to a folder next to the built pages, so that no figure is
kept in the repository. A line ``<!-- figure FOLDER/NAME: ALTERNATIVE TEXT -->`` is replaced by a
figure.
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
# What `byline explore`, `keywords`, `train` and `rolling` do with the arguments on the pages. But a
# model of language models alone takes a quarter of the time, and only SVG is drawn.
DRAWING = """
from pathlib import Path

import byline
from byline.answering.exploration import explore_texts
from byline.attribution.keyness import compare_groups
from byline.attribution.rolling import rolling_attribution
from byline.corpus import Corpus, ReadingOptions, find_chapters, read_corpus, read_text
from byline.report.figures import texts, write_figures

plain = read_corpus("corpus", ReadingOptions(normalization="none"))
corpus, book = read_corpus("corpus"), read_text("book.txt")
model = byline.train("corpus", method="language-models")
first, second = (Corpus(corpus.by(author), author) for author in ("Obama", "Bush"))
keywords = compare_groups(first, second, slice_size=2000)
rolling = rolling_attribution(model, book, chapters=find_chapters(book))
for folder, figures in {
    "explore": texts.exploration_figures(explore_texts(plain).to_dict()),
    "keywords": texts.group_keywords_figures(keywords.to_dict()),
    "rolling": texts.book_figures(rolling.to_dict()),
}.items():
    write_figures(figures, Path(folder), formats=["svg"])
"""


def _folder(app: Sphinx) -> Path:
    return Path(app.outdir).parent / "figures"


def _make(app: Sphinx) -> None:
    """Write the texts, and draw the figures."""
    folder = _folder(app)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    code = CODE.search((Path(app.srcdir) / PAGE_WITH_CORPUS).read_text(encoding="utf-8"))
    if code is None:
        raise SphinxError(f"{PAGE_WITH_CORPUS} has no code that writes a corpus")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code[1] + DRAWING],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SphinxError(f"the figures could not be drawn: {done.stderr}")


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
