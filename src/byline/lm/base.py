"""What every language model over token ids can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from byline.errors import UsageError
from byline.lm.scoring import EventSelection, Scoring, has_full_context
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
        Scored tokens, end marks included where they are scored, and ``<unk>`` where it is counted.
    n_oov : int
        Tokens that are ``<unk>``, counted above or not; of full n-grams alone where only those are
        scored.
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
    def context_window(self) -> tuple[int, int] | None:
        """Tokens looked at before the predicted one, and after it; None where there is no bound."""
        return None

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
        TrainingError
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

    @property
    def scoring(self) -> Scoring:
        """How the model scores unless told otherwise: with the sentence marks it was fitted to."""
        return Scoring(sentence_start=self.sentence_start, sentence_end=self.sentence_end)

    def event_log_probs(
        self, sentences: Sequence[Sentence], scoring: Scoring
    ) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all events, ``</s>`` among them where ``scoring`` says so.

        Those that ``scoring`` leaves out of a text's sum are among them, too.

        Raises
        ------
        UsageError
            The model was not fitted to what is asked for.
        """
        self._check_sentence_end(scoring)
        # A full context holds no <s>.
        if scoring.positions == "every" and scoring.sentence_start != self.sentence_start:
            raise UsageError(
                f"sentence_start={scoring.sentence_start}: this model was fitted with "
                f"sentence_start={self.sentence_start} and can score no other way"
            )
        log_probs = self.batch_log_probs(sentences)
        if self.sentence_end and not scoring.sentence_end:
            is_token = self._events(sentences, sentence_end=True) != self.vocabulary_size_
            log_probs = log_probs[is_token]
        return log_probs

    def select_events(self, sentences: Sequence[Sentence], scoring: Scoring) -> EventSelection:
        """Say which of the events of `event_log_probs` are in the sum, and which are counted.

        Raises
        ------
        UsageError
            Full contexts are asked for, and this model's have no bound.
        """
        is_oov = self._events(sentences, sentence_end=scoring.sentence_end) == UNK
        if scoring.positions == "every":
            return EventSelection.among(np.ones_like(is_oov), is_oov, scoring)
        if self.context_window is None:
            raise UsageError(
                f"positions='full': a {self.kind} model looks back without bound, so no context "
                "of it is full; use positions='every'"
            )
        lengths = list(map(len, sentences))
        is_full = has_full_context(lengths, self.context_window, sentence_end=scoring.sentence_end)
        return EventSelection.among(is_full, is_oov, scoring)

    def score_samples(self, documents: Sequence[Sequence[Sentence]]) -> NDArray[np.float64]:
        """Sum the log-probabilities (nats) of each document (Ge & Sun 2016, Eq. seq_prob_ngram).

        Returns
        -------
        (n_documents,) float64
        """
        sentences = [sentence for document in documents for sentence in document]
        in_sum = self.select_events(sentences, self.scoring).in_sum
        log_probs = np.where(in_sum, self.event_log_probs(sentences, self.scoring), 0.0)
        sizes = [sum(map(self.n_scored, document)) for document in documents]
        ends = np.cumsum(sizes, dtype=np.int64)
        return np.array(
            [log_probs[end - size : end].sum() for size, end in zip(sizes, ends, strict=True)],
            dtype=np.float64,
        )

    def measure(
        self, documents: Sequence[Sequence[Sentence]], scoring: Scoring | None = None
    ) -> Measurement:
        """Log-probability, scored tokens and OOV tokens of all documents together.

        Parameters
        ----------
        documents : sequence of sequences of (n_tokens,) int32
        scoring : Scoring, optional
            By default as the model was fitted.

        Raises
        ------
        UsageError
            The model cannot score so.
        """
        scoring = scoring or self.scoring
        sentences = [sentence for document in documents for sentence in document]
        log_probs = self.event_log_probs(sentences, scoring)
        chosen = self.select_events(sentences, scoring)
        return Measurement(
            log_prob=float(log_probs[chosen.in_sum].sum()),
            n_tokens=int(chosen.in_count.sum()),
            n_oov=int(chosen.is_oov.sum()),
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

    def _events(self, sentences: Sequence[Sentence], *, sentence_end: bool) -> Sentence:
        """Return the scored events of all sentences end to end, as ids."""
        end = np.full(int(sentence_end), self.vocabulary_size_, dtype=np.int32)
        parts = [part for sentence in sentences for part in (sentence, end)]
        return np.concatenate([end[:0], *parts])

    def _check_sentence_end(self, scoring: Scoring) -> None:
        if scoring.sentence_end and not self.sentence_end:
            raise UsageError(
                "sentence_end=True: this model was fitted without </s>; fit it with "
                "sentence_end=True, or score with sentence_end=False"
            )
