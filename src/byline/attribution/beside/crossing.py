"""Scores of every author's held-out texts under every author's language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.beside.matrix import CrossPerplexity
from byline.attribution.inputs import check_number, check_texts
from byline.attribution.known import group_texts
from byline.attribution.stacking.held_out import Unit, assign_folds
from byline.attribution.stacking.members import language_of
from byline.errors import UsageError
from byline.progress import Progress

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
    LearningError
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
    names = [str(name) for name in group_texts(texts, authors)[0]]
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
        scored.append((asked, fitted.scored([unit.text for unit in asked])))
    crossed = CrossPerplexity.pooled(
        names,
        np.array([names.index(unit.author) for asked, _ in scored for unit in asked]),
        np.concatenate([found.log_likelihoods for _, found in scored]),
        np.concatenate([found.n_scored for _, found in scored]),
    )
    return replace(crossed, in_parts=_with_one_work(authors, works))


def _with_one_work(authors: Sequence[str], works: Sequence[str]) -> tuple[str, ...]:
    n_works = Counter(author for author, _ in set(zip(authors, works, strict=True)))
    return tuple(sorted(author for author, n in n_works.items() if n == 1))


def _learn(
    prototype: AuthorshipAttributor, units: Sequence[Unit], fold: int, progress: Progress | None
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
