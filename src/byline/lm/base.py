"""What every language model over token ids can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from byline.progress import Progress

Sentence = NDArray[np.int32]
UNK = 0


@dataclass(frozen=True, slots=True)
class Measurement:
    """A model's fit to a text.

    Attributes
    ----------
    log_prob : float
        Sum over all scored tokens, in nats.
    n_tokens : int
        Scored tokens, end marks included where the model scores them.
    n_oov : int
        Those of them that are ``<unk>``; they are scored like any other token.
    """

    log_prob: float
    n_tokens: int
    n_oov: int

    @property
    def perplexity(self) -> float:
        """``exp(-log_prob / n_tokens)`` (Ge & Sun 2016, Eq. ppl2, in nats); NaN of no token."""
        return float(np.exp(-self.log_prob / self.n_tokens)) if self.n_tokens else float("nan")

    def __add__(self, other: Measurement) -> Measurement:
        """Measure both texts together."""
        return Measurement(
            self.log_prob + other.log_prob,
            self.n_tokens + other.n_tokens,
            self.n_oov + other.n_oov,
        )


@dataclass(frozen=True, slots=True)
class ModelState:
    """All that rebuilds a fitted model: ``params`` are JSON values, ``arrays`` are numeric."""

    params: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


class LanguageModel(BaseEstimator, ABC):  # type: ignore[misc]
    """A distribution over sequences of token ids.

    Ids run from 0 (``<unk>``) to ``vocabulary_size - 1``. The marks ``<s>`` and ``</s>`` never
    stand inside a sentence: the model adds ``<s>`` as context where ``sentence_start`` is true, and
    scores ``</s>`` after the last token, as event number ``vocabulary_size``, where
    ``sentence_end`` is true. Over any context the events' probabilities sum to one.
    """

    kind: ClassVar[str]
    sentence_start: bool
    sentence_end: bool
    vocabulary_size_: int

    @property
    def n_events(self) -> int:
        """Number of events a context is followed by: the vocabulary, and ``</s>`` where scored."""
        return self.vocabulary_size_ + int(self.sentence_end)

    @abstractmethod
    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn from sentences of token ids.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
            Ids lie in ``[0, vocabulary_size)``.
        validation : sequence of int32 arrays, optional
            Held-out sentences for models that stop early; others do not look at it.
        progress : Progress, optional

        Raises
        ------
        LearningError
            No token to learn from, or learning diverged.
        UsageError
            A parameter is out of its range, or an id is.
        """

    @abstractmethod
    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all tokens of all sentences, end to end.

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64
            Equal to the concatenated ``token_log_probs`` of the sentences one by one.
        """

    @abstractmethod
    def log_distribution(self, context: Sentence) -> NDArray[np.float64]:
        """Log-probabilities (nats) of every event after ``context``.

        Parameters
        ----------
        context : (n,) int32
            The tokens of the sentence so far, any number of them; empty at its start.

        Returns
        -------
        (n_events,) float64
        """

    @abstractmethod
    def get_state(self) -> ModelState:
        """Return what was learnt, for storing."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from ``get_state``'s result."""

    def n_scored(self, sentence: Sentence) -> int:
        """Count the events scored in ``sentence``: its tokens, and ``</s>`` where scored."""
        return len(sentence) + int(self.sentence_end)

    def token_log_probs(self, sentence: Sentence) -> NDArray[np.float64]:
        """Log-probability (nats) of each token, then of ``</s>`` where it is scored.

        Returns
        -------
        (n_scored(sentence),) float64
        """
        return self.batch_log_probs([sentence])

    def score_samples(self, documents: Sequence[Sequence[Sentence]]) -> NDArray[np.float64]:
        """Sum the log-probabilities (nats) of each document (Ge & Sun 2016, Eq. seq_prob_ngram).

        Returns
        -------
        (n_documents,) float64
        """
        flat = self.batch_log_probs([sentence for document in documents for sentence in document])
        sizes = [sum(map(self.n_scored, document)) for document in documents]
        ends = np.cumsum(sizes, dtype=np.int64)
        return np.array(
            [flat[end - size : end].sum() for size, end in zip(sizes, ends, strict=True)],
            dtype=np.float64,
        )

    def measure(self, documents: Sequence[Sequence[Sentence]]) -> Measurement:
        """Log-probability, scored tokens and OOV tokens of all documents together."""
        sentences = [sentence for document in documents for sentence in document]
        return Measurement(
            log_prob=float(self.batch_log_probs(sentences).sum()),
            n_tokens=sum(map(self.n_scored, sentences)),
            n_oov=sum(int(np.count_nonzero(sentence == UNK)) for sentence in sentences),
        )

    def perplexity(self, documents: Sequence[Sequence[Sentence]]) -> float:
        """``exp`` of the mean negative log-probability (nats) of a scored token."""
        return self.measure(documents).perplexity

    def sample(self, rng: np.random.Generator, *, max_tokens: int = 100) -> Sentence:
        """Draw one sentence, token by token, until ``</s>`` or ``max_tokens``.

        Returns
        -------
        (n_tokens,) int32
        """
        tokens: list[int] = []
        while len(tokens) < max_tokens:
            probs = np.exp(self.log_distribution(np.array(tokens, dtype=np.int32)))
            event = int(rng.choice(self.n_events, p=probs / probs.sum()))
            if event == self.vocabulary_size_:
                break
            tokens.append(event)
        return np.array(tokens, dtype=np.int32)
