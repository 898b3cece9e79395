"""Callbacks: methods of the user's that are called while a network is trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from byline.errors import UsageError
from byline.lm.networks.history import EpochRecord, TrainingHistory


class TrainingCallback:
    """Methods that are called while a network is trained, in the manner of skorch.

    A subclass overrides those that it needs; by default, they do nothing. ``model`` is the model
    that is trained, with the weights at that time. It can be used like a fitted one, for example
    to measure the perplexity of a text. To keep a model of an epoch, copy it.

    See Also
    --------
    FeedForwardLM.fit, RecurrentLM.fit : Take callbacks.
    TrainingHistory : The records of all epochs, also as a pandas DataFrame.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.lm import FeedForwardLM, FeedForwardTraining
    >>> class StopAfterTwo(TrainingCallback):
    ...     def on_epoch_end(self, model, history):
    ...         perplexity = model.perplexity([text])
    ...         print(f"epoch {history[-1].epoch}: better than guessing: {perplexity < 6}")
    ...         return len(history) == 2
    >>> text = [np.array([1, 2, 3, 1, 2, 3], dtype=np.int32)] * 9
    >>> training = FeedForwardTraining(epochs=9, learning_rate=1.0, validation_fraction=0.0)
    >>> model = FeedForwardLM(context=2, embedding_dim=4, hidden_dims=(4,), training=training)
    >>> model = model.fit(text, vocabulary_size=5, callbacks=[StopAfterTwo()])
    epoch 1: better than guessing: True
    epoch 2: better than guessing: True
    """

    def on_train_begin(self, model: Any, history: TrainingHistory) -> None:
        """Do something before the first epoch.

        ``history`` is empty, unless training resumes from a checkpoint.
        """

    def on_epoch_end(self, model: Any, history: TrainingHistory) -> bool | None:
        """Do something after an epoch, whose record is ``history[-1]``.

        Training that resumes from a checkpoint first calls this for each epoch of the checkpoint.
        ``model`` then has the weights of the last of them.

        Returns
        -------
        bool or None
            Whether training ends here. The result is still the epoch with the lowest validation
            cost.
        """

    def on_train_end(self, model: Any, history: TrainingHistory) -> None:
        """Do something after training; ``model`` has its final weights."""


class Callbacks:
    """Call the callbacks of one training run.

    Parameters
    ----------
    callbacks : sequence of TrainingCallback
    show : callable, optional
        Returns the model that callbacks see, given the network and the history.
    """

    def __init__(
        self,
        callbacks: Sequence[TrainingCallback] = (),
        show: Callable[[Any, TrainingHistory], Any] | None = None,
    ) -> None:
        if not isinstance(callbacks, Sequence) or not all(
            isinstance(each, TrainingCallback) for each in callbacks
        ):
            raise UsageError(
                f"callbacks is {callbacks!r:.80}; give a list of objects whose classes inherit "
                "from byline.lm.TrainingCallback"
            )
        self._callbacks = tuple(callbacks)
        self._show = show

    def train_begin(self, network: Callable[[], Any], records: Sequence[EpochRecord]) -> None:
        """Call `TrainingCallback.on_train_begin` of all callbacks."""
        for callback, model, history in self._arguments(network, records):
            callback.on_train_begin(model, history)

    def epoch_end(self, network: Callable[[], Any], records: Sequence[EpochRecord]) -> bool:
        """Call `TrainingCallback.on_epoch_end` of all callbacks.

        Returns
        -------
        bool
            Whether one of them ends training. The others are called in any case.
        """
        ends = False
        for callback, model, history in self._arguments(network, records):
            ends |= bool(callback.on_epoch_end(model, history))
        return ends

    def train_end(self, network: Callable[[], Any], records: Sequence[EpochRecord]) -> None:
        """Call `TrainingCallback.on_train_end` of all callbacks."""
        for callback, model, history in self._arguments(network, records):
            callback.on_train_end(model, history)

    def _arguments(
        self, network: Callable[[], Any], records: Sequence[EpochRecord]
    ) -> list[tuple[TrainingCallback, Any, TrainingHistory]]:
        if not self._callbacks or self._show is None:
            return []
        history = TrainingHistory(records)
        model = self._show(network(), history)
        return [(callback, model, history) for callback in self._callbacks]


NO_CALLBACKS = Callbacks()
