"""PDF: lines on pages, made paragraphs again, without page headers, footers and numbers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import regex

from byline.corpus.decoding import MAX_TEXT_BYTES
from byline.corpus.extraction import Extracted, Keep, LeftOutTally, join_paragraphs
from byline.corpus.findings import count, name_some
from byline.corpus.readers.pdf_lines import Page, read_lines
from byline.corpus.readers.pdf_margins import without_margins
from byline.corpus.readers.pdf_paragraphs import paragraphs_of
from byline.errors import CorpusError, MissingExtraError

MAX_PAGES = 20_000
_RUN_OCR = "run OCR on it first (ocrmypdf does), or export its text"
# What a font's codes come to where it does not say which characters they are.
_UNREADABLE = regex.compile(r"[\p{Co}\ufffd\x00-\x08\x0e-\x1f]")
_MAX_UNREADABLE_SHARE = 0.02
# PDFium may be used by one thread at a time.
_one_at_a_time = threading.Lock()


def extract(data: bytes, name: str, keep: frozenset[Keep]) -> Extracted:
    """Return the text of a PDF.

    A word divided at a line's end is joined, and its hyphen kept where the document writes the
    word so elsewhere, or where its parts are words of their own there.

    Raises
    ------
    CorpusError
        It is no PDF, is encrypted or damaged, has too many pages, or has no text but pictures.
    MissingExtraError
        pypdfium2 is not installed.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingExtraError(
            f"reading {name} needs pypdfium2; type: python -m pip install 'byline[formats]'"
        ) from error
    with _one_at_a_time:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise _unreadable(name, error, pypdfium2.raw) from error
        try:
            pages, notes = _read_pages(document, name, pypdfium2)
            about = document.get_metadata_dict()
        finally:
            document.close()
    left_out = LeftOutTally()
    text = join_paragraphs(paragraphs_of(without_margins(pages, left_out)))
    return Extracted(
        text,
        about.get("Author", "").strip() or None,
        about.get("Title", "").strip() or None,
        left_out.found(),
        (*notes, *_about_characters(text)),
    )


def _unreadable(name: str, error: Any, raw: Any) -> CorpusError:
    code = getattr(error, "err_code", None)
    if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return CorpusError(f"{name} is encrypted; open it with its password and save it without")
    return CorpusError(
        f"{name} is no PDF that can be read: it is damaged or cut short; get it anew"
    )


def _read_pages(document: Any, name: str, pypdfium2: Any) -> tuple[list[Page], list[str]]:
    """Return each page's lines, and what is wrong with some of them.

    Raises
    ------
    CorpusError
        There are no pages, or too many, or there is no text on them, or too much.
    """
    if not 0 < len(document) <= MAX_PAGES:
        raise CorpusError(
            f"{name} has {count(len(document), 'page')}, and 1 to {MAX_PAGES:,} are read of one PDF"
        )
    pages: list[Page] = []
    pictures: list[str] = []
    damaged: list[str] = []
    n_characters = 0
    for number in range(len(document)):
        try:
            page, is_picture = read_lines(document, number, MAX_TEXT_BYTES - n_characters)
        except pypdfium2.PdfiumError:
            damaged.append(str(number + 1))
            continue
        if page is None:
            raise CorpusError(f"{name} has more text than is read of one file; divide it")
        n_characters += sum(len(line.text) for line in page.lines)
        pages.append(page)
        if is_picture:
            pictures.append(str(number + 1))
    if not n_characters:
        what = "its pages are pictures" if pictures else "nothing on its pages is text"
        raise CorpusError(f"{name} has no text: {what}; {_RUN_OCR}")
    return pages, _about_pages(pictures, damaged, len(document))


def _about_pages(pictures: Sequence[str], damaged: Sequence[str], n_pages: int) -> list[str]:
    notes = []
    if pictures:
        which = f"{len(pictures):,} of {count(n_pages, 'page')} ({name_some(pictures)})"
        notes.append(f"{which} are pictures without text; {_RUN_OCR}")
    if damaged:
        which = f"{len(damaged):,} of {count(n_pages, 'page')} ({name_some(damaged)})"
        notes.append(f"{which} are damaged and not read; get it anew")
    return notes


def _about_characters(text: str) -> list[str]:
    share = len(_UNREADABLE.findall(text)) / max(1, len(text))
    if share < _MAX_UNREADABLE_SHARE:
        return []
    return [
        f"{share:.0%} of its characters are unknown, as its fonts do not say what they are; "
        "run OCR on it, or export its text"
    ]
