"""The answer about one questioned text: a ranking, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from byline.attribution.scoring import Scored

CANNOT_TELL = "cannot tell"
CHARACTERS_PER_WORD = 5  # min_tokens speaks of words; a character model needs as much text

_UNITS = {"word": ("words and marks", 1), "char": ("characters", CHARACTERS_PER_WORD)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate author's place in a ranking.

    Attributes
    ----------
    author : str
    log_likelihood : float
        Of the whole text under the author's models, in nats, mean over the draws.
    log_likelihood_per_token : float
        The same a scored token (end marks included where the model scores them), in nats.
    perplexity : float
        ``exp(-log_likelihood_per_token)`` (Ge & Sun 2016, Eq. ppl2).
    probability : float or None
        None: nothing was calibrated on held-out documents.
    posterior_uncalibrated : float
        Softmax of the log-likelihoods, every candidate equally likely beforehand. It treats
        tokens as independent, so it is near 0 or 1 long before that is deserved.
    """

    author: str
    log_likelihood: float
    log_likelihood_per_token: float
    perplexity: float
    probability: float | None
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
    declined : str or None
        The reason why no author is named, in plain words.
    ranking : tuple of Candidate
        All candidates, best first; ties in the order of their names. Empty where declined.
    """

    path: str | None
    n_tokens: int
    declined: str | None
    ranking: tuple[Candidate, ...]


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
    name, factor = _UNITS[unit]
    needed = min_tokens * factor
    if n_tokens == 0:
        return "the text is empty"
    if n_tokens < needed:
        return f"the text has {n_tokens} {name}, and at least {needed} are needed"
    if n_unknown > max_unknown * n_tokens:
        return (
            f"{n_unknown} of the text's {n_tokens} {name} ({n_unknown / n_tokens:.0%}) are unknown "
            f"to the model, and at most {max_unknown:.0%} may be"
        )
    return None


def rank(authors: list[str], scored: Scored, document: int) -> tuple[Candidate, ...]:
    """Order the candidates for one document by falling score, ties in the order of ``authors``."""
    log_likelihoods = scored.log_likelihoods[document]  # (n_authors,)
    per_token = log_likelihoods / scored.n_scored[document]
    posteriors = np.exp(scored.log_posteriors[document])
    return tuple(
        Candidate(
            author=authors[index],
            log_likelihood=float(log_likelihoods[index]),
            log_likelihood_per_token=float(per_token[index]),
            perplexity=float(np.exp(-per_token[index])),
            probability=None,
            posterior_uncalibrated=float(posteriors[index]),
        )
        for index in np.argsort(-scored.scores[document], kind="stable")
    )
