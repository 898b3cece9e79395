"""The answer about one questioned text: a ranking of the candidates, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.known_copy import KnownCopy
from byline.attribution.open_set.decision import OpenSetDecision
from byline.attribution.similar_cases import SimilarCases
from byline.errors import UsageError

#: The prediction for a text that is declined.
CANNOT_TELL = "cannot tell"
#: The prediction for a text that is attributed to no candidate, in an open set.
NONE_OF_THE_CANDIDATES = "none of the candidates"
#: What a stack ranks the candidates by (`Attribution.scored_by`).
LOG_ODDS = "log-odds"
NOT_CALIBRATED = "no known texts were held out for calibration"
Paths = Sequence[str] | None  # where texts come from


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate author in a ranking.

    Attributes
    ----------
    author : str
    score : float
        What the candidates are ranked by: the attributor's score, or a stack's log-odds (nats).
    log_likelihood : float or None
        Of the whole text under the author's language models, in nats, averaged over the samples;
        None if there are no language models.
    log_likelihood_per_token : float or None
        The same per scored token, in nats. End marks count where the model scores them.
    perplexity : float or None
        ``exp(-log_likelihood_per_token)`` (Ge & Sun 2016, Eq. ppl2).
    probability : float or None
        That this candidate wrote the text, if one of the candidates did and all are equally
        probable a priori. It is calibrated on held-out known texts and simulated cases; None for
        language models alone.
    log10_lr : float or None
        Base-10 logarithm of the likelihood ratio of "this candidate wrote the text" against "one
        of the other candidates did, all equally probable". It is computed from ``probability``.
    posterior_uncalibrated : float
        The softmax of the log-likelihoods under a uniform prior. It treats tokens as independent
        and is therefore much too close to 0 or 1. For a stack, the softmax of its log-odds, whose
        weights were fitted to held-out known texts.

    See Also
    --------
    Attribution : Contains the candidates.
    AuthorshipAttributor.attribute : Ranks the candidates.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> [answer] = attributor.attribute(["The cat slept."])
    >>> best = answer.ranking[0]
    >>> best.author, best.probability
    ('Ann', None)
    >>> [round(candidate.perplexity, 1) for candidate in answer.ranking]
    [5.9, 8.5]
    """

    author: str
    score: float
    log_likelihood: float | None
    log_likelihood_per_token: float | None
    perplexity: float | None
    probability: float | None
    log10_lr: float | None
    posterior_uncalibrated: float


@dataclass(frozen=True, slots=True)
class Attribution:
    """The answer about one questioned text.

    Attributes
    ----------
    path : str or None
        Where the text comes from, if that was given.
    n_tokens : int
        Number of scored tokens, including end marks of sentences if the models score them:
        the divisor in ``log_likelihood_per_token`` and ``perplexity``.
    scored_by : str
        What the candidates are ranked by: the attributor's score rule, such as
        ``"log-likelihood"``, or `LOG_ODDS` for a stack.
    declined : str or None
        The reason why no author is named, as a clause; None if an author is named.
    calibration_unavailable_reason : str or None
        The reason why there are no probabilities, as a clause; None if there are.
    calibration_basis : str or None
        What the probabilities are calibrated on, as a noun phrase; None if there are none.
    similar_cases : SimilarCases or None
        How often texts of simulated cases of this size were correctly attributed; None if that was
        not counted.
    unknown_tokens : (int, int) or None
        Number of tokens of the text that no author's vocabulary contains, and of all its tokens
        without end marks; None if there are no language models.
    known_copy : KnownCopy or None
        Where the text occurs in the known texts, if it is declined because the model was trained
        on it.
    ranking : tuple of Candidate
        All candidates, best first; ties in the order of the names. Empty if declined.
    open_set : OpenSetDecision or None
        Whether one of the candidates wrote the text at all; None if that was taken for granted.
    contributions : tuple of (name, float)
        What each base classifier of a stack adds to the log-odds of the first candidate against
        the second, in nats. Empty if declined, and for language models alone.

    See Also
    --------
    AuthorshipAttributor.attribute, StackedAttributor.attribute : Return such answers.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(
    ...     NgramLM(order=2, smoothing="witten-bell"), min_tokens=3, max_unknown=0.9
    ... )
    >>> [answer] = attributor.fit(known, ["Ann", "Bob"]).attribute(["The cat slept."])
    >>> [candidate.author for candidate in answer.ranking]
    ['Ann', 'Bob']
    >>> answer.calibration_unavailable_reason
    'no known texts were held out for calibration'
    """

    path: str | None
    n_tokens: int
    scored_by: str
    declined: str | None
    calibration_unavailable_reason: str | None
    calibration_basis: str | None
    ranking: tuple[Candidate, ...]
    open_set: OpenSetDecision | None = None
    contributions: tuple[tuple[str, float], ...] = ()
    similar_cases: SimilarCases | None = None
    known_copy: KnownCopy | None = None
    unknown_tokens: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TextCounts:
    """What decides whether documents are declined before they are attributed.

    Attributes
    ----------
    n_tokens, n_unknown, n_scored : (n_documents,) int64
        Number of tokens; of tokens that no author's vocabulary contains; and of scored tokens,
        including end marks.
    has_words : (n_documents,) bool
        Whether a token contains a letter or a digit. Punctuation marks alone are not a text.
    """

    n_tokens: Integers
    n_unknown: Integers
    n_scored: Integers
    has_words: Booleans


@dataclass(frozen=True, slots=True)
class TextScores(TextCounts):
    """Counts and scores of documents under every author's language models.

    Attributes
    ----------
    log_likelihoods : (n_documents, n_authors) float64, nats
    scores : (n_documents, n_authors) float64
        By the score rule; the author with the highest score wins.
    """

    log_likelihoods: Floats
    scores: Floats

    @property
    def joint(self) -> Floats:
        """Joint log-probabilities of text and author in nats, under a uniform prior."""
        return self.log_likelihoods - math.log(self.log_likelihoods.shape[1])


