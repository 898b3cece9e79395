"""The demonstration: hold documents out, learn the rest, attribute them, and say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from byline.attribution import (
    Attribution,
    AuthorshipAttributor,
    Evidence,
    StackedAttributor,
    explain_answer,
)
from byline.corpus import Corpus, Document
from byline.errors import UsageError
from byline.experiments.evaluation import Evaluation, evaluate_fitted, fit_to, within_fold
from byline.experiments.splits import hold_out
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class Example:
    """One held-out document.

    Attributes
    ----------
    author : str
        Who wrote it.
    attribution : Attribution
    evidence : Evidence or None
        Of the first place against the second; None where the attribution was declined.
    """

    author: str
    attribution: Attribution
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What a demonstration came to.

    Attributes
    ----------
    evaluation : Evaluation
        How often it was right.
    examples : tuple of Example
        Some texts in detail, in the corpus's order.
    """

    evaluation: Evaluation
    examples: tuple[Example, ...]


def demonstrate(
    corpus: Corpus,
    attributor: AuthorshipAttributor | StackedAttributor,
    *,
    n_examples: int = 3,
    sentences: Sequence[int] = (20, 5, 1),
    random_state: int = 0,
    progress: Progress | None = None,
) -> Demonstration:
    """Hold out documents of every author with three or more, and attribute them.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype.
    n_examples : int
        Held-out documents shown in detail, spread over the corpus; one of them a mistake, if there
        was any. None at 0.
    sentences : sequence of int
        Lengths of further questioned texts, as in :func:`byline.experiments.evaluate`.
    random_state : int
        Which documents are held out.
    progress : Progress, optional

    Raises
    ------
    UsageError
        ``n_examples`` is below 0.
    TrainingError
        No author has three documents; see also the attributor's ``fit``.
    """
    if n_examples < 0:
        raise UsageError(f"n_examples={n_examples} must be 0 or more")
    fold = hold_out(corpus, random_state=random_state)
    told = within_fold(progress, 0, 1)
    fitted = fit_to(attributor, fold.known, told)
    evaluation = evaluate_fitted(fitted, fold, sentences=sentences)
    shown = [fold.questioned[index] for index in _choose(evaluation, n_examples)]
    return Demonstration(evaluation, tuple(_example(fitted, document) for document in shown))


def _choose(evaluation: Evaluation, n: int) -> list[int]:
    """Positions of the held-out documents to show, none that the attributor declined."""
    whole = [decision for decision in evaluation.decisions if decision.sentences is None]
    answered = [index for index, decision in enumerate(whole) if not decision.declined]
    wrong = [index for index in answered if whole[index].rank > 1]
    right = [index for index in answered if whole[index].rank == 1]
    n_right = min(max(0, n - bool(wrong)), len(right))
    spread = np.linspace(0, len(right) - 1, n_right).round().astype(int).tolist()
    return sorted([*(right[place] for place in spread), *wrong[: n - n_right]])


def _example(attributor: AuthorshipAttributor | StackedAttributor, document: Document) -> Example:
    (attribution,) = attributor.attribute([document.text], paths=[document.path])
    return Example(
        document.author, attribution, explain_answer(attributor, attribution, document.text)
    )
