"""The behaviour that all neural language models share: shortlist, training, scoring, storage."""

from __future__ import annotations

import os
import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Ids
from byline.constraints import BOOLEAN, PRUNING, Constraints, check_parameters, whole
from byline.errors import BylineWarning, ModelFileError, UsageError
from byline.lm.base import BackgroundUse, LanguageModel, Sentence
from byline.lm.inputs import (
    check_sentences,
    check_vocabulary_size,
    hold_out_sentences,
    json_value,
    parameter_values,
)
from byline.lm.model_state import ModelState
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.callbacks import Callbacks, TrainingCallback
from byline.lm.networks.checkpoint import array_digest, run_with_checkpoint
from byline.lm.networks.history import StopRule, TrainingHistory
from byline.lm.networks.shortlist import Shortlist, WarmStart, check_counts, count_events
from byline.lm.networks.training_run import NetworkTraining, TrainingRun
from byline.processes.threads import limits_threads
from byline.progress import Progress

_FITTED = ("vocabulary_size_", "event_counts_", "shortlist_", "network_", "history_")


class NetworkLM(LanguageModel):
    """A neural language model over the words that are frequent enough in its training text.

    Attributes
    ----------
    training : NetworkTraining
        The settings of the training.
    vocabulary_size_ : int
    event_counts_ : (vocabulary_size + 1,) int32
        Counts of each id, and then of ``</s>``, in the training text.
    shortlist_ : Shortlist
    network_ : a network
        float32.
    history_ : TrainingHistory
        One `EpochRecord` per epoch.

    See Also
    --------
    byline.lm.FeedForwardLM, byline.lm.RecurrentLM : the two kinds

    Examples
    --------
    >>> from byline.lm import FeedForwardLM, RecurrentLM
    >>> issubclass(FeedForwardLM, NetworkLM), issubclass(RecurrentLM, NetworkLM)
    (True, True)
    """

    background_use: BackgroundUse = "optional"
    training_class: ClassVar[type[NetworkTraining]]
    training: Any
    event_counts_: Ids
    shortlist_: Shortlist
    history_: TrainingHistory
    network_: Any
    _parameter_constraints: ClassVar[Constraints] = {
        **PRUNING,
        "sentence_end": [BOOLEAN],
        "random_state": [whole(0)],
    }
    _background_parameters: ClassVar[Mapping[str, Any]]

    def __init__(
        self,
        *,
        min_count: int,
        min_frequency: float,
        sentence_end: bool,
        training: NetworkTraining | None,
        random_state: int,
    ) -> None:
        self.min_count = min_count
        self.min_frequency = min_frequency
        self.sentence_end = sentence_end
        # Not None, so that the training's own parameters can be listed and set from the start.
        self.training = self.training_class() if training is None else training
        self.random_state = random_state

    @limits_threads
    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        stop: StopRule | None = None,
        callbacks: Sequence[TrainingCallback] = (),
    ) -> Self:
        """Select the shortlist, and train the network on sentences of token ids.

        If fitting fails, the model is left unchanged.

        With a background, the network starts from a copy of the background's weights (see
        `WarmStart`), and the words outside the shortlist are not all equally likely (see
        `Shortlist`). Training then only has to find how the author differs. It needs fewer epochs,
        a lower learning rate and more dropout than a start from random weights.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out sentences for early stopping. By default a random fraction of ``sentences``
            (``training.validation_fraction``), on which the network is then not trained.
        background : model of the same class, optional
            Fitted to texts of many authors, with the same vocabulary and sentence marks and a
            network of the same form; its other parameters may differ.
        progress : Progress, optional
            Called with the number of finished mini-batches and the validation perplexity of the
            last epoch.
        checkpoint : path, optional
            File that is written after each epoch and is not deleted. If it exists, training resumes
            from it and ends with the same weights as a run without interruption (on the same
            computer, with the same number of threads).
        stop : callable, optional
            Called with the `EpochRecord` of each epoch except the last, after the checkpoint is
            written; a true result ends training. A resumed run first calls it with the epochs of
            the checkpoint.
        callbacks : sequence of TrainingCallback
            Their methods are called before training, after each epoch and after training.

        Raises
        ------
        TrainingError
            There is nothing to train on; or, as DivergenceError, training diverged.
        UsageError
            A parameter or an id is out of its range; the device does not exist; the background has
            another form; or the checkpoint belongs to a run with other settings, other sentences or
            another background.
        MissingExtraError
            The device needs PyTorch, which is not installed.
        ModelFileError, OutputError
            The checkpoint is damaged, or cannot be written.
        """
        self._check_parameters(vocabulary_size)
        checked = None
        if background is not None:
            checked = self._check_background(background, int(vocabulary_size))
        fitted = clone(self)
        fitted._fit(
            check_sentences(sentences, vocabulary_size),
            None if validation is None else check_sentences(validation, vocabulary_size),
            int(vocabulary_size),
            checked,
            progress,
            checkpoint,
            stop,
            callbacks,
        )
        for name in _FITTED:
            setattr(self, name, getattr(fitted, name))
        return self

    def background_model(self) -> Self:
        """Return an unfitted background for this model: of the same form, for much more text."""
        background: Self = clone(self).set_params(**self._background_parameters)
        return background

    def _fit(
        self,
        sentences: list[Sentence],
        validation: list[Sentence] | None,
        vocabulary_size: int,
        background: NetworkLM | None,
        progress: Progress | None,
        checkpoint: str | os.PathLike[str] | None,
        stop: StopRule | None,
        callbacks: Sequence[TrainingCallback],
    ) -> None:
        rng = np.random.default_rng(self.random_state)
        if validation is None:
            fraction = self.training.validation_fraction
            sentences, validation = hold_out_sentences(sentences, fraction, rng)
        self.vocabulary_size_ = vocabulary_size
        self.event_counts_ = count_events(sentences, vocabulary_size)
        self.shortlist_ = Shortlist.from_sentences(
            sentences,
            vocabulary_size,
            min_count=self.min_count,
            min_frequency=self.min_frequency,
            background_counts=background and background.event_counts_,
        )
        run = self._training_run(sentences, validation, rng)
        if validation and not len(run.validation):
            warnings.warn(
                "no held-out sentence is long enough to be predicted, so training cannot stop "
                f"early and runs all {run.n_epochs} epochs; hold out longer sentences",
                BylineWarning,
                stacklevel=4,
            )
        trained_from = parameter_values(self) | {
            "kind": self.kind,
            "vocabulary_size": vocabulary_size,
            "training text": array_digest(sentences),
            "validation text": array_digest(validation),
        }
        if background is not None:
            run.restore(self._initial_weights(background, rng))
            arrays = list(background.get_state().arrays.values())
            trained_from["background"] = array_digest(arrays)
        watched = Callbacks(callbacks, self._with_network)
        run_with_checkpoint(run, checkpoint, trained_from, progress, stop, watched)
        self._with_network(run.trained, TrainingHistory(run.history))

    def _with_network(self, network: Any, history: TrainingHistory) -> Self:
        self.network_, self.history_ = network, history
        return self

    def _initial_weights(
        self, background: NetworkLM, rng: np.random.Generator
    ) -> list[NetworkArray]:
        """Copy the background's weights, in the form of `TrainingRun.weights`."""
        start = WarmStart(
            self.shortlist_,
            self.event_counts_,
            background.shortlist_,
            background.event_counts_,
            self.training.unigram_shift,
            rng,
        )
        return self._copied_weights(background.network_, start)

    def _check_parameters(self, vocabulary_size: Any) -> None:
        """Raise UsageError if the value of a parameter cannot be used."""
        check_parameters(self)
        self.training._check_params()
        check_vocabulary_size(vocabulary_size)

    def _check_background(self, background: LanguageModel, vocabulary_size: int) -> Self:
        if not isinstance(background, type(self)):
            raise UsageError(
                f"the background of a {type(self).__name__} must be a {type(self).__name__}; it is "
                f"a {type(background).__name__}"
            )
        check_is_fitted(background, "network_")
        ours = self._form() | {"vocabulary_size": vocabulary_size}
        theirs = background._form() | {"vocabulary_size": background.vocabulary_size_}
        different = [
            f"{name} is {json_value(theirs[name])} in the background and {json_value(value)} here"
            for name, value in ours.items()
            if json_value(theirs[name]) != json_value(value)
        ]
        if different:
            raise UsageError(
                f"the background has another form: {'; '.join(different)}; use the same values"
            )
        return background

    @limits_threads
    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events; see `LanguageModel`."""
        check_is_fitted(self, "network_")
        return self._log_probs(check_sentences(sentences, self.vocabulary_size_))

    def _log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        events = self._events(sentences, sentence_end=self.sentence_end)
        return self.shortlist_.log_shares(events) - self._class_costs(sentences)

    @limits_threads
    def log_distribution(self, context: Sentence) -> Floats:
        """Log-probabilities (nats) of all events after ``context``.

        Parameters
        ----------
        context : (n,) int32

        Returns
        -------
        (n_events,) float64

        Raises
        ------
        UsageError
            The network predicts a word from the words on both sides of it.
        """
        check_is_fitted(self, "network_")
        (ids,) = check_sentences([context], self.vocabulary_size_)
        return self.shortlist_.expand(self._class_log_probs(ids))

    def get_state(self) -> ModelState:
        """Return the parameters, history, shortlist and weights, without loss."""
        check_is_fitted(self, "network_")
        parameters = {
            name: json_value(value)
            for name, value in self.get_params(deep=False).items()
            if name != "training"
        }
        training = {name: json_value(value) for name, value in self.training.get_params().items()}
        params = {
            "parameters": parameters | {"training": training},
            "vocabulary_size": self.vocabulary_size_,
            "history": self.history_.to_records(),
        }
        words: dict[str, NetworkArray] = {
            "shortlist_words": self.shortlist_.words,
            "event_counts": self.event_counts_,
        }
        if self.shortlist_.shares is not None:
            words["other_word_shares"] = self.shortlist_.shares
        weights = dict(zip(self._weight_names(), self.network_.arrays, strict=True))
        return ModelState(params, {**words, **weights})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from the result of `get_state`.

        Raises
        ------
        ModelFileError
            The state belongs to another kind of model, or its parts do not fit together.
        """
        try:
            return cls._from_state(state)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"this is not the state of a {cls.kind} model ({type(error).__name__}: {error}); "
                "train the model again"
            ) from error

    @classmethod
    def _from_state(cls, state: ModelState) -> Self:
        parameters = _without_lists(state.params["parameters"])
        training = cls.training_class(**_without_lists(parameters.pop("training")))
        model = cls(**parameters, training=training)
        model.vocabulary_size_ = state.params["vocabulary_size"]
        model._check_parameters(model.vocabulary_size_)
        model.event_counts_ = state.arrays["event_counts"]
        check_counts(model.event_counts_, model.vocabulary_size_ + 1)
        model.shortlist_ = Shortlist(
            state.arrays["shortlist_words"],
            model.vocabulary_size_,
            state.arrays.get("other_word_shares"),
        )
        model.history_ = TrainingHistory.from_records(state.params["history"])
        model.network_ = model._network_of([state.arrays[name] for name in model._weight_names()])
        return model

    @abstractmethod
    def _form(self) -> dict[str, Any]:
        """Return the parameters in which a model and its background must agree."""

    @abstractmethod
    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> TrainingRun:
        """Make the run that trains the network; the shortlist is already selected."""

    @abstractmethod
    def _copied_weights(self, network: Any, start: WarmStart) -> list[NetworkArray]:
        """Copy the network of a background, in the form of `TrainingRun.weights`."""

    @abstractmethod
    def _class_costs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the negative log-probability (nats) of each event's class."""

    @abstractmethod
    def _class_log_probs(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all classes after a context."""

    @abstractmethod
    def _weight_names(self) -> Sequence[str]:
        """Return the names of the network's arrays, in their order."""

    @abstractmethod
    def _network_of(self, arrays: list[NetworkArray]) -> Any:
        """Make the network from stored arrays; ValueError if they do not fit."""


def _without_lists(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the lists of JSON to tuples."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in parameters.items()
    }
