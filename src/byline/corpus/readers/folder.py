"""A folder of texts of any format: AUTHOR/**/*.txt, Author_title.txt, or one AUTHOR.txt a file."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path

from byline.corpus.document import Document
from byline.corpus.extraction import Keep
from byline.corpus.findings import Finding
from byline.corpus.readers.files import FileText, read_file
from byline.corpus.readers.layout import Label, check_layout, label_files
from byline.corpus.readers.listing import Listing, TextFile, list_texts
from byline.corpus.readers.result import (
    LAYOUTS,
    ReadResult,
    about_guesses,
    about_markup,
    about_notes,
    about_subtitles,
)
from byline.corpus.readers.stated import about_other_authors
from byline.errors import CorpusError
from byline.formatting import join_names, printable


def read_folder(root: Path, keep: frozenset[Keep] = frozenset()) -> ReadResult:
    """Read every text under ``root``.

    Raises
    ------
    CorpusError
        The layout is none of those known, or it is unclear which.
    MissingExtraError
        The format of a text needs a package that is not installed.
    """
    return read_listing(list_texts(root), printable(root), keep)


def read_listing(
    listing: Listing, root: str, keep: frozenset[Keep], most: float = inf
) -> ReadResult:
    """Read every text listed, of ``most`` characters in all; errors as in `read_folder`."""
    findings = listing.findings()
    if not listing.files:
        if listing.errors:
            return ReadResult([], findings)
        raise CorpusError(f"{root} holds no text. {LAYOUTS} Found: {_found(listing)}.")
    check_layout(listing, root)
    texts, unreadable = _read_files(listing.files, root, keep, most)
    stated = {name: text.stated_author for name, text in texts.items()}
    labels, notes = label_files(listing, stated, root)
    documents = [
        _document(file.name, label, texts[file.name])
        for file, label in zip(listing.files, labels, strict=True)
        if file.name in texts
    ]
    named = {name: text.extracted.author for name, text in texts.items()}
    about = _about_texts(texts) + about_other_authors(documents, named)
    return ReadResult(documents, findings + notes + unreadable + about)


def _found(listing: Listing) -> str:
    excluded = [path for paths in listing.skipped.values() for path in paths]
    return join_names(excluded + listing.folders) or "nothing, the folder is empty"


def _read_files(
    files: list[TextFile], root: str, keep: frozenset[Keep], left: float
) -> tuple[dict[str, FileText], list[Finding]]:
    texts: dict[str, FileText] = {}
    errors: list[Finding] = []
    for file in files:
        try:
            texts[file.name] = read_file(file.content(), file.name, file.suffix, keep)
        except CorpusError as error:
            errors.append(Finding("error", "unreadable", str(error), (file.name,)))
            continue
        left -= len(texts[file.name].text)
        if left < 0:
            raise CorpusError(f"{root} holds more text than is read of one archive; divide it")
    return texts, errors


def _document(name: str, label: Label, file: FileText) -> Document:
    author, work = label
    title = printable(file.extracted.title or "")
    return Document(
        printable(author.strip()),
        file.text,
        name,
        work,
        metadata={"title": title} if title else {},
        excluded=file.extracted.excluded,
    )


def _about_texts(texts: Mapping[str, FileText]) -> list[Finding]:
    plain = {name: text.plain for name, text in texts.items() if text.plain}
    notes = {name: text.extracted.notes for name, text in texts.items() if text.extracted.notes}
    guesses = {name: text.guessed_encoding for name, text in plain.items() if text.guessed_encoding}
    return [
        *about_guesses(guesses),
        *about_subtitles(plain),
        *about_markup(plain),
        *about_notes(notes),
    ]
