"""Splits of a corpus into known and questioned texts: by document, by work, or by sentence."""

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
from byline.text import TextEncoder, split_sentences

Protocol = Literal["document", "work", "sentence"]
Folds = int | Literal["leave-one-out"]

# An author, and a work of that author or the index of a text.
UnitName = tuple[str, str | int]

# Number of folds by default. A single fold holds out the first of this number of parts.
DEFAULT_FOLDS = 5
_MAX_LISTED = 20


def _check_arguments(protocol: Protocol, folds: Folds | None) -> None:
    """Check the protocol and the number of folds, independently of the corpus."""
    if protocol not in get_args(Protocol):
        raise UsageError(f"split={protocol!r} is unknown; use {', '.join(get_args(Protocol))}")
    if folds == "leave-one-out":
        if protocol == "sentence":
            raise UsageError(
                "folds='leave-one-out' is not possible with split='sentence'; "
                "give a number of folds, or split by document or work"
            )
    elif folds is not None and not _is_number_of_folds(folds):
        raise UsageError(f"folds={folds!r} must be a whole number of 1 or more, or 'leave-one-out'")


def _is_number_of_folds(folds: object) -> bool:
    return isinstance(folds, int) and not isinstance(folds, bool) and folds >= 1


def _units(corpus: Corpus, protocol: Protocol) -> list[UnitName]:
    """Return the unit of each text that is held out as a whole; works are specific to authors."""
    if protocol == "work":
        return list(zip(corpus.authors, corpus.works, strict=True))
    return [(author, index) for index, author in enumerate(corpus.authors)]


def _count_units(units: Sequence[UnitName]) -> Counter[str]:
    """Return the number of units per author."""
    return Counter(author for author, _ in set(units))


def _choose_folds(
    corpus: Corpus, units: Sequence[UnitName], protocol: Protocol, folds: Folds | None
) -> Folds:
    """Return ``folds``, or for None the largest possible number up to the default.

    Raises
    ------
    TrainingError
        No author has enough units.
    """
    most = max(_count_units(units).values(), default=0)
    n_parts = DEFAULT_FOLDS if folds == 1 else folds if isinstance(folds, int) else 2
    if most >= n_parts:
        return min(DEFAULT_FOLDS, most) if folds is None else folds
    requested = "one fifth" if folds == 1 else f"{n_parts} parts in turn"
    raise TrainingError(
        f"{corpus.name}: cannot hold out {requested}, because no author has more than "
        f"{quantity(most, protocol)}; {_advice(most, protocol)}"
    )


def _advice(most: int, protocol: Protocol) -> str:
    """Advise fewer folds, if an author has two units or more, or more texts."""
    if most < 2:
        return "add known texts"
    fewer = f"use {most} folds" if most == 2 else f"use 2 to {most} folds"
    return f"{fewer}{'' if protocol == 'sentence' else ' or leave-one-out'}, or add known texts"


def _check_known_text(
    corpus: Corpus, known: Iterable[Corpus], units: Sequence[UnitName], protocol: Protocol
) -> None:
    """Check that every author has known text in all folds."""
    candidates = set(corpus.candidates)
    without = sorted({author for texts in known for author in candidates - set(texts.authors)})
    if without:
        raise _no_known_text(corpus, without, _count_units(units), protocol)


