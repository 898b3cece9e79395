"""A text's tokens under the language models of two candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.cache import TextCache
from byline.attribution.evidence.result import END_MARK, SentenceEvidence, TokenEvidence
from byline.attribution.scoring import SCORE_RULES, sum_of_perplexities
from byline.attribution.sentence_scorer import segment_sums, token_log_probs
from byline.lm.base import UNK, Sentence

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ComparedTokens:
    """The scored tokens of a text.

    Attributes
    ----------
    sentences : list of list of str
        As the encoder cuts them.
    end_marks : bool
        Whether the models score a mark at the end of each.
    unknown : (n_scored,) bool
        Whether a token is unknown to a candidate's vocabulary.
    log_probs : two of (n_draws, n_scored) float64
        In nats, by the first and the second candidate's models.
    """

    sentences: list[list[str]]
    end_marks: bool
    unknown: NDArray[np.bool_]
    log_probs: tuple[Floats, Floats]

    @property
    def log_lrs(self) -> Floats:
        """First minus second, mean over the draws, in nats, (n_scored,)."""
        first, second = self.log_probs
        return np.asarray(first.mean(axis=0) - second.mean(axis=0))

    def score_differences(self, score: str) -> Floats:
        """Each token's part in the difference of the candidates' scores, (n_scored,).

        Parameters
        ----------
        score : str
            The attributor's rule. A sentence's perplexity, which is no sum over its tokens, is
            shared out evenly among them.
        """
        if SCORE_RULES[score] is not sum_of_perplexities:
            return self.log_lrs
        lengths = np.array(list(map(len, self.sentences)), dtype=np.int64) + int(self.end_marks)
        each = np.ones_like(lengths)
        first, second = (
            sum_of_perplexities(segment_sums(log_probs, lengths), lengths, each)
            for log_probs in self.log_probs
        )  # (n_sentences,)
        return np.repeat((first - second) / lengths, lengths)

    def with_values(self, values: Floats) -> tuple[SentenceEvidence, ...]:
        """Make evidence of the tokens and a value of each, (n_scored,), in nats."""
        marks = [END_MARK] if self.end_marks else []
        sentences = [[*sentence, *marks] for sentence in self.sentences]
        tokens = chain.from_iterable(sentences)
        entries = map(TokenEvidence, tokens, self.unknown.tolist(), values.tolist())
        return tuple(
            SentenceEvidence(number, tuple(islice(entries, len(sentence))))
            for number, sentence in enumerate(sentences)
        )


def compare_tokens(
    attributor: AuthorshipAttributor, text: str, pair: tuple[str, str]
) -> ComparedTokens:
    """Score the tokens of a text under the models of two candidates."""
    sentences = attributor.encoder_.tokenize(text)
    views = [attributor.encoders_[author].encode(sentences) for author in pair]
    first, second = (
        token_log_probs(attributor.models_[author], view)
        for author, view in zip(pair, views, strict=True)
    )
    end_marks = attributor.models_[pair[0]][0].sentence_end
    if attributor.cache:
        whole = np.array([len(sentences)], dtype=np.int64)
        first, second = (
            TextCache.of(view, whole, attributor.cache, end_marks=end_marks).mix(log_probs)
            for view, log_probs in zip(views, (first, second), strict=True)
        )
    return ComparedTokens(sentences, end_marks, _unknown(views, end_marks), (first, second))


def _unknown(views: Sequence[Sequence[Sentence]], end_marks: bool) -> NDArray[np.bool_]:
    """Whether a scored token is ``<unk>`` in either view; an end mark never is."""
    end = np.zeros(int(end_marks), dtype=bool)
    pairs = zip(*views, strict=True)
    parts = [part for one, other in pairs for part in ((one == UNK) | (other == UNK), end)]
    return np.concatenate([end[:0], *parts])
