"""What the language models by networks share: own words, fitting, storage."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from byline.errors import ModelFileError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.inputs import json_value
from byline.lm.networks.checkpoint import array_digest, run_from_checkpoint
from byline.lm.networks.ngram_windows import check_sentences, hold_out_sentences
from byline.lm.networks.shortlist import Shortlist, check_counts
from byline.lm.networks.training_run import EpochRecord, StopRule, TrainingRun
from byline.lm.networks.warm_start import WarmStart
from byline.progress import Progress

_LEARNT = ("vocabulary_size_", "event_counts_", "shortlist_", "network_", "history_")


class NetworkLM(LanguageModel):
    """A language model by a network, over the words its training text holds often enough.

    Attributes
    ----------
    vocabulary_size_ : int
    event_counts_ : (vocabulary_size + 1,) int32
        How often each id, and then ``</s>``, occurs in the training text.
    shortlist_ : Shortlist
    network_ : a network
        float32.
    history_ : tuple of EpochRecord
    """

    _background_params: ClassVar[Mapping[str, Any]]
    validation_fraction: float
    min_count: int
    min_frequency: float
    unigram_shift: float
    random_state: int
    event_counts_: NDArray[np.int32]
    shortlist_: Shortlist
    history_: tuple[EpochRecord, ...]

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: NetworkLM | None = None,
        progress: Progress | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        stop: StopRule | None = None,
    ) -> Self:
        """Learn the own words and the network's weights from sentences of token ids.

        A fit that comes to nothing leaves the model as it was.

        With a background, the network starts from a copy of that one's weights (see `WarmStart`),
        and words that the author lacks are not all as likely as one another (see `Shortlist`).
        What is then learnt is how the author differs: fewer epochs, at a lower learning rate and
        with more dropout, than from random weights.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out sentences for the early end; by default ``validation_fraction`` of
            ``sentences``, which then are not trained on.
        background : model of the same class, optional
            Fitted on the text of many authors, over the same vocabulary and marks, with a network
            of the same form; its other parameters may differ.
        progress : Progress, optional
            Told of mini-batches, with the last epoch's validation perplexity.
        checkpoint : path, optional
            File that is written after every epoch, and stays. Where it is there already, training
            goes on from it, and ends with the weights it would have ended with (on one machine,
            with one number of threads).
        stop : callable, optional
            Takes the `EpochRecord` of every epoch that is not the last anyway, once its checkpoint
            is written; where it gives a true value, training ends as if the epochs were over. Of a
            run that goes on from a checkpoint, it is first given the epochs that stand there.

        Raises
        ------
        TrainingError
            Nothing to learn from; or, as DivergenceError, training diverged.
        UsageError
            A parameter or an id is out of its range; there is no such device; the background is of
            another form; or the checkpoint is of a run with other settings, on other sentences or
            from another background.
        MissingExtraError
            The device needs PyTorch, which is not installed.
        ModelFileError, OutputError
            The checkpoint is damaged, or cannot be written.
        """
        self._check_parameters(self.get_params() | {"vocabulary_size": vocabulary_size})
        if background is not None:
            self._check_background(background, int(vocabulary_size))
        learnt = clone(self)
        learnt._learn(
            check_sentences(sentences, vocabulary_size),
            None if validation is None else check_sentences(validation, vocabulary_size),
            int(vocabulary_size),
            background,
            progress,
            checkpoint,
            stop,
        )
        for name in _LEARNT:
            setattr(self, name, getattr(learnt, name))
        return self

    def background_model(self) -> Self:
        """Return the background that suits, not fitted: of the same form, to learn much text."""
        background: Self = clone(self).set_params(**self._background_params)
        return background

    def _learn(
        self,
        sentences: list[Sentence],
        validation: list[Sentence] | None,
        vocabulary_size: int,
        background: NetworkLM | None,
        progress: Progress | None,
        checkpoint: str | os.PathLike[str] | None,
        stop: StopRule | None,
    ) -> None:
        rng = np.random.default_rng(self.random_state)
        if validation is None:
            sentences, validation = hold_out_sentences(sentences, self.validation_fraction, rng)
        self.vocabulary_size_ = vocabulary_size
        self.event_counts_ = count_events(sentences, vocabulary_size)
        self.shortlist_ = Shortlist.learn(
            sentences,
            vocabulary_size,
            min_count=self.min_count,
            min_frequency=self.min_frequency,
            background_counts=background and background.event_counts_,
        )
        run = self._training_run(sentences, validation, rng)
        trained_from = self._plain_params() | {
            "kind": self.kind,
            "vocabulary_size": vocabulary_size,
            "training text": array_digest(sentences),
            "validation text": array_digest(validation),
        }
        if background is not None:
            run.restore(self._start(background, rng))
            trained_from["background"] = array_digest(list(background.get_state().arrays.values()))
        run_from_checkpoint(run, checkpoint, trained_from, progress, stop)
        self.network_ = run.trained
        self.history_ = tuple(run.history)

    def _start(self, background: NetworkLM, rng: np.random.Generator) -> list[NDArray[Any]]:
        """Weights that a run starts from, in the form of its `TrainingRun.weights`."""
        start = WarmStart(
            self.shortlist_,
            self.event_counts_,
            background.shortlist_,
            background.event_counts_,
            self.unigram_shift,
            rng,
        )
        return self._copied_weights(background.network_, start)

    def _check_background(self, background: NetworkLM, vocabulary_size: int) -> None:
        if type(background) is not type(self):
            raise UsageError(
                f"the background of a {type(self).__name__} must be one, too; it is a "
                f"{type(background).__name__}"
            )
        check_is_fitted(background, "network_")
        ours = self._form() | {"vocabulary_size": vocabulary_size}
        theirs = background._form() | {"vocabulary_size": background.vocabulary_size_}
        different = [
            f"{name} is {json_value(theirs[name])} there, {json_value(value)} here"
            for name, value in ours.items()
            if json_value(theirs[name]) != json_value(value)
        ]
        if different:
            raise UsageError(
                f"the background has another form: {'; '.join(different)}; give both the same"
            )

    def get_state(self) -> ModelState:
        """Parameters, history, own words and weights, exactly."""
        check_is_fitted(self, "network_")
        params = {
            "parameters": self._plain_params(),
            "vocabulary_size": self.vocabulary_size_,
            "history": [asdict(record) for record in self.history_],
        }
        words: dict[str, NDArray[Any]] = {
            "shortlist_words": self.shortlist_.own,
            "event_counts": self.event_counts_,
        }
        if self.shortlist_.shares is not None:
            words["other_word_shares"] = self.shortlist_.shares
        weights = dict(zip(self._weight_names(), self.network_.arrays, strict=True))
        return ModelState(params, {**words, **weights})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from `get_state`'s result.

        Raises
        ------
        ModelFileError
            The state is not one of this kind of model, or its parts do not fit together.
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
        parameters: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in state.params["parameters"].items()
        }
        model = cls(**parameters)
        model.vocabulary_size_ = state.params["vocabulary_size"]
        model._check_parameters(model.get_params() | {"vocabulary_size": model.vocabulary_size_})
        model.event_counts_ = state.arrays["event_counts"]
        check_counts(model.event_counts_, model.vocabulary_size_ + 1)
        model.shortlist_ = Shortlist(
            state.arrays["shortlist_words"],
            model.vocabulary_size_,
            state.arrays.get("other_word_shares"),
        )
        model.history_ = tuple(EpochRecord(**record) for record in state.params["history"])
        model.network_ = model._network_of([state.arrays[name] for name in model._weight_names()])
        return model

    def _plain_params(self) -> dict[str, Any]:
        return {name: json_value(value) for name, value in self.get_params().items()}

    @abstractmethod
    def _check_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Raise UsageError where a parameter's value cannot be used."""

    @abstractmethod
    def _form(self) -> dict[str, Any]:
        """Parameters in which a model and its background must agree."""

    @abstractmethod
    def _copied_weights(self, network: Any, start: WarmStart) -> list[NDArray[Any]]:
        """Copy a background's network, in the form of the training run's `weights`."""

    @abstractmethod
    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> TrainingRun:
        """Make the run that trains the network; the own words are learnt already."""

    @abstractmethod
    def _weight_names(self) -> Sequence[str]:
        """Names of the network's arrays, in their order."""

    @abstractmethod
    def _network_of(self, arrays: list[NDArray[Any]]) -> Any:
        """Make the network of stored arrays; ValueError where they do not fit."""


def count_events(sentences: Sequence[Sentence], vocabulary_size: int) -> NDArray[np.int32]:
    """Count each id, and the sentences' ends: (vocabulary_size + 1,)."""
    ids = np.concatenate([np.zeros(0, np.int32), *sentences])
    counts = np.bincount(ids, minlength=vocabulary_size + 1)
    counts[vocabulary_size] = len(sentences)
    return counts.astype(np.int32)
