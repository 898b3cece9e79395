"""How known texts are held out: by whole document, by whole work, or by sentence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from sklearn.model_selection import (
    LeaveOneGroupOut,
    LeaveOneOut,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from byline.corpus import Corpus
from byline.errors import LearningError, UsageError
from byline.experiments.units import (
    USUAL_PARTS,
    Folds,
    Protocol,
    UnitName,
    check_known_text,
    check_request,
    choose_folds,
    units_of,
)
from byline.text import TextEncoder, normalize, split_sentences


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
    LearningError
        No author has as many units as folds, or an author is left without known text.
    """
    check_request(protocol, folds)
    if protocol == "sentence":
        corpus = _as_sentences(corpus, encoder or TextEncoder())
    units = units_of(corpus, protocol)
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
    LearningError
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
        raise LearningError(f"{corpus.name}: no author has {at_least} documents; add documents")
    known = [index for index in range(len(corpus)) if index not in withheld]
    return Fold(corpus.select(known), corpus.select(sorted(withheld)))


def known_again(fold: Fold) -> list[str]:
    """Paths of questioned texts that stand word for word among the known ones."""
    known = {_words(text) for text in fold.known.texts}
    return [document.path for document in fold.questioned if _words(document.text) in known]


def works_on_both_sides(fold: Fold) -> list[str]:
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
    normal = normalize(text, transcript_marks=encoder.transcript_marks)
    return split_sentences(normal, rule=encoder.sentences, language=encoder.language)


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
    n_splits = USUAL_PARTS if folds == 1 else folds
    kind = StratifiedGroupKFold if protocol == "work" else StratifiedKFold
    return kind(n_splits, shuffle=True, random_state=random_state)
