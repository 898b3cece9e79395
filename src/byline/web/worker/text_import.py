"""Reading of known texts from uploads: files of any format, a folder, an archive or a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import regex

from byline.corpus import Document, ReadingOptions, read_corpus
from byline.corpus.fingerprints import WordHasher
from byline.corpus.readers.files import plain_text_warnings, read_file
from byline.corpus.readers.folder import read_listing
from byline.corpus.readers.layout import AuthorAndWork
from byline.corpus.readers.listing import Listing, TextFile
from byline.corpus.readers.speakers import documents_of, speaker_findings
from byline.corpus.readers.table import table_reader
from byline.corpus.readers.zipped import list_archive
from byline.errors import CorpusError, UsageError
from byline.formatting import printable
from byline.progress import Progress
from byline.web.jobs import AddResult
from byline.web.messages import Add, Upload
from byline.web.text_store import StoredText
from byline.web.worker.loaded_models import LoadedModels, collect_warnings
from byline.web.worker.questioned import reading_notes

ZIP = ".zip"
CORPORA = frozenset({ZIP, ".mbox"})
_NO_FILE_NAME = regex.compile(r"[^\p{L}\p{M}\p{N}._ -]")


def add(task: Add, models: LoadedModels, progress: Progress) -> AddResult:
    """Read known texts, and store each in the task's folder.

    Raises
    ------
    CorpusError
        A file cannot be read, or none of them contains text.
    UsageError
        Neither the task nor the files state who wrote them.
    """
    with collect_warnings() as messages:
        found = list(_read(task, models.options, progress))
    filled = [each for each in found if each.document.text.strip()]
    if not filled:
        raise CorpusError("the upload contains no text; check the files and add them again")
    empty = [each.document.path for each in found if not each.document.text.strip()]
    notes = [note for each in found for note in each.notes]
    notes += [*messages, *(f"{path} contains no text and was not added" for path in empty)]
    hasher = WordHasher()
    stored = [_stored(each, len(hasher.hash_words(each.document.text))) for each in filled]
    for text in stored:
        text.write(task.folder)
    return AddResult(tuple((each.author, each.name, each.n_words) for each in stored), tuple(notes))


@dataclass(frozen=True, slots=True)
class _ReadText:
    """A text, the lines of its file if these are known, and notes for the reader."""

    document: Document
    lines: str | None = None
    notes: Sequence[str] = ()


def _read(task: Add, options: ReadingOptions, progress: Progress) -> Iterator[_ReadText]:
    if task.author:
        for number, upload in enumerate(task.files, start=1):
            progress(number, len(task.files), upload.name)
            yield from _texts_in(upload, task.author, options)
        return
    progress(1, 1, "reading the texts")
    if len(task.files) == 1 and _is_corpus(task.files[0]):
        yield from map(_ReadText, _read_corpus(task.files[0], options))
    elif any("/" in upload.name for upload in task.files):
        yield from _read_folder(task.files, options)
    else:
        raise UsageError(
            "state who wrote the texts, or add a folder or ZIP file with one folder per author"
        )


def _texts_in(upload: Upload, author: str, options: ReadingOptions) -> Iterator[_ReadText]:
    """Yield each text in a file by one author."""
    data = upload.path.read_bytes()
    if upload.is_file and _suffix(upload) == ZIP:
        for file in list_archive(data, upload.name).files:
            content = file.content()
            yield from _texts_in_content(content, file.name, file.name, author, options)
        return
    name = upload.name if upload.is_file else f"{upload.name}.txt"
    yield from _texts_in_content(data, name, upload.name, author, options)


def _texts_in_content(
    data: bytes, name: str, shown: str, author: str, options: ReadingOptions
) -> Iterator[_ReadText]:
    """Yield the texts by one author in a file: of a mailbox, one per message."""
    with_lines = read_file(data, name, PurePosixPath(name).suffix, options.kinds)
    read = with_lines.with_paragraphs(options.joiner([with_lines.text]))
    documents, is_of_several = documents_of(shown, AuthorAndWork(author), read)
    notes = [f"{shown}: {note}" for note in reading_notes(read.extracted)]
    notes += plain_text_warnings(read, name)
    if read.dialogue is not None and is_of_several:
        notes += [finding.message for finding in speaker_findings({shown: read.dialogue})]
    for number, document in enumerate(documents):
        path = f"{author}/{document.path}"
        work = "" if document.work == document.path else document.work
        placed = replace(document, path=path, work=work or path)
        lines = read.extracted.lines if document.text is read.text else None
        yield _ReadText(placed, lines, [] if number else notes)


def _read_corpus(upload: Upload, options: ReadingOptions) -> list[Document]:
    """Read an archive or table, under its own name so far as a file can have that name."""
    base = PurePosixPath(upload.name).name
    safe = _NO_FILE_NAME.sub("_", base)[-80:].lstrip(".")
    path = upload.path.with_name(f"{upload.path.name}-{safe}")
    upload.path.rename(path)
    return list(read_corpus(path, options, min_authors=1))


def _read_folder(uploads: Iterable[Upload], options: ReadingOptions) -> Iterator[_ReadText]:
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
    reading = read_listing(listing, root, options.kinds)
    errors = [finding.message for finding in reading.findings if finding.severity == "error"]
    if errors:
        raise CorpusError("\n".join(errors))
    documents, _ = reading.with_paragraphs(options)
    for index, document in enumerate(documents):
        lines = reading.documents[index].text if index in reading.plain else None
        yield _ReadText(document, lines)


def _is_corpus(upload: Upload) -> bool:
    return _suffix(upload) in CORPORA or table_reader(PurePosixPath(upload.name)) is not None


def _suffix(upload: Upload) -> str:
    return PurePosixPath(upload.name).suffix.lower()


def _stored(found: _ReadText, n_words: int) -> StoredText:
    document = found.document
    own = document.work == document.path
    name = document.path.removeprefix(f"{document.author}/")
    return StoredText(
        author=printable(document.author),
        name=printable(name),
        work="" if own else document.work,
        text=document.text,
        n_words=n_words,
        excluded=[(each.kind, each.n, each.example) for each in document.excluded],
        lines=found.lines,
    )
