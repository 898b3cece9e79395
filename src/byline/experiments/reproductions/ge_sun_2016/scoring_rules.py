"""Who is named: from what all models say of sentences to costs, of which the lowest wins.

A cost is a sum over sentences by every rule, so that each sentence is costed once, whatever the
texts it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class SentenceScores:
    """What every candidate's model says of every test sentence of one split and seed.

    Attributes
    ----------
    log_prob : (n_authors, n_sentences) float64, nats
        Of a row's model for a column's sentence: the sum over its scored tokens.
    n_counted, n_unknown : (n_authors, n_sentences) int64
        Tokens its perplexity divides by, and tokens that the row's model does not know.
    n_lacking : (n_authors,) int64
        Events that a model's ``<unk>`` stands for among all authors' words.
    author : (n_sentences,) int64
        Number of the true author; rises.
    sentence : (n_sentences,) int64
        Number of the sentence in the whole corpus.
    """

    log_prob: Floats
    n_counted: Integers
    n_unknown: Integers
    n_lacking: Integers
    author: Integers
    sentence: Integers


def sum_of_perplexities(scores: SentenceScores) -> Floats:
    """Perplexities of sentences (Ge & Sun 2016, Eq. ppl2), as the authors' program adds them up.

    A sentence of which a model counts no word is infinitely perplexing to it.
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        perplexity = np.exp(-scores.log_prob / scores.n_counted)
    return np.where(scores.n_counted > 0, perplexity, np.inf)


def log_likelihood(scores: SentenceScores) -> Floats:
    """Negative log-probabilities in nats (Ge & Sun 2016, Eq. seq_prob_ngram)."""
    return -scores.log_prob


def shared_log_likelihood(scores: SentenceScores) -> Floats:
    """Do so over one vocabulary: an author's ``<unk>`` is shared out over the words it lacks."""
    return scores.n_unknown * np.log(scores.n_lacking)[:, None] - scores.log_prob


SHARED = "log-likelihood-shared"
RULES: Mapping[str, Callable[[SentenceScores], Floats]] = {
    "sum-of-perplexities": sum_of_perplexities,
    "log-likelihood": log_likelihood,
    SHARED: shared_log_likelihood,
}


def count_tied_or_better(costs: Floats, own: Floats) -> NDArray[np.int16]:
    """Count the rivals whose cost is no higher than the true author's, so that a tie is no success.

    Parameters
    ----------
    costs : (n_authors, ...) float64
    own : (...) float64
        The true author's among them.

    Returns
    -------
    (...) int16
    """
    # The true author is among them, and as good as itself.
    return np.asarray((costs <= own).sum(axis=0) - 1, dtype=np.int16)


def named(costs: Floats, author: Integers) -> Floats:
    """Say who is named for each sentence: one at the name, or equal parts at rivals that tie.

    Parameters
    ----------
    costs : (n_authors, n_sentences) float64
    author : (n_sentences,) int
        The true author, who is named only if its cost is the lowest alone.

    Returns
    -------
    (n_authors, n_sentences) float64
        Columns sum to one.
    """
    at = np.arange(costs.shape[1])
    own = costs[author, at]
    is_rival = np.ones(costs.shape, dtype=bool)
    is_rival[author, at] = False
    best = np.where(is_rival, costs, np.inf).min(axis=0)
    tied = is_rival & (costs == best)
    given: Floats = tied / tied.sum(axis=0)
    right = own < best
    given[:, right] = 0.0
    given[author[right], at[right]] = 1.0
    return given
