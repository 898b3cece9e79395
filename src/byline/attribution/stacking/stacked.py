"""The classifier that joins language models with other classifiers of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import check_is_fitted

from byline.attribution.inputs import check_authors, check_number, check_texts
from byline.attribution.known import group_texts
from byline.attribution.stacking.combination import Combination
from byline.attribution.stacking.held_out import Unit, assign_folds, runs_of_sentences
from byline.errors import UsageError
from byline.progress import Progress

Floats = NDArray[np.float64]


class Member(Protocol):
    """What can be stacked: a classifier that scores every author for every text."""

    classes_: NDArray[Any]

    def fit(
        self, X: Iterable[str], y: Iterable[str], *, progress: Progress | None = None
    ) -> object:
        """Learn from known texts."""

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Every author's score of every text, (n_documents, n_authors), columns sorted."""


class StackedAttributor(ClassifierMixin, _BaseComposition):  # type: ignore[misc]
    """Joins members' scores by weights learnt from known texts that were held out of them.

    Stacked generalisation (Wolpert 1992) for authorship: every member learns from all but one fold
    of the known texts and scores the texts of that fold, whole and in shorter runs of sentences;
    a conditional logit learns from these how much each member's score tells at each length
    (`Combination`). Then every member learns from all texts.

    Parameters
    ----------
    members : sequence of (name, classifier)
        Prototypes, each with ``fit`` and a ``decision_function`` with a column an author.
    folds : int
        Parts that are held out in turn; at least 2.
    lengths : sequence of int
        Sentences of the shorter runs, one a held-out text and length.
    random_state : int
        Of the folds and runs; members have their own.

    Attributes
    ----------
    classes_ : (n_authors,) str
    members_ : dict of name to fitted classifier
    combination_ : Combination
    n_held_out_ : int
        Texts and runs that the combination was learnt from.
    """

    def __init__(
        self,
        members: Sequence[tuple[str, Member]],
        *,
        folds: int = 5,
        lengths: Sequence[int] = (5, 20),
        random_state: int = 0,
    ) -> None:
        self.members = members
        self.folds = folds
        self.lengths = lengths
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, those of the members too (``ngrams__blocks``)."""
        params: dict[str, Any] = self._get_params("members", deep=deep)
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; a member's name replaces the member."""
        self._set_params("members", **params)
        return self

    def fit(
        self,
        X: Iterable[str],
        y: Iterable[str],
        *,
        works: Iterable[str] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn the members' weights from held-out texts, then the members from all texts.

        Parameters
        ----------
        X : sequence of str, (n_documents,)
        y : sequence of str, (n_documents,)
            The author of each text.
        works : sequence of str, (n_documents,), optional
            The work each text is a part of; those of one work are held out together. By default
            every text is a work.
        progress : Progress, optional
            Told of each member as it has learnt.

        Raises
        ------
        UsageError
            A parameter is out of its range, or ``X``, ``y`` or ``works`` are not strings.
        LearningError
            Fewer than two authors, or what a member raises.

        Warns
        -----
        BylineWarning
            An author has a single work.
        """
        self._check_params()
        texts = check_texts(X)
        authors: list[Any] = list(check_authors(y))
        classes, _ = group_texts(texts, authors)
        works = list(map(str, range(len(texts)))) if works is None else check_texts(works, "work")
        if len(works) != len(texts):
            raise UsageError(f"{len(texts)} texts need as many works, but {len(works)} came")
        units = assign_folds(
            texts, authors, works, n_folds=self.folds, random_state=self.random_state
        )
        told = _Steps(progress, (self.folds + 1) * len(self.members))
        held_out = list(self._held_out_scores(units, told))
        labels = np.searchsorted(classes, [author for part in held_out for author in part.authors])
        self.combination_ = Combination.learn(
            np.concatenate([part.scores for part in held_out], axis=1),
            np.concatenate([part.n_characters for part in held_out]),
            labels,
        )
        self.n_held_out_ = len(labels)
        self.members_ = {
            name: _fit(member, texts, authors, told, name) for name, member in self.members
        }
        self.classes_ = classes
        return self

    def member_scores(self, X: Iterable[str]) -> Floats:
        """Every member's scores, each in its own unit.

        Returns
        -------
        (n_members, n_documents, n_authors) float64
        """
        check_is_fitted(self, "members_")
        texts = check_texts(X)
        if not texts:
            return np.zeros((len(self.members_), 0, len(self.classes_)))
        return np.stack([member.decision_function(texts) for member in self.members_.values()])

    def decision_function(self, X: Iterable[str]) -> Floats:
        """Log-odds of every author for every text; the highest answers.

        Parameters
        ----------
        X : sequence of str, (n_documents,)

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``
        """
        texts = check_texts(X)
        scores = self.member_scores(texts)
        return self.combination_.combine(scores, _sizes(texts))

    def predict_log_proba(self, X: Iterable[str]) -> Floats:
        """Natural logarithm of `predict_proba`."""
        return np.asarray(log_softmax(self.decision_function(X), axis=1), dtype=np.float64)

    def predict_proba(self, X: Iterable[str]) -> Floats:
        """Probabilities of the authors, every author equally likely beforehand.

        As the combination's weights maximise the likelihood of held-out texts' true authors, these
        are fitted to how often such answers were right there.

        Returns
        -------
        (n_documents, n_authors) float64, columns as ``classes_``; rows sum to 1
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Iterable[str]) -> NDArray[Any]:
        """Name the author with the highest score, the first of them where scores are equal."""
        named: NDArray[Any] = self.classes_[self.decision_function(X).argmax(axis=1)]
        return named

    def _held_out_scores(self, units: Sequence[Unit], told: _Steps) -> Iterator[_HeldOut]:
        rng = np.random.default_rng([self.random_state, len(units)])
        for fold in range(self.folds):
            known = [unit for unit in units if unit.fold != fold]
            texts, authors = _questioned([u for u in units if u.fold == fold], self.lengths, rng)
            if not texts:
                told.skip(len(self.members))
                continue
            fitted = [
                _fit(member, [u.text for u in known], [u.author for u in known], told, name)
                for name, member in self.members
            ]
            scores = np.stack([member.decision_function(texts) for member in fitted])
            yield _HeldOut(scores, _sizes(texts), authors)

    def _check_params(self) -> None:
        check_number("folds", self.folds, 2)
        check_number("random_state", self.random_state, 0)
        if not isinstance(self.lengths, tuple | list):
            raise UsageError(f"lengths is {self.lengths!r}; it is a tuple such as (5, 20)")
        for length in self.lengths:
            check_number("lengths", length, 1)
        if not isinstance(self.members, tuple | list) or not all(map(_is_member, self.members)):
            raise UsageError(
                f"members is {self.members!r}; it is a list of pairs of a name and a classifier "
                "with fit and decision_function"
            )
        names = [name for name, _ in self.members]
        if not names or len(set(names)) < len(names):
            raise UsageError(f"members={names}: one or more, each under its own name, are needed")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """Scores of one fold's texts by members that have not learnt from them."""

    scores: Floats  # (n_members, n_texts, n_authors)
    n_characters: NDArray[np.int64]  # (n_texts,)
    authors: list[Any]  # (n_texts,)


