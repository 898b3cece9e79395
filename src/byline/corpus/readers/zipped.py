"""A ZIP archive of texts: a corpus in any layout of folders, or one questioned text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from byline.corpus.decoding import MAX_TABLE_BYTES, read_bytes
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.findings import Finding
from byline.corpus.readers.archive import Archive, leads_outside
from byline.corpus.readers.files import read_file
from byline.corpus.readers.folder import read_listing
from byline.corpus.readers.layout import names_author_and_title
from byline.corpus.readers.listing import Listing, TextFile, is_hidden, reason_to_leave
from byline.corpus.readers.result import ReadResult
from byline.errors import CorpusError
from byline.formatting import has_unprintable, join_names, printable, quantity

# All that an archive may hold when it is unpacked, and all the text that may come of it.
MAX_UNPACKED_BYTES = MAX_TABLE_BYTES


def read_zip(path: Path, name: str, keep: frozenset[Keep]) -> ReadResult:
    """Read the corpus in an archive as the folder would be read that it unpacks to.

    Where all is in one folder that holds several folders, or ``Author_title`` files, that one is
    the corpus; an archive of one folder of texts is one author.

    Raises
    ------
    CorpusError
        It is damaged, encrypted, or made to explode; or as of a folder.
    MissingExtraError
        The format of a text needs a package that is not installed.
    """
    return read_listing(list_corpus(path, name), name, keep, MAX_UNPACKED_BYTES)


def list_corpus(path: Path, name: str) -> Listing:
    """Return the texts of the corpus in an archive, by their paths below it.

    Raises
    ------
    CorpusError
        As of `list_archive`, or the file cannot be read.
    """
    return _without_wrapping_folder(list_archive(read_bytes(path, name), name))


def extract(data: bytes, name: str, keep: frozenset[Keep]) -> ExtractedText:
    """Return the one text that an archive holds.

    Raises
    ------
    CorpusError
        It holds none, or several; or as of `read_zip`.
    MissingExtraError
        The format of the text needs a package that is not installed.
    """
    files = list_archive(data, name).files
    if len(files) != 1:
        held = (
            f"{len(files):,} texts ({join_names([f.name for f in files])})" if files else "no text"
        )
        raise CorpusError(f"{name} holds {held}, and one is asked about; unpack it")
    [file] = files
    return read_file(file.content(), f"{name}, {file.name}", file.suffix, keep).extracted


def list_archive(data: bytes, name: str) -> Listing:
    """Return the texts in an archive, and what else it holds, as of a folder.

    Raises
    ------
    CorpusError
        It is no archive, is damaged, or has members that lead out of it or share a name.
    """
    archive = Archive(data, name, MAX_UNPACKED_BYTES)
    outside = [member for member in archive.members if leads_outside(member)]
    if outside:
        raise CorpusError(
            f"{name} has members that lead out of it ({_some(outside)}); "
            "pack it anew, from the folder that holds the texts"
        )
    if archive.repeated:
        raise CorpusError(
            f"{name} has several members of one name ({_some(archive.repeated)}), of which one "
            "would be lost; pack it anew, from the folder that holds the texts"
        )
    listing = Listing(root=name)
    for member in sorted(archive.members):
        _list_member(archive, member, listing)
    listing.folders = sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})
    listing.notes.extend(_about_spelling(archive.misspelled))
    return listing


def _some(members: list[str]) -> str:
    return join_names(list(map(printable, members)))


def _list_member(archive: Archive, member: str, listing: Listing) -> None:
    parts = PurePosixPath(member).parts
    shown = tuple(map(printable, parts))
    if any(map(is_hidden, parts)):
        listing.skipped["hidden"].append("/".join(shown))
        return
    if any(map(has_unprintable, parts)):
        listing.escaped.append("/".join(shown))
    if kind := reason_to_leave(parts[-1]):
        listing.skipped[kind].append("/".join(shown))
    else:
        listing.files.append(TextFile(shown, partial(archive.read, member)))


def _about_spelling(members: Sequence[str]) -> list[Finding]:
    if not members:
        return []
    shown = tuple(map(printable, members))
    message = (
        f"{quantity(len(shown), 'name is', 'names are')} not UTF-8 in the archive, and may be "
        "spelled "
        f"wrongly: {join_names(shown)}; pack it anew with a program that writes UTF-8"
    )
    return [Finding("warning", "misdecoded-name", message, shown)]


def _without_wrapping_folder(listing: Listing) -> Listing:
    """Take away a folder that holds everything, where what it holds is itself a corpus."""
    files = listing.files
    if len({file.parts[0] for file in files}) != 1 or any(len(file.parts) < 2 for file in files):
        return listing
    within = [TextFile(file.parts[1:], file.content) for file in files]
    folders = sorted({file.parts[0] for file in within if len(file.parts) > 1})
    loose = [file for file in within if len(file.parts) == 1]
    if len(folders) < 2 and not (loose and not folders and names_author_and_title(loose)):
        return listing
    listing.files, listing.folders = within, folders
    return listing
