"""The neural language model of Ge & Sun (2016), section 3."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.utils.validation import check_is_fitted

from byline.errors import LearningError, ModelFileError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.checkpoint import digest, run_from_checkpoint
from byline.lm.network import Network, Workspace, network_shapes
from byline.lm.parameters import check_parameters, plain, training_settings
from byline.lm.torch_arrays import arrays_on
from byline.lm.training import (
    EVALUATION_BLOCK,
    Trainer,
    forward_block,
    ngram_costs,
)
from byline.lm.training_run import EpochRecord
from byline.lm.windows import NGrams, check_amounts, check_sentences, hold_out, ngrams
from byline.lm.word_classes import WordClasses
from byline.progress import Progress


class FeedForwardLM(LanguageModel):
    """A feed-forward neural network that predicts a word from the words around it.

    Embeddings of the context words, logistic hidden layers, a softmax over the words the training
    text holds often enough (see `WordClasses` for the others), trained by mini-batches with
    momentum. It runs on NumPy, or is trained on a GPU with PyTorch. Matrix products take as many
    threads as the BLAS library is allowed; several models are learnt fastest in one process a core
    with one thread each, and which threads there are is left to the caller (``threadpoolctl``).

    Parameters
    ----------
    context : int
        Number of words a prediction is made from: the paper's N - 1.
    target_position : int, optional
        Place t of the predicted word among the ``context + 1`` words, from 1; by default the last.
        Elsewhere a word's probability is conditional on both sides: a text's score is then a
        pseudo-log-likelihood, and the model has no `log_distribution` and draws no `sample`.
    embedding_dim : int
        N_emb.
    hidden_dims : sequence of int
        N_hid of each hidden layer.
    learning_rate : float or sequence of float
        Epsilon; of a sequence, each epoch takes its own, and the last one holds from there on.
    learning_rate_decay : float or "linear"
        Factor on the learning rate in every epoch after the first ``decay_after``; or "linear", by
        which it falls from there to zero, in equal steps from mini-batch to mini-batch.
    decay_after : int
    momentum : float or sequence of float
        Alpha, in [0, 1); a sequence as for ``learning_rate``.
    batch_size : int
        M, n-grams in a mini-batch.
    epochs : int
        At most.
    patience : int
        Training ends after so many epochs in a row without a new lowest validation cost; the
        weights are those of the epoch with the lowest. The paper's is 1.
    init_scale : float
        Standard deviation of the initial weights; biases begin at zero.
    shuffle : bool
        Whether each epoch takes the n-grams in a new random order.
    dropout : float
        Share of each layer's inputs, the embeddings among them, that is dropped at random in each
        mini-batch (Srivastava et al. 2014).
    shortcut : bool
        Whether the embedding of the word before the predicted one (after it, for the first
        position) is added to the last hidden layer's output: as many dimensions as both have.
    validation_fraction : float
        Share of the sentences held out at random where `fit` is given no validation; where it comes
        to less than one sentence, all epochs are run.
    min_count, min_frequency : int, float
        Words less frequent than ``min_count``, or not more frequent than ``min_frequency`` (a share
        of the tokens, end marks counted), are the author's own ``<unk>``.
    sentence_start : bool
        True: ``<s>`` stands before a sentence (and ``</s>`` after it, where the context reaches
        there), and every token is trained on. False: only n-grams that lie wholly within a sentence
        are, and a missing context word stands for the mean of all embedding rows in scoring.
    sentence_end : bool
        Whether ``</s>`` is predicted and scored.
    random_state : int
        Seed of the held-out sentences, the initial weights and the order of the n-grams.
    device : str
        What trains: "cpu" (NumPy), or "cuda" or "cuda:N" (PyTorch). Scoring is NumPy's.

    Attributes
    ----------
    vocabulary_size_ : int
    word_classes_ : WordClasses
    network_ : Network
        float32.
    history_ : tuple of EpochRecord
    """

    kind: ClassVar[str] = "feedforward"

    def __init__(
        self,
        *,
        context: int = 3,
        target_position: int | None = None,
        embedding_dim: int = 100,
        hidden_dims: Sequence[int] = (100,),
        learning_rate: float | Sequence[float] = 0.5,
        learning_rate_decay: float | Literal["linear"] = "linear",
        decay_after: int = 0,
        momentum: float | Sequence[float] = 0.9,
        batch_size: int = 100,
        epochs: int = 10,
        patience: int = 3,
        init_scale: float = 0.1,
        shuffle: bool = True,
        dropout: float = 0.2,
        shortcut: bool = True,
        validation_fraction: float = 0.1,
        min_count: int = 2,
        min_frequency: float = 1e-5,
        sentence_start: bool = True,
        sentence_end: bool = True,
        random_state: int = 0,
        device: str = "cpu",
    ) -> None:
        self.context = context
        self.target_position = target_position
        self.embedding_dim = embedding_dim
        self.hidden_dims = hidden_dims
        self.learning_rate = learning_rate
        self.learning_rate_decay = learning_rate_decay
        self.decay_after = decay_after
        self.momentum = momentum
        self.batch_size = batch_size
        self.epochs = epochs
        self.patience = patience
        self.init_scale = init_scale
        self.shuffle = shuffle
        self.dropout = dropout
        self.shortcut = shortcut
        self.validation_fraction = validation_fraction
        self.min_count = min_count
        self.min_frequency = min_frequency
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end
        self.random_state = random_state
        self.device = device

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Take the paper's production setting, and its program's where the paper is silent."""
        return cls(
            context=3,
            embedding_dim=100,
            hidden_dims=(100,),
            learning_rate=0.2,
            learning_rate_decay=0.9,
            decay_after=10,
            momentum=0.9,
            batch_size=100,
            epochs=15,
            patience=1,
            init_scale=0.01,
            shuffle=False,
            dropout=0.0,
            shortcut=False,
            sentence_start=False,
            sentence_end=False,
        )

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
            No token, or no n-gram, to learn from; or training diverged.
        UsageError
            A parameter or an id is out of its range; there is no such device; or the checkpoint
            is of a run with other settings or on other sentences.
        MissingExtraError
            The device needs PyTorch, which is not installed.
        ModelFileError, OutputError
            The checkpoint is damaged, or cannot be written.
        """
        check_parameters(self.get_params() | {"vocabulary_size": vocabulary_size})
        arrays = arrays_on(self.device)
        rng = np.random.default_rng(self.random_state)
        sentences = check_sentences(sentences, vocabulary_size)
        if not sum(map(len, sentences)):
            raise LearningError("there is no token to learn from; give at least one sentence")
        if validation is None:
            sentences, validation = hold_out(sentences, self.validation_fraction, rng)
        self.vocabulary_size_ = int(vocabulary_size)
        self.word_classes_ = WordClasses.learn(
            sentences,
            self.vocabulary_size_,
            min_count=self.min_count,
            min_frequency=self.min_frequency,
        )
        if not len(self.word_classes_.own):
            raise LearningError(
                f"no word occurs {self.min_count} times (min_count) in the {len(sentences)} "
                "sentences to learn from; give more text, or take a smaller min_count"
            )
        training = self._full_ngrams(sentences)
        held_out = self._full_ngrams(check_sentences(validation, vocabulary_size))
        check_amounts(training, held_out, n_validation=len(validation))
        network = Network.random(rng, self._shapes(), self.init_scale, shortcut=self._shortcut())
        trainer = Trainer(
            network, training, held_out, training_settings(self.get_params()), rng, arrays
        )
        run_from_checkpoint(
            trainer, checkpoint, lambda: self._made_from(training, held_out), progress
        )
        self.network_ = trainer.network.map(arrays.give_back)
        self.history_ = tuple(trainer.history)
        return self

    @property
    def reach(self) -> tuple[int, int]:
        """How many tokens before the predicted one, and after it, its probability hangs on."""
        before = self._position() - 1
        return before, self.context - before

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all tokens of all sentences, end to end.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64
        """
        check_is_fitted(self)
        data = self._ngrams(check_sentences(sentences, self.vocabulary_size_))
        log_probs = -ngram_costs(self._scoring_network(), data)
        return log_probs + self.word_classes_.log_share(data.targets)

    def log_distribution(self, context: Sentence) -> NDArray[np.float64]:
        """Log-probabilities (nats) of every event after ``context``.

        Parameters
        ----------
        context : (n,) int32

        Returns
        -------
        (n_events,) float64

        Raises
        ------
        UsageError
            The network predicts a word from both sides of it.
        """
        check_is_fitted(self)
        if self._position() != self.context + 1:
            raise UsageError(
                f"with target_position={self.target_position} of {self.context + 1} words a "
                "network needs the words after the one it predicts; fit one with "
                "target_position=None to ask what follows a context"
            )
        (ids,) = check_sentences([context], self.vocabulary_size_)
        classes = self.word_classes_
        # Whatever is predicted after the context, its own id plays no part.
        asked = self._ngrams([np.append(ids, np.int32(0))]).contexts[len(ids), None]
        network = self._scoring_network()
        z_out = forward_block(network, asked, Workspace(network, EVALUATION_BLOCK))
        log_y = log_softmax(z_out[0].astype(np.float64))
        of_words = log_y[classes.class_of] + classes.log_share(classes.class_of)
        return np.concatenate([of_words, log_y[classes.n_classes :]])

    def get_state(self) -> ModelState:
        """Parameters, history, own words and weights, exactly."""
        check_is_fitted(self)
        params = {
            "parameters": self._plain_params(),
            "vocabulary_size": self.vocabulary_size_,
            "history": [asdict(record) for record in self.history_],
        }
        weights = dict(zip(self._array_names(), self.network_.arrays, strict=True))
        return ModelState(params, {"own_words": self.word_classes_.own, **weights})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from `get_state`'s result.

        Raises
        ------
        ModelFileError
            The state is not one of a feed-forward model, or its parts do not fit together.
        """
        try:
            return cls._from_state(state)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"this is not the state of a feed-forward model ({type(error).__name__}: {error}); "
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
        check_parameters(model.get_params() | {"vocabulary_size": model.vocabulary_size_})
        model.word_classes_ = WordClasses(state.arrays["own_words"], model.vocabulary_size_)
        model.history_ = tuple(EpochRecord(**record) for record in state.params["history"])
        embedding, *layers = [state.arrays[name] for name in model._array_names()]
        model.network_ = Network(embedding, tuple(layers), model._shortcut())
        model.network_.check(model._shapes())
        return model

    def _plain_params(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in self.get_params().items()}

    def _made_from(self, training: NGrams, held_out: NGrams) -> dict[str, Any]:
        """Name what a training run hangs on, as JSON values."""
        return self._plain_params() | {
            "vocabulary_size": self.vocabulary_size_,
            "training text": digest([training.contexts, training.targets]),
            "validation text": digest([held_out.contexts, held_out.targets]),
        }

    def _array_names(self) -> list[str]:
        return ["embedding", *(f"layer_{i}" for i in range(len(self.hidden_dims) + 1))]

    def _shapes(self) -> list[tuple[int, int]]:
        """Shapes of the network's arrays; ``</s>`` and ``<s>`` are embedded where trained on."""
        n_classes = self.word_classes_.n_classes
        return network_shapes(
            n_inputs=n_classes + 2 * int(self.sentence_start),
            context=self.context,
            embedding_dim=self.embedding_dim,
            hidden_dims=self.hidden_dims,
            n_outputs=n_classes + int(self.sentence_end),
        )

    def _position(self) -> int:
        return self.context + 1 if self.target_position is None else self.target_position

    def _shortcut(self) -> int | None:
        """Place of the word next to the predicted one, among the context words."""
        return max(self._position() - 2, 0) if self.shortcut else None

    def _ngrams(self, sentences: Sequence[Sentence]) -> NGrams:
        """Every scored event with its context, as classes; the marks' ids follow the classes'."""
        return ngrams(
            [self.word_classes_.class_of[sentence] for sentence in sentences],
            context=self.context,
            target_position=self._position(),
            end=self.word_classes_.n_classes,
            predict_end=self.sentence_end,
        )

    def _full_ngrams(self, sentences: Sequence[Sentence]) -> NGrams:
        """Choose what is trained on: all, or those whose context is within the sentence."""
        data = self._ngrams(sentences)
        return data if self.sentence_start else data.full(self.word_classes_.n_classes)

    def _scoring_network(self) -> Network:
        """Give ``</s>`` and ``<s>`` the mean of all embedding rows, where not trained on."""
        if self.sentence_start:
            return self.network_
        table = self.network_.embedding
        mean = table.mean(axis=0, keepdims=True)
        return replace(self.network_, embedding=np.concatenate([table, mean, mean]))
