"""The matrix of every author's texts under every author's language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from sklearn.base import clone

from byline.array_types import Floats, Integers
from byline.attribution.inputs import check_number, check_texts
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.stacking.base_classifiers import language_of
from byline.attribution.stacking.held_out import FoldText, assign_folds
from byline.attribution.training_data import group_by_author
from byline.errors import UsageError
from byline.progress import Progress


@dataclass(frozen=True, slots=True, eq=False)
class CrossPerplexity:
    """How well each author's language model predicts each author's texts.

    Attributes
    ----------
    authors : tuple of str
        Of rows and columns, sorted.
    cross_entropy : (n_authors, n_authors) float64
        Row i, column j: nats a token of author i's texts under the model of author j, which learnt
        none of them.
    n_tokens : (n_authors,) int64
        Scored tokens of each author's texts.
    single_work_authors : tuple of str
        Authors with a single work, of which parts were held out. Their own models know its names
        and matter from the other parts, so others' models seem the worse, and they seem farther
        from everyone than they are.
    """

    authors: tuple[str, ...]
    cross_entropy: Floats
    n_tokens: Integers
    single_work_authors: tuple[str, ...] = ()

    @classmethod
    def pooled(
        cls, authors: Sequence[str], labels: Integers, log_likelihoods: Floats, n_scored: Integers
    ) -> Self:
        """Join the scores of texts, author by author.

        Parameters
        ----------
        authors : sequence of str, (n_authors,)
        labels : (n_texts,) int64
            The author of each text; every author has one.
        log_likelihoods : (n_texts, n_authors) float64
            Of the texts under the models, in nats.
        n_scored : (n_texts,) int64
            Scored tokens of each text, at least one an author.
        """
        n_tokens = np.zeros(len(authors), dtype=np.int64)
        sums = np.zeros((len(authors), len(authors)))
        np.add.at(n_tokens, labels, n_scored)
        np.add.at(sums, labels, log_likelihoods)
        return cls(tuple(authors), -sums / n_tokens[:, np.newaxis], n_tokens)

    @property
    def perplexity(self) -> Floats:
        """``exp`` of the cross-entropies (Ge & Sun 2016, Eq. ppl2), (n_authors, n_authors)."""
        return np.asarray(np.exp(self.cross_entropy), dtype=np.float64)

    @property
    def excess(self) -> Floats:
        """Nats a token that a text costs more than under its own author's model.

        Row i, column j: ``h(i, j) - h(i, i)`` of the cross-entropies h; zero on the diagonal, below
        zero where another author's model predicts author i's texts better than the own one.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        return self.cross_entropy - np.diag(self.cross_entropy)[:, np.newaxis]

    @property
    def distances(self) -> Floats:
        """How far authors are from each other, in nats a token; symmetric, zero on the diagonal.

        ``d(i, j) = max(0, (h(i, j) - h(i, i) + h(j, i) - h(j, j)) / 2)``: the mean of both
        excesses, which is the symmetrised distance of Juang & Rabiner (1985, "A probabilistic
        distance measure for hidden Markov models"), estimated on texts that no model learnt from.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        excess = self.excess
        return np.asarray(np.maximum(0.0, (excess + excess.T) / 2))

    def nearest(self, author: str, at_most: int) -> list[str]:
        """Name the authors at the least `distances` from one, the nearest first."""
        place = self.authors.index(author)
        order = np.argsort(self.distances[place], kind="stable").tolist()
        return [self.authors[other] for other in order if other != place][:at_most]


STEPS = 1000  # of progress, a fold


def cross_perplexity(
    language_models: AuthorshipAttributor,
    texts: Sequence[str],
    authors: Sequence[str],
    *,
    works: Sequence[str] | None = None,
    folds: int = 5,
    random_state: int = 0,
    progress: Progress | None = None,
) -> CrossPerplexity:
    """Measure how well each author's language model predicts each author's texts.

    Every text is scored by models that learnt neither from it nor from another text of its work:
    an author's own model would otherwise be the best by having read the text. Works are dealt out
    to folds as `StackedAttributor` deals them out, and what stands in one fold is scored by models
    of all authors that learnt from the other folds.

    Parameters
    ----------
    language_models : AuthorshipAttributor
        The prototype. With equal samples, which are its default, all models of a fold learnt from
        as much text.
    texts : sequence of str, (n_documents,)
    authors : sequence of str, (n_documents,)
    works : sequence of str, (n_documents,), optional
        By default every text is a work.
    folds : int
        Parts that are held out in turn; at least 2.
    random_state : int
        Of the folds.
    progress : Progress, optional

    Raises
    ------
    UsageError
        A parameter is out of its range, or the texts, authors and works are not as many.
    TrainingError
        Fewer than two authors, or what the language models raise.

    Warns
    -----
    BylineWarning
        An author has a single work, whose parts stand in for works.
    """
    check_number("folds", folds, 2)
    check_number("random_state", random_state, 0)
    texts, authors = check_texts(texts), check_texts(authors, "author")
    works = list(map(str, range(len(texts)))) if works is None else check_texts(works, "work")
    names = [str(name) for name in group_by_author(texts, authors)[0]]
    if len(works) != len(texts):
        raise UsageError(f"{len(texts)} texts need as many works, but {len(works)} came")
    units = assign_folds(
        *(texts, authors, works),
        n_folds=folds,
        random_state=random_state,
        language=language_of([("", language_models)]),
    )
    held_out = sorted({unit.fold for unit in units})
    scored = []
    for done, fold in enumerate(held_out):
        asked = [unit for unit in units if unit.fold == fold]
        fitted = _learn(language_models, units, fold, _part(progress, done, len(held_out)))
        scored.append((asked, fitted.score_texts([unit.text for unit in asked])))
    crossed = CrossPerplexity.pooled(
        names,
        np.array([names.index(unit.author) for asked, _ in scored for unit in asked]),
        np.concatenate([found.log_likelihoods for _, found in scored]),
        np.concatenate([found.n_scored for _, found in scored]),
    )
    return replace(crossed, single_work_authors=_with_one_work(authors, works))


def _with_one_work(authors: Sequence[str], works: Sequence[str]) -> tuple[str, ...]:
    n_works = Counter(author for author, _ in set(zip(authors, works, strict=True)))
    return tuple(sorted(author for author, n in n_works.items() if n == 1))


def _learn(
    prototype: AuthorshipAttributor, units: Sequence[FoldText], fold: int, progress: Progress | None
) -> AuthorshipAttributor:
    known = [unit for unit in units if unit.fold != fold]
    attributor: AuthorshipAttributor = clone(prototype)
    return attributor.fit(
        [unit.text for unit in known], [unit.author for unit in known], progress=progress
    )


def _part(progress: Progress | None, fold: int, n_folds: int) -> Progress | None:
    """Turn the progress of one fold into that of all."""
    if progress is None:
        return None

    def tell(done: int, total: int, what: str) -> None:
        steps = fold * STEPS + STEPS * done // max(total, 1)
        progress(steps, n_folds * STEPS, f"without part {fold + 1}: {what}")

    return tell
