"""Whose text each file is: AUTHOR/**/FILE, Author_title, one AUTHOR a file, or what files state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from byline.corpus.findings import Finding
from byline.corpus.readers.listing import Listing, TextFile
from byline.errors import CorpusError
from byline.formatting import join_names, quantity

# author and work of a text; an empty work stands for the text itself
Label = tuple[str, str]


def check_layout(listing: Listing, root: str) -> None:
    """Refuse loose texts beside authors' folders.

    Raises
    ------
    CorpusError
        It is unclear whose the loose texts are.
    """
    loose = [file.name for file in listing.files if len(file.parts) == 1]
    folders = _folders(listing)
    if loose and folders:
        raise CorpusError(
            f"{root} holds folders with texts ({join_names(folders)}) and loose texts beside them "
            f"({join_names(loose)}), so it is unclear whose the loose ones are; move each into its "
            "author's folder, or out"
        )


def label_files(
    listing: Listing, stated: Mapping[str, str], root: str
) -> tuple[list[Label], list[Finding]]:
    """Return author and work of each file, and what should be known of how they were found.

    Parameters
    ----------
    listing : Listing
    stated : mapping of str to str
        The author that a file itself states, by the file's name.
    root : str
        What messages call the folder.

    Raises
    ------
    CorpusError
        Some names are Author_title, and others are not.
    """
    if folders := _folders(listing):
        return [_label_in_folder(file) for file in listing.files], _about_folders(listing, folders)
    return _label_loose(listing.files, stated, root)


def names_author_and_title(files: Sequence[TextFile]) -> bool:
    """Whether at least two names share what stands before the first underscore."""
    return max(_texts_per_author(files).values(), default=0) > 1


def _folders(listing: Listing) -> list[str]:
    return sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})


def _label_in_folder(file: TextFile) -> Label:
    work = "/".join(file.parts[:2]) if len(file.parts) > 2 else ""
    return file.parts[0], work


def _about_folders(listing: Listing, folders: list[str]) -> list[Finding]:
    without = sorted(set(listing.folders) - set(folders))
    if not without:
        return []
    message = (
        f"{quantity(len(without), 'folder')} without a text: {join_names(without)}; "
        "no author is learnt from them"
    )
    return [Finding("warning", "folder-without-text", message, tuple(without))]


def _label_loose(
    files: list[TextFile], stated: Mapping[str, str], root: str
) -> tuple[list[Label], list[Finding]]:
    """Tell ``Author_title.txt`` from ``AUTHOR.txt``: there an author comes more than once.

    Names that share what stands before the first underscore are an author's works, and then
    every name must have an underscore; where none share it, the author is the one that every file
    states, or else the whole name.
    """
    unsplit = [file.name for file in files if not _is_split(file)]
    if not names_author_and_title(files):
        if all(stated.get(file.name) for file in files):
            return [(stated[file.name], "") for file in files], _about_stated(files, stated)
        labels = [(file.stem, "") for file in files]
        return labels, _about_whole_names(files) if len(files) > 1 and not unsplit else []
    texts_per_author = _texts_per_author(files)
    if unsplit:
        shared = join_names(_shared_beginnings(texts_per_author))
        raise CorpusError(
            f"{root} looks like Author_title.txt, as several names begin with {shared}, "
            f"but these do not fit: {join_names(unsplit)}; "
            "rename them to Author_title.txt, or make a folder for each author"
        )
    labels = [(author, title) for author, _, title in map(_split, files)]
    return labels, _about_shared_beginnings(texts_per_author)


def _split(file: TextFile) -> tuple[str, str, str]:
    return file.stem.partition("_")


def _is_split(file: TextFile) -> bool:
    return all(_split(file))


def _texts_per_author(files: Sequence[TextFile]) -> Counter[str]:
    return Counter(_split(file)[0] for file in files if _is_split(file))


def _about_stated(files: list[TextFile], stated: Mapping[str, str]) -> list[Finding]:
    names = tuple(file.name for file in files)
    examples = [f"{stated[name]} in {name}" for name in names]
    message = (
        f"authors are those that the files themselves state ({join_names(examples, 3)}), as their "
        "names do not begin alike; to say otherwise, make a folder for each author"
    )
    return [Finding("warning", "author-from-file", message, names)]


def _about_whole_names(files: list[TextFile]) -> list[Finding]:
    names = tuple(file.name for file in files)
    message = (
        f"every file has an author of its own, named by its whole name "
        f"({join_names(names, 2)}), as "
        "no two names begin alike; if they are Author_title.txt, make a folder for each author"
    )
    return [Finding("warning", "file-name-is-author", message, names)]


def _about_shared_beginnings(texts_per_author: Counter[str]) -> list[Finding]:
    shared = _shared_beginnings(texts_per_author)
    if 2 * len(shared) >= len(texts_per_author):
        return []
    message = (
        f"the files are read as Author_title.txt because several names begin with "
        f"{join_names(shared)}, though most do not begin alike; "
        "if the whole names are authors, make a folder for each"
    )
    return [Finding("warning", "ambiguous-file-names", message)]


def _shared_beginnings(texts_per_author: Counter[str]) -> list[str]:
    return [f"{author}_" for author, number in texts_per_author.items() if number > 1]
