"""Mend what a check finds, text by text; then leave out texts that stand twice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from byline.corpus.checking.edits import CleaningStep, Edit, apply_edits, line_numbers
from byline.corpus.checking.examination import FINDERS, find_edits
from byline.corpus.checking.near_duplicates import choose_duplicates, find_overlaps
from byline.corpus.document import Corpus, Document
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was mended.

    Attributes
    ----------
    path : str
        The text.
    code : str
        Of the finding; ``empty-text`` where nothing was left of a text.
    line : int or None
        Where it stood, in the text as it was when this was mended; None for a whole text.
    before, after : str
        What stood there and what stands there now. Of a whole text that was left out, ``before``
        is empty, and ``after`` the path of the one that has its words, or empty.
    """

    path: str
    code: str
    line: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CleanedCorpus:
    """Known texts once they are mended.

    Attributes
    ----------
    corpus : Corpus
        A text in which nothing was found is untouched.
    changes : tuple of Change
        In the order of the texts; those left out come last.
    """

    corpus: Corpus
    changes: tuple[Change, ...]


def mend(
    corpus: Corpus,
    kinds: Collection[CleaningStep] = tuple(CleaningStep),
    progress: Progress | None = None,
) -> CleanedCorpus:
    """Mend what `byline.corpus.checking.examine` finds of some kinds.

    An examination of the result finds none of them, and mending it changes nothing.

    Parameters
    ----------
    corpus : Corpus
        Best with the line breaks of its files (`byline.corpus.checking.with_line_breaks`).
    kinds : collection of Kind
        All by default. ``duplicates`` leaves out every text of which another one by its author
        has all words, or most.
    progress : Progress, optional
        Told of each text.
    """
    changes: list[Change] = []
    documents: list[Document] = []
    for number, document in enumerate(corpus, start=1):
        text, mended = _mend_text(document, kinds)
        changes += mended
        if text.strip():
            documents.append(document if text == document.text else replace(document, text=text))
        else:
            changes.append(Change(document.path, "empty-text", None, "", ""))
        if progress is not None:
            progress(number, len(corpus), document.path)
    if CleaningStep.DUPLICATES in kinds:
        documents = _without_duplicates(documents, changes)
    return CleanedCorpus(Corpus(documents, corpus.name), tuple(changes))


def _mend_text(document: Document, kinds: Collection[CleaningStep]) -> tuple[str, list[Change]]:
    """Mend until nothing is found: a header may stand behind another one.

    It comes to an end, as no kind brings back what another one takes out, and all but a few marks
    that are decoded anew make the text shorter.
    """
    text, changes = document.text, list[Change]()
    while mended := list(_mend_once(replace(document, text=text), kinds)):
        for found, after in mended:
            changes += found
            text = after
    return text, changes


def _mend_once(
    document: Document, kinds: Collection[CleaningStep]
) -> Iterator[tuple[list[Change], str]]:
    """Yield, for each kind that is found, its changes and the text after them."""
    for kind in FINDERS:
        edits = find_edits(document, kind) if kind in kinds else []
        if edits:
            changes = list(_changes(document, edits))
            document = replace(document, text=apply_edits(document.text, edits))
            yield changes, document.text


def _changes(document: Document, edits: Sequence[Edit]) -> Iterator[Change]:
    text = document.text
    lines = line_numbers(text, [edit.start for edit in edits])
    for edit, line in zip(edits, lines, strict=True):
        before = text[edit.start : edit.end]
        yield Change(document.path, edit.code, line, before, edit.replacement)


def _without_duplicates(documents: Sequence[Document], changes: list[Change]) -> list[Document]:
    """Leave out texts that stand twice under one author, until there is none."""
    kept = list(documents)
    for code, find in (
        ("duplicate-within-author", _same),
        ("near-duplicate-within-author", _twins),
    ):
        while excluded := find(kept):
            changes += [
                Change(kept[text].path, code, None, "", kept[source].path)
                for text, source in sorted(excluded.items())
            ]
            kept = [document for place, document in enumerate(kept) if place not in excluded]
    return kept


def _same(documents: Sequence[Document]) -> dict[int, int]:
    first: dict[tuple[str, str], int] = {}
    return {
        place: kept
        for place, document in enumerate(documents)
        if (kept := first.setdefault((document.author, " ".join(document.text.split())), place))
        != place
    }


def _twins(documents: Sequence[Document]) -> dict[int, int]:
    return choose_duplicates(
        pair
        for pair in find_overlaps(documents).pairs
        if documents[pair.text].author == documents[pair.source].author
    )
