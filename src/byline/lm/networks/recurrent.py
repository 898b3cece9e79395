"""A recurrent language model with gated units, trained with AdamW."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.constraints import Constraints
from byline.lm.base import Sentence
from byline.lm.inputs import SIZE
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.layers import check_weights
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.networks.recurrent_network import RecurrentNetwork, recurrent_network_shapes
from byline.lm.networks.recurrent_scoring import (
    BATCH_COLUMNS,
    event_costs,
    log_outputs,
    next_states,
)
from byline.lm.networks.recurrent_training import RecurrentTrainer, RecurrentTraining
from byline.lm.networks.sentence_batches import Events
from byline.lm.networks.shortlist import WarmStart
from byline.lm.registry import register_language_model
from byline.lm.scoring import score_distinct_sentences


@register_language_model
class RecurrentLM(NetworkLM):
    """A recurrent neural network that predicts a word from all preceding words of the sentence.

    It has one layer of gated units (Cho et al. 2014), and a softmax over the frequent words of the
    training text (see `Shortlist` for the other words) whose matrix is also the embedding table
    (Press & Wolf 2017). It is trained with AdamW (Loshchilov & Hutter 2019) on batches of sentences
    of similar length, with NumPy; the threads are as for `FeedForwardLM`. ``<s>`` is always the
    context of the first word of a sentence.

    Parameters
    ----------
    units : int
        Number of values of a state, and of an embedding.
    min_count, min_frequency : int, float
        Words that occur fewer than ``min_count`` times, or whose relative frequency (end marks
        included) is not above ``min_frequency``, become the author's own ``<unk>``.
    sentence_end : bool
        Whether ``</s>`` is predicted and scored.
    training : RecurrentTraining, optional
        The settings of the training. Its parameters can be set and searched by names such as
        ``training__learning_rate``.
    random_state : int
        Seed of the held-out sentences, the initial weights, the batches and dropout.

    Attributes
    ----------
    vocabulary_size_ : int
    event_counts_ : (vocabulary_size + 1,) int32
        Counts of each id, and then of ``</s>``, in the training text.
    shortlist_ : Shortlist
    network_ : RecurrentNetwork
        float32.
    history_ : tuple of EpochRecord
        The learning rate of each is the highest of the epoch; the momentum is AdamW's.

    See Also
    --------
    RecurrentTraining : the settings of the training
    FeedForwardLM : a network that predicts from a few neighbouring words

    References
    ----------
    Cho, K., et al. (2014). Learning phrase representations using RNN encoder-decoder for
    statistical machine translation. EMNLP.
    Press, O., and Wolf, L. (2017). Using the output embedding to improve language models. EACL.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.lm import RecurrentLM, RecurrentTraining
    >>> sentences = [np.array([1, 2, 3, 1, 2, 3], dtype=np.int32)] * 20
    >>> training = RecurrentTraining(epochs=8, batch_tokens=21, learning_rate=0.05)
    >>> model = RecurrentLM(units=8, training=training).fit(sentences, vocabulary_size=4)
    >>> log_probs = model.log_distribution(np.array([1, 2], dtype=np.int32))
    >>> int(log_probs.argmax())  # 3 follows 1 and 2
    3
    """

    kind: ClassVar[str] = "recurrent"
    training_class = RecurrentTraining
    training: RecurrentTraining
    network_: RecurrentNetwork
    sentence_start = True
    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkLM._parameter_constraints,
        "units": [SIZE],
        "training": [RecurrentTraining],
    }
    _background_parameters: ClassVar[Mapping[str, Any]] = {
        "min_count": 5,
        "min_frequency": 0.0,
        "training__epochs": 3,
        "training__batch_tokens": 1000,
        "training__learning_rate": 0.01,
        "training__weight_decay": 0.02,
        "training__embedding_dropout": 0.05,
        "training__dropout": 0.1,
    }

    def __init__(
        self,
        *,
        units: int = 128,
        min_count: int = 2,
        min_frequency: float = 1e-5,
        sentence_end: bool = True,
        training: RecurrentTraining | None = None,
        random_state: int = 0,
    ) -> None:
        self.units = units
        super().__init__(
            min_count=min_count,
            min_frequency=min_frequency,
            sentence_end=sentence_end,
            training=training,
            random_state=random_state,
        )

    @classmethod
    def for_adaptation(cls) -> Self:
        """Return a setting for a few epochs from a background: more units, smaller steps.

        Examples
        --------
        >>> RecurrentLM.for_adaptation().units
        192
        """
        return cls(
            units=192,
            training=RecurrentTraining(
                epochs=5,
                learning_rate=0.004,
                batch_tokens=350,
                weight_decay=0.05,
                embedding_dropout=0.2,
                dropout=0.3,
            ),
        )

    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> RecurrentTrainer:
        return RecurrentTrainer(
            self._class_events(sentences),
            self._class_events(validation),
            n_outputs=self._n_outputs(),
            units=self.units,
            settings=self.training,
            rng=rng,
        )

    def sample(self, rng: np.random.Generator, *, max_tokens: int = 100) -> Sentence:
        """Draw one random sentence, token by token, until ``</s>`` or ``max_tokens``.

        Returns
        -------
        (n_tokens,) int32
        """
        check_is_fitted(self, "network_")
        tokens: list[int] = []
        h = self._first_state()
        while len(tokens) < max_tokens:
            probs = np.exp(self.shortlist_.expand(log_outputs(self.network_, h[0])))
            event = int(rng.choice(self.n_events, p=probs / probs.sum()))
            if event == self.vocabulary_size_:
                break
            tokens.append(event)
            h = self._next_state(event, h)
        return np.array(tokens, dtype=np.int32)

    def _log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        return score_distinct_sentences(super()._log_probs, sentences, int(self.sentence_end))

    def _class_costs(self, sentences: Sequence[Sentence]) -> Floats:
        return event_costs(self.network_, self._class_events(sentences))

    def _class_log_probs(self, context: Sentence) -> Floats:
        h = self._first_state()
        for token in context:
            h = self._next_state(token, h)
        return log_outputs(self.network_, h[0])

    def _form(self) -> dict[str, Any]:
        return {"units": self.units, "sentence_end": self.sentence_end}

    def _copied_weights(self, network: RecurrentNetwork, start: WarmStart) -> list[NetworkArray]:
        copy = replace(
            network, embedding=start.rows(network.embedding), b_out=start.biases(network.b_out)
        )
        return [np.concatenate([array.ravel() for array in copy.arrays])]

    def _weight_names(self) -> Sequence[str]:
        return RecurrentNetwork.names()

    def _network_of(self, arrays: list[NetworkArray]) -> RecurrentNetwork:
        check_weights(arrays, recurrent_network_shapes(self._n_outputs(), self.units))
        return RecurrentNetwork(*arrays)

    def _n_outputs(self) -> int:
        """Return the number of classes, with ``</s>`` if predicted; also the id of ``<s>``."""
        return self.shortlist_.n_classes + int(self.sentence_end)

    def _class_events(self, sentences: Sequence[Sentence]) -> Events:
        """Return all scored events as classes."""
        shortlist = self.shortlist_
        return Events.from_sentences(
            [shortlist.class_of[sentence] for sentence in sentences],
            start=self._n_outputs(),
            end=shortlist.n_classes if self.sentence_end else None,
        )

    def _first_state(self) -> NetworkArray:
        """Return the state after ``<s>``, in every column: (BATCH_COLUMNS, units)."""
        start = np.full(BATCH_COLUMNS, self.network_.n_outputs, np.int32)
        return next_states(self.network_, start, None)

    def _next_state(self, token: int, h: NetworkArray) -> NetworkArray:
        class_of_token = self.shortlist_.class_of[token]
        return next_states(self.network_, np.full(BATCH_COLUMNS, class_of_token), h)
