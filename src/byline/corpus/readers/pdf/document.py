"""PDF: lines on pages, made paragraphs again, without page headers, footers and numbers."""

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
from byline.corpus.readers.pdf.columns import column_by_column
from byline.corpus.readers.pdf.lines import Line, Page
from byline.corpus.readers.pdf.margins import without_margins
from byline.corpus.readers.pdf.notes import without_notes
from byline.corpus.readers.pdf.paragraphs import paragraphs_of
from byline.corpus.readers.pdf.process import READER
from byline.corpus.readers.pdf.worker import MAX_PAGES
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import join_names, quantity

_RUN_OCR = "run OCR on it first (ocrmypdf does), or export its text"
# What a font's codes come to where it does not say which characters they are.
_UNREADABLE = regex.compile(r"[\p{Co}\ufffd\x00-\x08\x0e-\x1f]")
_MAX_UNREADABLE_SHARE = 0.02
_JOINED_SCRIPT = regex.compile(r"[\p{Arabic}\p{Syriac}]")
_MIN_JOINED_SHARE = 0.2


def extract(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
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
    if find_spec("pypdfium2") is None:
        raise MissingExtraError(
            f'reading {name} needs pypdfium2; type: python -m pip install "byline[formats]"'
        )
    messages = READER.read(data, name)
    _refuse(messages[0], messages[-1], name)
    pages = [_page(*message["page"]) for message in messages if "page" in message]
    pictures = [message["page"][0] + 1 for message in messages if message.get("is_picture")]
    damaged = [message["damaged"] for message in messages if "damaged" in message]
    if not any(page.lines for page in pages):
        what = "its pages are pictures" if pictures else "nothing on its pages is text"
        raise CorpusError(f"{name} has no text: {what}; {_RUN_OCR}")
    text, excluded = _text_of(pages, keep)
    about = messages[0]["about"]
    return ExtractedText(
        text,
        clean_name(about.get("Author")),
        clean_name(about.get("Title")),
        excluded.found(),
        (*_about_pages(pictures, damaged, messages[0]["n_pages"]), *_about_characters(text)),
    )


def _refuse(first: dict[str, Any], last: dict[str, Any], name: str) -> None:
    if first.get("error") == "encrypted":
        raise CorpusError(f"{name} is encrypted; open it with its password and save it without")
    if "error" in first:
        raise CorpusError(
            f"{name} is no PDF that can be read: it is damaged or cut short; get it again"
        )
    if not 0 < first["n_pages"] <= MAX_PAGES:
        pages = quantity(first["n_pages"], "page")
        raise CorpusError(f"{name} has {pages}, and 1 to {MAX_PAGES:,} are read of one PDF")
    if "too_long" in last:
        raise CorpusError(f"{name} has more text than is read of one file; divide it")


def _page(number: int, height: float, lines: list[Any]) -> Page:
    return Page(number, height, tuple(map(_line, lines)))


def _line(values: list[Any]) -> Line:
    *places, marks = values
    text, left, right, bottom, top, is_divided = places
    return Line(text, left, right, bottom, top, is_divided, tuple(marks))


def _text_of(pages: Sequence[Page], keep: frozenset[Keep]) -> tuple[str, ExclusionCounter]:
    excluded = ExclusionCounter()
    body, notes = without_notes(without_margins(pages, excluded), excluded)
    texts = paragraphs_of(list(map(column_by_column, body)))
    said = [" ".join(line.text for line in note) for note in notes]
    if Keep.NOTES in keep:
        texts += said
    else:
        for note in said:
            excluded.add("footnotes", note)
    return join_paragraphs(texts), excluded


def _about_pages(pictures: Sequence[int], damaged: Sequence[int], n_pages: int) -> list[str]:
    kinds = (
        (pictures, f"without text, being pictures; {_RUN_OCR}"),
        (damaged, "not read, being damaged; get it again"),
    )
    of_all = f"of {quantity(n_pages, 'page')}"
    return [
        f"{len(numbers):,} {of_all} ({join_names(list(map(str, numbers)))}) {what}"
        for numbers, what in kinds
        if numbers
    ]


def _about_characters(text: str) -> list[str]:
    notes = []
    share = len(_UNREADABLE.findall(text)) / max(1, len(text))
    if share > _MAX_UNREADABLE_SHARE:
        notes.append(
            f"{share:.0%} of its characters are unknown, as its fonts do not say what they are; "
            "run OCR on it, or export its text"
        )
    if len(_JOINED_SCRIPT.findall(text)) > _MIN_JOINED_SHARE * len(text):
        notes.append(
            "the letters of words in Arabic script may be in the wrong order, above all with "
            "vowel signs, as many PDFs keep them as they are drawn; if they are, take the text "
            "from another format"
        )
    return notes
