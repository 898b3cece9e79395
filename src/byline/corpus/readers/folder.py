"""Read a folder of texts of any format as known texts."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path

from byline.corpus.document import Document, Finding
from byline.corpus.extraction import Keep
from byline.corpus.readers.files import FileText, read_file
from byline.corpus.readers.layout import (
    AuthorAndWork,
    check_layout,
    different_author_findings,
    label_files,
)
from byline.corpus.readers.listing import Listing, TextFile, list_texts
from byline.corpus.readers.result import (
    LAYOUTS,
    ReadResult,
    encoding_findings,
    extraction_findings,
    markup_findings,
    subtitle_findings,
)
from byline.errors import CorpusError
from byline.formatting import join_names, printable


def read_folder(root: Path, keep: frozenset[Keep] = frozenset()) -> ReadResult:
    """Read every text under a folder.

    Raises
    ------
    CorpusError
        The folder has none of the known layouts, or its layout is ambiguous.
    MissingExtraError
        The format of a text needs a package that is not installed.
    """
    return read_listing(list_texts(root), printable(root), keep)


def read_listing(
    listing: Listing, root: str, keep: frozenset[Keep], max_characters: float = inf
) -> ReadResult:
    """Read every text in a listing; it raises the errors of `read_folder`.

    Parameters
    ----------
    listing : Listing
    root : str
        What messages call the folder or archive.
    keep : frozenset of Keep
        What to keep that is not running text.
    max_characters : float
        The limit on all texts together.
    """
    findings = listing.findings()
    if not listing.files:
        if listing.errors:
            return ReadResult([], findings)
        raise CorpusError(f"{root} contains no text. {LAYOUTS} Found: {_describe(listing)}.")
    check_layout(listing, root)
    texts, unreadable = _read_files(listing.files, root, keep, max_characters)
    stated = {name: text.stated_author for name, text in texts.items()}
    labels, label_findings = label_files(listing, stated, root)
    documents = [
        _document(file.name, label, texts[file.name])
        for file, label in zip(listing.files, labels, strict=True)
        if file.name in texts
    ]
    named = {name: text.extracted.author for name, text in texts.items()}
    about = _text_findings(texts) + different_author_findings(documents, named)
    return ReadResult(documents, findings + label_findings + unreadable + about)


def _describe(listing: Listing) -> str:
    skipped = [path for paths in listing.skipped.values() for path in paths]
    return join_names(skipped + listing.folders) or "nothing; the folder is empty"


def _read_files(
    files: list[TextFile], root: str, keep: frozenset[Keep], remaining: float
) -> tuple[dict[str, FileText], list[Finding]]:
    texts: dict[str, FileText] = {}
    errors: list[Finding] = []
    for file in files:
        try:
            texts[file.name] = read_file(file.content(), file.name, file.suffix, keep)
        except CorpusError as error:
            errors.append(Finding("error", "unreadable", str(error), (file.name,)))
            continue
        remaining -= len(texts[file.name].text)
        if remaining < 0:
            raise CorpusError(
                f"{root} contains more text than Byline reads from one archive. Divide it into "
                "several."
            )
    return texts, errors


def _document(name: str, label: AuthorAndWork, file: FileText) -> Document:
    title = printable(file.extracted.title or "")
    return Document(
        printable(label.author.strip()),
        file.text,
        name,
        label.work,
        metadata={"title": title} if title else {},
        excluded=file.extracted.excluded,
    )


def _text_findings(texts: Mapping[str, FileText]) -> list[Finding]:
    plain = {name: text.plain for name, text in texts.items() if text.plain}
    warnings = {
        name: text.extracted.warnings for name, text in texts.items() if text.extracted.warnings
    }
    encodings = {
        name: text.guessed_encoding for name, text in plain.items() if text.guessed_encoding
    }
    return [
        *encoding_findings(encodings),
        *subtitle_findings(plain),
        *markup_findings(plain),
        *extraction_findings(warnings),
    ]
