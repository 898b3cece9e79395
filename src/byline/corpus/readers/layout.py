"""Determine the author of each file in a folder: by its folder, its name, or its own statement."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import regex

from byline.corpus.document import Document, Finding
from byline.corpus.readers.listing import Listing, TextFile
from byline.errors import CorpusError
from byline.formatting import join_names, printable, quantity

# What programs enter as the author if the user has stated none.
_PLACEHOLDER_NAME = regex.compile(
    r"(?:microsoft (?:office )?)?user|admin(?:istrator)?|owner|author|unknown|unbekannt|inconnu"
    r"|anonymous|python-docx|libreoffice|openoffice|\W*",
    regex.IGNORECASE,
)


class AuthorAndWork(NamedTuple):
    """The author and the work of a text; an empty work means that the text is its own work."""

    author: str
    work: str = ""


def check_layout(listing: Listing, root: str) -> None:
    """Refuse a folder that holds both authors' folders and loose files.

    Raises
    ------
    CorpusError
        The author of the loose files is unclear.
    """
    loose = [file.name for file in listing.files if len(file.parts) == 1]
    folders = _folders(listing)
    if loose and folders:
        raise CorpusError(
            f"{root} contains both folders with texts ({join_names(folders)}) and loose texts "
            f"({join_names(loose)}), so that the author of the loose texts is unclear. Move each "
            "loose text into the folder of its author, or out of the corpus."
        )


def label_files(
    listing: Listing, stated: Mapping[str, str], root: str
) -> tuple[list[AuthorAndWork], list[Finding]]:
    """Determine the author and the work of each file.

    Parameters
    ----------
    listing : Listing
    stated : mapping of str to str
        The author that a file itself states, by the name of the file.
    root : str
        What messages call the folder.

    Returns
    -------
    list of AuthorAndWork, list of Finding
        One label per file, and warnings about how the authors were determined.

    Raises
    ------
    CorpusError
        Some names have the form Author_title, and others have not.
    """
    if folders := _folders(listing):
        labels = [_label_in_folder(file) for file in listing.files]
        return labels, _empty_folder_findings(listing, folders)
    return _label_loose_files(listing.files, stated, root)


def share_author_prefix(files: Sequence[TextFile]) -> bool:
    """Return whether at least two file names are equal up to the first underscore."""
    return max(_texts_per_author(files).values(), default=0) > 1


def _folders(listing: Listing) -> list[str]:
    return sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})


def _label_in_folder(file: TextFile) -> AuthorAndWork:
    work = "/".join(file.parts[:2]) if len(file.parts) > 2 else ""
    return AuthorAndWork(file.parts[0], work)


def _empty_folder_findings(listing: Listing, folders: list[str]) -> list[Finding]:
    empty = sorted(set(listing.folders) - set(folders))
    if not empty:
        return []
    message = (
        f"{quantity(len(empty), 'folder contains', 'folders contain')} no text, so that there is "
        f"no such candidate: {join_names(empty)}. Add texts, or delete the folder."
    )
    return [Finding("warning", "folder-without-text", message, tuple(empty))]


def _label_loose_files(
    files: list[TextFile], stated: Mapping[str, str], root: str
) -> tuple[list[AuthorAndWork], list[Finding]]:
    """Distinguish ``Author_title.txt`` from ``AUTHOR.txt``.

    If at least two names are equal up to the first underscore, what precedes the underscore is
    the author, and every name must have one. Otherwise the author is the one that every file
    states, or else the whole name of the file.
    """
    unsplit = [file.name for file in files if not _is_split(file)]
    if not share_author_prefix(files):
        if all(stated.get(file.name) for file in files):
            labels = [AuthorAndWork(stated[file.name]) for file in files]
            return labels, _stated_findings(files, stated)
        labels = [AuthorAndWork(file.stem) for file in files]
        return labels, _whole_name_findings(files) if len(files) > 1 and not unsplit else []
    texts_per_author = _texts_per_author(files)
    if unsplit:
        prefixes = join_names(_shared_prefixes(texts_per_author))
        raise CorpusError(
            f"{root} seems to contain files named Author_title.txt, because several names begin "
            f"with {prefixes}, but these names have another form: {join_names(unsplit)}. Rename "
            "them to Author_title.txt, or make one folder per author."
        )
    labels = [AuthorAndWork(author, title) for author, _, title in map(_split, files)]
    return labels, _prefix_findings(texts_per_author)


def _split(file: TextFile) -> tuple[str, str, str]:
    return file.stem.partition("_")


def _is_split(file: TextFile) -> bool:
    return all(_split(file))


def _texts_per_author(files: Sequence[TextFile]) -> Counter[str]:
    return Counter(_split(file)[0] for file in files if _is_split(file))


def _shared_prefixes(texts_per_author: Counter[str]) -> list[str]:
    return [f"{author}_" for author, number in texts_per_author.items() if number > 1]


def _stated_findings(files: list[TextFile], stated: Mapping[str, str]) -> list[Finding]:
    names = tuple(file.name for file in files)
    examples = [f"{stated[name]} in {name}" for name in names]
    message = (
        "The authors are those that the files themselves state "
        f"({join_names(examples, 3)}), because no two file names share a prefix. "
        "To assign other authors, make one folder per author."
    )
    return [Finding("warning", "author-from-file", message, names)]


def _whole_name_findings(files: list[TextFile]) -> list[Finding]:
    names = tuple(file.name for file in files)
    message = (
        f"Every file has its own author, named by the whole file name ({join_names(names, 2)}), "
        "because no two file names share a prefix. If the names have the form Author_title.txt, "
        "make one folder per author."
    )
    return [Finding("warning", "file-name-is-author", message, names)]


def _prefix_findings(texts_per_author: Counter[str]) -> list[Finding]:
    shared = _shared_prefixes(texts_per_author)
    if 2 * len(shared) >= len(texts_per_author):
        return []
    message = (
        "The file names are read as Author_title.txt, because several begin with "
        f"{join_names(shared)}, although most share no prefix. If the whole names are authors, "
        "make one folder per author."
    )
    return [Finding("warning", "ambiguous-file-names", message)]


def different_author_findings(
    documents: Sequence[Document], stated: Mapping[str, str | None]
) -> list[Finding]:
    """Return a warning about documents whose files state another author.

    Parameters
    ----------
    documents : sequence of Document
    stated : mapping of str to str or None
        The author that a file states, by the path of the document.
    """
    different = {
        document.path: f"{document.path} ({printable(name)}, not {document.author})"
        for document in documents
        if (name := stated.get(document.path)) and not _agree(document.author, name)
    }
    if not different:
        return []
    message = (
        f"{quantity(len(different), 'file states', 'files state')} another author than the corpus: "
        f"{join_names(list(different.values()))}. Move a file that is in the wrong place. If the "
        "name of the folder stands for that author, or if the file states who typed it, nothing "
        "needs to be done."
    )
    return [Finding("warning", "different-author-in-file", message, tuple(different))]


def _agree(label: str, name: str) -> bool:
    """Return whether a word of one name occurs in a word of the other.

    A label with digits (``author-07``) may stand for anyone.
    """
    if regex.search(r"\p{N}", label) or _PLACEHOLDER_NAME.fullmatch(name):
        return True
    label_words, name_words = _words(label), _words(name)
    if not label_words or not name_words:
        return True
    return any(a in b or b in a for a in label_words for b in name_words)


def _words(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", name).casefold()
    return set(regex.findall(r"\p{L}{3,}|\p{Lo}+", regex.sub(r"\p{M}", "", plain)))
