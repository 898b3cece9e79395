"""What is taken for the text of a file, and what in it is none: notes, headers, navigation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import regex

from byline.corpus.lines import unwrap

_EXAMPLE = 60  # characters
# Halves of surrogate pairs, and controls other than white space: no text has them.
_UNSAID = regex.compile(r"[\x00-\x08\x0e-\x1f\x7f\p{Cs}]")


class Keep(StrEnum):
    """What is no running text, and is left out unless asked for.

    ``notes`` are foot- and endnotes; ``stage`` are the stage directions of a play.
    """

    NOTES = "notes"
    STAGE = "stage"


@dataclass(frozen=True, slots=True)
class ExcludedPart:
    """One kind of thing that a file has and its text has not.

    Attributes
    ----------
    what : str
        The kind, in the plural: ``"footnotes"``, ``"page headers"``.
    n : int
        How many there are.
    example : str
        The beginning of the first one, in one line; empty where it has no words.
    """

    what: str
    n: int
    example: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """The text of a file of any format, and what its reader should be told.

    Attributes
    ----------
    text : str
        A paragraph a line, a blank line between paragraphs.
    author, title : str or None
        As the file itself names them.
    excluded : tuple of ExcludedPart
        In the order in which the kinds were first met.
    notes : tuple of str
        What may be wrong with the text: a guessed encoding, pages without text.
    """

    text: str
    author: str | None = None
    title: str | None = None
    excluded: tuple[ExcludedPart, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class ExclusionCounter:
    """Counts, while a file is read, what is left out of its text."""

    _counts: Counter[str] = field(default_factory=Counter)
    _examples: dict[str, str] = field(default_factory=dict)

    def add(self, what: str, content: str = "", n: int = 1) -> None:
        """Count ``n`` things of the kind ``what``; ``content`` is what the first one says."""
        self._counts[what] += n
        if not self._examples.get(what):
            self._examples[what] = excerpt(content)

    def found(self) -> tuple[ExcludedPart, ...]:
        """Return all that was counted, the kinds in the order in which they were first met."""
        return tuple(
            ExcludedPart(what, n, self._examples[what]) for what, n in self._counts.items()
        )


def excerpt(text: str) -> str:
    """Return the beginning of ``text`` in one line."""
    line = " ".join(text[: 4 * _EXAMPLE].split())
    return line if len(line) <= _EXAMPLE + 3 else line[:_EXAMPLE].rstrip() + "..."


def clean_name(text: str | None) -> str | None:
    """Return the name of an author or title in one line, or None where there is none."""
    return " ".join(_UNSAID.sub("\ufffd", text or "").split()) or None


def join_paragraphs(paragraphs: Iterable[str]) -> str:
    """Return paragraphs, which may have line breaks of their own, as the text of a document.

    Soft hyphens go: they are where a word could be divided, and no part of it.
    """
    text = "\n\n".join(paragraphs).replace("\xad", "")
    return unwrap(_UNSAID.sub("\ufffd", text))


def merge_excluded(each: Iterable[Iterable[ExcludedPart]]) -> tuple[ExcludedPart, ...]:
    """Return what was left out of many files as one list, each kind once."""
    tally = ExclusionCounter()
    for excluded in each:
        for item in excluded:
            tally.add(item.what, item.example, item.n)
    return tally.found()
