"""How known texts are held out: by whole document, by whole work, or by sentence."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, get_args

import numpy as np
from sklearn.model_selection import (
    LeaveOneGroupOut,
    LeaveOneOut,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from byline.corpus import Corpus
from byline.errors import TrainingError, UsageError
from byline.formatting import join_names, quantity
from byline.text import TextEncoder, normalize, split_sentences

Protocol = Literal["document", "work", "sentence"]
Folds = int | Literal["leave-one-out"]

# An author and, within it, a work or the index of a text.
UnitName = tuple[str, str | int]

# So many folds where nobody says how many; one fold alone holds out the first of so many parts.
DEFAULT_FOLDS = 5
_MAX_LISTED = 20


def check_request(protocol: Protocol, folds: Folds | None) -> None:
    """Refuse a protocol or a number of folds that cannot be, whatever the corpus.

    Raises
    ------
    UsageError
    """
    if protocol not in get_args(Protocol):
        raise UsageError(f"split={protocol!r} is none of {', '.join(get_args(Protocol))}")
    if folds == "leave-one-out":
        if protocol == "sentence":
            raise UsageError("leave-one-out goes with whole documents or works; name a number")
    elif folds is not None and not _is_number_of_folds(folds):
        raise UsageError(f"folds={folds!r} must be a whole number of 1 or more, or 'leave-one-out'")


def _is_number_of_folds(folds: object) -> bool:
    return isinstance(folds, int) and not isinstance(folds, bool) and folds >= 1


def split_units(corpus: Corpus, protocol: Protocol) -> list[UnitName]:
    """Name the unit of each text that is held out as a whole; works are told apart by author."""
    if protocol == "work":
        return list(zip(corpus.authors, corpus.works, strict=True))
    return [(author, index) for index, author in enumerate(corpus.authors)]


def count_units(units: Sequence[UnitName]) -> Counter[str]:
    """How many units each author has."""
    return Counter(author for author, _ in set(units))


def choose_folds(
    corpus: Corpus, units: Sequence[UnitName], protocol: Protocol, folds: Folds | None
) -> Folds:
    """Return ``folds``, or for None how many there can be.

    Raises
    ------
    TrainingError
        No author has enough units, or one has a single unit and would be left without known text.
    """
    n_units = count_units(units)
    alone = sorted(author for author, number in n_units.items() if number < 2)
    if folds != 1 and alone:
        raise _nothing_left(corpus, alone, n_units, protocol)
    most = max(n_units.values(), default=0)
    n_parts = DEFAULT_FOLDS if folds == 1 else folds if isinstance(folds, int) else 2
    if most >= n_parts:
        return min(DEFAULT_FOLDS, most) if folds is None else folds
    asked = "a fifth is" if folds == 1 else f"{n_parts} parts are"
    raise TrainingError(
        f"{corpus.name}: {asked} to be held out, but no author has more than "
        f"{quantity(most, protocol)}; {_way_out(most, protocol, divisible=not alone)}"
    )


def _way_out(most: int, protocol: Protocol, *, divisible: bool) -> str:
    """Advise what can be had: folds, only where every author has two units or more."""
    if most < 2 or not divisible:
        return "add known texts"
    fewer = f"use {most} folds" if most == 2 else f"use 2 to {most} folds"
    return f"{fewer}{'' if protocol == 'sentence' else ' or leave-one-out'}, or add known texts"


def check_known_text(
    corpus: Corpus, known: Iterable[Corpus], units: Sequence[UnitName], protocol: Protocol
) -> None:
    """Refuse folds of which one leaves an author without known text.

    Raises
    ------
    TrainingError
    """
    candidates = set(corpus.candidates)
    bare = sorted({author for texts in known for author in candidates - set(texts.authors)})
    if bare:
        raise _nothing_left(corpus, bare, count_units(units), protocol)


def _nothing_left(
    corpus: Corpus, authors: Sequence[str], n_units: Mapping[str, int], protocol: Protocol
) -> TrainingError:
    n_texts = Counter(corpus.authors)
    text = "sentence" if protocol == "sentence" else "document"
    listed = [
        f"{author} ({quantity(n_texts[author], text)}"
        + (f" of {quantity(n_units[author], 'work')})" if protocol == "work" else ")")
        for author in authors
    ]
    divisible = protocol == "work" and all(n_texts[author] > 1 for author in authors)
    whole = ", or hold out documents, which may share a work" if divisible else ""
    return TrainingError(
        f"{corpus.name}: nothing is left to learn from when texts are held out of "
        f"{join_names(listed, _MAX_LISTED)}; every author needs two {protocol}s or more: add some, "
        f"or leave {'the author' if len(authors) == 1 else 'these authors'} out{whole}"
    )


@dataclass(frozen=True, slots=True)
class Fold:
    """Texts to learn from, and texts withheld to be attributed.

    Attributes
    ----------
    known, questioned : Corpus
    """

    known: Corpus
    questioned: Corpus


def split(
    corpus: Corpus,
    protocol: Protocol = "document",
    folds: Folds | None = None,
    *,
    random_state: int = 0,
    encoder: TextEncoder | None = None,
) -> list[Fold]:
    """Divide a corpus into known and questioned texts, stratified over authors.

    Parameters
    ----------
    corpus : Corpus
    protocol : {"document", "work", "sentence"}
        The unit that is held out. "document": whole documents. "work": all documents of one
        author's work together. "sentence": sentences, shuffled over an author's documents, each a
        text of its own (Ge & Sun 2016, sec. 4); the same document then stands on both sides.
    folds : int or "leave-one-out", optional
        N >= 2: every unit is questioned exactly once. 1: a single fold that holds out a fifth.
        "leave-one-out": as many folds as documents or works. None: five, or as many as the author
        with the most units has where that is fewer.
    random_state : int
    encoder : TextEncoder, optional
        By whose rule the protocol "sentence" cuts texts; ``TextEncoder()`` where None.

    Raises
    ------
    UsageError
        An unknown protocol, or a number of folds that cannot be.
    TrainingError
        No author has as many units as folds, or an author is left without known text.
    """
    check_request(protocol, folds)
    if protocol == "sentence":
        corpus = _as_sentences(corpus, encoder or TextEncoder())
    units = split_units(corpus, protocol)
    n_folds = choose_folds(corpus, units, protocol, folds)
    parts = [
        Fold(corpus.select(known), corpus.select(questioned))
        for known, questioned in _indices(corpus.authors, units, protocol, n_folds, random_state)
    ]
    check_known_text(corpus, [fold.known for fold in parts], units, protocol)
    return parts


def hold_out(
    corpus: Corpus, *, share: float = 0.2, at_least: int = 3, random_state: int = 0
) -> Fold:
    """Withhold a share of the documents of every author who has enough of them.

    Parameters
    ----------
    corpus : Corpus
    share : float
        Of an author's documents, rounded, and never less than one document.
    at_least : int
        Authors with fewer documents keep them all; they stay candidates.
    random_state : int

    Raises
    ------
    UsageError
        ``share`` is not between 0 and 1, or ``at_least`` is below 2.
    TrainingError
        No author has ``at_least`` documents.
    """
    if not 0 < share < 1 or at_least < 2:
        raise UsageError(
            f"share={share} must lie between 0 and 1, at_least={at_least} be 2 or more"
        )
    authors = np.array(corpus.authors, dtype=object)
    rng = np.random.default_rng(random_state)
    withheld: set[int] = set()
    for author in corpus.candidates:
        own = np.flatnonzero(authors == author)
        if len(own) >= at_least:
            n = min(len(own) - 1, max(1, round(share * len(own))))
            withheld.update(rng.choice(own, n, replace=False).tolist())
    if not withheld:
        raise TrainingError(f"{corpus.name}: no author has {at_least} documents; add documents")
    known = [index for index in range(len(corpus)) if index not in withheld]
    return Fold(corpus.select(known), corpus.select(sorted(withheld)))


def known_again(fold: Fold) -> list[str]:
    """Paths of questioned texts that stand word for word among the known ones."""
    known = {_words(text) for text in fold.known.texts}
    return [document.path for document in fold.questioned if _words(document.text) in known]


def works_in_both_parts(fold: Fold) -> list[str]:
    """Paths of questioned texts whose author's known texts hold another part of the same work."""
    known = {(document.author, document.work) for document in fold.known}
    return [d.path for d in fold.questioned if (d.author, d.work) in known]


