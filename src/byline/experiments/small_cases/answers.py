"""Answer a small case with Byline's default, its base classifiers and simple methods."""

from __future__ import annotations

import time
import warnings
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.author_scores import author_scores
from byline.attribution.stacking import default_base_classifiers
from byline.corpus import Document
from byline.errors import BylineError, BylineWarning
from byline.experiments.simple_methods import SIMPLE_METHODS, SimpleSettings
from byline.experiments.small_cases.cases import Case
from byline.text import TextEncoder

DEFAULT = "default"
NO_ANSWER = -1
_DECIMALS = 6  # of probabilities and likelihood ratios in results


SIMPLE = ("burrows-delta", "char-ngram-svm")


@dataclass(frozen=True)
class CaseAnswers:
    """The answers about all questioned texts of a case.

    Attributes
    ----------
    digest : str
        Identifies the case and the seed.
    corpus, settings : str
        The name of the corpus, and that of the case's settings.
    number : int
        Of the case among those with the same settings.
    candidates : list of str
    lengths : list of int, (n_texts,)
        The length of each questioned text in words, as it is set; 0 for whole works.
    authors : list of int, (n_texts,)
        The place of each text's author in ``candidates``.
    answers : dict of method to list of int, (n_texts,)
        The place of the candidate with the highest score; `NO_ANSWER` if training failed. The
        default is called "default".
    log_probabilities, log_likelihood_ratios : list of list of float, (n_texts, n_candidates)
        Natural logarithms of what the default states. If its training failed, the probabilities
        are equal and the likelihood ratios are 1.
    failures : dict of method to str
        Why training failed.
    cpu_seconds : float
    """

    digest: str
    corpus: str
    settings: str
    number: int
    candidates: list[str]
    lengths: list[int]
    authors: list[int]
    answers: dict[str, list[int]]
    log_probabilities: list[list[float]]
    log_likelihood_ratios: list[list[float]]
    failures: dict[str, str]
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes as JSON values."""
        return asdict(self)


def answer_case(case: Case, corpus: str, number: int, seed: int) -> CaseAnswers:
    """Train all methods on the known texts of a case, and answer its questioned texts.

    Parameters
    ----------
    case : Case
    corpus : str
    number : int
        Of the case among those with the same settings.
    seed : int
        Of the classifiers.
    """
    start = time.process_time()
    candidates = sorted({each.author for each in case.known})
    questioned = [text for texts in case.questioned.values() for text in texts]
    lengths = [n_words for n_words, texts in case.questioned.items() for _ in texts]
    texts = [each.text for each in questioned]
    answers: dict[str, list[int]] = {}
    failures: dict[str, str] = {}
    stated = np.zeros((2, len(texts), len(candidates)))
    stated[0] = -np.log(len(candidates))
    with warnings.catch_warnings():
        # What a user could do about his own texts does not concern the texts of a corpus.
        warnings.simplefilter("ignore", BylineWarning)
        try:
            answers, stated = _answer_by_default(case, texts, seed)
        except BylineError as error:
            answers, failures = {DEFAULT: [NO_ANSWER] * len(texts)}, {DEFAULT: str(error)}
        settings = SimpleSettings(TextEncoder(language=case.language), seed)
        for name in SIMPLE:
            try:
                method = SIMPLE_METHODS[name].make(settings)
                method = method.fit(*_texts_and_authors(case.known))
                answers[name] = _first_candidates(author_scores(method, texts))
            except BylineError as error:
                answers[name], failures[name] = [NO_ANSWER] * len(texts), str(error)
    return CaseAnswers(
        digest=case.digest(seed),
        corpus=corpus,
        settings=case.settings.name,
        number=number,
        candidates=candidates,
        lengths=lengths,
        authors=[candidates.index(each.author) for each in questioned],
        answers=answers,
        log_probabilities=stated[0].round(_DECIMALS).tolist(),
        log_likelihood_ratios=stated[1].round(_DECIMALS).tolist(),
        failures=failures,
        cpu_seconds=round(time.process_time() - start, 3),
    )


def _answer_by_default(
    case: Case, texts: list[str], seed: int
) -> tuple[dict[str, list[int]], Floats]:
    """Return the answers of the stack and its base classifiers, and what the stack states."""
    models = AuthorshipAttributor(encoder=TextEncoder(language=case.language), random_state=seed)
    prototypes = default_base_classifiers(models, random_state=seed)
    stack = StackedAttributor(prototypes, random_state=seed)
    works = [each.work or "" for each in case.known]
    stack.fit(*_texts_and_authors(case.known), groups=works)
    scores = stack.score_texts(texts)
    answers = {DEFAULT: _first_candidates(scores.log_odds)}
    for name, own in zip(stack.base_classifiers_, scores.by_base_classifier, strict=True):
        answers[name] = _first_candidates(own)
    ratios = scores.log10_likelihood_ratios() * np.log(10)
    return answers, np.stack([scores.log_probabilities(), ratios])


def _texts_and_authors(documents: list[Document]) -> tuple[list[str], list[str]]:
    return [each.text for each in documents], [each.author for each in documents]


def _first_candidates(scores: Floats) -> list[int]:
    return list(map(int, np.asarray(scores).argmax(axis=1)))
