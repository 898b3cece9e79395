"""Read one file of any format as a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from byline.corpus.dialogue.labels import find_labelled_dialogue
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.line_joining import LineJoiner
from byline.corpus.readers.added_formats import text_reader
from byline.corpus.readers.dialogues import read_dialogue
from byline.corpus.readers.email import extract_email
from byline.corpus.readers.epub import extract_epub
from byline.corpus.readers.formats import (
    EMAIL,
    EPUB,
    FLAT_ODT,
    HTML,
    LATEX,
    MARKDOWN,
    ODT,
    PDF,
    RST,
    RTF,
    TEI,
    WORD,
    Format,
    format_of,
)
from byline.corpus.readers.html.document import extract_html
from byline.corpus.readers.markdown import extract_markdown
from byline.corpus.readers.open_document import extract_open_document
from byline.corpus.readers.pandoc import extract_with_pandoc
from byline.corpus.readers.pdf.document import extract_pdf
from byline.corpus.readers.plain_text import PlainText, decode_plain_text
from byline.corpus.readers.result import markup_findings, subtitle_findings
from byline.corpus.readers.rtf import extract_rtf
from byline.corpus.readers.tei import extract_tei
from byline.corpus.readers.tei_speeches import find_tei_speeches, speech_elements
from byline.corpus.readers.word import extract_word

# From the content of a file, its name in messages, and what to keep.
Extractor = Callable[[bytes, str, frozenset[Keep]], ExtractedText]

EXTRACTORS: Mapping[Format, Extractor] = {
    WORD: extract_word,
    PDF: extract_pdf,
    EPUB: extract_epub,
    TEI: extract_tei,
    HTML: extract_html,
    EMAIL: extract_email,
    RTF: extract_rtf,
    ODT: extract_open_document,
    FLAT_ODT: extract_open_document,
    MARKDOWN: extract_markdown,
    LATEX: partial(extract_with_pandoc, source="latex"),
    RST: partial(extract_with_pandoc, source="rst"),
}
# The formats that state who wrote the text, and not only who used the program.
_STATES_AUTHOR = (TEI, EPUB, EMAIL, MARKDOWN, LATEX, RST)


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of one file.

    Attributes
    ----------
    extracted : ExtractedText
        Plain text has the line breaks of its file until its lines are joined.
    plain : PlainText or None
        Details of a plain text or of subtitles; None for other formats.
    states_author : bool
        Whether the format states who wrote the text, and not only who used the program.
    dialogue : Dialogue or None
        The turns of the text, if it has several speakers.
    speeches : callable or None
        Finds the speeches in TEI, which takes longer than reading the text.
    """

    extracted: ExtractedText
    plain: PlainText | None = None
    states_author: bool = False
    dialogue: Dialogue | None = None
    speeches: Callable[[], Dialogue | None] | None = None

    def find_dialogue(self) -> Dialogue | None:
        """Return the turns, also those of the characters of a play, who have one author."""
        return self.dialogue or (self.speeches() if self.speeches else None)

    @property
    def text(self) -> str:
        """One paragraph per line, or in plain text the lines of its file."""
        return self.extracted.text

    def with_paragraphs(self, joiner: LineJoiner) -> FileText:
        """Return the file with one paragraph per line, and a blank line between paragraphs."""
        if self.plain is None:
            return self
        joined = joiner.join(self.plain.lines)
        excluded = self.extracted.excluded + joined.excluded
        extracted = replace(
            self.extracted, text=joined.text, excluded=excluded, lines=self.plain.lines
        )
        return replace(self, extracted=extracted)

    @property
    def stated_author(self) -> str:
        """The author that the file states; empty if it states none."""
        return (self.extracted.author or "").strip() if self.states_author else ""


def read_file(
    data: bytes,
    name: str,
    suffix: str,
    keep: frozenset[Keep] = frozenset(),
    users: Mapping[str, str] | None = None,
) -> FileText:
    """Extract the text of a file of any format.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        What messages call the file.
    suffix : str
        The suffix of its name, with the dot.
    keep : frozenset of Keep
        What to keep that is not running text.
    users : mapping of str to str, optional
        The names of the users of Slack by their ids.

    Raises
    ------
    CorpusError
        The file cannot be read as what its suffix says; the message begins with ``name``.
    MissingExtraError
        The format needs a package that is not installed.
    PluginError
        A package that adds the format is broken.
    """
    if read := text_reader(suffix):
        return FileText(read(data, name), states_author=True)
    if dialogue := read_dialogue(data, name, suffix, users):
        extracted = ExtractedText(
            dialogue.text, excluded=dialogue.excluded, warnings=dialogue.warnings
        )
        return FileText(extracted, states_author=True, dialogue=dialogue)
    found = format_of(data, name, suffix)
    if found is None:
        plain = decode_plain_text(data, name, suffix)
        return FileText(
            ExtractedText(plain.lines, excluded=plain.excluded), plain, dialogue=plain.dialogue
        )
    extracted = EXTRACTORS[found](data, name, keep)
    speeches = None
    if found is TEI and (elements := speech_elements(data)):
        speeches = partial(find_tei_speeches, data, name, keep)
        dialogue = speeches() if "u" in elements else None
    elif found not in (TEI, EMAIL):
        dialogue = find_labelled_dialogue(extracted.text)
    states_author = found in _STATES_AUTHOR
    return FileText(extracted, states_author=states_author, dialogue=dialogue, speeches=speeches)


def plain_text_warnings(file: FileText, name: str) -> tuple[str, ...]:
    """Return the warnings about one plain text; each is a sentence that names the file."""
    if file.plain is None:
        return ()
    encoding = file.plain.guessed_encoding
    guessed = (
        [
            f"{name} is not UTF-8. Byline reads it as {encoding}, which is a guess. "
            "Save it as UTF-8 to be sure."
        ]
        if encoding
        else []
    )
    findings = subtitle_findings({name: file.plain}) + markup_findings({name: file.plain})
    return (*guessed, *(finding.message for finding in findings))
