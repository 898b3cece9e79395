"""Scoring rules: from the scores of all models to costs, of which the lowest is attributed.

By every rule, the cost of a text is the sum of the costs of its sentences. Each sentence is
therefore scored once, in whichever texts it occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class SentenceScores:
    """Scores of all test sentences of one split and seed under every candidate's model.

    Attributes
    ----------
    log_prob : (n_authors, n_sentences) float64, nats
        Sum over the scored tokens of the column's sentence under the row's model.
    n_counted, n_unknown : (n_authors, n_sentences) int64
        Number of tokens by which the perplexity divides, and of tokens unknown to the row's model.
    n_unk_types : (n_authors,) int64
        Number of types that a model's ``<unk>`` represents among all authors' words.
    author : (n_sentences,) int64
        Number of the true author, in ascending order.
    sentence : (n_sentences,) int64
        Number of the sentence in the whole corpus.
    """

    log_prob: Floats
    n_counted: Integers
    n_unknown: Integers
    n_unk_types: Integers
    author: Integers
    sentence: Integers


def sentence_perplexities(scores: SentenceScores) -> Floats:
    """Return perplexities (Ge & Sun 2016, Eq. ppl2), which the authors' program sums.

    A sentence of which a model counts no word has infinite perplexity.
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        perplexity = np.exp(-scores.log_prob / scores.n_counted)
    return np.where(scores.n_counted > 0, perplexity, np.inf)


def negative_log_likelihood(scores: SentenceScores) -> Floats:
    """Return negative log-probabilities in nats (Ge & Sun 2016, Eq. seq_prob_ngram)."""
    return -scores.log_prob


def shared_negative_log_likelihood(scores: SentenceScores) -> Floats:
    """Return negative log-probabilities over one vocabulary that all authors share.

    The probability of an author's ``<unk>`` is divided equally among the types it represents.
    """
    return scores.n_unknown * np.log(scores.n_unk_types)[:, None] - scores.log_prob


SHARED = "log-likelihood-shared"
RULES: Mapping[str, Callable[[SentenceScores], Floats]] = {
    "sum-of-perplexities": sentence_perplexities,
    "log-likelihood": negative_log_likelihood,
    SHARED: shared_negative_log_likelihood,
}


def count_tied_or_better(costs: Floats, own: Floats) -> NDArray[np.int16]:
    """Count the rivals whose cost is not higher than the true author's; a tie is an error.

    Parameters
    ----------
    costs : (n_authors, ...) float64
        Costs of all candidates, the true author included.
    own : (...) float64
        Costs of the true author.

    Returns
    -------
    (...) int16
    """
    return np.asarray((costs <= own).sum(axis=0) - 1, dtype=np.int16)


def shares_attributed(costs: Floats, author: Integers) -> Floats:
    """Return which share of each sentence is attributed to whom.

    It is 1 for one author, or divided equally among rivals that tie.

    Parameters
    ----------
    costs : (n_authors, n_sentences) float64
    author : (n_sentences,) int
        The true author, to whom a sentence is attributed only if no rival has as low a cost.

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
    shares: Floats = tied / tied.sum(axis=0)
    correct = own < best
    shares[:, correct] = 0.0
    shares[author[correct], at[correct]] = 1.0
    return shares
