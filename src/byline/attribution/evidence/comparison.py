"""A text's tokens under the language models of candidates that are set against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.attribution.evidence.result import END_MARK, SentenceEvidence, TokenEvidence
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.language_models.cache import TextCache
from byline.attribution.language_models.scoring import SCORE_RULES, negative_sum_of_perplexities
from byline.attribution.language_models.sentence_scorer import segment_sums, token_log_probs
from byline.lm.base import UNK, Sentence

#: The second side of evidence that is not against one candidate alone.
ALL_OTHERS = "all other candidates"


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference of candidates' scores.

    Attributes
    ----------
    first : str
        Whom positive values speak for.
    second : str
        Whom negative ones do; `ALL_OTHERS` where that is the mean of all the rest.
    shares : (n_authors,) float64
        What each candidate's score is multiplied by: 1 for the first, and what adds up to -1 for
        those it is set against.
    """

    first: str
    second: str
    shares: NDArray[np.float64]

    @classmethod
    def between(cls, authors: Sequence[str], first: str, second: str) -> Self:
        """Set one of ``authors`` against another."""
        shares = np.zeros(len(authors))
        shares[authors.index(first)], shares[authors.index(second)] = 1, -1
        return cls(first, second, shares)

    @classmethod
    def with_all(cls, authors: Sequence[str], first: str) -> Self:
        """Set one of ``authors`` against the mean of all the rest."""
        shares = np.full(len(authors), -1 / (len(authors) - 1))
        shares[authors.index(first)] = 1
        if len(authors) == 2:
            return cls(first, next(each for each in authors if each != first), shares)
        return cls(first, ALL_OTHERS, shares)


@dataclass(frozen=True, slots=True)
class ComparedTokens:
    """The scored tokens of a text.

    Attributes
    ----------
    sentences : list of list of str
        As the encoder cuts them.
    end_tokens : bool
        Whether the models score a mark at the end of each.
    unknown : (n_scored,) bool
        Whether a token is unknown to a compared candidate's vocabulary.
    log_probs : list of (n_samples, n_scored) float64
        In nats, by the models of each candidate that is compared.
    shares : (n_compared,) float64
        What each of these is multiplied by.
    """

    sentences: list[list[str]]
    end_tokens: bool
    unknown: NDArray[np.bool_]
    log_probs: list[Floats]
    shares: Floats

    @property
    def lengths(self) -> Integers:
        """Scored tokens of each sentence, (n_sentences,)."""
        n_tokens = np.array(list(map(len, self.sentences)), dtype=np.int64)
        return n_tokens + int(self.end_tokens)

    @property
    def log_lrs(self) -> Floats:
        """First minus second, mean over the draws, in nats, (n_scored,)."""
        return self._contrasted([log_probs.mean(axis=0) for log_probs in self.log_probs])

    def score_differences(self, score: str) -> Floats:
        """Each token's part in the difference of the candidates' scores, (n_scored,).

        Parameters
        ----------
        score : str
            The attributor's rule. A sentence's perplexity, which is no sum over its tokens, is
            shared out evenly among them.
        """
        if SCORE_RULES[score] is not negative_sum_of_perplexities:
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
        self, values: Floats, of_lengths: Floats | None = None
    ) -> tuple[SentenceEvidence, ...]:
        """Make evidence of the tokens.

        Parameters
        ----------
        values : (n_scored,) float64
            Each token's part, in nats.
        of_lengths : (n_sentences,) float64, optional
            What each sentence's length, and its paragraph's, adds; 0 where not told.
        """
        marks = [END_MARK] if self.end_tokens else []
        sentences = [[*sentence, *marks] for sentence in self.sentences]
        tokens = chain.from_iterable(sentences)
        entries = map(TokenEvidence, tokens, self.unknown.tolist(), values.tolist())
        added = [0.0] * len(sentences) if of_lengths is None else of_lengths.tolist()
        return tuple(
            SentenceEvidence(number, tuple(islice(entries, len(sentence))), lengths)
            for number, (sentence, lengths) in enumerate(zip(sentences, added, strict=True))
        )

    def _contrasted(self, by_candidate: Sequence[Floats]) -> Floats:
        """Add up each candidate's values times its share."""
        total = np.zeros_like(by_candidate[0])
        for share, values in zip(self.shares.tolist(), by_candidate, strict=True):
            total += share * values
        return total


def compare_tokens(attributor: AuthorshipAttributor, text: str, shares: Floats) -> ComparedTokens:
    """Score the tokens of a text under the models of the candidates that are compared.

    Parameters
    ----------
    attributor : AuthorshipAttributor
    text : str
    shares : (n_authors,) float64
        What each candidate's log-probabilities are multiplied by; those of 0 are not compared.
    """
    sentences = attributor.encoder_.tokenize(text)
    authors = [str(author) for author in attributor.classes_[np.flatnonzero(shares)]]
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
    return ComparedTokens(sentences, end_tokens, unknown, log_probs, shares[shares != 0])


def _unknown(views: Sequence[Sequence[Sentence]], end_tokens: bool) -> NDArray[np.bool_]:
    """Whether a scored token is ``<unk>`` in any view; an end mark never is."""
    end = np.zeros(int(end_tokens), dtype=bool)
    parts = [
        part
        for sentence in zip(*views, strict=True)
        for part in (np.logical_or.reduce([ids == UNK for ids in sentence]), end)
    ]
    return np.concatenate([end[:0], *parts])
