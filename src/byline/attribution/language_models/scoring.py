"""Score documents: combine the log-probabilities of their sentences by one of the score rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.language_models.sentence_scorer import (
    SentenceScorer,
    segment_sums,
    token_log_probs,
)
from byline.attribution.result import TextScores
from byline.lm.base import UNK, LanguageModel, Sentence
from byline.text import TextEncoder

LIKELIHOOD_RATIO = "likelihood-ratio"
ScoreRule = Callable[[Floats, Integers, Integers], Floats]


def total_log_likelihood(sentence_log_probs: Floats, lengths: Integers, sizes: Integers) -> Floats:
    """Return the log-likelihoods of documents in nats, averaged over the samples.

    This is the score of Ge & Sun 2016, Eq. seq_prob_ngram.

    Parameters
    ----------
    sentence_log_probs : (n_samples, n_sentences) float64, nats
    lengths : (n_sentences,) int64
        Number of scored tokens per sentence, at least 1.
    sizes : (n_documents,) int64
        Number of sentences per document.

    Returns
    -------
    (n_documents,) float64
    """
    return segment_sums(sentence_log_probs.mean(axis=0), sizes)


def negative_sum_of_perplexities(
    sentence_log_probs: Floats, lengths: Integers, sizes: Integers
) -> Floats:
    """Return the negative sums of the sentences' perplexities, averaged over the samples.

    This is the rule of the paper's program. One unusual short sentence outweighs ten good ones, so
    use it for the reproduction only. The parameters and the result are those of
    `total_log_likelihood`; the result has no unit.
    """
    perplexities = np.exp(-sentence_log_probs / lengths)  # (n_samples, n_sentences), Eq. ppl2
    return -segment_sums(perplexities.mean(axis=0), sizes)


SCORE_RULES: Mapping[str, ScoreRule] = {
    "log-likelihood": total_log_likelihood,
    LIKELIHOOD_RATIO: total_log_likelihood,
    "sum-of-perplexities": negative_sum_of_perplexities,
}


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
        The scorer of ``models``, if they score more than once.
    reference : LanguageModel, optional
        Over the vocabulary that all encoders share. Its log-likelihoods are subtracted from the
        scores.
    cache : float
        The weight of the document's own preceding words, see `TextCache`.
    """
    sentences = [sentence for document in documents for sentence in document]
    sizes = np.array([len(document) for document in documents], dtype=np.int64)
    n_tokens = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    distinct = {id(encoder): encoder for encoder in encoders.values()}  # mostly, a shared one
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
            segment_sums(caches[id(encoder)].mix(token_log_probs(samples, view)), lengths)
            for encoder, samples, view in zip(
                encoders.values(), models.values(), views, strict=True
            )
        ]
    else:
        scorer = scorer or SentenceScorer(models)
        columns = scorer.log_probs(views, lengths)  # n_authors times (n_samples, n_sentences)
    scores = np.stack([rule(column, lengths, sizes) for column in columns], axis=1)
    if reference is not None:
        log_probs = token_log_probs([reference], views[0])
        if caches:
            log_probs = next(iter(caches.values())).mix(log_probs)
        reference_log_probs = segment_sums(log_probs, lengths)
        scores -= total_log_likelihood(reference_log_probs, lengths, sizes)[:, None]
    log_likelihoods = [total_log_likelihood(column, lengths, sizes) for column in columns]
    return TextScores(
        n_tokens=segment_sums(n_tokens, sizes),
        n_unknown=segment_sums(_count_unknown(list(encoded.values()), n_tokens), sizes),
        n_scored=segment_sums(lengths, sizes),
        has_words=np.array([_has_words(document) for document in documents], dtype=bool),
        log_likelihoods=np.stack(log_likelihoods, axis=1),
        scores=scores,
    )


def _has_words(document: list[list[str]]) -> bool:
    return any(map(str.isalnum, chain.from_iterable(chain.from_iterable(document))))


def _count_unknown(encodings: Sequence[list[Sentence]], n_tokens: Integers) -> Integers:
    """Count the tokens per sentence that are ``<unk>`` in all vocabularies, (n_sentences,)."""
    joined = (np.concatenate([*sentences, np.zeros(0, np.int32)]) for sentences in encodings)
    are_unknown = np.logical_and.reduce([ids == UNK for ids in joined])
    return segment_sums(are_unknown.astype(np.int64), n_tokens)


END = -1  # stands for an end mark
# Number of tokens of a text after which the cache has half of its full weight.
_HALF_WEIGHT = 20


@dataclass(frozen=True, slots=True)
class TextCache:
    """A cache language model (Kuhn & De Mori 1990) at every scored token of some documents.

    The probability of token ``i`` of a document is ``(1 - w_i) p + w_i count / i``: a mixture of
    the model's probability and the token's relative frequency among the ``i`` tokens before it,
    with ``w_i = share * i / (i + 20)``. End marks are never in the cache.

    Attributes
    ----------
    weights : (n_scored,) float64
        ``w_i``.
    probs : (n_scored,) float64
        ``count / i``; 0 for end marks and for the first token of a document.
    """

    weights: Floats
    probs: Floats

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], sizes: Integers, share: float, *, end_tokens: bool
    ) -> Self:
        """Compute the cache at every token from the earlier tokens of its document.

        Parameters
        ----------
        sentences : sequence of (n_tokens,) int32
            Of all documents, concatenated.
        sizes : (n_documents,) int64
            Number of sentences per document.
        share : float
            From 0 up to, but not including, 1: the weight in the limit of a long text.
        end_tokens : bool
            Whether an end mark is scored after each sentence.
        """
        tail = [END] if end_tokens else []
        ids = [np.append(sentence, tail).astype(np.int64) for sentence in sentences]
        lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
        documents = np.repeat(np.repeat(np.arange(len(sizes)), sizes), lengths)
        tokens = np.concatenate([*ids, np.zeros(0, dtype=np.int64)])
        is_token = tokens != END
        n_before = _count_earlier(documents, is_token)
        keys = documents * (int(tokens.max(initial=0)) + 1) + tokens
        counts = np.where(is_token, _count_earlier(keys, is_token), 0)
        probs = np.divide(counts, n_before, out=np.zeros(len(tokens)), where=n_before > 0)
        return cls(share * n_before / (n_before + _HALF_WEIGHT), probs)

    def mix(self, log_probs: Floats) -> Floats:
        """Mix a model's log-probabilities (nats) with those of the cache, (..., n_scored)."""
        with np.errstate(divide="ignore"):
            cached = np.log(self.weights * self.probs)
        mixed: Floats = np.logaddexp(np.log1p(-self.weights) + log_probs, cached)
        return mixed


def _count_earlier(groups: Integers, is_counted: Booleans) -> Integers:
    """Return the number of earlier entries of the same group that are counted, (n,)."""
    order = np.argsort(groups, kind="stable")
    before: Integers = np.cumsum(is_counted[order]) - is_counted[order]
    is_first = np.append(True, np.diff(groups[order]) != 0)[: len(groups)]
    at_start = np.maximum.accumulate(np.where(is_first, before, 0))
    earlier = np.empty(len(groups), dtype=np.int64)
    earlier[order] = before - at_start
    return earlier
