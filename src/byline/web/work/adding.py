"""Known texts from what was sent in: files of any format, a folder, an archive, a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import regex

from byline.corpus import Document, read_corpus
from byline.corpus.extraction import Extracted, Keep
from byline.corpus.fingerprints import WordHasher
from byline.corpus.names import printable
from byline.corpus.readers.files import about_plain, read_file
from byline.corpus.readers.folder import read_listing
from byline.corpus.readers.walk import Listing, TextFile
from byline.corpus.readers.zipped import list_archive
from byline.errors import CorpusError, UsageError
from byline.progress import Progress
from byline.web.jobs import AddResult
from byline.web.known import StoredText
from byline.web.tasks import Add, Upload
from byline.web.work.asking import read_upload, said_of
from byline.web.work.said import warnings_said
from byline.web.work.shop import Shop

ZIP = ".zip"
CORPORA = frozenset({ZIP, ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"})
_NO_FILE_NAME = regex.compile(r"[^\p{L}\p{M}\p{N}._ -]")


def add(task: Add, shop: Shop, progress: Progress) -> AddResult:
    """Read known texts, and store each in the task's folder.

    Raises
    ------
    CorpusError
        One cannot be read, or there is no text in them.
    UsageError
        It is not said, nor to be seen, who wrote them.
    """
    with warnings_said() as said:
        notes, documents = _read(task, shop.keep, progress)
    filled = [document for document in documents if document.text.strip()]
    empty = [document.path for document in documents if not document.text.strip()]
    if not filled:
        raise CorpusError("there is no text in what was added; look at it, and add it again")
    notes += [*said, *(f"{path} has no text, and is left out" for path in empty)]
    hasher = WordHasher()
    added = []
    for document in filled:
        stored = _stored(document, len(hasher.hash_words(document.text)))
        stored.write(task.folder)
        added.append((stored.author, stored.name, stored.n_words))
    return AddResult(tuple(added), tuple(notes))


def _read(task: Add, keep: frozenset[Keep], progress: Progress) -> tuple[list[str], list[Document]]:
    if task.author:
        return _by_author(task, keep, progress)
    progress(1, 1, "reading the texts")
    if len(task.files) == 1 and _suffix(task.files[0]) in CORPORA:
        return [], _read_corpus(task.files[0], keep)
    if any("/" in upload.name for upload in task.files):
        return [], _read_folder(task.files, keep)
    raise UsageError("say who wrote the texts, or add a folder or a ZIP of one folder an author")


def _by_author(
    task: Add, keep: frozenset[Keep], progress: Progress
) -> tuple[list[str], list[Document]]:
    notes: list[str] = []
    documents: list[Document] = []
    for number, upload in enumerate(task.files, start=1):
        progress(number, len(task.files), upload.name)
        for name, extracted, said in _texts_in(upload, keep):
            path = f"{task.author}/{name}"
            left_out = extracted.left_out
            documents.append(Document(task.author, extracted.text, path, left_out=left_out))
            notes += said
    return notes, documents


def _texts_in(upload: Upload, keep: frozenset[Keep]) -> Iterator[tuple[str, Extracted, list[str]]]:
    """Give each text that a file has: its name, what was read, and what is to be said of it."""
    data = upload.path.read_bytes()
    if not (upload.is_file and _suffix(upload) == ZIP):
        extracted = read_upload(data, upload, keep)
        yield upload.name, extracted, said_of(extracted)
        return
    for file in list_archive(data, upload.name).files:
        read = read_file(file.content(), file.name, file.suffix, keep)
        notes = [f"{file.name}: {note}" for note in said_of(read.extracted)]
        yield file.name, read.extracted, notes + list(about_plain(read, file.name))


def _read_corpus(upload: Upload, keep: frozenset[Keep]) -> list[Document]:
    """Read an archive or table, which messages name as its sender does, but for odd characters."""
    base = PurePosixPath(upload.name).name
    named = _NO_FILE_NAME.sub("_", base)[-80:].lstrip(".")
    path = upload.path.with_name(f"{upload.path.name}-{named}")
    upload.path.rename(path)
    return list(read_corpus(path, min_authors=1, keep=keep))


def _read_folder(uploads: Iterable[Upload], keep: frozenset[Keep]) -> list[Document]:
    """Read files whose names are paths within one folder."""
    files = {PurePosixPath(upload.name).parts: upload for upload in uploads}
    tops = {parts[0] for parts in files}
    in_one = len(tops) == 1
    root = tops.pop() if in_one else "the folder"
    within = {parts[in_one:]: upload for parts, upload in files.items()}
    listing = Listing(root=root)
    for parts, upload in sorted(within.items()):
        listing.files.append(TextFile(parts, upload.path.read_bytes))
    listing.folders = sorted({file.parts[0] for file in listing.files if len(file.parts) > 1})
    reading = read_listing(listing, root, keep)
    errors = [finding.message for finding in reading.findings if finding.severity == "error"]
    if errors:
        raise CorpusError("\n".join(errors))
    return reading.documents


def _suffix(upload: Upload) -> str:
    return PurePosixPath(upload.name).suffix.lower()


def _stored(document: Document, n_words: int) -> StoredText:
    own = document.work == document.path
    name = document.path.removeprefix(f"{document.author}/")
    return StoredText(
        author=printable(document.author),
        name=printable(name),
        work="" if own else document.work,
        text=document.text,
        n_words=n_words,
        left_out=[(each.what, each.n, each.example) for each in document.left_out],
    )
