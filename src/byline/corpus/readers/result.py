"""What a reader hands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from byline.corpus.document import Document
from byline.corpus.findings import Finding
from byline.corpus.readers.plain_text import PlainText
from byline.formatting import join_names, quantity

LAYOUTS = (
    "Looked for: a folder AUTHOR/**/*.txt (or .docx, .pdf, .epub, .xml, .html, .srt, ...), a "
    "folder of Author_title.txt, a folder of one AUTHOR.txt a file, a .zip of one of these, or a "
    "table .csv, .tsv, .jsonl or .parquet with columns author and text."
)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The documents that could be read, and what was found wrong on the way."""

    documents: list[Document]
    findings: list[Finding]


def about_guesses(guesses: Mapping[str, str]) -> list[Finding]:
    """Return a warning that names the encodings guessed, by path."""
    if not guesses:
        return []
    encodings = ", ".join(
        f"{encoding} ({number:,})" for encoding, number in Counter(guesses.values()).most_common()
    )
    message = (
        f"{quantity(len(guesses), 'file is', 'files are')} not UTF-8; the encoding is guessed as "
        f"{encodings}: {join_names(list(guesses))}; save as UTF-8 to be sure"
    )
    return [Finding("warning", "guessed-encoding", message, tuple(guesses))]


def about_subtitles(texts: Mapping[str, PlainText]) -> list[Finding]:
    """Return a warning for each way in which subtitles, by path, are none."""
    prose = [name for name, text in texts.items() if text.lacks_cues]
    broken = {name: text.broken_timing for name, text in texts.items() if text.broken_timing}
    findings = []
    if prose:
        message = (
            f"{quantity(len(prose), 'file is', 'files are')} called subtitles but "
            f"{'has' if len(prose) == 1 else 'have'} no cue, and all is read as text: "
            f"{join_names(prose)}; name such files .txt, or mend them"
        )
        findings.append(Finding("warning", "subtitles-without-cue", message, tuple(prose)))
    if broken:
        places = [f"{name}, line {line}" for name, line in broken.items()]
        message = (
            f"{quantity(len(broken), 'file')} of subtitles with a timing that cannot be read, so "
            f"that it is taken for speech (SRT) or its cue left out (WebVTT): "
            f"{join_names(places)}; "
            "write it as 00:00:01,000 --> 00:00:02,000"
        )
        findings.append(Finding("warning", "invalid-subtitle-timing", message, tuple(broken)))
    return findings


def about_markup(texts: Mapping[str, PlainText]) -> list[Finding]:
    """Return a warning of plain texts, by path, whose markup is read as if it were text."""
    marked = tuple(name for name, text in texts.items() if text.is_markup)
    if not marked:
        return []
    message = (
        f"{quantity(len(marked), 'file begins', 'files begin')} as HTML or XML and all tags "
        "are read "
        f"as text: {join_names(marked)}; name it .html or .xml, and only its text is read"
    )
    return [Finding("warning", "markup-read-as-text", message, marked)]


def about_notes(notes: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Return a warning of what may be wrong with the texts taken out of files, by path."""
    if not notes:
        return []
    listed = [f"{name}: {'; '.join(about)}" for name, about in notes.items()]
    whose = "its text" if len(notes) == 1 else "their texts"
    message = (
        f"{quantity(len(notes), 'file')} of which {whose} should be looked at "
        f"(`byline corpus show FILE`): {join_names(listed)}"
    )
    return [Finding("warning", "check-extracted-text", message, tuple(notes))]
