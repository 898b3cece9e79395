"""Extract the text of a PDF: paragraphs without page headers, footers and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import regex

from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.corpus.readers.pdf.lines import PdfLine, PdfPage, order_columns
from byline.corpus.readers.pdf.margins import separate_notes, without_margins
from byline.corpus.readers.pdf.paragraphs import build_paragraphs
from byline.corpus.readers.pdf.process import MAX_PAGES, READER
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import join_names, percent, quantity

# The characters that result from a font that does not state which characters its codes mean.
_UNREADABLE = regex.compile(r"[\p{Co}\ufffd\x00-\x08\x0e-\x1f]")
_MAX_UNREADABLE_SHARE = 0.02
_JOINED_SCRIPT = regex.compile(r"[\p{Arabic}\p{Syriac}]")
_MIN_JOINED_SHARE = 0.2


def extract_pdf(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the text of a PDF.

    A word that is divided at a line end is joined. Its hyphen is kept if the document writes the
    word with a hyphen elsewhere, or if both parts are words of the document.

    Raises
    ------
    CorpusError
        The content is not a PDF, is encrypted or damaged, has too many pages, or has no text.
    MissingExtraError
        pypdfium2 is not installed.
    """
    if find_spec("pypdfium2") is None:
        raise MissingExtraError(
            f"Reading {name} requires pypdfium2. Install it: "
            'python -m pip install "byline[formats]"'
        )
    messages = READER.read(data, name)
    _refuse(messages[0], messages[-1], name)
    pages = [_page(*message["page"]) for message in messages if "page" in message]
    pictures = [message["page"][0] + 1 for message in messages if message.get("is_picture")]
    damaged = [message["damaged"] for message in messages if "damaged" in message]
    if not any(page.lines for page in pages):
        reason = "its pages are pictures" if pictures else "its pages contain no letters"
        raise CorpusError(
            f"{name} has no text: {reason}. Run OCR on it first (for example with ocrmypdf), or "
            "export its text."
        )
    text, excluded = _text_of(pages, keep)
    about = messages[0]["about"]
    return ExtractedText(
        text,
        clean_name(about.get("Author")),
        clean_name(about.get("Title")),
        excluded.parts(),
        (
            *_page_warnings(pictures, damaged, messages[0]["n_pages"]),
            *_character_warnings(text),
        ),
    )


def _refuse(first: dict[str, Any], last: dict[str, Any], name: str) -> None:
    if first.get("error") == "encrypted":
        raise CorpusError(
            f"{name} is encrypted. Open it with its password and save it without one."
        )
    if "error" in first:
        raise CorpusError(
            f"{name} cannot be read as a PDF: it is damaged or incomplete. Get it again."
        )
    if not 0 < first["n_pages"] <= MAX_PAGES:
        raise CorpusError(
            f"{name} has {quantity(first['n_pages'], 'page')}, but Byline reads 1 to {MAX_PAGES:,} "
            "pages of one PDF. Divide it."
        )
    if "too_long" in last:
        raise CorpusError(f"{name} has more text than Byline reads from one file. Divide it.")


def _page(number: int, height: float, lines: list[Any]) -> PdfPage:
    return PdfPage(number, height, tuple(map(_line, lines)))


def _line(values: list[Any]) -> PdfLine:
    *fields, marks = values
    text, left, right, bottom, top, is_hyphenated = fields
    return PdfLine(text, left, right, bottom, top, is_hyphenated, tuple(marks))


def _text_of(pages: Sequence[PdfPage], keep: frozenset[Keep]) -> tuple[str, ExclusionCounter]:
    excluded = ExclusionCounter()
    body, notes = separate_notes(without_margins(pages, excluded), excluded)
    paragraphs = build_paragraphs(list(map(order_columns, body)))
    note_texts = [" ".join(line.text for line in note) for note in notes]
    if Keep.NOTES in keep:
        paragraphs += note_texts
    else:
        for note in note_texts:
            excluded.add("footnotes", note)
    return join_paragraphs(paragraphs), excluded


def _page_warnings(pictures: Sequence[int], damaged: Sequence[int], n_pages: int) -> list[str]:
    kinds = (
        (pictures, "have no text, because they are pictures; run OCR on the PDF first"),
        (damaged, "are damaged and were not read; get the PDF again"),
    )
    return [
        f"{len(numbers):,} of {quantity(n_pages, 'page')} ({join_names(list(map(str, numbers)))}) "
        f"{what}"
        for numbers, what in kinds
        if numbers
    ]


def _character_warnings(text: str) -> list[str]:
    warnings = []
    share = len(_UNREADABLE.findall(text)) / max(1, len(text))
    if share > _MAX_UNREADABLE_SHARE:
        warnings.append(
            f"{percent(share, 0)} of the characters are unknown, because the fonts do not state "
            "which characters they mean; run OCR on the PDF, or export its text"
        )
    if len(_JOINED_SCRIPT.findall(text)) > _MIN_JOINED_SHARE * len(text):
        warnings.append(
            "letters of words in Arabic script may be in the wrong order, especially with vowel "
            "signs, because many PDFs store them in the order of drawing; if they are, take the "
            "text from a file of another format"
        )
    return warnings
