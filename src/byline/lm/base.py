"""The interface that all language models share: `LanguageModel`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, clone

from byline.array_types import Floats, Ids
from byline.errors import UsageError
from byline.lm.measurement import Measurement
from byline.lm.model_state import ModelState
from byline.lm.scoring import EventSelection, Scoring, has_full_context
from byline.progress import Progress

Sentence = Ids
UNK = 0
BackgroundUse = Literal["none", "optional", "required"]


class LanguageModel(BaseEstimator, ABC):  # type: ignore[misc]
    """A probability distribution over sequences of token ids.

    Ids run from 0 (``<unk>``) to ``vocabulary_size - 1``. Sentences never contain the boundary
    symbols ``<s>`` and ``</s>``. If ``sentence_start`` is true, the model itself adds ``<s>`` as
    context before the first token. If ``sentence_end`` is true, it scores ``</s>`` after the last
    token, as event number ``vocabulary_size``. After any context, the probabilities of all events
    sum to one.

    See Also
    --------
    NgramLM : Model with n-gram counts and smoothing.
    FeedForwardLM, RecurrentLM : Neural networks.
    MixtureLM : Interpolation of several models.

    Examples
    --------
    A model of your own implements ``fit``, ``batch_log_probs``, ``log_distribution``,
    ``get_state`` and ``from_state``. Perplexity, scores of documents and sampling follow from them.
    A model that adapts a background model also sets ``background_use``; see `CONTRIBUTING.md`.

    >>> class UniformLM(LanguageModel):
    ...     kind, sentence_start, sentence_end = "uniform", True, True
    ...
    ...     def fit(self, sentences, *, vocabulary_size, **ignored):
    ...         self.vocabulary_size_ = vocabulary_size
    ...         return self
    ...
    ...     def batch_log_probs(self, sentences):
    ...         return np.full(sum(map(self.n_scored, sentences)), -np.log(self.n_events))
    ...
    ...     def log_distribution(self, context):
    ...         return np.full(self.n_events, -np.log(self.n_events))
    ...
    ...     def get_state(self):
    ...         return ModelState({"vocabulary_size": self.vocabulary_size_}, {})
    ...
    ...     @classmethod
    ...     def from_state(cls, state):
    ...         return cls().fit([], vocabulary_size=state.params["vocabulary_size"])
    >>> model = UniformLM().fit([], vocabulary_size=9)
    >>> document = [np.array([1, 2], dtype=np.int32), np.array([4], dtype=np.int32)]
    >>> round(model.perplexity([document]), 6)  # nine words and </s> are equally likely
    10.0
    """

    kind: ClassVar[str]
    background_use: BackgroundUse = "none"
    sentence_start: bool
    sentence_end: bool
    vocabulary_size_: int

    @property
    def context_window(self) -> tuple[int, int] | None:
        """Number of context tokens before and after the predicted token; None if unlimited."""
        return None

    @property
    def n_events(self) -> int:
        """Number of possible next events: the vocabulary, and ``</s>`` if it is scored."""
        return self.vocabulary_size_ + int(self.sentence_end)

    @abstractmethod
    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Train the model on sentences of token ids.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
            Ids lie in ``[0, vocabulary_size)``.
        validation : sequence of int32 arrays, optional
            Held-out sentences for models that use early stopping. Other models ignore them.
        background : LanguageModel, optional
            What `background_model` returned, fitted to texts of many authors, with the same
            vocabulary. It is only passed to models whose ``background_use`` is not "none".
        progress : Progress, optional

        Raises
        ------
        TrainingError
            There is no token to train on, or the training diverged.
        UsageError
            A parameter or a token id is out of range.
        """

    @abstractmethod
    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64
            The concatenated ``token_log_probs`` of the sentences.

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """

    @abstractmethod
    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``.

        Parameters
        ----------
        context : (n,) int32
            All previous tokens of the sentence; empty at its start.

        Returns
        -------
        (n_events,) float64

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """

    @abstractmethod
    def get_state(self) -> ModelState:
        """Return everything that is needed to rebuild the fitted model."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from the result of `get_state`.

        Raises
        ------
        ModelFileError
            A parameter or an array is missing, or they contradict each other.
        """

    def background_model(self) -> LanguageModel:
        """Make the unfitted background model for models like this one; by default a clone."""
        background: LanguageModel = clone(self)
        return background

    def set_background(self, background: LanguageModel | None) -> None:
        """Replace the background model to which a fitted model refers; None removes it.

        Models of many authors refer to one background model. It is removed while a model is sent
        between processes. By default, this sets ``background_`` if the model has that attribute.
        """
        if "background_" in vars(self):
            self.background_ = background

    def get_state_without_background(self) -> ModelState:
        """Return the state without a background model that is stored separately.

        By default, this is the whole state.
        """
        return self.get_state()

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: LanguageModel) -> Self:
        """Rebuild a model from `get_state_without_background` and its background model.

        Raises
        ------
        ModelFileError
            As in `from_state`, or the background model is not suitable.
        """
        model = cls.from_state(state)
        model.set_background(background)
        return model

    @classmethod
    def log_probs_of_all(
        cls, models: Sequence[LanguageModel], sentences: Sequence[Sentence]
    ) -> Iterator[Floats]:
        """Compute `batch_log_probs` under several fitted models of this class.

        Override it if the models can share work, such as the scores of one background model.

        Yields
        ------
        (n_scored,) float64, one per model
        """
        for model in models:
            yield model.batch_log_probs(sentences)

    def n_scored(self, sentence: Sentence) -> int:
        """Count the scored events of ``sentence``: its tokens, and ``</s>`` if it is scored."""
        return len(sentence) + int(self.sentence_end)

    def token_log_probs(self, sentence: Sentence) -> Floats:
        """Compute the log-probability (nats) of each token, then of ``</s>`` if it is scored.

        Returns
        -------
        (n_scored(sentence),) float64
        """
        return self.batch_log_probs([sentence])

    @property
    def scoring(self) -> Scoring:
        """The default scoring options: the boundary symbols with which the model was fitted."""
        return Scoring(sentence_start=self.sentence_start, sentence_end=self.sentence_end)

    def event_log_probs(self, sentences: Sequence[Sentence], scoring: Scoring) -> Floats:
        """Compute the log-probabilities (nats) of all events under the given scoring options.

        The result also contains the events that ``scoring`` excludes from the sum.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        scoring : Scoring

        Returns
        -------
        (n_events of all sentences,) float64

        Raises
        ------
        UsageError
            The model was not fitted for these scoring options.
        """
        self._check_sentence_end(scoring)
        # A full context never contains <s>.
        if scoring.positions == "every" and scoring.sentence_start != self.sentence_start:
            raise UsageError(
                f"sentence_start={scoring.sentence_start}: this model was fitted with "
                f"sentence_start={self.sentence_start}; score with the same value, or refit the "
                "model"
            )
        log_probs = self.batch_log_probs(sentences)
        if self.sentence_end and not scoring.sentence_end:
            is_token = self._events(sentences, sentence_end=True) != self.vocabulary_size_
            log_probs = log_probs[is_token]
        return log_probs

    def select_events(self, sentences: Sequence[Sentence], scoring: Scoring) -> EventSelection:
        """Select the events of `event_log_probs` that are summed and those that are counted.

        Raises
        ------
        UsageError
            Only full contexts are to be scored, but the contexts of this model are unlimited.
        """
        is_oov = self._events(sentences, sentence_end=scoring.sentence_end) == UNK
        if scoring.positions == "every":
            return EventSelection.at_positions(np.ones_like(is_oov), is_oov, scoring)
        if self.context_window is None:
            raise UsageError(
                f"positions='full': the context of a {self.kind} model is unlimited, so no context "
                "is full; use positions='every'"
            )
        lengths = list(map(len, sentences))
        is_full = has_full_context(lengths, self.context_window, sentence_end=scoring.sentence_end)
        return EventSelection.at_positions(is_full, is_oov, scoring)

    def score_samples(self, documents: Sequence[Sequence[Sentence]]) -> Floats:
        """Compute the log-probability (nats) of each document (Ge & Sun 2016, Eq. seq_prob_ngram).

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
        """Sum the log-probabilities of all documents, and count scored and unknown tokens.

        Parameters
        ----------
        documents : sequence of sequences of (n_tokens,) int32
        scoring : Scoring, optional
            By default, the options with which the model was fitted.

        Raises
        ------
        UsageError
            The model was not fitted for these scoring options.
        """
        scoring = scoring or self.scoring
        sentences = [sentence for document in documents for sentence in document]
        log_probs = self.event_log_probs(sentences, scoring)
        selection = self.select_events(sentences, scoring)
        return Measurement(
            log_prob=float(log_probs[selection.in_sum].sum()),
            n_tokens=int(selection.in_count.sum()),
            n_oov=int(selection.is_oov.sum()),
        )

    def perplexity(self, documents: Sequence[Sequence[Sentence]]) -> float:
        """Compute ``exp`` of the mean negative log-probability (nats) per scored token."""
        return self.measure(documents).perplexity

    def sample(self, rng: np.random.Generator, *, max_tokens: int = 100) -> Sentence:
        """Generate a random sentence, token by token, until ``</s>`` or ``max_tokens``.

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
        """Return the ids of the scored events of all sentences, concatenated."""
        end = np.full(int(sentence_end), self.vocabulary_size_, dtype=np.int32)
        parts = [part for sentence in sentences for part in (sentence, end)]
        return np.concatenate([end[:0], *parts])

    def _check_sentence_end(self, scoring: Scoring) -> None:
        if scoring.sentence_end and not self.sentence_end:
            raise UsageError(
                "sentence_end=True: this model was fitted without </s>; fit it with "
                "sentence_end=True, or score with sentence_end=False"
            )