def _no_known_text(
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
    documents = ", or hold out documents, which may share a work" if divisible else ""
    return TrainingError(
        f"{corpus.name}: no training text is left when texts are held out of "
        f"{join_names(listed, _MAX_LISTED)}. Every author needs two {protocol}s or more: add some, "
        f"or leave {'the author' if len(authors) == 1 else 'these authors'} out{documents}"
    )


@dataclass(frozen=True, slots=True)
class Fold:
    """Known texts for training, and held-out texts to be attributed.

    Attributes
    ----------
    known, questioned : Corpus

    See Also
    --------
    split, hold_out : Make folds.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> known = Corpus([Document("Ann", "The cat sat.", "ann/1.txt")], "toy")
    >>> questioned = Corpus([Document("Ann", "The cat slept.", "ann/2.txt")], "toy")
    >>> Fold(known, questioned).questioned.texts
    ['The cat slept.']
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

    An author's only unit is known in every fold, and never questioned.

    Parameters
    ----------
    corpus : Corpus
    protocol : {"document", "work", "sentence"}
        The unit that is held out. "document": whole documents. "work": all documents of a work
        together. "sentence": single sentences, shuffled over an author's documents (Ge & Sun 2016,
        sec. 4), so that known and questioned texts come from the same documents.
    folds : int or "leave-one-out", optional
        N >= 2: every unit is questioned once. 1: a single fold that holds out one fifth.
        "leave-one-out": one fold per document or work. None: five, or the largest number of units
        of an author if that is smaller.
    random_state : int
        Seed of the shuffle.
    encoder : TextEncoder, optional
        Encoder whose sentence rule the protocol "sentence" uses; by default ``TextEncoder()``.

    Returns
    -------
    list of Fold

    Raises
    ------
    UsageError
        The protocol is unknown, or the number of folds is impossible.
    TrainingError
        No author has as many units as folds, all authors have a single unit, or an author would
        have no known text.

    See Also
    --------
    hold_out : A single fold, without authors who have few documents.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> documents = [
    ...     Document(author, f"Text {n}.", f"{author}/{n}.txt")
    ...     for author in ("Ann", "Bob") for n in range(3)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> [(len(fold.known), len(fold.questioned)) for fold in split(corpus, folds=3)]
    [(4, 2), (4, 2), (4, 2)]
    """
    _check_arguments(protocol, folds)
    if protocol == "sentence":
        corpus = _as_sentences(corpus, encoder or TextEncoder())
    units = _units(corpus, protocol)
    n_units = _count_units(units)
    single = [place for place, (author, _) in enumerate(units) if n_units[author] == 1]
    if len(single) == len(units):
        raise _no_known_text(corpus, corpus.candidates, n_units, protocol)
    divided = np.setdiff1d(np.arange(len(units)), single)
    own = [units[place] for place in divided]
    n_folds = _choose_folds(corpus, own, protocol, folds)
    authors = [author for author, _ in own]
    parts = [
        Fold(
            corpus.select(sorted([*divided[known].tolist(), *single])),
            corpus.select(divided[questioned].tolist()),
        )
        for known, questioned in _indices(authors, own, protocol, n_folds, random_state)
    ]
    _check_known_text(corpus, [fold.known for fold in parts], units, protocol)
    return parts


def hold_out(
    corpus: Corpus, *, share: float = 0.2, at_least: int = 3, random_state: int = 0
) -> Fold:
    """Hold out a share of the documents of every author who has enough of them.

    Parameters
    ----------
    corpus : Corpus
    share : float
        Share of an author's documents, rounded; at least one document is held out.
    at_least : int
        Of authors with fewer documents, none is held out. They remain candidates.
    random_state : int
        Seed of the choice.

    Returns
    -------
    Fold

    Raises
    ------
    UsageError
        ``share`` is not between 0 and 1, or ``at_least`` is below 2.
    TrainingError
        No author has ``at_least`` documents.

    See Also
    --------
    split : Several folds.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> documents = [
    ...     Document(author, f"Text {n}.", f"{author}/{n}.txt")
    ...     for author in ("Ann", "Bob") for n in range(5)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> fold = hold_out(corpus)
    >>> len(fold.known), len(fold.questioned)
    (8, 2)
    """
    if not 0 < share < 1 or at_least < 2:
        raise UsageError(
            f"share={share}, at_least={at_least}: share must be between 0 and 1, "
            "and at_least must be 2 or more"
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


def _as_sentences(corpus: Corpus, encoder: TextEncoder) -> Corpus:
    documents = [
        replace(document, text=sentence, path=f"{document.path}, sentence {number}")
        for document in corpus
        for number, sentence in enumerate(_sentences(document.text, encoder), start=1)
    ]
    return Corpus(documents, corpus.name)


def _sentences(text: str, encoder: TextEncoder) -> Iterator[str]:
    return split_sentences(
        encoder.normalize(text), rule=encoder.sentence_rule, language=encoder.language
    )


def _indices(
    authors: Sequence[str],
    units: Sequence[UnitName],
    protocol: Protocol,
    folds: Folds,
    random_state: int,
) -> Iterator[tuple[list[int], list[int]]]:
    # The splitter uses the number of texts only, not the texts.
    texts = np.zeros((len(authors), 1))
    groups = np.unique(np.array([repr(unit) for unit in units]), return_inverse=True)[1]
    splitter = _splitter(protocol, folds, random_state)
    parts = splitter.split(texts, authors, groups if protocol == "work" else None)
    with warnings.catch_warnings():
        # An author may have fewer units than folds, and is then questioned in some folds only.
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