class _Steps:
    """Counts what members have learnt, for ``progress``."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, what: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, what)

    def skip(self, n: int) -> None:
        self._done += n


def _is_member(entry: object) -> bool:
    """Whether ``entry`` is a name and something that can be cloned, fitted and asked."""
    needed = ("fit", "decision_function", "get_params")
    return (
        isinstance(entry, tuple | list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and all(hasattr(entry[1], method) for method in needed)
    )


def _fit(
    member: Member, texts: Sequence[str], authors: Sequence[Any], told: _Steps, name: str
) -> Member:
    fitted: Member = clone(member)
    fitted.fit(texts, authors)
    told(name)
    return fitted


def _questioned(
    units: Sequence[Unit], lengths: Sequence[int], rng: np.random.Generator
) -> tuple[list[str], list[Any]]:
    """Held-out texts, and a run of every length of each, with their authors."""
    texts = [(unit.text, unit.author) for unit in units]
    for length in lengths:
        runs = ((runs_of_sentences(unit.text, length, rng), unit.author) for unit in units)
        texts += [(text, author) for text, author in runs if text is not None]
    return [text for text, _ in texts], [author for _, author in texts]


def _sizes(texts: Sequence[str]) -> NDArray[np.int64]:
    """Characters of each text that are not white space."""
    return np.array([sum(map(len, text.split())) for text in texts], dtype=np.int64)
