"""The answer about one questioned text: a ranking, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.attribution.language_models.scoring import TextScores
from byline.attribution.open_set.result import OpenSetDecision
from byline.errors import UsageError
from byline.formatting import quantity

#: What a classifier predicts of a text that is declined.
CANNOT_TELL = "cannot tell"
#: What it predicts where nobody stands out, in an open set.
NONE_OF_THE_CANDIDATES = "none of the candidates"
#: What a stack's answers are ranked by (`Attribution.scored_by`).
LOG_ODDS = "log-odds"
NOT_CALIBRATED = "no known texts were held out to learn how sure answers may be"
CHARACTERS_PER_WORD = 5  # min_tokens speaks of words; a character model needs as much text

_UNITS = {
    "word": ("word or mark", "words and marks", 1),
    "char": ("character", "characters", CHARACTERS_PER_WORD),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate author's place in a ranking.

    Attributes
    ----------
    author : str
    score : float
        What candidates are ranked by: by the attributor's rule, or of a stack the log-odds (nats).
    log_likelihood : float
        Of the whole text under the author's models, in nats, mean over the draws.
    log_likelihood_per_token : float
        The same a scored token (end marks included where the model scores them), in nats.
    perplexity : float
        ``exp(-log_likelihood_per_token)`` (Ge & Sun 2016, Eq. ppl2).
    probability : float or None
        That this candidate wrote it, if one of them did and every one was equally likely
        beforehand: calibrated on held-out known texts. None where that could not be done.
    log10_lr : float or None
        Logarithm to base 10 of the likelihood ratio of "this candidate wrote it" against "one of
        the others did, each as likely as another"; calibrated as ``probability`` is, and bounded
        (Vergeer et al. 2016).
    posterior_uncalibrated : float
        Softmax of the log-likelihoods, every candidate equally likely beforehand. It treats
        tokens as independent, so it is near 0 or 1 long before that is deserved. Of a stack, the
        softmax of its log-odds, whose weights were fitted to held-out known texts.
    """

    author: str
    score: float
    log_likelihood: float
    log_likelihood_per_token: float
    perplexity: float
    probability: float | None
    log10_lr: float | None
    posterior_uncalibrated: float


@dataclass(frozen=True, slots=True)
class Attribution:
    """What is said about one questioned text.

    Attributes
    ----------
    path : str or None
        Where the text came from, where that was told.
    n_tokens : int
        Scored tokens, end marks of sentences included where the models score them: what
        ``log_likelihood_per_token`` and ``perplexity`` divide by.
    scored_by : str
        What candidates are ranked by: the attributor's rule, such as ``"log-likelihood"``, or
        `LOG_ODDS` of a stack.
    declined : str or None
        The reason why no author is named, in plain words.
    uncalibrated : str or None
        Why there are no probabilities, in plain words; None where there are.
    ranking : tuple of Candidate
        All candidates, best first; ties in the order of their names. Empty where declined.
    open_set : OpenSetDecision or None
        Whether one of the candidates wrote the text at all; None where it was taken for granted.
    """

    path: str | None
    n_tokens: int
    scored_by: str
    declined: str | None
    uncalibrated: str | None
    ranking: tuple[Candidate, ...]
    open_set: OpenSetDecision | None = None


@dataclass(frozen=True, slots=True)
class CalibratedProbabilities:
    """Probabilities of documents' authors, and what is said in their place.

    Attributes
    ----------
    lacking : str or None
        Why they are not to be told, in plain words.
    probabilities, log10_lrs : (n_documents, n_authors) float64
    """

    lacking: str | None
    probabilities: Floats
    log10_lrs: Floats