@dataclass(frozen=True, slots=True)
class CalibratedProbabilities:
    """Calibrated probabilities of the documents' authors.

    Attributes
    ----------
    basis : str
        What they are calibrated on, as a noun phrase.
    probabilities, log10_lrs : (n_documents, n_authors) float64
    similar_cases : (n_documents,)
        The simulated cases of each text's size; None if they were not counted.
    """

    basis: str
    probabilities: Floats
    log10_lrs: Floats
    similar_cases: Sequence[SimilarCases | None]


def label_declined(authors: NDArray[Any], reasons: Sequence[str | None]) -> NDArray[np.object_]:
    """Replace the predicted authors of texts that are declined by ``CANNOT_TELL``.

    Parameters
    ----------
    authors : (n_documents,)
    reasons : (n_documents,)
        Why each text is declined; None for a text that is not.
    """
    labels: NDArray[np.object_] = authors.astype(object)
    labels[[reason is not None for reason in reasons]] = CANNOT_TELL
    return labels


def label_answers(authors: NDArray[Any], answers: Sequence[Attribution]) -> NDArray[np.object_]:
    """Replace the predicted authors of texts that are not attributed by labels.

    Parameters
    ----------
    authors : (n_documents,)
    answers : (n_documents,)
        A declined text gets ``CANNOT_TELL``; if it is attributed to no candidate in an open set,
        ``NONE_OF_THE_CANDIDATES``.
    """
    labels = label_declined(authors, [each.declined for each in answers])
    labels[[each.open_set is not None and not each.open_set.accepted for each in answers]] = (
        NONE_OF_THE_CANDIDATES
    )
    return labels


def make_attributions(
    classes: NDArray[Any],
    counts: TextCounts,
    *,
    scores: Floats,
    scored_by: str,
    log_odds: Floats,
    reasons: Sequence[str | None],
    paths: Paths,
    calibrated: CalibratedProbabilities | None = None,
    open_set: Sequence[OpenSetDecision | None] | None = None,
    contributions: Sequence[tuple[tuple[str, float], ...]] | None = None,
) -> list[Attribution]:
    """Rank the candidates for every document that is not declined.

    Parameters
    ----------
    classes : (n_authors,) str
    counts : TextCounts
        With log-likelihoods, if they are `TextScores`.
    scores : (n_documents, n_authors) float64
        What the candidates are ranked by; the highest score wins, ties in the order of
        ``classes``.
    scored_by : str
        What the scores are.
    log_odds : (n_documents, n_authors) float64
        Their softmax gives the uncalibrated posteriors.
    reasons : (n_documents,)
        Why each text is declined; None for a text that is not.
    paths : (n_documents,), optional
        Where the texts come from.
    calibrated : CalibratedProbabilities, optional
    open_set : (n_documents,), optional
        Whether one of the candidates wrote each text, if that was asked.
    contributions : (n_documents,), optional
        Of the base classifiers to the difference of each text's two best candidates.

    Raises
    ------
    UsageError
        If there are not as many paths as documents.
    """
    n_documents = len(scores)
    places = [None] * n_documents if paths is None else list(paths)
    if len(places) != n_documents:
        raise UsageError(
            f"there are {n_documents} texts but {len(places)} paths; give one path per text"
        )
    answers = [None] * n_documents if open_set is None else open_set
    asked = [None if reason else each for each, reason in zip(answers, reasons, strict=True)]
    declined = [
        reason if each is None else each.declined
        for each, reason in zip(asked, reasons, strict=True)
    ]
    return [
        Attribution(
            path=places[i],
            n_tokens=int(counts.n_scored[i]),
            scored_by=scored_by,
            declined=declined[i],
            calibration_unavailable_reason=NOT_CALIBRATED if calibrated is None else None,
            calibration_basis=None if calibrated is None else calibrated.basis,
            ranking=()
            if declined[i]
            else _rank(classes, counts, scores[i], log_odds[i], calibrated, i),
            open_set=asked[i],
            contributions=() if contributions is None or declined[i] else contributions[i],
            similar_cases=None
            if calibrated is None or declined[i]
            else calibrated.similar_cases[i],
            unknown_tokens=(int(counts.n_unknown[i]), int(counts.n_tokens[i]))
            if isinstance(counts, TextScores)
            else None,
        )
        for i in range(n_documents)
    ]


def _rank(
    classes: NDArray[Any],
    counts: TextCounts,
    scores: Floats,
    log_odds: Floats,
    calibrated: CalibratedProbabilities | None,
    document: int,
) -> tuple[Candidate, ...]:
    order = np.argsort(-scores, kind="stable")
    log_likelihoods, per_token, perplexities = None, None, None  # (n_authors,)
    if isinstance(counts, TextScores):
        log_likelihoods = counts.log_likelihoods[document]
        per_token = log_likelihoods / counts.n_scored[document]
        perplexities = np.exp(-per_token)

    def ranked(values: NDArray[Any] | None) -> list[Any]:
        # Converting whole arrays is faster than converting each value, which texts of one
        # sentence by many candidates would show.
        return [None] * len(order) if values is None else values[order].tolist()

    columns = (
        ranked(classes.astype(str)),
        ranked(scores),
        ranked(log_likelihoods),
        ranked(per_token),
        ranked(perplexities),
        ranked(None if calibrated is None else calibrated.probabilities[document]),
        ranked(None if calibrated is None else calibrated.log10_lrs[document]),
        ranked(np.exp(log_softmax(log_odds))),
    )
    return tuple(map(Candidate, *columns))
