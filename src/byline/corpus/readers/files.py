"""One file of any format as a text."""

from __future__ import annotations

from dataclasses import dataclass

from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.readers.formats import EPUB, TEI, format_of
from byline.corpus.readers.plain_text import PlainText, decode_plain
from byline.corpus.readers.result import about_markup, about_subtitles


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of one file.

    Attributes
    ----------
    extracted : Extracted
    plain : PlainText or None
        Of a plain text or subtitles, what its reader should be told.
    states_author : bool
        Whether the format names the author of the text, and not the user of a program.
    """

    extracted: ExtractedText
    plain: PlainText | None = None
    states_author: bool = False

    @property
    def text(self) -> str:
        """A paragraph a line, a blank line between paragraphs."""
        return self.extracted.text

    @property
    def stated_author(self) -> str:
        """The author of the text as the file names it; empty where it does not."""
        return (self.extracted.author or "").strip() if self.states_author else ""


def read_file(data: bytes, name: str, suffix: str, keep: frozenset[Keep] = frozenset()) -> FileText:
    """Return the text of a file's content, whichever format that is.

    Raises
    ------
    CorpusError
        It cannot be read as what it is called; the message begins with ``name``.
    MissingExtraError
        Its format needs a package that is not installed.
    """
    found = format_of(data, name, suffix)
    if found is None or found.extract is None:
        plain = decode_plain(data, name, suffix)
        return FileText(ExtractedText(plain.text), plain)
    return FileText(found.extract(data, name, keep), states_author=found in (TEI, EPUB))


def plain_text_warnings(file: FileText, name: str) -> tuple[str, ...]:
    """Return what a reader of one plain text should be told, each a sentence that names it."""
    if file.plain is None:
        return ()
    guessed_encoding = file.plain.guessed_encoding
    guessed = [f"{name} is not UTF-8 and is read as {guessed_encoding}; save as UTF-8 to be sure"]
    findings = about_subtitles({name: file.plain}) + about_markup({name: file.plain})
    return (*(guessed if guessed_encoding else ()), *(finding.message for finding in findings))
