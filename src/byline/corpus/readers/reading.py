"""What a reader hands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from byline.corpus.document import Document
from byline.corpus.findings import Finding, count, name_some

LAYOUTS = (
    "Looked for: a folder AUTHOR/**/*.txt, a folder of Author_title.txt, a folder of one "
    "AUTHOR.txt a file, or a table .csv, .tsv, .jsonl or .parquet with columns author and text."
)


@dataclass(frozen=True, slots=True)
class Reading:
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
        f"{count(len(guesses), 'file is', 'files are')} not UTF-8; the encoding is guessed as "
        f"{encodings}: {name_some(list(guesses))}; save as UTF-8 to be sure"
    )
    return [Finding("warning", "guessed-encoding", message, tuple(guesses))]
