"""Clean each text of a corpus, then remove duplicate texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from byline.corpus.checking.edits import CleaningStep, Edit, apply_edits, line_numbers
from byline.corpus.checking.examination import FINDERS, find_edits
from byline.corpus.checking.near_duplicates import choose_duplicates, find_overlaps
from byline.corpus.document import Corpus, Document
from byline.corpus.duplicates import find_duplicates
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class Change:
    """One change that cleaning made.

    Attributes
    ----------
    path : str
        The text.
    code : str
        The code of the finding that was fixed. ``empty-text`` if cleaning left nothing of a text.
    line : int or None
        The line number in the text just before this change. None if the whole text was removed.
    before, after : str
        The passage before and after the change. If the whole text was removed, ``before`` is empty,
        and ``after`` is the path of the text that contains its words, or empty.

    See Also
    --------
    CleanedCorpus : The result that contains all changes.

    Examples
    --------
    >>> from byline.corpus.cleaning import Change
    >>> Change("ada/1.txt", "html-entity", 2, "&amp;", "&").after
    '&'
    """

    path: str
    code: str
    line: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CleanedCorpus:
    """The result of cleaning a corpus.

    Attributes
    ----------
    corpus : Corpus
        The cleaned texts. A text without findings is unchanged.
    changes : tuple of Change
        All changes in the order of the texts. Removed texts come last.

    See Also
    --------
    clean_corpus : Clean a corpus.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.cleaning import clean_corpus
    >>> cleaned = clean_corpus(Corpus([Document("Ada", "The loom.", "ada/1.txt")], "letters"))
    >>> cleaned.corpus.texts, cleaned.changes
    (['The loom.'], ())
    """

    corpus: Corpus
    changes: tuple[Change, ...]


def clean_corpus(
    corpus: Corpus,
    steps: Collection[CleaningStep] = tuple(CleaningStep),
    progress: Progress | None = None,
) -> CleanedCorpus:
    r"""Fix what `byline.corpus.checking.examine` finds and no person must decide.

    An examination of the result reports no finding of these steps, and cleaning the result again
    changes nothing.

    Parameters
    ----------
    corpus : Corpus
        Read with `byline.corpus.checking.read_for_checking`, which keeps the line breaks of files.
    steps : collection of CleaningStep
        The steps to run. By default, all of them. ``duplicates`` removes each text if another text
        by the same author contains all or most of its words, and all copies of a text that
        several authors have.
    progress : Progress, optional
        Called after each text.

    Returns
    -------
    CleanedCorpus

    See Also
    --------
    byline.corpus.checking.examine : Find what needs to be cleaned.
    write_folder : Write the result to a folder.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.cleaning import clean_corpus
    >>> document = Document("Ada Quill", "Ada Quill\nThe loom &amp; the ship.", "ada/1.txt")
    >>> cleaned = clean_corpus(Corpus([document], "letters"))
    >>> cleaned.corpus.texts
    ['The loom & the ship.']
    >>> [(change.line, change.code) for change in cleaned.changes]
    [(2, 'html-entity'), (1, 'own-name-line')]
    """
    changes: list[Change] = []
    documents: list[Document] = []
    for number, document in enumerate(corpus, start=1):
        text, made = _clean_text(document, steps)
        changes += made
        if text.strip():
            documents.append(document if text == document.text else replace(document, text=text))
        else:
            changes.append(Change(document.path, "empty-text", None, "", ""))
        if progress is not None:
            progress(number, len(corpus), document.path)
    if CleaningStep.DUPLICATES in steps:
        documents = _without_duplicates(documents, changes)
    return CleanedCorpus(Corpus(documents, corpus.name), tuple(changes))


def _clean_text(document: Document, steps: Collection[CleaningStep]) -> tuple[str, list[Change]]:
    """Repeat the steps until nothing is found, because one header may hide another.

    This terminates: no step restores what another step removed, and all edits make the text
    shorter, except for a few punctuation marks that are decoded again.
    """
    text, changes = document.text, list[Change]()
    while results := list(_run_steps(replace(document, text=text), steps)):
        for made, after in results:
            changes += made
            text = after
    return text, changes


def _run_steps(
    document: Document, steps: Collection[CleaningStep]
) -> Iterator[tuple[list[Change], str]]:
    """Yield, for each step that finds something, its changes and the text after them."""
    for step in FINDERS:
        edits = find_edits(document, step) if step in steps else []
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
    """Remove duplicate texts until there are none; of near-duplicates, only those by one author."""
    same = find_duplicates(documents)
    changes += [
        Change(documents[text].path, code, None, "", documents[source].path)
        for text, (source, code) in same.items()
    ]
    kept = [document for index, document in enumerate(documents) if index not in same]
    while removed := _near_duplicates(kept):
        changes += [
            Change(kept[text].path, "near-duplicate-within-author", None, "", kept[source].path)
            for text, source in sorted(removed.items())
        ]
        kept = [document for index, document in enumerate(kept) if index not in removed]
    return kept


def _near_duplicates(documents: Sequence[Document]) -> dict[int, int]:
    return choose_duplicates(
        pair
        for pair in find_overlaps(documents).pairs
        if documents[pair.text].author == documents[pair.source].author
    )
