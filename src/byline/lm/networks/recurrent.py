"""A recurrent language model: gated units, trained with AdamW."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.errors import BylineWarning, UsageError
from byline.lm.base import Sentence
from byline.lm.inputs import RULES, SIZE, is_rate, is_size, is_within
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.networks.ngram_windows import check_sentences
from byline.lm.networks.recurrent_network import Floats, RecurrentNetwork
from byline.lm.networks.recurrent_scoring import COLUMNS, event_costs, log_outputs, step
from byline.lm.networks.recurrent_training import RecurrentTrainer, Training
from byline.lm.networks.sentence_batches import Events
from byline.lm.networks.warm_start import WarmStart
from byline.lm.scoring import score_distinct_sentences

_SHARED = (
    *("epochs", "patience", "dropout", "validation_fraction", "min_count", "min_frequency"),
    *("unigram_shift", "sentence_end", "random_state", "vocabulary_size"),
)
_RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "units": (is_size, SIZE),
    "embedding_dropout": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "batch_tokens": (is_size, SIZE),
    "learning_rate": (is_rate, "a positive number"),
    "warm_up": (lambda v: is_within(v, 0, 1), "a number from 0 to below 1"),
    "weight_decay": (lambda v: is_within(v, 0, np.inf), "a number from 0"),
    "max_norm": (is_rate, "a positive number"),
} | {name: RULES[name] for name in _SHARED}

_BACKGROUND: dict[str, Any] = {
    "epochs": 3,
    "batch_tokens": 1000,
    "learning_rate": 0.01,
    "weight_decay": 0.02,
    "embedding_dropout": 0.05,
    "dropout": 0.1,
    "min_count": 5,
    "min_frequency": 0.0,
}


class RecurrentLM(NetworkLM):
    """A recurrent neural network that predicts a word from all words of the sentence before it.

    One layer of gated units (Cho et al. 2014), a softmax over the words the training text holds
    often enough (see `Shortlist` for the others) that shares its matrix with the embeddings
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
    unigram_shift : float
        With a background: what part of the way the biases are moved, before training, from the
        logarithms of its word frequencies to those of the training text.
    sentence_end : bool
        Whether ``</s>`` is predicted and scored.
    random_state : int
        Seed of the held-out sentences, the initial weights, the batches and what is dropped.

    Attributes
    ----------
    vocabulary_size_ : int
    event_counts_ : (vocabulary_size + 1,) int32
        How often each id, and then ``</s>``, occurs in the training text.
    shortlist_ : Shortlist
    network_ : Gru
        float32.
    history_ : tuple of EpochRecord
        The learning rate of each is the highest of the epoch, the momentum AdamW's.
    """

    kind: ClassVar[str] = "recurrent"
    _background_params = _BACKGROUND
    network_: RecurrentNetwork
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
        unigram_shift: float = 0.5,
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
        self.unigram_shift = unigram_shift
        self.sentence_end = sentence_end
        self.random_state = random_state

    @classmethod
    def for_adaptation(cls) -> Self:
        """Take the setting for few epochs from a background: more units, and less to be learnt."""
        return cls(
            units=192,
            epochs=5,
            learning_rate=0.004,
            batch_tokens=350,
            weight_decay=0.05,
            embedding_dropout=0.2,
            dropout=0.3,
        )

    def _check_parameters(self, parameters: Mapping[str, Any]) -> None:
        for name, (rule, need) in _RULES.items():
            if not rule(parameters[name]):
                raise UsageError(f"{name} must be {need}; it is {parameters[name]!r}")

    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> RecurrentTrainer:
        training, held_out = self._events_of(sentences), self._events_of(validation)
        if len(validation) and not len(held_out):
            warnings.warn(
                "no validation sentence holds a token: no early end is possible, all epochs are "
                "run",
                BylineWarning,
                stacklevel=4,
            )
        return RecurrentTrainer(training, held_out, self._n_outputs(), self._settings(), rng)

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
        return score_distinct_sentences(self._log_probs, sentences, int(self.sentence_end))

    def _log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        events = self._events(sentences, sentence_end=self.sentence_end)
        shares = self.shortlist_.log_share(events)
        return shares - event_costs(self.network_, self._events_of(sentences))

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

    def _form(self) -> dict[str, Any]:
        return {"units": self.units, "sentence_end": self.sentence_end}

    def _copied_weights(self, network: RecurrentNetwork, start: WarmStart) -> list[NDArray[Any]]:
        copy = replace(
            network, embedding=start.rows(network.embedding), b_out=start.biases(network.b_out)
        )
        return [np.concatenate([array.ravel() for array in copy.arrays])]

    def _weight_names(self) -> Sequence[str]:
        return RecurrentNetwork.names()

    def _network_of(self, arrays: list[NDArray[Any]]) -> RecurrentNetwork:
        network = RecurrentNetwork(*arrays)
        network.check(self._n_outputs(), self.units)
        return network

    def _settings(self) -> Training:
        return Training(**{field.name: getattr(self, field.name) for field in fields(Training)})

    def _n_outputs(self) -> int:
        """Classes, and ``</s>`` where it is predicted; ``<s>`` has the id after theirs."""
        return self.shortlist_.n_classes + int(self.sentence_end)

    def _events_of(self, sentences: Sequence[Sentence]) -> Events:
        """Every scored event, as classes."""
        classes = self.shortlist_
        return Events.of(
            [classes.class_of[sentence] for sentence in sentences],
            start=self._n_outputs(),
            end=classes.n_classes if self.sentence_end else None,
        )

    def _first_state(self) -> Floats:
        """State after ``<s>``, in every column: (COLUMNS, units)."""
        start = np.full(COLUMNS, self.network_.n_outputs, np.int32)
        return step(self.network_, start, None)

    def _next_state(self, token: int, h: Floats) -> Floats:
        own_class = self.shortlist_.class_of[token]
        return step(self.network_, np.full(COLUMNS, own_class), h)

    def _distribution_after(self, h: Floats) -> NDArray[np.float64]:
        """Log-probabilities of every event: (n_events,)."""
        return self.shortlist_.share_out(log_outputs(self.network_, h[0]))
