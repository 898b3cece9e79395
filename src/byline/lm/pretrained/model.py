"""A pretrained causal language model whose training is continued on the texts of an author."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.constraints import Constraints, check_parameters, one_of, positive, whole, within
from byline.errors import MissingBaseError, ModelFileError, TrainingError, UsageError
from byline.lm.base import LanguageModel, Sentence
from byline.lm.inputs import SIZE, check_sentences, hold_out_sentences, parameter_values
from byline.lm.model_state import ModelState
from byline.lm.networks.arrays import NetworkArray
from byline.lm.networks.checkpoint import array_digest, run_with_checkpoint
from byline.lm.networks.history import StopRule, TrainingHistory
from byline.lm.networks.training_run import NetworkTraining
from byline.lm.pretrained.base_model import (
    FULL,
    LORA,
    BaseModel,
    base_digest,
    base_model,
    memory_advice,
)
from byline.lm.pretrained.training import PretrainedTrainer
from byline.lm.pretrained.windows import windows_of
from byline.lm.registry import register_language_model
from byline.lm.scoring import score_distinct_sentences
from byline.processes.threads import limited_threads
from byline.progress import Progress
from byline.text.subwords import n_subwords

_LEARNING_RATES = {LORA: 3e-4, FULL: 5e-5}


@register_language_model
class PretrainedLM(LanguageModel):
    """A causal language model of Hugging Face transformers, trained further on an author's texts.

    The base is read from a folder on this computer; nothing is downloaded. It predicts the subwords
    of its own tokenizer, so the texts must be encoded by a `SubwordEncoder` of the same folder. One
    base is in memory for all authors; each model only has the weights that were trained.

    The context of a token consists of ``<s>`` and the preceding tokens of its passage. A passage
    that is longer than a window is divided into windows that overlap: with ``stride`` half of
    ``window``, each token has at least half a window as context. ``<unk>`` has a probability of 0,
    because it never occurs. The end of a passage is not scored.

    Parameters
    ----------
    base : str
        The folder, with ``config.json``, ``tokenizer.json`` and the weights as ``*.safetensors``.
    tuning : {"lora", "full"}
        ``lora``: train two small matrices for each linear layer, whose product is added to its
        weights (Hu et al. 2022). ``full``: train all weights; each model is then as large as the
        base, in memory and in the model file.
    rank : int
        Number of columns of the matrices of ``lora``.
    learning_rate : float or None
        Of the first step of AdamW; it decreases linearly to 0. None: 0.0003 for ``lora``, and
        0.00005 for ``full``.
    epochs : int
        Largest number of epochs.
    patience : int
        Training stops after this number of epochs without a lower cost of the held-out passages.
    batch_size : int
        Number of windows that are computed at a time, in training and in scoring.
    window : int or None
        Largest number of tokens that are read at a time. None: as many as the base can read, but at
        most 1,024.
    stride : int or None
        Distance between the starts of two windows of a passage. None: half of the window.
    validation_fraction : float
        Fraction of the passages that are held out at random if `fit` receives none. If it is less
        than one passage, training does not stop early.
    device : str or None
        ``"cpu"``, or PyTorch's name of a GPU. None: a GPU if PyTorch finds one. A model that is
        loaded from a file chooses its device again.
    random_state : int
        Seed of the first weights of ``lora``, the order of the passages and dropout.

    Attributes
    ----------
    vocabulary_size_ : int
    weights_ : dict of str to array
        The weights that were trained, float32.
    history_ : TrainingHistory
    base_digest_ : str
        The SHA-256 of the files of the base.

    See Also
    --------
    byline.text.SubwordEncoder : Encodes the texts.
    RecurrentLM : A network that needs no pretrained weights and no GPU.

    Notes
    -----
    Scores are float32 results of PyTorch. They depend on the other passages of a call by about a
    millionth, and on the device. On a CPU, the same seed gives the same weights; on a GPU, PyTorch
    does not guarantee this.

    References
    ----------
    Hu, E., et al. (2022). LoRA: Low-rank adaptation of large language models. ICLR.
    Huang, W., Murakami, A., and Grieve, J. (2025). Attributing authorship via the perplexity of
    authorial language models. PLOS ONE 20(7).

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import PretrainedLM
    >>> from byline.text import SubwordEncoder
    >>> model = PretrainedLM("models/gpt2", epochs=5)
    >>> attributor = AuthorshipAttributor(model, SubwordEncoder("models/gpt2"), n_samples=1)
    >>> attributor.language_model.tuning
    'lora'
    """

    kind: ClassVar[str] = "pretrained"
    sentence_start = True
    sentence_end = False
    weights_: dict[str, NetworkArray]
    history_: TrainingHistory
    base_digest_: str
    _parameter_constraints: ClassVar[Constraints] = {
        "base": [str],
        "tuning": [one_of(LORA, FULL)],
        "rank": [SIZE],
        "learning_rate": [positive(), None],
        "epochs": [SIZE],
        "patience": [whole(1)],
        "batch_size": [SIZE],
        "window": [whole(2), None],
        "stride": [whole(1), None],
        "validation_fraction": [within(0, 1, closed="left")],
        "device": [str, None],
        "random_state": [whole(0)],
    }

    def __init__(
        self,
        base: str = "",
        *,
        tuning: str = LORA,
        rank: int = 8,
        learning_rate: float | None = None,
        epochs: int = 5,
        patience: int = 1,
        batch_size: int = 8,
        window: int | None = None,
        stride: int | None = None,
        validation_fraction: float = 0.1,
        device: str | None = None,
        random_state: int = 0,
    ) -> None:
        self.base = base
        self.tuning = tuning
        self.rank = rank
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.patience = patience
        self.batch_size = batch_size
        self.window = window
        self.stride = stride
        self.validation_fraction = validation_fraction
        self.device = device
        self.random_state = random_state

    @property
    def input_digest(self) -> str:
        """The SHA-256 of the files of the base."""
        return base_digest(self.base)

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
    ) -> Self:
        """Train the base further on passages of token ids.

        If fitting fails, the model is left unchanged.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
            Passages that a `SubwordEncoder` encoded.
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out passages for early stopping; see ``validation_fraction``.
        background : ignored
        progress, checkpoint, stop : optional
            As in `RecurrentLM.fit`.

        Raises
        ------
        TrainingError
            There is no token to train on; or, as DivergenceError, training diverged.
        UsageError
            A parameter or an id is out of its range; the folder has no model or tokenizer; the
            vocabulary is not that of its tokenizer; or the checkpoint belongs to another run.
        MissingExtraError
            A library is not installed.
        BylineError
            There is not enough memory.
        """
        check_parameters(self)
        digest, network = base_digest(self.base), self._base()
        self._check_vocabulary(vocabulary_size)
        rng = np.random.default_rng(self.random_state)
        passages = check_sentences(sentences, vocabulary_size)
        if validation is None:
            passages, held_out = hold_out_sentences(passages, self.validation_fraction, rng)
        else:
            held_out = check_sentences(validation, vocabulary_size)
        passages, held_out = _without_empty(passages), _without_empty(held_out)
        if not passages:
            raise TrainingError("there is no token to train on; add text")
        trained_from = parameter_values(self) | {
            "kind": self.kind,
            "base": digest,
            "training text": array_digest(passages),
            "validation text": array_digest(held_out),
        }
        width, stride = self._window_and_stride(network)
        with limited_threads(), memory_advice(self.batch_size, width):
            run = PretrainedTrainer(
                network,
                [ids - 1 for ids in passages],
                [ids - 1 for ids in held_out],
                settings=NetworkTraining(epochs=self.epochs, patience=self.patience),
                learning_rate=self.learning_rate or _LEARNING_RATES[self.tuning],
                batch_size=self.batch_size,
                width=width,
                stride=stride,
                rng=rng,
            )
            run_with_checkpoint(run, checkpoint, trained_from, progress, stop)
        self.vocabulary_size_, self.base_digest_ = int(vocabulary_size), digest
        self.weights_ = dict(zip(network.names, run.weights(), strict=True))
        self.history_ = TrainingHistory(run.history)
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all tokens; see `LanguageModel`."""
        check_is_fitted(self, "weights_")
        passages = check_sentences(sentences, self.vocabulary_size_)
        if not sum(map(len, passages)):
            return np.zeros(0)
        network = self._installed()
        width, stride = self._window_and_stride(network)

        def score(distinct: Sequence[Sentence]) -> Floats:
            known = [np.maximum(ids - 1, 0) for ids in distinct]
            log_probs = network.log_probs(known, width, stride, self.batch_size)
            return np.where(np.concatenate(distinct) == 0, -np.inf, log_probs)

        with limited_threads(), memory_advice(self.batch_size, width):
            return score_distinct_sentences(score, passages, 0)

    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``.

        Only the tokens of the window that would score the next token are read.

        Parameters
        ----------
        context : (n,) int32

        Returns
        -------
        (n_events,) float64
            ``<unk>``, at index 0, has minus infinity.
        """
        check_is_fitted(self, "weights_")
        [ids] = check_sentences([context], self.vocabulary_size_)
        network = self._installed()
        width, stride = self._window_and_stride(network)
        *_, last = windows_of(0, len(ids) + 1, width, stride)
        inputs = np.append(network.start_id, np.maximum(ids - 1, 0))[last.start : last.end]
        with limited_threads(), memory_advice(self.batch_size, width):
            return np.append(-np.inf, network.log_distribution(inputs))

    def get_state(self) -> ModelState:
        """Return the parameters, the history, the weights, and the SHA-256 of the base."""
        check_is_fitted(self, "weights_")
        params = {
            "parameters": parameter_values(self) | {"device": None},
            "vocabulary_size": self.vocabulary_size_,
            "history": self.history_.to_records(),
            "base": self.base_digest_,
        }
        return ModelState(params, dict(self.weights_))

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from the result of `get_state`.

        Raises
        ------
        ModelFileError
            The state belongs to another kind of model; or, as MissingBaseError, the base is missing
            or has changed since this model was trained.
        """
        try:
            model = cls(**state.params["parameters"])
            check_parameters(model)
            model.vocabulary_size_ = int(state.params["vocabulary_size"])
            model.history_ = TrainingHistory.from_records(state.params["history"])
            model.base_digest_ = str(state.params["base"])
            model.weights_ = dict(state.arrays)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"this is not the state of a {cls.kind} model ({type(error).__name__}: {error}); "
                "train the model again"
            ) from error
        model._check_base()
        return model

    def background_model(self) -> Self:
        """Return an unfitted model with the same parameters, for the texts of all authors."""
        background: Self = clone(self)
        return background

    def _base(self) -> BaseModel:
        return base_model(self.base, self.tuning, self.rank, self.device)

    def _installed(self) -> BaseModel:
        """Return the base with the weights of this model."""
        self._check_base()
        network = self._base()
        if sorted(self.weights_) != sorted(network.names):
            raise ModelFileError(
                "the weights of an author are not those of the base; train the model again"
            )
        network.install([self.weights_[name] for name in network.names])
        return network

    def _check_base(self) -> None:
        """Check that the base is the one with which this model was trained (`MissingBaseError`)."""
        try:
            found = base_digest(self.base)
        except UsageError as error:
            raise MissingBaseError(
                f"the model needs the pretrained base with which it was trained: {error}"
            ) from error
        if found != self.base_digest_:
            raise MissingBaseError(
                f"{self.base} has another base than the one with which the model was trained "
                f"(SHA-256 {found[:12]} instead of {self.base_digest_[:12]}); restore the folder, "
                "or train the model again"
            )

    def _check_vocabulary(self, vocabulary_size: int) -> None:
        expected = n_subwords(self.base) + 1
        if vocabulary_size != expected:
            raise UsageError(
                f"vocabulary_size={vocabulary_size}: the tokenizer of the base has {expected:,} "
                "ids with <unk>; encode the texts with a SubwordEncoder of the same folder"
            )

    def _window_and_stride(self, network: BaseModel) -> tuple[int, int]:
        """Return the largest number of inputs, and the distance between windows."""
        width = min(self.window or network.context, network.context)
        stride = max(1, width // 2) if self.stride is None else self.stride
        return width, min(stride, width)


def _without_empty(passages: Sequence[Any]) -> list[Any]:
    return [passage for passage in passages if len(passage)]
