"""Read a ZIP archive of texts: a corpus, or one questioned text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from byline.corpus.decoding import MAX_TABLE_BYTES, read_bytes
from byline.corpus.document import Finding
from byline.corpus.extraction import Keep
from byline.corpus.readers.added_formats import text_reader
from byline.corpus.readers.archive import Archive, leads_outside
from byline.corpus.readers.folder import read_listing
from byline.corpus.readers.formats import ZIP, format_of, has_known_suffix, recognize
from byline.corpus.readers.layout import share_author_prefix
from byline.corpus.readers.listing import Listing, TextFile, is_hidden, reason_to_skip
from byline.corpus.readers.result import ReadResult
from byline.corpus.readers.speakers import Speakers
from byline.errors import CorpusError
from byline.formatting import has_unprintable, join_names, printable, quantity

# The limit on the unpacked content of an archive, and on all text extracted from it.
MAX_UNPACKED_BYTES = MAX_TABLE_BYTES


def read_zip(
    path: Path, name: str, keep: frozenset[Keep], speakers: Speakers = Speakers.OWN
) -> ReadResult:
    """Read the corpus in an archive as if the archive had been unpacked to a folder.

    If a single folder wraps everything, and contains several folders or files named
    ``Author_title``, that folder is the corpus. Otherwise a single folder of texts is one author.

    Raises
    ------
    CorpusError
        The archive is damaged, encrypted, or unpacks to far more than its size; or as in
        `read_folder`.
    MissingExtraError
        The format of a text needs a package that is not installed.
    """
    listing = list_corpus(path, name)
    return read_listing(listing, name, keep, MAX_UNPACKED_BYTES, speakers=speakers)


def list_corpus(path: Path, name: str) -> Listing:
    """List the texts of the corpus in an archive, with paths relative to the corpus.

    Raises
    ------
    CorpusError
        The file cannot be read, or as in `list_archive`.
    """
    return _without_wrapping_folder(list_archive(read_bytes(path, name), name))


def is_zip(data: bytes, suffix: str) -> bool:
    """Return whether a file is an archive of texts, by its suffix or else by its content."""
    if text_reader(suffix):
        return False
    if has_known_suffix(suffix):
        return suffix.lower() in ZIP.suffixes
    return recognize(data) is ZIP


def only_text_in_zip(data: bytes, name: str) -> TextFile:
    """Return the one text that an archive contains.

    Raises
    ------
    CorpusError
        The archive contains no text, or several; the content has another format; or as in
        `list_archive`.
    """
    if recognize(data) not in (ZIP, None):
        format_of(data, name, ZIP.suffixes[0])  # raises: the content contradicts the suffix
    listing = list_archive(data, name)
    files = listing.files
    if len(files) == 1:
        return files[0]
    if not files and (archives := listing.skipped.get("archive")):
        raise CorpusError(
            f"{name} contains no text, but other archives ({join_names(archives)}). Unpack them "
            "and name the text."
        )
    if not files:
        raise CorpusError(
            f"{name} contains no text, but one questioned text is needed. Name a file that is a "
            "text."
        )
    raise CorpusError(
        f"{name} contains {len(files):,} texts ({join_names([file.name for file in files])}), but "
        "one questioned text is needed. Unpack the archive and name the texts."
    )


def list_archive(data: bytes, name: str) -> Listing:
    """List the texts in an archive, and its other entries, like those of a folder.

    Raises
    ------
    CorpusError
        The content is not an archive, is damaged, or has members that lead out of the archive
        or that share a name.
    """
    archive = Archive(data, name, MAX_UNPACKED_BYTES)
    outside = [member for member in archive.members if leads_outside(member)]
    if outside:
        raise CorpusError(
            f"{name} has members with paths outside the archive ({_some(outside)}). "
            "Pack the folder of the texts again."
        )
    if archive.repeated:
        raise CorpusError(
            f"{name} has several members with the same name ({_some(archive.repeated)}), of which "
            "only one can be read. Pack the folder of the texts again."
        )
    listing = Listing(root=name)
    for member in sorted(archive.members):
        _list_member(archive, member, listing)
    listing.folders = sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})
    listing.warnings.extend(_misdecoded_name_findings(archive.misdecoded))
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
    if reason := reason_to_skip(parts[-1]):
        listing.skipped[reason].append("/".join(shown))
    else:
        listing.files.append(TextFile(shown, partial(archive.read, member)))


def _misdecoded_name_findings(members: Sequence[str]) -> list[Finding]:
    if not members:
        return []
    shown = tuple(map(printable, members))
    message = (
        f"{quantity(len(shown), 'name in the archive is', 'names in the archive are')} not UTF-8 "
        f"and may be misspelled here: {join_names(shown)}. Pack the texts again with a program "
        "that writes names in UTF-8."
    )
    return [Finding("warning", "misdecoded-name", message, shown)]


def _without_wrapping_folder(listing: Listing) -> Listing:
    """Remove a folder that wraps everything, if its content is a corpus by itself."""
    files = listing.files
    if len({file.parts[0] for file in files}) != 1 or any(len(file.parts) < 2 for file in files):
        return listing
    within = [TextFile(file.parts[1:], file.content) for file in files]
    folders = sorted({file.parts[0] for file in within if len(file.parts) > 1})
    loose = [file for file in within if len(file.parts) == 1]
    if len(folders) < 2 and not (loose and not folders and share_author_prefix(loose)):
        return listing
    listing.files, listing.folders = within, folders
    return listing
