"""A folder of texts: AUTHOR/**/*.txt, Author_title.txt, or one AUTHOR.txt a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from byline.corpus.document import Document
from byline.corpus.findings import Finding, count, name_some
from byline.corpus.names import printable
from byline.corpus.readers.plain import PlainText, read_plain
from byline.corpus.readers.reading import LAYOUTS, Reading, about_guesses, about_subtitles
from byline.corpus.readers.walk import Listing, TextFile, list_texts
from byline.errors import CorpusError

# author and work of a text; an empty work stands for the text itself
Label = tuple[str, str]


def read_folder(root: Path) -> Reading:
    """Read every text under ``root``.

    Raises
    ------
    CorpusError
        The layout is none of those known, or it is unclear which.
    """
    listing = list_texts(root)
    findings = listing.findings()
    if not listing.files:
        if listing.errors:
            return Reading([], findings)
        raise CorpusError(f"{printable(root)} holds no text. {LAYOUTS} Found: {_found(listing)}.")
    labels, notes = _label(listing, printable(root))
    reading = _read_files(listing.files, labels)
    return Reading(reading.documents, findings + notes + reading.findings)


def _found(listing: Listing) -> str:
    left_out = [path for paths in listing.left_out.values() for path in paths]
    return name_some(left_out + listing.folders) or "nothing, the folder is empty"


def _label(listing: Listing, root: str) -> tuple[list[Label], list[Finding]]:
    loose = [file.name for file in listing.files if len(file.parts) == 1]
    folders = sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})
    if loose and folders:
        raise CorpusError(
            f"{root} holds folders with texts ({name_some(folders)}) and loose texts beside them "
            f"({name_some(loose)}), so it is unclear whose the loose ones are; move each into its "
            "author's folder, or out"
        )
    if loose:
        return _label_loose(listing.files, root)
    return [_label_in_folder(file) for file in listing.files], _about_folders(listing, folders)


def _label_in_folder(file: TextFile) -> Label:
    work = "/".join(file.parts[:2]) if len(file.parts) > 2 else ""
    return file.parts[0], work


def _about_folders(listing: Listing, folders: list[str]) -> list[Finding]:
    without = sorted(set(listing.folders) - set(folders))
    if not without:
        return []
    message = (
        f"{count(len(without), 'folder')} without a text: {name_some(without)}; "
        "no author is learnt from them"
    )
    return [Finding("warning", "folder-without-text", message, tuple(without))]


def _label_loose(files: list[TextFile], root: str) -> tuple[list[Label], list[Finding]]:
    """Tell ``Author_title.txt`` from ``AUTHOR.txt``: there an author comes more than once.

    Names that share what stands before the first underscore are an author's works, and then
    every name must have an underscore; where none share it, the whole name is the author.
    """
    split = [file.stem.partition("_") for file in files]
    texts_per_author = Counter(author for author, mark, title in split if author and title)
    unsplit = [file.name for file, parts in zip(files, split, strict=True) if not all(parts)]
    if not texts_per_author or max(texts_per_author.values()) == 1:
        labels = [(file.stem, "") for file in files]
        return labels, _about_whole_names(files) if len(files) > 1 and not unsplit else []
    if unsplit:
        shared = name_some(_shared_beginnings(texts_per_author))
        raise CorpusError(
            f"{root} looks like Author_title.txt, as several names begin with {shared}, "
            f"but these do not fit: {name_some(unsplit)}; "
            "rename them to Author_title.txt, or make a folder for each author"
        )
    labels = [(author, title) for author, _, title in split]
    return labels, _about_shared_beginnings(texts_per_author)


def _about_whole_names(files: list[TextFile]) -> list[Finding]:
    names = tuple(file.name for file in files)
    message = (
        f"every file has an author of its own, named by its whole name ({name_some(names, 2)}), as "
        "no two names begin alike; if they are Author_title.txt, make a folder for each author"
    )
    return [Finding("warning", "whole-name-is-author", message, names)]


def _about_shared_beginnings(texts_per_author: Counter[str]) -> list[Finding]:
    shared = _shared_beginnings(texts_per_author)
    if 2 * len(shared) >= len(texts_per_author):
        return []
    message = (
        f"the files are read as Author_title.txt because several names begin with "
        f"{name_some(shared)}, though most do not begin alike; "
        "if the whole names are authors, make a folder for each"
    )
    return [Finding("warning", "few-shared-beginnings", message)]


def _shared_beginnings(texts_per_author: Counter[str]) -> list[str]:
    return [f"{author}_" for author, number in texts_per_author.items() if number > 1]


def _read_files(files: list[TextFile], labels: list[Label]) -> Reading:
    documents: list[Document] = []
    errors: list[Finding] = []
    texts: dict[str, PlainText] = {}
    for file, (author, work) in zip(files, labels, strict=True):
        try:
            text = read_plain(file.path, file.name)
        except CorpusError as error:
            errors.append(Finding("error", "unreadable", str(error), (file.name,)))
            continue
        texts[file.name] = text
        documents.append(Document(author.strip(), text.text, file.name, work))
    guesses = {name: text.guess for name, text in texts.items() if text.guess}
    return Reading(documents, errors + about_guesses(guesses) + about_subtitles(texts))
