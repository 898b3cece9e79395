"""The classifiers that an open-set benchmark can measure, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.classifiers import NgramSVM
from byline.attribution.open_set import Criterion
from byline.attribution.stacking import default_base_classifiers, delta_attributor
from byline.errors import UsageError
from byline.experiments.benchmarks.methods import CHAR_SVM, DEFAULT
from byline.experiments.fitting import train_stack
from byline.experiments.open_set.answers import OpenSetAnswers, RateAnswers, answer_open_set
from byline.experiments.open_set.cases import OpenSetCase
from byline.experiments.open_set.rejecting_svm import RejectingSVM
from byline.text import TextEncoder

# Answers about the questioned texts of a case at these rates, with a seed and processes.
Answer = Callable[[OpenSetCase, Sequence[Criterion], int, int], OpenSetAnswers]


@dataclass(frozen=True, slots=True)
class OpenSetMethod:
    """A method with a name.

    Attributes
    ----------
    name : str
        Name for ``--method`` and ``--baseline``.
    title : str
        Name in tables.
    answer : function
        Trains on the known texts of a case, and answers about its questioned texts.
    """

    name: str
    title: str
    answer: Answer


def _stack(case: OpenSetCase, seed: int, jobs: int) -> StackedAttributor:
    models = AuthorshipAttributor(encoder=TextEncoder(language=case.language), random_state=seed)
    prototypes = default_base_classifiers(models, random_state=seed)
    return StackedAttributor(prototypes, random_state=seed, n_jobs=jobs, open_set=True)


def _default(case: OpenSetCase, rates: Sequence[Criterion], seed: int, jobs: int) -> OpenSetAnswers:
    return _answer_by_stack(_stack(case, seed, jobs), case, rates)


def _delta(case: OpenSetCase, rates: Sequence[Criterion], seed: int, jobs: int) -> OpenSetAnswers:
    stack = delta_attributor(case.language, random_state=seed).set_params(open_set=True)
    return _answer_by_stack(stack, case, rates)


def _answer_by_stack(
    stack: StackedAttributor, case: OpenSetCase, rates: Sequence[Criterion]
) -> OpenSetAnswers:
    fitted = train_stack(stack, case.known)
    return answer_open_set(fitted, case.questioned, rates, unnamed=case.unnamed)


def _rejecting_svm(
    case: OpenSetCase, rates: Sequence[Criterion], seed: int, jobs: int
) -> OpenSetAnswers:
    """Answer by the organisers' baseline, which has a rule of its own."""
    fitted = RejectingSVM().fit(case.known.texts, case.known.authors)
    scores = fitted.predict_proba(case.questioned.texts)
    margins = leads(scores)
    accepted = tuple((margins >= fitted.min_difference).tolist())
    n_texts = len(accepted)
    own = RateAnswers(None, accepted, (False,) * n_texts, *((None,) * n_texts,) * 2)
    return _scored(case, fitted.classes_, scores, margins, (own,))


def _character_svm(
    case: OpenSetCase, rates: Sequence[Criterion], seed: int, jobs: int
) -> OpenSetAnswers:
    """Answer without rejection."""
    fitted = NgramSVM(random_state=seed).fit(case.known.texts, case.known.authors)
    scores = fitted.score_authors(case.questioned.texts)
    return _scored(case, fitted.classes_, scores, leads(scores), ())


def leads(scores: Floats) -> Floats:
    """Return the highest score of each text minus the second highest, (n_texts,).

    Examples
    --------
    >>> leads(np.array([[1.0, 5.0, 3.0], [2.0, 2.0, 0.0]])).tolist()
    [2.0, 0.0]
    """
    second, first = np.sort(scores, axis=1)[:, -2:].T
    return np.asarray(first - second)


def _scored(
    case: OpenSetCase,
    classes: NDArray[Any],
    scores: Floats,
    statistics: Floats,
    by_rate: tuple[RateAnswers, ...],
) -> OpenSetAnswers:
    authors = case.questioned.authors
    return OpenSetAnswers(
        candidates=tuple(map(str, classes)),
        paths=tuple(case.questioned.paths),
        authors=tuple(None if author == case.unnamed else author for author in authors),
        first=tuple(map(str, classes[scores.argmax(axis=1)])),
        statistics=tuple(statistics.tolist()),
        by_rate=by_rate,
        unavailable=(),
    )


PAN19_SVM = "pan19-svm"
OPEN_SET_METHODS: Mapping[str, OpenSetMethod] = {
    method.name: method
    for method in (
        OpenSetMethod(DEFAULT, "Byline's default", _default),
        OpenSetMethod("delta", "Cosine Delta only", _delta),
        OpenSetMethod(PAN19_SVM, "SVM with rejection (PAN 2019)", _rejecting_svm),
        OpenSetMethod(CHAR_SVM, "character n-gram SVM", _character_svm),
    )
}
OPEN_SET_BASELINES = (PAN19_SVM, CHAR_SVM)


def find_open_set_methods(names: Iterable[str]) -> list[OpenSetMethod]:
    """Return methods by name, without duplicates, in the order of the names.

    Raises
    ------
    UsageError
        A name is not in `OPEN_SET_METHODS`.

    Examples
    --------
    >>> [method.title for method in find_open_set_methods(["delta"])]
    ['Cosine Delta only']
    """
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in OPEN_SET_METHODS]
    if unknown:
        raise UsageError(
            f"there is no method {', '.join(unknown)} for open sets; use "
            f"{', '.join(OPEN_SET_METHODS)}"
        )
    return [OPEN_SET_METHODS[name] for name in wanted]
