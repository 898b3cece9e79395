"""A recurrent language model: gated units, trained with AdamW."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.errors import BylineWarning, LearningError, ModelFileError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.checkpoint import digest, run_from_checkpoint
from byline.lm.gru import Floats, Gru
from byline.lm.parameters import RULES, is_rate, is_whole, is_within, plain
from byline.lm.recurrent_scoring import COLUMNS, event_costs, log_outputs, step
from byline.lm.recurrent_training import GruTrainer, Training
from byline.lm.sentence_batches import Events
from byline.lm.training_run import EpochRecord
from byline.lm.windows import check_sentences, hold_out
from byline.lm.word_classes import WordClasses
from byline.progress import Progress

_SHARED = (
    *("epochs", "patience", "dropout", "validation_fraction", "min_count", "min_frequency"),
    *("sentence_end", "random_state", "vocabulary_size"),
)
_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "units": (lambda v: is_whole(v, 1), "a whole number from 1"),
    "embedding_dropout": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "batch_tokens": (lambda v: is_whole(v, 1), "a whole number from 1"),
    "learning_rate": (is_rate, "a positive number"),
    "warm_up": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "weight_decay": (lambda v: is_within(v, 0, np.inf), "a number from 0"),
    "max_norm": (is_rate, "a positive number"),
} | {name: RULES[name] for name in _SHARED}


class RecurrentLM(LanguageModel):
    """A recurrent neural network that predicts a word from all words of the sentence before it.

    One layer of gated units (Cho et al. 2014), a softmax over the words the training text holds
    often enough (see `WordClasses` for the others) that shares its matrix with the embeddings
    (Press & Wolf 2017), trained by batches of sentences of like length with AdamW (Loshchilov &
    Hutter 2019). It runs on NumPy; threads are as with `FeedForwardLM`. ``<s>`` is always context
    of a sentence's first word.

    Parameters
    ----------
    units : int
        Values of a state, and dimensions of an embedding.
    epochs : int
        At most.
    patience : int
        Training ends after so many epochs in a row without a new lowest validation cost; the
        weights are those of the epoch with the lowest.
    embedding_dropout, dropout : float
        Shares of the values of the embeddings, and of the states before the softmax, that are
        dropped at random in each mini-batch (Srivastava et al. 2014).
    batch_tokens : int
        At most so many words in a mini-batch, with what fills up its shorter sentences. Sentences
        longer than that are learnt in pieces.
    learning_rate : float
        The highest: it rises to this, then falls to zero, in equal steps.
    warm_up : float
        Share of all mini-batches during which it rises.
    weight_decay : float
        Lambda: every step takes this times the learning rate of each weight away, biases excepted.
    max_norm : float
        A longer gradient is cut to this length.
    validation_fraction : float
        Share of the sentences held out at random where `fit` is given no validation; where it comes
        to less than one sentence, all epochs are run.
    min_count, min_frequency : int, float
        Words less frequent than ``min_count``, or not more frequent than ``min_frequency`` (a share
        of the tokens, end marks counted), are the author's own ``<unk>``.
    sentence_end : bool
        Whether ``</s>`` is predicted and scored.
    random_state : int
        Seed of the held-out sentences, the initial weights, the batches and what is dropped.

    Attributes
    ----------
    vocabulary_size_ : int
    word_classes_ : WordClasses
    network_ : Gru
        float32.
    history_ : tuple of EpochRecord
        The learning rate of each is the highest of the epoch, the momentum AdamW's.
    """

    kind: ClassVar[str] = "recurrent"
    sentence_start = True

    def __init__(
        self,
        *,
        units: int = 128,
        epochs: int = 6,
        patience: int = 2,
        embedding_dropout: float = 0.1,
        dropout: float = 0.3,
        batch_tokens: int = 350,
        learning_rate: float = 0.01,
        warm_up: float = 0.05,
        weight_decay: float = 0.1,
        max_norm: float = 1.0,
        validation_fraction: float = 0.1,
        min_count: int = 2,
        min_frequency: float = 1e-5,
        sentence_end: bool = True,
        random_state: int = 0,
    ) -> None:
        self.units = units
        self.epochs = epochs
        self.patience = patience
        self.embedding_dropout = embedding_dropout
        self.dropout = dropout
        self.batch_tokens = batch_tokens
        self.learning_rate = learning_rate
        self.warm_up = warm_up
        self.weight_decay = weight_decay
        self.max_norm = max_norm
        self.validation_fraction = validation_fraction
        self.min_count = min_count
        self.min_frequency = min_frequency
        self.sentence_end = sentence_end
        self.random_state = random_state

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        progress: Progress | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Learn the own words and the network's weights from sentences of token ids.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out sentences for the early end; by default ``validation_fraction`` of
            ``sentences``, which then are not trained on.
        progress : Progress, optional
            Told of mini-batches, with the last epoch's validation perplexity.
        checkpoint : path, optional
            File that is written after every epoch, and stays. Where it is there already, training
            goes on from it, and ends with the weights it would have ended with.

        Raises
        ------
        LearningError
            No token to learn from; or training diverged.
        UsageError
            A parameter or an id is out of its range; or the checkpoint is of a run with other
            settings or on other sentences.
        ModelFileError, OutputError
            The checkpoint is damaged, or cannot be written.
        """
        _check(self.get_params() | {"vocabulary_size": vocabulary_size})
        rng = np.random.default_rng(self.random_state)
        sentences = check_sentences(sentences, vocabulary_size)
        if not sum(map(len, sentences)):
            raise LearningError("there is no token to learn from; give at least one sentence")
        if validation is None:
            sentences, validation = hold_out(sentences, self.validation_fraction, rng)
        classes = self._learn_classes(sentences, int(vocabulary_size))
        training = self._events_of(sentences, classes)
        held_out = self._events_of(check_sentences(validation, vocabulary_size), classes)
        if len(validation) and not len(held_out):
            warnings.warn(
                "no validation sentence holds a token: no early end is possible, all epochs are "
                "run",
                BylineWarning,
                stacklevel=2,
            )
        trainer = GruTrainer(training, held_out, self._n_outputs(classes), self._settings(), rng)
        made_from = partial(self._made_from, vocabulary_size, training, held_out)
        run_from_checkpoint(trainer, checkpoint, made_from, progress)
        # Together and last: a fit that comes to nothing leaves the model as it was.
        self.vocabulary_size_, self.word_classes_ = classes.vocabulary_size, classes
        self.network_, self.history_ = trainer.network, tuple(trainer.history)
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all tokens of all sentences, end to end.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64
        """
        check_is_fitted(self, "network_")
        sentences = check_sentences(sentences, self.vocabulary_size_)
        events = self._events_of(sentences, self.word_classes_)
        return self.word_classes_.log_share(events.targets) - event_costs(self.network_, events)

    def log_distribution(self, context: Sentence) -> NDArray[np.float64]:
        """Log-probabilities (nats) of every event after ``context``.

        Parameters
        ----------
        context : (n,) int32

        Returns
        -------
        (n_events,) float64
        """
        check_is_fitted(self, "network_")
        (ids,) = check_sentences([context], self.vocabulary_size_)
        h = self._first_state()
        for token in ids:
            h = self._next_state(token, h)
        return self._distribution_after(h)

    def sample(self, rng: np.random.Generator, *, max_tokens: int = 100) -> Sentence:
        """Draw one sentence, token by token, until ``</s>`` or ``max_tokens``.

        Returns
        -------
        (n_tokens,) int32
        """
        check_is_fitted(self, "network_")
        tokens: list[int] = []
        h = self._first_state()
        while len(tokens) < max_tokens:
            probs = np.exp(self._distribution_after(h))
            event = int(rng.choice(self.n_events, p=probs / probs.sum()))
            if event == self.vocabulary_size_:
                break
            tokens.append(event)
            h = self._next_state(event, h)
        return np.array(tokens, dtype=np.int32)

    def get_state(self) -> ModelState:
        """Parameters, history, own words and weights, exactly."""
        check_is_fitted(self, "network_")
        params = {
            "parameters": self._plain_params(),
            "vocabulary_size": self.vocabulary_size_,
            "history": [asdict(record) for record in self.history_],
        }
        weights = zip(Gru.names(), self.network_.arrays, strict=True)
        return ModelState(params, {"own_words": self.word_classes_.own} | dict(weights))

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from ``get_state``'s result.

        Raises
        ------
        ModelFileError
            The state is not one of a recurrent model, or its parts do not fit together.
        """
        try:
            model = cls(**state.params["parameters"])
            model.vocabulary_size_ = state.params["vocabulary_size"]
            _check(model.get_params() | {"vocabulary_size": model.vocabulary_size_})
            model.word_classes_ = WordClasses(state.arrays["own_words"], model.vocabulary_size_)
            model.history_ = tuple(EpochRecord(**record) for record in state.params["history"])
            model.network_ = Gru(*(state.arrays[name] for name in Gru.names()))
            model.network_.check(model._n_outputs(model.word_classes_), model.units)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"this is not the state of a recurrent model ({type(error).__name__}: {error}); "
                "train the model again"
            ) from error
        return model

    def _learn_classes(self, sentences: Sequence[Sentence], vocabulary_size: int) -> WordClasses:
        classes = WordClasses.learn(
            sentences,
            vocabulary_size,
            min_count=self.min_count,
            min_frequency=self.min_frequency,
        )
        if not len(classes.own):
            raise LearningError(
                f"no word occurs {self.min_count} times (min_count) in the {len(sentences)} "
                "sentences to learn from; give more text, or take a smaller min_count"
            )
        return classes

    def _settings(self) -> Training:
        return Training(**{field.name: getattr(self, field.name) for field in fields(Training)})

    def _plain_params(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in self.get_params().items()}

    def _made_from(
        self, vocabulary_size: int, training: Events, held_out: Events
    ) -> dict[str, Any]:
        """Name what a training run hangs on, as JSON values."""
        return self._plain_params() | {
            "vocabulary_size": int(vocabulary_size),
            "training text": digest([training.targets, training.lengths]),
            "validation text": digest([held_out.targets, held_out.lengths]),
        }

    def _n_outputs(self, classes: WordClasses) -> int:
        """Classes, and ``</s>`` where it is predicted; ``<s>`` has the id after theirs."""
        return classes.n_classes + int(self.sentence_end)

    def _events_of(self, sentences: Sequence[Sentence], classes: WordClasses) -> Events:
        """Every scored event, as classes."""
        return Events.of(
            [classes.class_of[sentence] for sentence in sentences],
            start=self._n_outputs(classes),
            end=classes.n_classes if self.sentence_end else None,
        )

    def _first_state(self) -> Floats:
        """State after ``<s>``, in every column: (COLUMNS, units)."""
        start = np.full(COLUMNS, self.network_.n_outputs, np.int32)
        return step(self.network_, start, None)

    def _next_state(self, token: int, h: Floats) -> Floats:
        own_class = self.word_classes_.class_of[token]
        return step(self.network_, np.full(COLUMNS, own_class), h)

    def _distribution_after(self, h: Floats) -> NDArray[np.float64]:
        """Log-probabilities of every event: (n_events,)."""
        classes = self.word_classes_
        log_y = log_outputs(self.network_, h[0])
        of_words = log_y[classes.class_of] + classes.log_share(classes.class_of)
        return np.concatenate([of_words, log_y[classes.n_classes :]])


def _check(parameters: Mapping[str, Any]) -> None:
    """Raise UsageError where a parameter's value cannot be used."""
    for name, (rule, need) in _RULES.items():
        if not rule(parameters[name]):
            raise UsageError(f"{name} must be {need}; it is {parameters[name]!r}")
