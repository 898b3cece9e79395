"""The token log-probabilities of a text under the language models of compared candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.evidence.result import END_MARK, SentenceEvidence, TokenEvidence
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.language_models.scoring import (
    SCORE_RULES,
    TextCache,
    negative_sum_of_perplexities,
)
from byline.attribution.language_models.sentence_scorer import segment_sums, token_log_probs
from byline.lm.base import UNK, Sentence
from byline.text import SubwordEncoder
from byline.text.alignment import align_tokens

#: The second side of a comparison with all other candidates.
ALL_OTHERS = "all other candidates"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A linear contrast of the candidates' scores.

    Attributes
    ----------
    first : str
        The candidate favoured by positive values.
    second : str
        The candidate favoured by negative values; `ALL_OTHERS` for the mean of all the others.
    coefficients : (n_authors,) float64
        What each candidate's score is multiplied by: 1 for the first candidate, and values that sum
        to -1 for those it is compared with.
    """

    first: str
    second: str
    coefficients: Floats

    @classmethod
    def between(cls, authors: Sequence[str], first: str, second: str) -> Self:
        """Compare one of ``authors`` with another one."""
        coefficients = np.zeros(len(authors))
        coefficients[authors.index(first)], coefficients[authors.index(second)] = 1, -1
        return cls(first, second, coefficients)

    @classmethod
    def with_all(cls, authors: Sequence[str], first: str) -> Self:
        """Compare one of ``authors`` with the mean of all the others."""
        coefficients = np.full(len(authors), -1 / (len(authors) - 1))
        coefficients[authors.index(first)] = 1
        if len(authors) == 2:
            return cls(first, next(each for each in authors if each != first), coefficients)
        return cls(first, ALL_OTHERS, coefficients)


@dataclass(frozen=True, slots=True)
class ComparedTokens:
    """The scored tokens of a text under the compared candidates' models.

    Attributes
    ----------
    sentences : list of list of str
        The text as the encoder splits it, or as words if its tokens are subwords.
    end_tokens : bool
        Whether the models score an end mark after each sentence.
    unknown : (n_scored,) bool
        Whether a token is missing from the vocabulary of a compared candidate.
    log_probs : list of (n_samples, n_scored) float64
        Log-probabilities in nats under the models of each compared candidate.
    coefficients : (n_compared,) float64
        What the log-probabilities of each candidate are multiplied by.
    """

    sentences: list[list[str]]
    end_tokens: bool
    unknown: Booleans
    log_probs: list[Floats]
    coefficients: Floats

    @classmethod
    def without_models(cls, sentences: list[list[str]]) -> Self:
        """Return tokens that no language model scores, so that none of them is unknown."""
        n_tokens = sum(map(len, sentences))
        return cls(sentences, False, np.zeros(n_tokens, dtype=bool), [], np.zeros(0))

    @property
    def lengths(self) -> Integers:
        """Number of scored tokens of each sentence, (n_sentences,)."""
        n_tokens = np.array(list(map(len, self.sentences)), dtype=np.int64)
        return n_tokens + int(self.end_tokens)

    @property
    def log_lrs(self) -> Floats:
        """Log-LR of each token in nats: first minus second, mean over samples, (n_scored,)."""
        return self._contrasted([log_probs.mean(axis=0) for log_probs in self.log_probs])

    def score_differences(self, score_rule: str) -> Floats:
        """Divide the difference of the candidates' scores among the tokens, (n_scored,).

        Parameters
        ----------
        score_rule : str
            The attributor's score rule. The perplexity of a sentence, which is not a sum over its
            tokens, is divided evenly among them.
        """
        if SCORE_RULES[score_rule] is not negative_sum_of_perplexities:
            return self.log_lrs
        lengths = self.lengths
        each = np.ones_like(lengths)
        by_sentence = self._contrasted(
            [
                negative_sum_of_perplexities(segment_sums(log_probs, lengths), lengths, each)
                for log_probs in self.log_probs
            ]
        )
        return np.repeat(by_sentence / lengths, lengths)

    def with_values(
        self, values: Floats, length_values: Floats | None = None
    ) -> tuple[SentenceEvidence, ...]:
        """Create the evidence of each sentence.

        Parameters
        ----------
        values : (n_scored,) float64
            The contribution of each token in nats.
        length_values : (n_sentences,) float64, optional
            The contribution of the length of each sentence and its paragraph; 0 by default.
        """
        marks = [END_MARK] if self.end_tokens else []
        sentences = [[*sentence, *marks] for sentence in self.sentences]
        tokens = chain.from_iterable(sentences)
        entries = map(TokenEvidence, tokens, self.unknown.tolist(), values.tolist())
        added = [0.0] * len(sentences) if length_values is None else length_values.tolist()
        return tuple(
            SentenceEvidence(number, tuple(islice(entries, len(sentence))), length_log_lr)
            for number, (sentence, length_log_lr) in enumerate(zip(sentences, added, strict=True))
        )

    def _contrasted(self, by_candidate: Sequence[Floats]) -> Floats:
        """Sum the candidates' values, multiplied by the coefficients."""
        total = np.zeros_like(by_candidate[0])
        for coefficient, values in zip(self.coefficients.tolist(), by_candidate, strict=True):
            total += coefficient * values
        return total


