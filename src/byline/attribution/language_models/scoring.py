"""From the log-probabilities of sentences to the score of a document, by one of two rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from byline.array_types import Floats, Integers
from byline.attribution.language_models.cache import TextCache
from byline.attribution.language_models.sentence_scorer import (
    SentenceScorer,
    segment_sums,
    token_log_probs,
)
from byline.lm.base import UNK, LanguageModel, Sentence
from byline.text import TextEncoder

LIKELIHOOD_RATIO = "likelihood-ratio"
ScoreRule = Callable[[Floats, Integers, Integers], Floats]


def log_likelihood(sentence_log_probs: Floats, lengths: Integers, sizes: Integers) -> Floats:
    """Documents' log-likelihoods in nats (Ge & Sun 2016, Eq. seq_prob_ngram), mean over draws.

    Parameters
    ----------
    sentence_log_probs : (n_samples, n_sentences) float64, nats
    lengths : (n_sentences,) int64
        Scored tokens of each sentence, at least 1.
    sizes : (n_documents,) int64
        Sentences of each document.

    Returns
    -------
    (n_documents,) float64
    """
    return segment_sums(sentence_log_probs.mean(axis=0), sizes)


def sum_of_perplexities(sentence_log_probs: Floats, lengths: Integers, sizes: Integers) -> Floats:
    """Negative sums of sentence perplexities, mean over draws: the rule of the paper's program.

    One odd short sentence outweighs ten good ones, so it serves the reproduction only.
    Parameters and result are those of `log_likelihood`; the result has no unit.
    """
    perplexities = np.exp(-sentence_log_probs / lengths)  # (n_samples, n_sentences), Eq. ppl2
    return -segment_sums(perplexities.mean(axis=0), sizes)


SCORE_RULES: Mapping[str, ScoreRule] = {
    "log-likelihood": log_likelihood,
    LIKELIHOOD_RATIO: log_likelihood,
    "sum-of-perplexities": sum_of_perplexities,
}


@dataclass(frozen=True, slots=True)
class TextScores:
    """Documents under every author's models.

    Attributes
    ----------
    n_tokens, n_unknown, n_scored : (n_documents,) int64
        Tokens; those that no author's vocabulary has; scored tokens, end marks included.
    log_likelihoods : (n_documents, n_authors) float64, nats
    scores : (n_documents, n_authors) float64
        By the score rule; the highest answers.
    """

    n_tokens: Integers
    n_unknown: Integers
    n_scored: Integers
    log_likelihoods: Floats
    scores: Floats

    @property
    def joint(self) -> Floats:
        """Joint log-probabilities in nats, every author equally likely beforehand."""
        return self.log_likelihoods - math.log(self.log_likelihoods.shape[1])

    @property
    def log_posteriors(self) -> Floats:
        """Natural logarithms of the uncalibrated posteriors."""
        return np.asarray(log_softmax(self.joint, axis=1), dtype=np.float64)


def score_documents(
    documents: Sequence[list[list[str]]],
    encoders: Mapping[str, TextEncoder],
    models: Mapping[str, Sequence[LanguageModel]],
    rule: ScoreRule,
    scorer: SentenceScorer | None = None,
    reference: LanguageModel | None = None,
    cache: float = 0.0,
) -> TextScores:
    """Score tokenized documents under every author's models.

    Parameters
    ----------
    documents : sequence of lists of sentences of token strings, (n_documents,)
    encoders, models : mappings with the same authors in the same order
    rule : callable
        One of ``SCORE_RULES``.
    scorer : SentenceScorer, optional
        That of ``models``, where they score more than once.
    reference : LanguageModel, optional
        Over the vocabulary of all encoders; its log-likelihoods are taken from the scores.
    cache : float
        The share of what a document has said before, see `TextCache`.
    """
    sentences = [sentence for document in documents for sentence in document]
    sizes = np.array([len(document) for document in documents], dtype=np.int64)
    n_tokens = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    distinct = {id(encoder): encoder for encoder in encoders.values()}  # authors mostly share one
    encoded = {key: encoder.encode(sentences) for key, encoder in distinct.items()}
    lengths = n_tokens + int(next(iter(models.values()))[0].sentence_end)  # (n_sentences,)
    views = [encoded[id(encoder)] for encoder in encoders.values()]
    caches: dict[int, TextCache] = {}
    if cache:
        end_tokens = bool((lengths > n_tokens).any())
        caches = {
            key: TextCache.of(view, sizes, cache, end_tokens=end_tokens)
            for key, view in encoded.items()
        }
        columns = [
            segment_sums(caches[id(encoder)].mix(token_log_probs(draws, view)), lengths)
            for encoder, draws, view in zip(encoders.values(), models.values(), views, strict=True)
        ]
    else:
        scorer = scorer or SentenceScorer(models)
        columns = scorer.log_probs(views, lengths)  # n_authors times (n_samples, n_sentences)
    scores = np.stack([rule(column, lengths, sizes) for column in columns], axis=1)
    if reference is not None:
        log_probs = token_log_probs([reference], views[0])
        if caches:
            log_probs = next(iter(caches.values())).mix(log_probs)
        of_sentences = segment_sums(log_probs, lengths)
        scores -= log_likelihood(of_sentences, lengths, sizes)[:, None]
    return TextScores(
        n_tokens=segment_sums(n_tokens, sizes),
        n_unknown=segment_sums(_unknown(list(encoded.values())), sizes),
        n_scored=segment_sums(lengths, sizes),
        log_likelihoods=np.stack([log_likelihood(c, lengths, sizes) for c in columns], axis=1),
        scores=scores,
    )


def _unknown(encodings: Sequence[list[Sentence]]) -> Integers:
    """Count the tokens of each sentence that are ``<unk>`` in all vocabularies, (n_sentences,)."""
    return np.array(
        [
            np.logical_and.reduce([ids == UNK for ids in sentence]).sum()
            for sentence in zip(*encodings, strict=True)
        ],
        dtype=np.int64,
    )
