"""`ReferencePopulation`: texts by other people, and the selection of those that can be used."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.attribution.inputs import check_authors, check_strings, check_texts
from byline.attribution.stacking.folds import NEVER, FoldText
from byline.attribution.training_record.record import text_sha256
from byline.corpus import Document
from byline.corpus.checking.near_duplicates import (
    NEAR_DUPLICATE,
    choose_duplicates,
    find_overlaps,
)
from byline.corpus.duplicates import group_duplicates
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.formatting import isolated, join_names, quantity
from byline.typography import Normalization
from byline.typography.scripts import count_words

_CANDIDATE, _KNOWN, _REPEATED, _BLANK = "candidate", "known", "repeated", "blank"


@dataclass(frozen=True, slots=True)
class ReferencePopulation:
    """Texts by people who are not candidates, of the same genre as the texts of the case.

    Attributes
    ----------
    texts : sequence of str, (n_texts,)
        With one paragraph per line, like the known texts.
    authors : sequence of str, (n_texts,)
        The author of each text.
    works : sequence of str, (n_texts,), optional
        The work each text belongs to; by default, every text is a work of its own.
    name : str
        What messages and reports call the population.

    See Also
    --------
    byline.attribution.StackedAttributor.fit : Uses the population to simulate cases.

    Examples
    --------
    >>> from byline.attribution import ReferencePopulation
    >>> texts = ["The tide rose.", "A loom hums."]
    >>> others = ReferencePopulation(texts, ["Cy", "Di"], name="letters")
    >>> len(others.texts), others.works
    (2, None)
    """

    texts: Sequence[str]
    authors: Sequence[str]
    works: Sequence[str] | None = None
    name: str = "reference"

    @property
    def description(self) -> str:
        """The name and the numbers of authors and texts, as a noun phrase."""
        n_authors = quantity(len(set(self.authors)), "author")
        n_texts = quantity(len(self.texts), "text")
        return f"the reference corpus {isolated(self.name)} ({n_authors}, {n_texts})"


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A text of the population that is used.

    Attributes
    ----------
    author : str
    work : str
    text : str
        Normalised like the known texts.
    n_words : int
        In scripts without spaces, every character counts as a word.
    """

    author: str
    work: str
    text: str
    n_words: int


@dataclass(frozen=True, slots=True)
class SelectedTexts:
    """The texts of a population that are used, in an order that the input does not change.

    Attributes
    ----------
    name : str
        Of the population.
    texts : tuple of ReferenceText
        Sorted by author, text and work.
    sha256 : str
        One digest for all of them: of the sorted lines ``author``, tab, ``sha256`` of a text.
    """

    name: str
    texts: tuple[ReferenceText, ...]
    sha256: str

    @property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return sorted({each.author for each in self.texts})

    def as_fold_texts(self) -> list[FoldText]:
        """Return the texts as works of their own, which belong to no fold."""
        return [
            FoldText(each.text, each.author, NEVER, str(number))
            for number, each in enumerate(self.texts)
        ]

    def works_of(self, author: str) -> dict[str, list[ReferenceText]]:
        """Return an author's texts by work."""
        works: dict[str, list[ReferenceText]] = {}
        for each in self.texts:
            if each.author == author:
                works.setdefault(each.work, []).append(each)
        return works


def exclude_known_texts(
    population: ReferencePopulation,
    texts: Sequence[str],
    authors: Sequence[Any],
    normalization: Normalization,
) -> ReferencePopulation:
    """Return the population without what `select_texts` leaves out; errors and warnings too."""
    selected = select_texts(population, texts, authors, normalization).texts
    return ReferencePopulation(
        [each.text for each in selected],
        [each.author for each in selected],
        [each.work for each in selected],
        population.name,
    )


