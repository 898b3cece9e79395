"""The texts under a folder, and what else lies there."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath

from byline.corpus.decoding import read_bytes
from byline.corpus.findings import Finding
from byline.corpus.readers.formats import BY_SUFFIX, DOCUMENT_SUFFIXES, ZIP
from byline.corpus.readers.plain_text import TEXT_SUFFIXES
from byline.formatting import has_unprintable, join_names, printable, quantity

_SYSTEM_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini", "$recycle.bin"})
_ABOUT_STEMS = frozenset(
    {"readme", "license", "licence", "copying", "copyright", "notice", "changelog"}
)

_DEEPEST = 100  # folders; Python's own limit on calls within calls comes at some 300

_LEFT_OUT = {
    "hidden": "{} left out, being hidden or made by the system: {}",
    "about": "{} left out, being about the corpus and not of it: {}",
    "unknown-format": "{} left out, being of no format that is read as text: {}; "
    "texts end in .txt, .text, .md, .srt, .vtt, .docx, .pdf, .epub, .xml, .tei, .html or .xhtml",
    "unsupported-format": "{} left out, being in a format that is not read: {}; save each as "
    ".docx, .epub "
    "or plain text",
    "archive": "{} left out, being an archive: {}; unpack it where it lies",
    "not-a-file": "{} left out, being neither file nor folder: {}",
    "circular-link": "{} left out, being a link back to a folder that holds it: {}",
    "external-link": "{} left out, being a link to a place outside the folder: {}; "
    "copy there what belongs to the corpus",
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text: the showable parts of its path below the corpus, and what reads its content."""

    parts: tuple[str, ...]
    content: Callable[[], bytes]

    @property
    def name(self) -> str:
        """The path below the corpus, as messages show it."""
        return "/".join(self.parts)

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePath(self.parts[-1]).stem

    @property
    def suffix(self) -> str:
        """The ending of the file's name, with its dot."""
        return PurePath(self.parts[-1]).suffix


@dataclass(slots=True)
class Listing:
    """The texts under a folder in the order of their names, and all that was met on the way."""

    root: str
    files: list[TextFile] = field(default_factory=list)
    skipped: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    folders: list[str] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    errors: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def findings(self) -> list[Finding]:
        """Return the errors, and a warning for each kind of thing left out."""
        warnings = [_left_out(code, paths) for code, paths in self.skipped.items()]
        if self.escaped:
            message = (
                f"{quantity(len(self.escaped), 'name')} cannot be shown unchanged (not UTF-8, "
                "or with "
                f"control characters), hence written with escapes: {join_names(self.escaped)}"
            )
            warnings.append(Finding("warning", "escaped-name", message, tuple(self.escaped)))
        return self.errors + warnings + self.notes


def _left_out(code: str, paths: list[str]) -> Finding:
    number = quantity(len(paths), "entry is", "entries are")
    message = _LEFT_OUT[code].format(number, join_names(paths))
    return Finding("warning", code, message, tuple(paths))


def list_texts(root: Path) -> Listing:
    """Walk through ``root``; links are followed, but never in a circle, nor out of it.

    Of a corpus from elsewhere a link to ``/etc`` or to somebody's letters would be read too, and
    what is read may be shown in a report.
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
    if len(parts) > _DEEPEST:
        listing.errors.append(_too_deep("/".join(parts)))
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
    elif kind := reason_to_leave(entry.name):
        listing.skipped[kind].append(name)
    else:
        listing.files.append(TextFile(below, partial(read_bytes, path, name)))


def is_hidden(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or made by the system."""
    return name.startswith((".", "~$")) or name.lower() in _SYSTEM_NAMES


def reason_to_leave(name: str) -> str | None:
    """Return why a file of this name is no text of a corpus, or None where it is one."""
    path = PurePath(name)
    suffix = path.suffix.lower()
    if path.stem.lower() in _ABOUT_STEMS:
        return "about"
    if suffix in TEXT_SUFFIXES | DOCUMENT_SUFFIXES:
        return None
    if suffix in ZIP.suffixes:
        return "archive"
    return "unsupported-format" if suffix in BY_SUFFIX else "unknown-format"


def _too_deep(name: str) -> Finding:
    shown = f"{name[:60]}..."
    message = f"{shown} lies more than {_DEEPEST} folders deep; move the texts that are there up"
    return Finding("error", "nested-too-deeply", message, (name,))


def _unreadable(name: str, error: OSError) -> Finding:
    hint = "; a link that leads nowhere? delete it" if isinstance(error, FileNotFoundError) else ""
    message = f"{name} cannot be read: {error.strerror or error}{hint}"
    return Finding("error", "unreadable", message, (name,))
