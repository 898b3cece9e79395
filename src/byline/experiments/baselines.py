"""Simple methods on the held-out texts of an evaluation, compared with the evaluated method."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.author_scores import author_scores
from byline.attribution.stacking import LANGUAGE_MODELS, default_base_classifiers
from byline.corpus import Corpus
from byline.errors import BylineError, BylineWarning
from byline.experiments.attributing import first_candidates
from byline.experiments.benchmarks.metrics import mcnemar
from byline.experiments.metrics import AccuracyEstimate, Interval
from byline.experiments.simple_methods import (
    MOST_FREQUENT,
    SIMPLE_METHODS,
    SimpleMethod,
    SimpleSettings,
)
from byline.formatting import join_names, quantity

ALPHA = 0.05
THE_DEFAULT, OTHER = "the default", "the evaluated method"
SIMPLE, BASE_CLASSIFIER = "simple", "base-classifier"
_LOWEST_P_VALUE = 0.0001

Predicted = Sequence[str]


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """A method on the held-out texts, compared with the evaluated method.

    Attributes
    ----------
    method, title : str
    kind : str
        ``"simple"``; ``"base-classifier"`` of the evaluated stack; or ``"most-frequent-author"``.
    n_correct : int or None
        Number of texts that were correctly attributed; None if there is no result.
    accuracy : float or None
    accuracy_interval : (float, float) or None
        95 % Wilson interval, which assumes that texts are independent.
    n_only_method, n_only_evaluated : int or None
        Number of texts that only this method, or only the evaluated one, correctly attributed.
    p_value : float or None
        Of McNemar's exact test, two-sided. Those of simple methods are adjusted for their number
        (Holm 1979). None for base classifiers.
    failure : str or None
        Why there is no result, as a clause.
    """

    method: str
    title: str
    kind: str
    n_correct: int | None = None
    accuracy: float | None = None
    accuracy_interval: Interval | None = None
    n_only_method: int | None = None
    n_only_evaluated: int | None = None
    p_value: float | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """The evaluated method and simple methods on the same held-out texts.

    Attributes
    ----------
    evaluated : str
        What the evaluated method is called: ``"the default"``, or ``"the evaluated method"``.
    n, n_correct : int
        Number of texts as they were held out, and of those that the evaluated method correctly
        attributed, declined ones included.
    accuracy_interval : (float, float)
    methods : tuple of BaselineResult
    verdict : tuple of str
        Sentences: whether a simple method is clearly better.

    See Also
    --------
    byline.experiments.evaluate : Makes the comparison.
    """

    evaluated: str
    n: int
    n_correct: int
    accuracy_interval: Interval
    methods: tuple[BaselineResult, ...]
    verdict: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)


def predict_by_baselines(
    methods: Sequence[SimpleMethod],
    fitted: AuthorshipAttributor | StackedAttributor,
    base_classifiers: Mapping[str, Predicted],
    known: Corpus,
    texts: Sequence[str],
    settings: SimpleSettings,
) -> dict[str, Predicted | str]:
    """Train simple methods on the known texts of a fold, and attribute its questioned texts.

    All methods read the texts as the evaluated method does.

    Parameters
    ----------
    methods : sequence of SimpleMethod
    fitted : AuthorshipAttributor or StackedAttributor
        The evaluated method, fitted to the same known texts.
    base_classifiers : mapping of name to sequence of str
        What its base classifiers predict. Those that are simple methods are not trained again.
    known : Corpus
    texts : sequence of str, (n_texts,)
    settings : SimpleSettings

    Returns
    -------
    dict of method to sequence of str, or to str
        The predicted authors, or why there are none, as a clause.
    """
    normalize = fitted.normalization_.apply
    known_texts, questioned = list(map(normalize, known.texts)), list(map(normalize, texts))
    predicted: dict[str, Predicted | str] = {}
    for method in methods:
        if method.name in base_classifiers:
            predicted[method.name] = base_classifiers[method.name]
        elif method.name == LANGUAGE_MODELS and isinstance(fitted, AuthorshipAttributor):
            predicted[method.name] = "they are the evaluated method"
        else:
            predicted[method.name] = _predict(
                method, settings, known_texts, known.authors, questioned
            )
    return predicted


def _predict(
    method: SimpleMethod,
    settings: SimpleSettings,
    known: list[str],
    authors: list[str],
    questioned: list[str],
) -> Predicted | str:
    with warnings.catch_warnings():
        # The evaluated method has warned of what the user can change.
        warnings.simplefilter("ignore", BylineWarning)
        try:
            classifier = method.make(settings).fit(known, authors)
            scores = author_scores(classifier, questioned)
        except BylineError as error:
            return f"it could not be trained: {error}"
    return first_candidates(classifier.classes_, np.asarray(scores))


def compare_with_baselines(
    evaluated: AuthorshipAttributor | StackedAttributor,
    methods: Sequence[SimpleMethod],
    authors: Sequence[str],
    predicted: Predicted,
    most_frequent: Predicted,
    folds: Sequence[Mapping[str, Predicted | str]],
    base_classifiers: Sequence[Mapping[str, Predicted]],
) -> BaselineComparison:
    """Compare the evaluated method with simple methods, and with its base classifiers.

    Parameters
    ----------
    evaluated : AuthorshipAttributor or StackedAttributor
        The prototype.
    methods : sequence of SimpleMethod
    authors, predicted, most_frequent : sequences of str, (n_texts,)
        The true authors of the texts of all folds, those that the evaluated method predicts, and
        the author with the most known texts in the fold.
    folds : sequence of mappings
        The results of `predict_by_baselines`.
    base_classifiers : sequence of mappings of name to sequence of str
        By fold, what the base classifiers predict.
    """
    correct = [a == b for a, b in zip(authors, predicted, strict=True)]

    def result(method: str, title: str, kind: str, parts: Sequence[Predicted]) -> BaselineResult:
        own = [a == b for a, b in zip(authors, chain.from_iterable(parts), strict=True)]
        only_method = sum(b and not a for a, b in zip(correct, own, strict=True))
        only_evaluated = sum(a and not b for a, b in zip(correct, own, strict=True))
        estimate = AccuracyEstimate.from_counts(sum(own), len(own))
        return BaselineResult(
            method,
            title,
            kind,
            sum(own),
            estimate.accuracy,
            estimate.accuracy_interval,
            only_method,
            only_evaluated,
            None if kind == BASE_CLASSIFIER else mcnemar(only_method, only_evaluated),
        )

    simple: list[BaselineResult] = []
    for method in methods:
        of_folds = [fold[method.name] for fold in folds]
        failures = [each for each in of_folds if isinstance(each, str)]
        named = method.name, method.title, SIMPLE
        if failures:
            simple.append(BaselineResult(*named, failure=failures[0]))
        else:
            simple.append(result(*named, [each for each in of_folds if not isinstance(each, str)]))
    simple = _adjusted(simple)
    names = [name for name in base_classifiers[0] if name not in {each.name for each in methods}]
    parts = [
        result(name, _title(name), BASE_CLASSIFIER, [fold[name] for fold in base_classifiers])
        for name in names
    ]
    title = SIMPLE_METHODS[MOST_FREQUENT].title
    guessing = result(MOST_FREQUENT, title, MOST_FREQUENT, [most_frequent])
    name = evaluated_name(evaluated)
    return BaselineComparison(
        name,
        len(correct),
        sum(correct),
        AccuracyEstimate.from_counts(sum(correct), len(correct)).accuracy_interval,
        (*simple, *parts, guessing),
        tuple(verdict_sentences(name, len(correct), sum(correct), simple, guessing)),
    )


def evaluated_name(attributor: AuthorshipAttributor | StackedAttributor) -> str:
    """Return what sentences call the evaluated method."""
    if not isinstance(attributor, StackedAttributor):
        return OTHER
    given = attributor.base_classifiers
    names = None if given is None else [name for name, _ in given]
    is_default = names in (None, [name for name, _ in default_base_classifiers()])
    return THE_DEFAULT if is_default else OTHER


def verdict_sentences(
    evaluated: str,
    n: int,
    n_correct: int,
    simple: Sequence[BaselineResult],
    guessing: BaselineResult,
) -> Iterator[str]:
    """Say whether a simple method is clearly better than the evaluated one, in sentences.

    Parameters
    ----------
    evaluated : str
        What it is called.
    n, n_correct : int
        Number of texts, and of those that it attributed correctly.
    simple : sequence of BaselineResult
    guessing : BaselineResult
        Of always choosing the author with the most known texts.

    Examples
    --------
    >>> delta = BaselineResult("cosine-delta", "Cosine Delta", SIMPLE, 41, p_value=0.022)
    >>> guessing = BaselineResult(MOST_FREQUENT, "", MOST_FREQUENT, 5, p_value=0.00001)
    >>> list(verdict_sentences("the default", 50, 33, [delta], guessing))
    ['Cosine Delta is clearly better than the default: 41 against 33 of 50 texts (p = 0.022).']
    """
    trained = [each for each in simple if each.n_correct is not None]
    ahead = [each for each in trained if (each.n_correct or 0) > n_correct]
    better = [each for each in ahead if _is_clear(each)]
    worse = [each for each in trained if (each.n_correct or 0) < n_correct and _is_clear(each)]
    for each in better:
        yield (
            f"{_sentence_start(each.title)} {_is(each)} clearly better than {evaluated}: "
            f"{each.n_correct} against {n_correct} of {quantity(n, 'text')} ({_p(each)})."
        )
    if not trained:
        yield f"No simple method could be trained, so that {evaluated} was not compared."
    elif not better:
        yield f"No simple method is clearly better than {evaluated} on these texts."
        yield from _small_differences(evaluated, n, n_correct, ahead, len(trained))
    if worse:
        yield (
            f"{_sentence_start(evaluated)} is clearly better than "
            f"{join_names([each.title for each in worse])}."
        )
    is_ahead = n_correct > (guessing.n_correct or 0)
    if not is_ahead or not _is_clear(guessing):
        consequence = "more texts are needed to show that its answers can be trusted"
        if not is_ahead:
            consequence = "this evaluation gives no reason to trust its answers"
        yield (
            f"{_sentence_start(evaluated)} is not clearly better than always choosing the author "
            f"with the most known texts ({n_correct} against {guessing.n_correct} of "
            f"{quantity(n, 'text')}, {_p(guessing)}), so {consequence}."
        )


def _small_differences(
    evaluated: str, n: int, n_correct: int, ahead: Sequence[BaselineResult], n_compared: int
) -> Iterator[str]:
    """Put differences that can be chance into words."""
    if ahead:
        best = max(ahead, key=lambda each: each.n_correct or 0)
        yield (
            f"{_sentence_start(best.title)} correctly attributed {best.n_correct} of "
            f"{quantity(n, 'text')} and {evaluated} {n_correct}. So small a difference can be "
            f"chance ({_p(best)})."
        )
    n_wrong = n - n_correct
    if n_wrong and min(1.0, n_compared * mcnemar(n_wrong, 0)) >= ALPHA:
        yield (
            f"With only {quantity(n_wrong, 'text')} that {evaluated} misattributed, no method "
            "could be clearly better."
        )


def _adjusted(results: Sequence[BaselineResult]) -> list[BaselineResult]:
    """Adjust the p-values of several comparisons by the method of Holm (1979)."""
    tested = [place for place, each in enumerate(results) if each.p_value is not None]
    adjusted, least = list(results), 0.0
    tested.sort(key=lambda place: results[place].p_value or 0.0)
    for number, place in enumerate(tested):
        p_value = (len(tested) - number) * (results[place].p_value or 0.0)
        least = max(least, min(1.0, p_value))
        adjusted[place] = replace(results[place], p_value=least)
    return adjusted


def _is_clear(result: BaselineResult) -> bool:
    return result.p_value is not None and result.p_value < ALPHA


def _title(base_classifier: str) -> str:
    method = SIMPLE_METHODS.get(base_classifier)
    return base_classifier if method is None else method.title


def _is(result: BaselineResult) -> str:
    return "are" if result.method == LANGUAGE_MODELS else "is"


def _sentence_start(title: str) -> str:
    return title[:1].upper() + title[1:]


def _p(result: BaselineResult) -> str:
    value = result.p_value or 0.0
    return f"p < {_LOWEST_P_VALUE}" if value < _LOWEST_P_VALUE else f"p = {value:.2g}"
