"""The function that extracts the text of each format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.readers.epub import extract_epub
from byline.corpus.readers.formats import EPUB, HTML, PDF, TEI, WORD, Format
from byline.corpus.readers.html.document import extract_html
from byline.corpus.readers.pdf.document import extract_pdf
from byline.corpus.readers.tei import extract_tei
from byline.corpus.readers.word import extract_word

# From the content of a file, its name in messages, and what to keep.
Extractor = Callable[[bytes, str, frozenset[Keep]], ExtractedText]

EXTRACTORS: Mapping[Format, Extractor] = {
    WORD: extract_word,
    PDF: extract_pdf,
    EPUB: extract_epub,
    TEI: extract_tei,
    HTML: extract_html,
}
