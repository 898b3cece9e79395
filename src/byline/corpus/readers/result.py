"""What a reader of known texts returns: documents, and findings about their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from byline.corpus.document import Document, Finding
from byline.corpus.line_joining import LineJoiner
from byline.corpus.readers.plain_text import PlainText
from byline.corpus.reading_options import DEFAULT_OPTIONS, ReadingOptions
from byline.formatting import join_names, quantity
from byline.typography.lines import LineRules

LAYOUTS = (
    "Byline reads a folder with one subfolder per author (AUTHOR/**/*.txt; also .docx, .odt, .rtf, "
    ".pdf, .epub, .xml, .html, .md, .srt and others), a folder of files named Author_title.txt, a "
    "folder with one file per author (AUTHOR.txt), a .zip of one of these, a chat export, a "
    "mailbox (.mbox), or a table (.csv, .tsv, .jsonl, .parquet) with columns author and text."
)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The documents that a reader could read, and what it found wrong.

    Attributes
    ----------
    documents : list of Document
    findings : list of Finding
        An error for every file or row that could not be read, and warnings.
    plain : frozenset of int
        The documents, by their index, whose text has the line breaks of its file.

    See Also
    --------
    byline.corpus.FileFormat : A format of another package, whose reader returns it.

    Examples
    --------
    >>> from byline.corpus import Document, Finding
    >>> documents = [Document("ada", "The river rose.", "letters.txt, letter 1")]
    >>> empty = Finding("warning", "no-text", "1 letter has no text.", ("letters.txt, letter 2",))
    >>> ReadResult(documents, [empty]).documents[0].author
    'ada'
    """

    documents: list[Document]
    findings: list[Finding]
    plain: frozenset[int] = frozenset()

    def with_paragraphs(
        self,
        options: ReadingOptions = DEFAULT_OPTIONS,
        unchanged: Container[int] = (),
    ) -> tuple[list[Document], LineRules]:
        """Return the documents with one paragraph per line, and the rules that join lines.

        Parameters
        ----------
        options : ReadingOptions
        unchanged : container of int
            The documents that keep the line breaks of their files.
        """
        lines = [self.documents[index].text for index in sorted(self.plain)]
        joiner = options.joiner(lines)
        chosen = [
            index in self.plain and index not in unchanged for index in range(len(self.documents))
        ]
        documents = [
            _with_paragraphs(document, joiner) if is_chosen else document
            for document, is_chosen in zip(self.documents, chosen, strict=True)
        ]
        return documents, joiner.rules


def _with_paragraphs(document: Document, joiner: LineJoiner) -> Document:
    joined = joiner.join(document.text)
    excluded = document.excluded + joined.excluded
    return replace(document, text=joined.text, excluded=excluded)


def encoding_findings(encodings: Mapping[str, str]) -> list[Finding]:
    """Return a warning about the files whose encoding was guessed.

    Parameters
    ----------
    encodings : mapping of str to str
        The guessed encoding of each of these files, by its path.
    """
    if not encodings:
        return []
    listed = ", ".join(
        f"{encoding} ({number:,})" for encoding, number in Counter(encodings.values()).most_common()
    )
    message = (
        f"{quantity(len(encodings), 'file is', 'files are')} not UTF-8: "
        f"{join_names(list(encodings))}. The encoding was guessed as {listed}. "
        "Save such files as UTF-8 to be sure."
    )
    return [Finding("warning", "guessed-encoding", message, tuple(encodings))]


def subtitle_findings(texts: Mapping[str, PlainText]) -> list[Finding]:
    """Return warnings about files, by path, that are not valid subtitles."""
    without_cue = [name for name, text in texts.items() if text.lacks_cues]
    invalid = {name: text.invalid_timing for name, text in texts.items() if text.invalid_timing}
    findings = []
    if without_cue:
        message = (
            f"{quantity(len(without_cue), 'file has', 'files have')} the suffix of subtitles but "
            f"no cue, so that everything in {'it' if len(without_cue) == 1 else 'them'} is read as "
            f"text: {join_names(without_cue)}. Rename such files to .txt, or correct them."
        )
        findings.append(Finding("warning", "subtitles-without-cue", message, tuple(without_cue)))
    if invalid:
        places = [f"{name}, line {line}" for name, line in invalid.items()]
        message = (
            f"{quantity(len(invalid), 'file')} of subtitles with an invalid timing: "
            f"{join_names(places)}. Such a line is read as speech (SRT), or its cue is ignored "
            "(WebVTT). Write a timing as 00:00:01,000 --> 00:00:02,000."
        )
        findings.append(Finding("warning", "invalid-subtitle-timing", message, tuple(invalid)))
    return findings


def markup_findings(texts: Mapping[str, PlainText]) -> list[Finding]:
    """Return a warning about plain texts, by path, whose tags are read as text."""
    marked = tuple(name for name, text in texts.items() if text.is_markup)
    if not marked:
        return []
    message = (
        f"{quantity(len(marked), 'file begins', 'files begin')} like HTML or XML, but the suffix "
        f"is that of plain text, so that all tags are read as text: {join_names(marked)}. "
        "Rename such files to .html or .xml."
    )
    return [Finding("warning", "markup-read-as-text", message, marked)]


def extraction_findings(warnings: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Return one finding of all warnings about extracted texts.

    Parameters
    ----------
    warnings : mapping of str to sequence of str
        By the path of the file.
    """
    if not warnings:
        return []
    listed = [f"{name}: {'; '.join(about)}" for name, about in warnings.items()]
    message = (
        f"The text of {quantity(len(warnings), 'file')} may be incomplete or wrong: "
        f"{join_names(listed)}. Check it with `byline corpus show FILE`."
    )
    return [Finding("warning", "check-extracted-text", message, tuple(warnings))]
