"""List the texts in a folder, and the entries that are not texts."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath

from byline.corpus.decoding import read_bytes
from byline.corpus.document import Finding
from byline.corpus.readers.added_formats import text_reader
from byline.corpus.readers.formats import BY_SUFFIX, DOCUMENT_SUFFIXES, TEXT_SUFFIXES, ZIP
from byline.formatting import has_unprintable, join_names, printable, quantity

_SYSTEM_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini", "$recycle.bin"})
_DOCUMENTATION_STEMS = frozenset(
    {"readme", "license", "licence", "copying", "copyright", "notice", "changelog"}
)

_MAX_DEPTH = 100  # folders; Python's own limit on nested calls is reached at about 300

# What is skipped, by the code of its finding: one, several, and what to do.
_SKIPPED = {
    "hidden": ("hidden or system entry", "hidden or system entries", ""),
    "documentation": (
        "file about the corpus",
        "files about the corpus",
        " Rename a file that is a text of the corpus.",
    ),
    "unknown-format": (
        "file of unknown format",
        "files of unknown format",
        " The name of a text ends in .txt, .md, .srt, .vtt, .docx, .odt, .rtf, .pdf, .epub, .xml, "
        ".html, .tex, .rst, .eml or .mbox.",
    ),
    "unsupported-format": (
        "file of a format that Byline does not read",
        "files of formats that Byline does not read",
        " Save each as .docx, .epub or plain text.",
    ),
    "archive": ("archive", "archives", " Unpack each archive where it is."),
    "not-a-file": (
        "entry that is neither file nor folder",
        "entries that are neither file nor folder",
        "",
    ),
    "circular-link": (
        "link to a folder that contains the link",
        "links to folders that contain the link",
        "",
    ),
    "external-link": (
        "link out of the folder",
        "links out of the folder",
        " Copy into the folder what belongs to the corpus.",
    ),
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that holds a text of the corpus.

    Attributes
    ----------
    parts : tuple of str
        The printable parts of its path within the corpus.
    content : callable
        Reads and returns its content as bytes.
    """

    parts: tuple[str, ...]
    content: Callable[[], bytes]

    @property
    def name(self) -> str:
        """The path within the corpus, as messages show it."""
        return "/".join(self.parts)

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return PurePath(self.parts[-1]).stem

    @property
    def suffix(self) -> str:
        """The suffix of the file's name, with its dot."""
        return PurePath(self.parts[-1]).suffix


@dataclass(slots=True)
class Listing:
    """The content of a folder or an archive.

    Attributes
    ----------
    root : str
        The resolved path of the folder, or the name of the archive.
    files : list of TextFile
        The texts, in the order of their names.
    skipped : dict of str to list of str
        The paths of entries that are not texts, by the code of the reason.
    folders : list of str
        The folders directly in the corpus.
    escaped : list of str
        The names that contain characters which cannot be printed.
    errors : list of Finding
        Entries that could not be read.
    warnings : list of Finding
    """

    root: str
    files: list[TextFile] = field(default_factory=list)
    skipped: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    folders: list[str] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    def findings(self) -> list[Finding]:
        """Return the errors, and one warning per reason for which entries were skipped."""
        found = [_skipped_finding(code, paths) for code, paths in self.skipped.items()]
        if self.escaped:
            message = (
                f"{quantity(len(self.escaped), 'name contains', 'names contain')} characters that "
                "cannot be printed (not UTF-8, or control characters). They are shown as "
                f"escapes: {join_names(self.escaped)}. Rename these files."
            )
            found.append(Finding("warning", "escaped-name", message, tuple(self.escaped)))
        return self.errors + found + self.warnings


def _skipped_finding(code: str, paths: list[str]) -> Finding:
    one, several, remedy = _SKIPPED[code]
    verb = "was" if len(paths) == 1 else "were"
    message = f"{quantity(len(paths), one, several)} {verb} skipped: {join_names(paths)}.{remedy}"
    return Finding("warning", code, message, tuple(paths))


def list_texts(root: Path) -> Listing:
    """List the texts under a folder.

    Links are followed, except in a circle and out of the folder. In a corpus from elsewhere, a
    link could otherwise lead to ``/etc`` or to somebody's letters, and their content might be
    quoted in a report.
    """
    listing = Listing(root=os.path.realpath(root))
    _walk(root, (), frozenset(), listing)
    return listing


def _walk(
    folder: Path, parts: tuple[str, ...], above: frozenset[tuple[int, int]], listing: Listing
) -> None:
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        listing.errors.append(_unreadable("/".join(parts) or printable(folder), error))
        return
    identity = (status.st_dev, status.st_ino)
    if identity in above:
        listing.skipped["circular-link"].append("/".join(parts))
        return
    if len(parts) > _MAX_DEPTH:
        listing.errors.append(_nested_too_deeply("/".join(parts)))
        return
    if len(parts) == 1:
        listing.folders.append(parts[0])
    for entry in entries:
        _visit(entry, parts, above | {identity}, listing)


def _visit(
    entry: os.DirEntry[str],
    parts: tuple[str, ...],
    above: frozenset[tuple[int, int]],
    listing: Listing,
) -> None:
    below = (*parts, printable(entry.name))
    name = "/".join(below)
    path = Path(entry.path)
    if is_hidden(entry.name):
        listing.skipped["hidden"].append(name)
        return
    try:
        path.stat()
    except OSError as error:
        listing.errors.append(_unreadable(name, error))
        return
    if entry.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(listing.root):
        listing.skipped["external-link"].append(name)
        return
    if has_unprintable(entry.name):
        listing.escaped.append(name)
    if path.is_dir():
        _walk(path, below, above, listing)
    elif not path.is_file():
        listing.skipped["not-a-file"].append(name)
    elif reason := reason_to_skip(entry.name):
        listing.skipped[reason].append(name)
    else:
        listing.files.append(TextFile(below, partial(read_bytes, path, name)))


def is_hidden(name: str) -> bool:
    """Return whether a file or folder of this name is hidden or belongs to the system."""
    return name.startswith((".", "~$")) or name.lower() in _SYSTEM_NAMES


def reason_to_skip(name: str) -> str | None:
    """Return the code of the reason why a file of this name is not a text of a corpus.

    Returns
    -------
    str or None
        None for a text.
    """
    path = PurePath(name)
    suffix = path.suffix.lower()
    if path.stem.lower() in _DOCUMENTATION_STEMS:
        return "documentation"
    if text_reader(suffix) or suffix in TEXT_SUFFIXES | DOCUMENT_SUFFIXES:
        return None
    if suffix in ZIP.suffixes:
        return "archive"
    return "unsupported-format" if suffix in BY_SUFFIX else "unknown-format"


def _nested_too_deeply(name: str) -> Finding:
    message = (
        f"{name[:60]}... is nested more than {_MAX_DEPTH} folders deep. Move the texts in it to a "
        "higher folder."
    )
    return Finding("error", "nested-too-deeply", message, (name,))


def _unreadable(name: str, error: OSError) -> Finding:
    is_missing = isinstance(error, FileNotFoundError)
    hint = ". If it is a link to a missing file, delete it." if is_missing else ""
    message = f"{name} cannot be read: {error.strerror or error}{hint}"
    return Finding("error", "unreadable", message, (name,))
