"""Read known texts with the line breaks of their files, which normal reading removes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from byline.corpus.document import Corpus, Finding
from byline.corpus.readers.formats import SUBTITLE_SUFFIXES, TEXT_SUFFIXES
from byline.corpus.readers.speakers import Speakers
from byline.corpus.reading import read_corpus_with_findings
from byline.corpus.reading_options import DEFAULT_OPTIONS, ReadingOptions

_PLAIN = TEXT_SUFFIXES - SUBTITLE_SUFFIXES


def read_for_checking(
    path: str | Path,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speakers: Speakers | str = Speakers.OWN,
    columns: Mapping[str, str] | str | None = None,
) -> tuple[Corpus, list[Finding]]:
    r"""Read known texts in order to examine or clean them.

    Unlike `byline.corpus.read_corpus`, this function keeps the line breaks of the files, and it
    returns findings instead of raising errors and issuing warnings.

    Parameters
    ----------
    path : str or Path
        Anything that `byline.corpus.read_corpus` reads.
    options, speakers, columns
        As for `byline.corpus.read_corpus`.

    Returns
    -------
    Corpus, list of Finding
        The texts that could be read, with the line breaks of their files, and the findings of the
        readers. A file that cannot be read is an error among them.

    Raises
    ------
    CorpusError
        The layout is not recognised.
    MissingExtraError
        A format needs a package that is not installed.

    See Also
    --------
    examine : Examine the texts.
    byline.corpus.cleaning.clean_corpus : Clean the texts.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.corpus.checking import read_for_checking
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for author in ("Ada", "Ben"):
    ...         (Path(folder) / author).mkdir()
    ...         _ = (Path(folder) / author / "1.txt").write_text("The loom\nis new.")
    ...     corpus, findings = read_for_checking(folder)
    >>> corpus.texts
    ['The loom\nis new.', 'The loom\nis new.']
    >>> findings
    []
    """
    return read_corpus_with_findings(
        path, options, speakers=speakers, line_breaks=_PLAIN, columns=columns
    )