def reason_to_decline(
    n_tokens: int, n_unknown: int, *, unit: str, min_tokens: int, max_unknown: float
) -> str | None:
    """Why a text can have no answer, or None where it can.

    Parameters
    ----------
    n_tokens, n_unknown : int
        Tokens of the text, and those of them that no candidate's vocabulary has.
    unit : {"word", "char"}
        What a token is. A text of characters must have five times ``min_tokens``.
    min_tokens : int
        Fewest words and marks.
    max_unknown : float
        Largest share of unknown tokens.
    """
    one, many, factor = _UNITS[unit]
    length = quantity(n_tokens, one, many)
    needed = min_tokens * factor
    if n_tokens == 0:
        return "the text is empty"
    if n_tokens < needed:
        return f"the text has {length}, and at least {needed} are needed"
    if n_unknown > max_unknown * n_tokens:
        return (
            f"{n_unknown} of the text's {length} ({n_unknown / n_tokens:.0%}) are unknown "
            f"to the model, and at most {max_unknown:.0%} may be"
        )
    return None


def make_attributions(
    classes: NDArray[Any],
    scored: TextScores,
    *,
    scores: Floats,
    scored_by: str,
    log_odds: Floats,
    reasons: Sequence[str | None],
    paths: Sequence[str] | None,
    calibrated: CalibratedProbabilities | None = None,
    open_set: Sequence[OpenSetDecision | None] | None = None,
) -> list[Attribution]:
    """Say what is said about every document.

    Parameters
    ----------
    classes : (n_authors,) str
    scored : Scored
        Documents under the language models.
    scores : (n_documents, n_authors) float64
        What the candidates are ranked by; the highest answers, ties in the order of ``classes``.
    scored_by : str
        What the scores are.
    log_odds : (n_documents, n_authors) float64
        A softmax of these gives the uncalibrated posteriors.
    reasons : (n_documents,)
        Why each text is declined; None where it is not.
    paths : (n_documents,), optional
        Where the texts came from.
    calibrated : Calibrated, optional
    open_set : (n_documents,), optional
        Whether one of the candidates wrote each text, where that was asked.

    Raises
    ------
    UsageError
        There are not as many paths as documents.
    """
    n_documents = len(scores)
    places = [None] * n_documents if paths is None else list(paths)
    if len(places) != n_documents:
        raise UsageError(f"{n_documents} texts need as many paths, but {len(places)} came")
    lacking = NOT_CALIBRATED if calibrated is None else calibrated.lacking
    told = None if lacking else calibrated
    answers = [None] * n_documents if open_set is None else open_set
    asked = [None if reason else each for each, reason in zip(answers, reasons, strict=True)]
    declined = [
        reason if each is None else each.declined
        for each, reason in zip(asked, reasons, strict=True)
    ]
    return [
        Attribution(
            path=places[i],
            n_tokens=int(scored.n_scored[i]),
            scored_by=scored_by,
            declined=declined[i],
            uncalibrated=lacking,
            ranking=() if declined[i] else _rank(classes, scored, scores[i], log_odds[i], told, i),
            open_set=asked[i],
        )
        for i in range(n_documents)
    ]


def _rank(
    classes: NDArray[Any],
    scored: TextScores,
    scores: Floats,
    log_odds: Floats,
    calibrated: CalibratedProbabilities | None,
    document: int,
) -> tuple[Candidate, ...]:
    log_likelihoods = scored.log_likelihoods[document]  # (n_authors,)
    per_token = log_likelihoods / scored.n_scored[document]
    posteriors = np.exp(log_softmax(log_odds))
    probabilities = None if calibrated is None else calibrated.probabilities[document]
    log10_lrs = None if calibrated is None else calibrated.log10_lrs[document]
    return tuple(
        Candidate(
            author=str(classes[index]),
            score=float(scores[index]),
            log_likelihood=float(log_likelihoods[index]),
            log_likelihood_per_token=float(per_token[index]),
            perplexity=float(np.exp(-per_token[index])),
            probability=None if probabilities is None else float(probabilities[index]),
            log10_lr=None if log10_lrs is None else float(log10_lrs[index]),
            posterior_uncalibrated=float(posteriors[index]),
        )
        for index in np.argsort(-scores, kind="stable")
    )
