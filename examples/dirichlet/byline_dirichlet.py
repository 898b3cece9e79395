"""A language model of your own: n-grams with Dirichlet priors.

In every order, the probabilities of the order below are added to the counts (MacKay & Peto 1995,
"A hierarchical Dirichlet language model"):

    p(w | h) = (c(h, w) + strength * p(w | h')) / (c(h) + strength)

Here h' is h without its first token. Below order 1, all events are equally likely.

Once this package is installed, Byline can use the model, and load files with it:

    pip install ./examples/dirichlet
    byline train KNOWN -o authors.byline --lm dirichlet --order 3
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm import LanguageModel, ModelState
from byline.lm.base import Sentence
from byline.progress import Progress

Floats = NDArray[np.float64]
Context = tuple[int, ...]
PADDING = -1  # before shorter n-grams, if all are stored in one array


class DirichletLM(LanguageModel):
    """N-gram model in which each order is the prior of the next higher one.

    Parameters
    ----------
    order : int
        Length of the longest n-grams, the predicted token included.
    strength : float
        Weight of the order below, in counts; above zero.
    sentence_start, sentence_end : bool
        Whether ``<s>`` is context, and whether ``</s>`` is predicted.

    Attributes
    ----------
    counts_ : dict of context to dict of event to int
        Counts of the events after each context of fewer tokens than ``order``.
    """

    kind: ClassVar[str] = "dirichlet"

    def __init__(
        self,
        *,
        order: int = 3,
        strength: float = 5.0,
        sentence_start: bool = True,
        sentence_end: bool = True,
    ) -> None:
        self.order = order
        self.strength = strength
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end

    @property
    def context_window(self) -> tuple[int, int]:
        """Number of context tokens before the predicted one, and 0 after it."""
        return self.order - 1, 0

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Count n-grams; ``validation`` and ``background`` are ignored."""
        if self.order < 1 or not self.strength > 0:
            raise UsageError(
                f"order={self.order!r}, strength={self.strength!r}: the order must be 1 or more, "
                "and the strength must be above zero"
            )
        if not any(map(len, sentences)):
            raise TrainingError("there is no token to train on; add text")
        if not all(((ids >= 0) & (ids < vocabulary_size)).all() for ids in sentences):
            raise UsageError(f"a token id is outside [0, {vocabulary_size})")
        self.vocabulary_size_ = vocabulary_size
        counts: dict[Context, Counter[int]] = defaultdict(Counter)
        for done, sentence in enumerate(sentences, start=1):
            for context, event in self._events_of(sentence):
                for shorter in _suffixes(context):
                    counts[shorter][event] += 1
            if progress:
                progress(done, len(sentences), "sentences counted")
        self.counts_: dict[Context, dict[int, int]] = dict(counts)
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences."""
        log_probs = [
            np.log(self._probability(context, event))
            for sentence in sentences
            for context, event in self._events_of(sentence)
        ]
        return np.array(log_probs, dtype=np.float64)

    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``, (n_events,)."""
        tokens = [*self._start, *map(int, context)]
        whole = tuple(tokens[max(0, len(tokens) - self.order + 1) :])
        probs = np.full(self.n_events, 1 / self.n_events)
        for shorter in _suffixes(whole):
            seen = self.counts_.get(shorter, {})
            probs *= self.strength
            probs[list(seen)] += list(seen.values())
            probs /= sum(seen.values()) + self.strength
        log_probs: Floats = np.log(probs)
        return log_probs

    def get_state(self) -> ModelState:
        """Return the parameters and the counts, as JSON values and arrays."""
        rows = [
            (*[PADDING] * (self.order - 1 - len(context)), *context, event, count)
            for context, seen in sorted(self.counts_.items())
            for event, count in sorted(seen.items())
        ]
        params = self.get_params() | {"vocabulary_size": self.vocabulary_size_}
        return ModelState(params, {"counts": np.array(rows, dtype=np.int64)})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from the result of `get_state`."""
        params: dict[str, Any] = dict(state.params)
        try:
            size, rows = params.pop("vocabulary_size"), state.arrays["counts"]
            model = cls(**params)
            if rows.shape != (len(rows), model.order + 1):
                raise ModelFileError(f"counts of shape {rows.shape} are not {model.order}-grams")
        except (KeyError, TypeError) as error:
            raise ModelFileError(f"this is not the state of a Dirichlet model: {error}") from error
        model.vocabulary_size_ = size
        model.counts_ = {}
        for *context, event, count in rows.tolist():
            known = tuple(token for token in context if token != PADDING)
            model.counts_.setdefault(known, {})[event] = count
        return model

    @property
    def _start(self) -> Context:
        """The id of ``<s>``, which is not an event, if it is context."""
        return (self.vocabulary_size_ + 1,) * self.sentence_start

    def _events_of(self, sentence: Sentence) -> Iterator[tuple[Context, int]]:
        """Yield each scored event with its context."""
        tokens = [*self._start, *sentence.tolist(), *[self.vocabulary_size_] * self.sentence_end]
        for position in range(len(self._start), len(tokens)):
            yield tuple(tokens[max(0, position - self.order + 1) : position]), tokens[position]

    def _probability(self, context: Context, event: int) -> float:
        probability = 1 / self.n_events
        for shorter in _suffixes(context):
            seen = self.counts_.get(shorter, {})
            total = sum(seen.values()) + self.strength
            probability = (seen.get(event, 0) + self.strength * probability) / total
        return probability


def _suffixes(context: Context) -> Iterator[Context]:
    """Yield the suffixes of a context, from the empty one to the whole."""
    for start in range(len(context), -1, -1):
        yield context[start:]
