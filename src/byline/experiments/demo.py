"""The demonstration: hold out documents, train on the rest, and explain the attributions."""

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
from byline.experiments.attributing import fold_progress
from byline.experiments.evaluation import Evaluation, evaluate_fitted
from byline.experiments.fitting import fit_clone
from byline.experiments.splits import hold_out
from byline.progress import Progress


@dataclass(frozen=True, slots=True)
class Example:
    """A held-out document of a demonstration.

    Attributes
    ----------
    author : str
        The true author.
    attribution : Attribution
    evidence : Evidence or None
        Evidence for the first candidate against the second; None if the attributor declined.

    See Also
    --------
    demonstrate : Make a demonstration.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor, explain
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> [answer] = attributor.attribute(["The cat sat."])
    >>> example = Example("Ann", answer, explain(attributor, "The cat sat."))
    >>> example.author == example.attribution.ranking[0].author
    True
    >>> example.evidence.first, example.evidence.second
    ('Ann', 'Bob')
    """

    author: str
    attribution: Attribution
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Demonstration:
    """Result of a demonstration.

    Attributes
    ----------
    evaluation : Evaluation
        Accuracy on all held-out documents.
    examples : tuple of Example
        Some documents in detail, in the order of the corpus.

    See Also
    --------
    demonstrate : Make a demonstration.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. The cat slept.", "Bob": "A dog ran. A dog barked."}
    >>> documents = [
    ...     Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(3)
    ... ]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> demonstration = demonstrate(Corpus(documents, "toy"), attributor, sentences=())
    >>> demonstration.evaluation.whole.n_questioned
    2
    >>> [example.author for example in demonstration.examples]
    ['Ann', 'Bob']
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
    """Hold out documents of every author who has three or more, and attribute them.

    Parameters
    ----------
    corpus : Corpus
    attributor : AuthorshipAttributor or StackedAttributor
        The prototype.
    n_examples : int
        Number of held-out documents in detail, spread over the corpus. If any document was
        misattributed, one of them is included.
    sentences : sequence of int
        Lengths of further questioned texts, as in :func:`byline.experiments.evaluate`.
    random_state : int
        Seed of the choice of held-out documents.
    progress : Progress, optional
        Called for every trained model.

    Returns
    -------
    Demonstration

    Raises
    ------
    UsageError
        ``n_examples`` is below 0.
    TrainingError
        No author has three documents; see also the attributor's ``fit``.

    See Also
    --------
    evaluate : Evaluate an attributor on more held-out texts.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = {"Ann": "The cat sat on the mat. The cat slept.", "Bob": "A dog ran. A dog barked."}
    >>> documents = [
    ...     Document(author, f"{text} Then it was {n}.", f"{author}/{n}.txt")
    ...     for author, text in texts.items()
    ...     for n in range(3)
    ... ]
    >>> corpus = Corpus(documents, "toy")
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> demonstration = demonstrate(corpus, attributor, n_examples=1, sentences=())
    >>> demonstration.evaluation.whole.accuracy, len(demonstration.examples)
    (1.0, 1)
    """
    if n_examples < 0:
        raise UsageError(f"n_examples={n_examples} must be 0 or more")
    fold = hold_out(corpus, random_state=random_state)
    fitted = fit_clone(attributor, fold.known, fold_progress(progress, 0, 1))
    evaluation = evaluate_fitted(fitted, fold, sentences=sentences)
    shown = [fold.questioned[index] for index in _choose(evaluation, n_examples)]
    return Demonstration(evaluation, tuple(_example(fitted, document) for document in shown))


def _choose(evaluation: Evaluation, n: int) -> list[int]:
    """Return the positions of the documents to show, without those that were declined."""
    whole = [decision for decision in evaluation.decisions if decision.sentences is None]
    answered = [index for index, decision in enumerate(whole) if not decision.declined]
    wrong = [index for index in answered if whole[index].rank > 1]
    correct = [index for index in answered if whole[index].rank == 1]
    n_correct = min(max(0, n - bool(wrong)), len(correct))
    spread = np.linspace(0, len(correct) - 1, n_correct).round().astype(int).tolist()
    return sorted([*(correct[place] for place in spread), *wrong[: n - n_correct]])


def _example(attributor: AuthorshipAttributor | StackedAttributor, document: Document) -> Example:
    (attribution,) = attributor.attribute([document.text], paths=[document.path])
    return Example(
        document.author, attribution, explain_answer(attributor, attribution, document.text)
    )
