"""The text extracted from a file, and what was excluded from it: notes, headers, navigation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import regex

from byline.typography.lines import unwrap

_MAX_EXAMPLE = 60  # characters
# Surrogates, and control characters other than white space: no text contains them.
_NOT_TEXT = regex.compile(r"[\x00-\x08\x0e-\x1f\x7f\p{Cs}]")


class Keep(StrEnum):
    """A kind of content that is excluded unless it is asked for.

    ``NOTES`` are footnotes and endnotes; ``STAGE`` are the stage directions of a play. In
    questioned texts, ``QUOTATIONS`` are quoted replies, headers and signatures of e-mails;
    ``BOILERPLATE`` are licences, credit lines and page headers. Known texts keep both.

    See Also
    --------
    byline.corpus.extract_text : Takes a collection of these as ``keep``.

    Examples
    --------
    >>> [kind.value for kind in Keep]
    ['notes', 'stage', 'quotations', 'boilerplate']
    """

    NOTES = "notes"
    STAGE = "stage"
    QUOTATIONS = "quotations"
    BOILERPLATE = "boilerplate"


@dataclass(frozen=True, slots=True)
class ExcludedPart:
    """One kind of content that was excluded from the text of a file.

    Attributes
    ----------
    kind : str
        In the plural: ``"footnotes"``, ``"page headers"``.
    n : int
        The number of excluded items.
    example : str
        The beginning of the first item, in one line; empty if it has no words.

    See Also
    --------
    ExtractedText : Lists them as ``excluded``.

    Examples
    --------
    >>> part = ExcludedPart("footnotes", 2, "See the parish book.")
    >>> f"{part.n} {part.kind}"
    '2 footnotes'
    """

    kind: str
    n: int
    example: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that the format of a file marks, for example in a TEI ``div`` or in an e-book.

    Attributes
    ----------
    line : str
        The first line of the part, as it is in the text: of its heading, or of its prose.
    level : int
        Its depth: a heading of level 2 is within the part of the last one of level 1.
    title : str
        The heading; it may be empty, or not be in the text.

    See Also
    --------
    byline.corpus.find_chapters : Find chapters with the help of headings.

    Examples
    --------
    >>> Heading("The River", 1, "The River").level
    1
    """

    line: str
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class ExtractedText:
    r"""The text of a file of any format, and what a reader should know about it.

    Attributes
    ----------
    text : str
        One paragraph per line, with a blank line between paragraphs.
    author, title : str or None
        As the file itself states them.
    excluded : tuple of ExcludedPart
        In the order in which the kinds occur in the file.
    warnings : tuple of str
        What may be wrong with the text: a guessed encoding, pages without text.
    speakers : tuple of str
        Who wrote the text, if its format states that several people did and none was selected.
    lines : str or None
        A plain text with the line breaks of its file; None for other formats.
    headings : tuple of Heading
        The headings that the format marks, in the order of the text; empty for plain text.

    See Also
    --------
    byline.corpus.extract_text : Extracts it.

    Examples
    --------
    >>> from byline.corpus import extract_text
    >>> extract_text(b"The river rose\nin the night.", "letter.txt").text
    'The river rose in the night.'
    """

    text: str
    author: str | None = None
    title: str | None = None
    excluded: tuple[ExcludedPart, ...] = ()
    warnings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    lines: str | None = None
    headings: tuple[Heading, ...] = ()


@dataclass(slots=True)
class ExclusionCounter:
    """Counts what is excluded from a text while its file is read."""

    _counts: Counter[str] = field(default_factory=Counter)
    _examples: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, content: str = "", n: int = 1) -> None:
        """Count ``n`` items of a kind; ``content`` is the text of the first one."""
        self._counts[kind] += n
        if not self._examples.get(kind):
            self._examples[kind] = excerpt(content)

    def parts(self) -> tuple[ExcludedPart, ...]:
        """Return what was counted, the kinds in the order in which they first occurred."""
        return tuple(
            ExcludedPart(kind, n, self._examples[kind]) for kind, n in self._counts.items()
        )


def excerpt(text: str) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(text[: 4 * _MAX_EXAMPLE].split())
    return line if len(line) <= _MAX_EXAMPLE + 3 else line[:_MAX_EXAMPLE].rstrip() + "..."


def clean_name(text: str | None) -> str | None:
    """Return the name of an author or the title of a text in one line; None if it is empty."""
    return " ".join(_NOT_TEXT.sub("\ufffd", text or "").split()) or None


def join_paragraphs(paragraphs: Iterable[str]) -> str:
    """Join paragraphs, which may contain line breaks, to the text of a document.

    Soft hyphens are removed: they only mark where a word may be divided.
    """
    text = "\n\n".join(paragraphs).replace("\xad", "")
    return unwrap(_NOT_TEXT.sub("\ufffd", text))


def first_line(paragraph: str) -> str:
    """Return the first line of a paragraph as it is in the text of `join_paragraphs`."""
    return clean_name(paragraph.partition("\n")[0].replace("\xad", "")) or ""


def merge_excluded(each: Iterable[Iterable[ExcludedPart]]) -> tuple[ExcludedPart, ...]:
    """Add up what was excluded from several files, each kind once."""
    counter = ExclusionCounter()
    for excluded in each:
        for part in excluded:
            counter.add(part.kind, part.example, part.n)
    return counter.parts()
