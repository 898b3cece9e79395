"""The cross-perplexity matrix: every author's texts under every author's language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import squareform
from sklearn.base import clone

from byline.array_types import Floats, Integers
from byline.attribution.clusters import Join, join_clusters, members
from byline.attribution.inputs import check_groups, check_number, check_strings, check_texts
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.stacking.base_classifiers import sentence_settings_of
from byline.attribution.stacking.folds import FoldText, assign_folds
from byline.attribution.training_data import group_by_author
from byline.errors import UsageError
from byline.processes.threads import limits_threads
from byline.progress import Progress


@dataclass(frozen=True, slots=True, eq=False)
class CrossPerplexity:
    """How well each author's language model predicts each author's texts.

    Attributes
    ----------
    authors : tuple of str
        The authors of rows and columns, in alphabetical order.
    cross_entropy : (n_authors, n_authors) float64
        Row i, column j: nats per token of author i's texts under the model of author j, which was
        not trained on them.
    n_tokens : (n_authors,) int64
        Number of scored tokens of each author's texts.
    single_work_authors : tuple of str
        Authors with a single work, of which parts were held out. Their own models know its names
        and subject from the other parts, so the distances to other authors are too large.

    See Also
    --------
    cross_perplexity : Compute the matrix.
    author_tree : Cluster authors by these distances.

    Examples
    --------
    >>> import numpy as np
    >>> entropies = np.array([[1.0, 2.0], [4.0, 2.0]])
    >>> crossed = CrossPerplexity(("Ada", "Ben"), entropies, np.array([30, 10]))
    >>> crossed.distances.tolist()
    [[0.0, 1.5], [1.5, 0.0]]
    >>> crossed.nearest("Ada", at_most=1)
    ['Ben']
    """

    authors: tuple[str, ...]
    cross_entropy: Floats
    n_tokens: Integers
    single_work_authors: tuple[str, ...] = ()

    @classmethod
    def pooled(
        cls, authors: Sequence[str], labels: Integers, log_likelihoods: Floats, n_scored: Integers
    ) -> Self:
        """Sum the scores of texts by author.

        Parameters
        ----------
        authors : sequence of str, (n_authors,)
            The names of the authors.
        labels : (n_texts,) int64
            The index of each text's author; every author has at least one text.
        log_likelihoods : (n_texts, n_authors) float64
            Log-likelihoods of the texts under the models, in nats.
        n_scored : (n_texts,) int64
            Number of scored tokens of each text; at least one per author.
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
        """Excess cross-entropy over that under the author's own model, in nats per token.

        Row i, column j: ``h(i, j) - h(i, i)`` of the cross-entropies h. It is zero on the diagonal,
        and negative if the model of author j predicts author i's texts better than author i's own.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        return self.cross_entropy - np.diag(self.cross_entropy)[:, np.newaxis]

    @property
    def distances(self) -> Floats:
        """Distances between authors, in nats per token; symmetric, zero on the diagonal.

        ``d(i, j) = max(0, (h(i, j) - h(i, i) + h(j, i) - h(j, j)) / 2)``: the mean of both
        excesses. This is the symmetric distance of Juang & Rabiner (1985), "A probabilistic
        distance measure for hidden Markov models", estimated on held-out texts.

        Returns
        -------
        (n_authors, n_authors) float64
        """
        excess = self.excess
        return np.asarray(np.maximum(0.0, (excess + excess.T) / 2))

    def nearest(self, author: str, at_most: int) -> list[str]:
        """Return the authors with the smallest distances from an author, nearest first."""
        place = self.authors.index(author)
        order = np.argsort(self.distances[place], kind="stable").tolist()
        return [self.authors[other] for other in order if other != place][:at_most]


STEPS_PER_FOLD = 1000  # of progress


@limits_threads
def cross_perplexity(
    language_models: AuthorshipAttributor,
    texts: Sequence[str],
    authors: Sequence[str],
    *,
    groups: Sequence[str] | None = None,
    folds: int = 5,
    random_state: int = 0,
    progress: Progress | None = None,
) -> CrossPerplexity:
    """Compute how well each author's language model predicts each author's texts.

    Every text is scored by models that were trained neither on it nor on another text of its group.
    Otherwise an author's own model would have the lowest perplexity merely because it contains the
    text. Groups are assigned to folds as by `StackedAttributor`. The texts of one fold are scored
    by models of all authors that were trained on the other folds.

    Parameters
    ----------
    language_models : AuthorshipAttributor
        The prototype. With its default, equal-sized random samples, all models of a fold are
        trained on the same amount of text.
    texts : sequence of str, (n_documents,)
        The known texts.
    authors : sequence of str, (n_documents,)
        Their authors.
    groups : sequence of str, (n_documents,), optional
        Texts of one group, such as the chapters of a novel, are held out together. By default,
        every text is a group of its own.
    folds : int
        Number of folds, at least 2.
    random_state : int
        Seed of the assignment to folds.
    progress : Progress, optional
        Called with the progress.

    Returns
    -------
    CrossPerplexity

    Raises
    ------
    UsageError
        A parameter is out of its range, or there are not as many authors and groups as texts.
    TrainingError
        There are fewer than two authors, or a language model cannot be trained.

    Warns
    -----
    BylineWarning
        An author has a single group, whose parts are held out instead.

    See Also
    --------
    author_tree : Cluster the authors.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> texts = ["the sea the wind", "the wind the sea", "a ship a sail", "a sail a ship"]
    >>> crossed = cross_perplexity(model, texts, ["Ada", "Ada", "Ben", "Ben"], folds=2)
    >>> bool((crossed.excess >= 0).all())
    True
    """
    check_number("folds", folds, 2)
    check_number("random_state", random_state, 0)
    texts, authors = check_texts(texts), check_strings(authors, "author")
    groups = list(map(str, range(len(texts)))) if groups is None else check_groups(groups)
    names = [str(name) for name in group_by_author(texts, authors)[0]]
    if len(groups) != len(texts):
        raise UsageError(
            f"there are {len(texts)} texts and {len(groups)} groups; give one group per text"
        )
    units = assign_folds(
        *(texts, authors, groups),
        n_folds=folds,
        random_state=random_state,
        split_single_works=sentence_settings_of([("", language_models)]),
    )
    fold_numbers = sorted({unit.fold for unit in units})
    scored = []
    for done, fold in enumerate(fold_numbers):
        held_out_units = [unit for unit in units if unit.fold == fold]
        fitted = _train(
            language_models, units, fold, _fold_progress(progress, done, len(fold_numbers))
        )
        scored.append((held_out_units, fitted.score_texts([unit.text for unit in held_out_units])))
    crossed = CrossPerplexity.pooled(
        names,
        np.array([names.index(unit.author) for each, _ in scored for unit in each]),
        np.concatenate([found.log_likelihoods for _, found in scored]),
        np.concatenate([found.n_scored for _, found in scored]),
    )
    return replace(crossed, single_work_authors=_with_a_single_group(authors, groups))


def _with_a_single_group(authors: Sequence[str], groups: Sequence[str]) -> tuple[str, ...]:
    n_groups = Counter(author for author, _ in set(zip(authors, groups, strict=True)))
    return tuple(sorted(author for author, n in n_groups.items() if n == 1))


def _train(
    prototype: AuthorshipAttributor, units: Sequence[FoldText], fold: int, progress: Progress | None
) -> AuthorshipAttributor:
    known = [unit for unit in units if unit.fold != fold]
    attributor: AuthorshipAttributor = clone(prototype)
    return attributor.fit(
        [unit.text for unit in known], [unit.author for unit in known], progress=progress
    )


def _fold_progress(progress: Progress | None, fold: int, n_folds: int) -> Progress | None:
    """Convert the progress of one fold into the progress of all folds."""
    if progress is None:
        return None

    def report(done: int, total: int, what: str) -> None:
        steps = fold * STEPS_PER_FOLD + STEPS_PER_FOLD * done // max(total, 1)
        progress(steps, n_folds * STEPS_PER_FOLD, f"fold {fold + 1} of {n_folds}: {what}")

    return report


@dataclass(frozen=True, slots=True)
class AuthorTree:
    """A tree of authors, as a sequence of joins.

    Attributes
    ----------
    authors : tuple of str
        The leaves.
    joins : tuple of Join, (n_authors - 1,)
        In ascending order of height.

    See Also
    --------
    author_tree : Compute the tree.

    Examples
    --------
    >>> tree = AuthorTree(("Ada", "Ben", "Cyd"), (Join(1, 2, 0.1), Join(0, 3, 0.5)))
    >>> tree.order
    [0, 1, 2]
    """

    authors: tuple[str, ...]
    joins: tuple[Join, ...]

    @property
    def order(self) -> list[int]:
        """Indices of the authors in the order of the leaves, similar authors next to each other."""
        return list(members(len(self.authors), self.joins)[-1])


def author_tree(authors: Sequence[str], distances: NDArray[np.float64]) -> AuthorTree:
    """Cluster authors by average linkage (UPGMA; Sokal & Michener 1958).

    If there are at most 200 authors, the leaves are ordered so that neighbours are similar
    (Bar-Joseph et al. 2001).

    Parameters
    ----------
    authors : sequence of str, (n_authors,)
        At least two.
    distances : (n_authors, n_authors) float64
        Symmetric, zero on the diagonal, not negative, such as `CrossPerplexity.distances`.

    Examples
    --------
    >>> import numpy as np
    >>> distances = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 6.0], [4.0, 6.0, 0.0]])
    >>> [join.height for join in author_tree(["Ada", "Ben", "Cyd"], distances).joins]
    [1.0, 5.0]
    """
    return AuthorTree(tuple(authors), join_clusters(squareform(distances), "average"))