def _words(text: str) -> str:
    return " ".join(text.split())


def _as_sentences(corpus: Corpus, encoder: TextEncoder) -> Corpus:
    documents = [
        replace(document, text=sentence, path=f"{document.path}, sentence {number}")
        for document in corpus
        for number, sentence in enumerate(_sentences(document.text, encoder), start=1)
    ]
    return Corpus(documents, corpus.name)


def _sentences(text: str, encoder: TextEncoder) -> Iterator[str]:
    normal = normalize(text, transcript_annotations=encoder.transcript_annotations)
    return split_sentences(normal, rule=encoder.sentence_rule, language=encoder.language)


def _indices(
    authors: Sequence[str],
    units: Sequence[UnitName],
    protocol: Protocol,
    folds: Folds,
    random_state: int,
) -> Iterator[tuple[list[int], list[int]]]:
    # Texts do not enter a splitter's work; it wants their number alone.
    texts = np.zeros((len(authors), 1))
    groups = np.unique(np.array([repr(unit) for unit in units]), return_inverse=True)[1]
    splitter = _splitter(protocol, folds, random_state)
    parts = splitter.split(texts, authors, groups if protocol == "work" else None)
    with warnings.catch_warnings():
        # An author may have fewer units than folds: it is questioned in some folds only.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        for known, questioned in islice(parts, 1 if folds == 1 else None):
            yield known.tolist(), questioned.tolist()


def _splitter(
    protocol: Protocol, folds: Folds, random_state: int
) -> LeaveOneOut | LeaveOneGroupOut | StratifiedKFold | StratifiedGroupKFold:
    if folds == "leave-one-out":
        return LeaveOneGroupOut() if protocol == "work" else LeaveOneOut()
    n_splits = DEFAULT_FOLDS if folds == 1 else folds
    kind = StratifiedGroupKFold if protocol == "work" else StratifiedKFold
    return kind(n_splits, shuffle=True, random_state=random_state)