def compare_tokens(
    attributor: AuthorshipAttributor, text: str, coefficients: Floats
) -> ComparedTokens:
    """Score the tokens of a text under the models of the compared candidates.

    Parameters
    ----------
    attributor : AuthorshipAttributor
        A fitted attributor.
    text : str
        The text to score.
    coefficients : (n_authors,) float64
        What the log-probabilities of each candidate are multiplied by. Candidates with a
        coefficient of 0 are not compared.
    """
    sentences = attributor.encoder_.tokenize(text)
    authors = [str(author) for author in attributor.classes_[np.flatnonzero(coefficients)]]
    encoders = [attributor.encoders_[author] for author in authors]
    encoded = {id(encoder): encoder.encode(sentences) for encoder in encoders}
    views = [encoded[id(encoder)] for encoder in encoders]
    log_probs = [
        token_log_probs(attributor.models_[author], view)
        for author, view in zip(authors, views, strict=True)
    ]
    end_tokens = attributor.models_[authors[0]][0].sentence_end
    if attributor.cache:
        whole = np.array([len(sentences)], dtype=np.int64)
        log_probs = [
            TextCache.of(view, whole, attributor.cache, end_tokens=end_tokens).mix(own)
            for view, own in zip(views, log_probs, strict=True)
        ]
    unknown = _unknown(list(encoded.values()), end_tokens)
    compared = ComparedTokens(
        sentences, end_tokens, unknown, log_probs, coefficients[coefficients != 0]
    )
    encoder = attributor.encoder_
    return by_word(compared, encoder, text) if isinstance(encoder, SubwordEncoder) else compared


def by_word(subwords: ComparedTokens, encoder: SubwordEncoder, text: str) -> ComparedTokens:
    """Sum the log-probabilities of the subwords of each word.

    A subword belongs to the word that contains its first visible character. A word without a
    subword of its own, such as the second full stop of an ellipsis, has a log-probability of 0.

    Parameters
    ----------
    subwords : ComparedTokens
        The scored subwords, without end marks.
    encoder : SubwordEncoder
    text : str
        The text, as ``encoder.normalize`` returns it.
    """
    words = encoder.word_encoder()
    sentences = words.tokenize(text)
    places = align_tokens(words, text, sentences, end_tokens=False)
    if not len(places):
        nothing = [own[:, :0] for own in subwords.log_probs]
        return ComparedTokens([], False, subwords.unknown[:0], nothing, subwords.coefficients)
    owners = places.tokens_of_characters(encoder.token_starts(text))

    def sums(values: NDArray[Any]) -> Floats:
        weights = values.astype(np.float64)
        return np.bincount(owners, weights, minlength=len(places)).astype(np.float64)

    log_probs = [np.stack(list(map(sums, samples))) for samples in subwords.log_probs]
    unknown = sums(subwords.unknown) > 0
    return ComparedTokens(sentences, False, unknown, log_probs, subwords.coefficients)


def _unknown(views: Sequence[Sequence[Sentence]], end_tokens: bool) -> Booleans:
    """Find the scored tokens that are ``<unk>`` in any view; an end mark never is."""
    end = np.zeros(int(end_tokens), dtype=bool)
    parts = [
        part
        for sentence in zip(*views, strict=True)
        for part in (np.logical_or.reduce([ids == UNK for ids in sentence]), end)
    ]
    return np.concatenate([end[:0], *parts])
