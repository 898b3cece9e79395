"""Reading of questioned texts from uploads, and what a reader should know about them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from byline.attribution.training_record.record import text_sha256
from byline.corpus import Document, ReadingOptions
from byline.corpus.extraction import ExcludedPart, ExtractedText
from byline.corpus.questioned import QuestionedText, read_questioned
from byline.corpus.readers.speakers import check_one_speaker
from byline.errors import BylineError, CorpusError
from byline.formatting import quantity
from byline.named_settings import setting
from byline.report.case import CaseInput
from byline.web.messages import Upload
from byline.web.samples import SAMPLE_TEXTS


@dataclass(frozen=True, slots=True)
class ReadText:
    """A questioned text that was read, its hash, and notes for the reader."""

    name: str
    questioned: QuestionedText
    hashed: CaseInput
    notes: tuple[str, ...] = ()


def read_uploads(
    uploads: Sequence[Upload], options: ReadingOptions, speaker: str = ""
) -> tuple[list[ReadText], list[tuple[str, str]]]:
    """Read questioned texts; of several, list the name and the problem of each that cannot be read.

    Raises
    ------
    CorpusError, UsageError
        The only text, or none of them, can be read.
    """
    read: list[ReadText] = []
    unread: list[tuple[str, str]] = []
    for upload in uploads:
        try:
            read.append(read_questioned_upload(upload, options, speaker))
        except BylineError as error:
            if len(uploads) == 1:
                raise
            unread.append((upload.name, str(error)))
    if unread and not read:
        raise CorpusError(
            f"none of the {len(unread)} files can be read. The first one: {unread[0][1]}"
        )
    return read, unread


def read_questioned_upload(upload: Upload, options: ReadingOptions, speaker: str) -> ReadText:
    """Read a questioned text; errors as in `read_upload`."""
    data = upload.path.read_bytes()
    questioned = read_upload(data, upload, options, speaker)
    if upload.is_file:
        digest, hashed = hashlib.sha256(data).hexdigest(), "file"
    else:
        digest, hashed = text_sha256(questioned.text), "text"
    source = CaseInput("questioned text", upload.name, digest, hashed)
    return ReadText(upload.name, questioned, source, tuple(reading_notes(questioned.extracted)))


def read_sample(sample: str, questioned: Mapping[str, Document]) -> ReadText:
    """Return a questioned sample text by its id, with a note about its author."""
    [title] = [each.title for each in SAMPLE_TEXTS if each.id == sample]
    document = questioned[sample]
    return ReadText(
        title,
        QuestionedText(ExtractedText(document.text)),
        CaseInput("questioned text", title, text_sha256(document.text), "text"),
        (f"This is a sample text. Its actual author is {document.author}.",),
    )


def read_upload(
    data: bytes, upload: Upload, options: ReadingOptions, speaker: str = ""
) -> QuestionedText:
    """Return the questioned text in an uploaded file, or a pasted one.

    Raises
    ------
    CorpusError
        The file cannot be read, or has several speakers and none was named.
    UsageError
        There is no such speaker.
    """
    name = upload.name if upload.is_file else f"{upload.name}.txt"
    read = read_questioned(data, name, options, speaker=speaker or None)
    warnings = tuple(
        warning.replace(setting("speaker", "NAME"), "the field “Speaker”")
        for warning in read.extracted.warnings
    )
    read = replace(read, extracted=replace(read.extracted, warnings=warnings))
    check_one_speaker(read.extracted)
    return read


def reading_notes(extracted: ExtractedText) -> list[str]:
    """Return what a reader should know about a text that was read from a file."""
    return [*extracted.warnings, *map(_excluded, extracted.excluded)]


def _excluded(item: ExcludedPart) -> str:
    example = f", for example: {item.example}" if item.example else ""
    return f"Excluded from the text: {quantity(item.n, 'part')} ({item.kind}{example})"