def select_texts(
    population: ReferencePopulation,
    texts: Sequence[str],
    authors: Sequence[Any],
    normalization: Normalization,
) -> SelectedTexts:
    """Leave out what is not by other people, and state it.

    Texts by an author with a candidate's name, texts that are also among the known texts, repeated
    texts and texts without a word are left out.

    Parameters
    ----------
    population : ReferencePopulation
    texts, authors : sequences, (n_known,)
        The known texts, normalised.
    normalization : Normalization
        Of the known texts.

    Raises
    ------
    UsageError
        If the population is not a `ReferencePopulation`, or its lists have different lengths.
    TrainingError
        If fewer than two authors are left.

    Warns
    -----
    BylineWarning
        If texts were left out.
    """
    documents = _documents(population, normalization)
    reasons = _reasons_to_leave_out(documents, texts, authors)
    if reasons:
        message = f"{population.name}: {_describe(documents, reasons)}"
        warnings.warn(message, BylineWarning, stacklevel=4)
    kept = [each for number, each in enumerate(documents) if number not in reasons]
    n_authors = len({each.author for each in kept})
    if n_authors < 2:
        raise TrainingError(
            f"{population.name} has texts by {quantity(n_authors, 'author')} other than the "
            "candidates; a reference population needs at least two, and better twice as many as "
            "there are candidates. Add texts by other people"
        )
    lines = sorted(f"{each.author}\t{text_sha256(each.text)}\n" for each in kept)
    return SelectedTexts(
        population.name,
        tuple(
            ReferenceText(each.author, each.work, each.text, count_words(each.text))
            for each in kept
        ),
        text_sha256("".join(lines)),
    )


def _documents(population: object, normalization: Normalization) -> list[Document]:
    """Return the normalised texts, sorted."""
    if not isinstance(population, ReferencePopulation):
        raise UsageError(
            f"reference is a {type(population).__name__}; it must be a ReferencePopulation"
        )
    texts = check_texts(population.texts)
    authors = [str(author) for author in check_authors(population.authors)] if texts else []
    works = [""] * len(texts)
    if population.works is not None:
        works = check_strings(population.works, "work")
    if not len(texts) == len(authors) == len(works):
        raise UsageError(
            f"the reference population has {len(texts)} texts, {len(authors)} authors and "
            f"{len(works)} works; give one author and one work per text"
        )
    rows = sorted(zip(authors, map(normalization.apply, texts), works, strict=True))
    return [
        Document(author, text, f"text {number}", work)
        for number, (author, text, work) in enumerate(rows)
    ]


def _reasons_to_leave_out(
    documents: Sequence[Document], texts: Sequence[str], authors: Sequence[Any]
) -> Mapping[int, str]:
    """Return why some of the documents are left out, by their index."""
    candidates = {_plain_name(str(author)) for author in authors}
    reasons = {
        number: _CANDIDATE if _plain_name(each.author) in candidates else _BLANK
        for number, each in enumerate(documents)
        if _plain_name(each.author) in candidates or not any(map(str.isalnum, each.text))
    }
    left = [number for number in range(len(documents)) if number not in reasons]
    everything = [
        *(Document("", text, "") for text in texts),
        *(documents[number] for number in left),
    ]
    n_known = len(texts)
    overlaps = find_overlaps(everything).pairs
    of_known = {
        max(each.text, each.source)
        for each in overlaps
        if each.share >= NEAR_DUPLICATE and min(each.text, each.source) < n_known
    }
    of_others = [each for each in overlaps if min(each.text, each.source) >= n_known]
    repeated = set(choose_duplicates(of_others))
    for first, *others in group_duplicates(everything):
        if first < n_known:
            of_known.update(others)
        else:
            repeated.update(others)
    for place, number in enumerate(left, start=n_known):
        if place in of_known:
            reasons[number] = _KNOWN
        elif place in repeated:
            reasons[number] = _REPEATED
    return reasons


def _plain_name(author: str) -> str:
    return " ".join(author.split()).casefold()


def _describe(documents: Sequence[Document], reasons: Mapping[int, str]) -> str:
    """State what was left out, in one sentence."""
    counts = Counter(reasons.values())
    names = sorted({documents[n].author for n, why in reasons.items() if why == _CANDIDATE})
    who = join_names(list(map(isolated, names)))
    are = "who is a candidate" if len(names) == 1 else "who are candidates"
    parts = {
        _CANDIDATE: f"by {who}, {are}",
        _KNOWN: "that the known texts contain too",
        _REPEATED: "that occur more than once",
        _BLANK: "without a word",
    }
    listed = "; ".join(f"{counts[why]:,} {what}" for why, what in parts.items() if counts[why])
    were = "was" if len(reasons) == 1 else "were"
    return f"{quantity(len(reasons), 'text')} of the reference {were} left out: {listed}"
