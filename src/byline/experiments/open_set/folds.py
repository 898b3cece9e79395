"""Divide a corpus for an open-set evaluation: some authors are unknown in each fold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from byline.corpus import Corpus
from byline.errors import CorpusError, TrainingError, UsageError
from byline.experiments import splits
from byline.experiments.splits import Fold, Folds, Protocol
from byline.formatting import join_names, quantity

MIN_CANDIDATES = 3  # on which an open-set stack can be trained without a reference population
DEFAULT_FOLDS = 5


@dataclass(frozen=True, slots=True)
class OpenSetFold(Fold):
    """Known texts of the candidates, and questioned texts by candidates and by unknown authors.

    Attributes
    ----------
    unknown_authors : tuple of str
        Authors of questioned texts of whom no text is known.
    """

    unknown_authors: tuple[str, ...]


def split_open_set(
    corpus: Corpus,
    protocol: Protocol = "document",
    folds: Folds | None = None,
    *,
    random_state: int = 0,
    min_candidates: int = MIN_CANDIDATES,
) -> list[OpenSetFold]:
    """Leave out each group of authors in turn, and a part of the other authors' texts.

    All texts of the authors who are left out are questioned. So are the held-out texts of the other
    authors, which are divided into as many parts as folds, or fewer if no author has so many texts.

    Parameters
    ----------
    corpus : Corpus
    protocol : {"document", "work"}
        The unit of the other authors' texts that is held out as a whole.
    folds : int or "leave-one-out", optional
        Number of groups of authors; by default five, or more if too few candidates would remain, or
        as many as there are authors. 1: only the first of the default groups is left
        out. "leave-one-out": each author alone.
    random_state : int
        Seed of both divisions.
    min_candidates : int
        Number of candidates that remain in each fold, or more.

    Raises
    ------
    UsageError
        The protocol or the number of folds is impossible.
    TrainingError
        There are no more authors than ``min_candidates``, or an author has a single text.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> texts = [Document(a, f"Text {n}.", f"{a}/{n}.txt") for a in "ABCD" for n in range(2)]
    >>> folds = split_open_set(Corpus(texts, "toy"))
    >>> [(fold.unknown_authors, len(fold.known), len(fold.questioned)) for fold in folds]
    [(('C',), 3, 5), (('B',), 3, 5), (('A',), 3, 5), (('D',), 3, 5)]
    """
    if protocol == "sentence":
        raise UsageError(
            "an open-set evaluation holds out whole documents or works; split by document or work"
        )
    names = corpus.candidates
    if len(names) <= min_candidates:
        raise TrainingError(
            f"{corpus.name}: there are {len(names)} authors, but an open-set evaluation leaves "
            f"authors out, and {min_candidates} candidates must remain; add authors until there "
            f"are {min_candidates + 1} or more"
        )
    n_groups = _n_groups(len(names), folds, min_candidates)
    groups = np.random.default_rng([random_state, len(names)]).permutation(len(names)) % n_groups
    group_of = dict(zip(sorted(names), groups.tolist(), strict=True))
    n_parts = max(2, min(n_groups, _most_units(corpus, protocol)))
    parts = splits.split(corpus, protocol, n_parts, random_state=random_state)
    chosen = range(1 if folds == 1 else n_groups)
    return [_fold(corpus, group_of, group, parts[group % n_parts]) for group in chosen]


def _n_groups(n_authors: int, folds: Folds | None, min_candidates: int) -> int:
    """Return the number of groups of authors."""
    if folds == "leave-one-out":
        return n_authors
    fewest = -(-n_authors // (n_authors - min_candidates))
    if folds is None or folds == 1:
        return min(n_authors, max(DEFAULT_FOLDS, fewest))
    if not fewest <= folds <= n_authors:
        raise UsageError(
            f"folds={folds}: {quantity(n_authors, 'author')} can be left out in {fewest} to "
            f"{n_authors} folds, because {min_candidates} candidates must remain; choose such a "
            "number"
        )
    return folds


def _most_units(corpus: Corpus, protocol: Protocol) -> int:
    """Return the largest number of documents or works of any author."""
    units = corpus.works if protocol == "work" else corpus.paths
    distinct = set(zip(corpus.authors, units, strict=True))
    return max(Counter(author for author, _ in distinct).values())


def _fold(corpus: Corpus, group_of: dict[str, int], group: int, part: Fold) -> OpenSetFold:
    unknown = [author for author in sorted(group_of) if group_of[author] == group]
    questioned = [each for each in part.questioned if group_of[each.author] != group]
    questioned += [each for each in corpus if group_of[each.author] == group]
    return OpenSetFold(
        Corpus((each for each in part.known if group_of[each.author] != group), corpus.name),
        Corpus(questioned, corpus.name),
        tuple(unknown),
    )


def fold_of_test(corpus: Corpus, test: Corpus, min_candidates: int = MIN_CANDIDATES) -> OpenSetFold:
    """Make a fold of known texts and separate questioned texts, some by other authors.

    Raises
    ------
    TrainingError
        There are fewer than ``min_candidates`` authors.
    CorpusError
        The questioned texts are all by candidates, or none of them is.
    """
    candidates = corpus.candidates
    if len(candidates) < min_candidates:
        raise TrainingError(
            f"{corpus.name}: there are {len(candidates)} authors, but open-set attribution needs "
            f"{min_candidates} candidates; add authors"
        )
    unknown = [author for author in test.candidates if author not in candidates]
    if not unknown:
        raise CorpusError(
            f"{test.name}: all texts are by authors of {corpus.name}; an open-set evaluation also "
            "needs texts by others: add some, or evaluate without an open set"
        )
    if len(unknown) == len(test.candidates):
        raise CorpusError(
            f"{test.name}: no text is by an author of {corpus.name}, whose authors are "
            f"{join_names(candidates)}. Use the same spelling of names in both, or add texts by "
            "these authors"
        )
    return OpenSetFold(corpus, test, tuple(unknown))
