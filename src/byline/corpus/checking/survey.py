"""Known texts as they are, with the lines of their files and all that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from byline.corpus.checking.lines import with_line_breaks
from byline.corpus.document import Corpus
from byline.corpus.extraction import Keep
from byline.corpus.findings import Finding
from byline.corpus.reading import read_documents


def survey(path: str | Path, *, keep: Iterable[Keep | str] = ()) -> tuple[Corpus, list[Finding]]:
    """Read known texts to examine or to mend them.

    Parameters
    ----------
    path : str or Path
        Anything that `byline.corpus.read_corpus` reads.
    keep : iterable of Keep or str
        What is no running text and is kept for all that: notes, stage directions.

    Returns
    -------
    Corpus, list of Finding
        What could be read, with the line breaks of its files, and what was found on the way: files
        that cannot be read are errors among it.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.
    """
    corpus, findings = read_documents(path, keep=keep)
    return with_line_breaks(corpus, path), findings
