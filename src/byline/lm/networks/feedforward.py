"""The neural language model of Ge & Sun (2016), section 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.utils.validation import check_is_fitted

from byline.errors import UsageError
from byline.lm.base import Sentence
from byline.lm.inputs import check_parameters, training_settings
from byline.lm.networks.arrays import arrays_for_device
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    feedforward_network_shapes,
)
from byline.lm.networks.feedforward_training import (
    EVALUATION_BLOCK,
    FeedForwardTrainer,
    forward_block,
    ngram_costs,
)
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.networks.ngram_windows import NGrams, check_enough_ngrams, check_sentences, ngrams
from byline.lm.networks.warm_start import WarmStart

_BACKGROUND: dict[str, Any] = {
    "epochs": 3,
    "learning_rate": 0.5,
    "batch_size": 200,
    "dropout": 0.1,
    "min_count": 5,
    "min_frequency": 0.0,
}


class FeedForwardLM(NetworkLM):
    """A feed-forward neural network that predicts a word from the words around it.

    Embeddings of the context words, logistic hidden layers, a softmax over the words the training
    text holds often enough (see `Shortlist` for the others), trained by mini-batches with
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
    warm_up : int
        Number of mini-batches over which the learning rate first rises, in equal steps: without it
        short texts may make training diverge.
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
    unigram_shift : float
        With a background: what part of the way the biases are moved, before training, from the
        logarithms of its word frequencies to those of the training text.
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
    event_counts_ : (vocabulary_size + 1,) int32
        How often each id, and then ``</s>``, occurs in the training text.
    shortlist_ : Shortlist
    network_ : Network
        float32.
    history_ : tuple of EpochRecord
    """

    kind: ClassVar[str] = "feedforward"
    _background_params = _BACKGROUND
    network_: FeedForwardNetwork

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
        warm_up: int = 100,
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
        unigram_shift: float = 0.5,
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
        self.warm_up = warm_up
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
        self.unigram_shift = unigram_shift
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
            warm_up=0,
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

    @classmethod
    def for_adaptation(cls) -> Self:
        """Take the setting for few epochs from a background: a larger network, and more dropout."""
        return cls(
            context=4,
            embedding_dim=128,
            hidden_dims=(128,),
            learning_rate=0.4,
            epochs=6,
            dropout=0.3,
        )

    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> FeedForwardTrainer:
        arrays = arrays_for_device(self.device)
        training, held_out = self._full_ngrams(sentences), self._full_ngrams(validation)
        check_enough_ngrams(training, held_out, n_validation=len(validation))
        network = FeedForwardNetwork.random(
            rng, self._shapes(), self.init_scale, shortcut=self._shortcut()
        )
        settings = training_settings(self.get_params())
        return FeedForwardTrainer(network, training, held_out, settings, rng, arrays)

    @property
    def context_window(self) -> tuple[int, int]:
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
        check_is_fitted(self, "network_")
        sentences = check_sentences(sentences, self.vocabulary_size_)
        events = self._events(sentences, sentence_end=self.sentence_end)
        costs = ngram_costs(self._scoring_network(), self._ngrams(sentences))
        return self.shortlist_.log_share(events) - costs

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
        check_is_fitted(self, "network_")
        if self._position() != self.context + 1:
            raise UsageError(
                f"with target_position={self.target_position} of {self.context + 1} words a "
                "network needs the words after the one it predicts; fit one with "
                "target_position=None to ask what follows a context"
            )
        (ids,) = check_sentences([context], self.vocabulary_size_)
        # Whatever is predicted after the context, its own id plays no part.
        asked = self._ngrams([np.append(ids, np.int32(0))]).contexts[len(ids), None]
        network = self._scoring_network()
        z_out = forward_block(network, asked, Workspace(network, EVALUATION_BLOCK))
        return self.shortlist_.share_out(log_softmax(z_out[0].astype(np.float64)))

    def _check_parameters(self, parameters: Mapping[str, Any]) -> None:
        check_parameters(parameters)

    def _form(self) -> dict[str, Any]:
        names = ("embedding_dim", "hidden_dims", "shortcut", "sentence_start", "sentence_end")
        form = {"context": self.context, "target_position": self._position()}
        return form | {name: getattr(self, name) for name in names}

    def _copied_weights(self, network: FeedForwardNetwork, start: WarmStart) -> list[NDArray[Any]]:
        *hidden, out = network.layers
        columns, biases = start.rows(out[:-1].T).T, start.biases(out[-1])
        return [start.rows(network.embedding), *hidden, np.vstack([columns, biases])]

    def _weight_names(self) -> list[str]:
        return ["embedding", *(f"layer_{i}" for i in range(len(self.hidden_dims) + 1))]

    def _network_of(self, arrays: list[NDArray[Any]]) -> FeedForwardNetwork:
        network = FeedForwardNetwork(arrays[0], tuple(arrays[1:]), self._shortcut())
        network.check(self._shapes())
        return network

    def _shapes(self) -> list[tuple[int, int]]:
        """Shapes of the network's arrays; ``</s>`` and ``<s>`` are embedded where trained on."""
        n_classes = self.shortlist_.n_classes
        return feedforward_network_shapes(
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
            [self.shortlist_.class_of[sentence] for sentence in sentences],
            context=self.context,
            target_position=self._position(),
            end=self.shortlist_.n_classes,
            predict_end=self.sentence_end,
        )

    def _full_ngrams(self, sentences: Sequence[Sentence]) -> NGrams:
        """Choose what is trained on: all, or those whose context is within the sentence."""
        data = self._ngrams(sentences)
        return data if self.sentence_start else data.full(self.shortlist_.n_classes)

    def _scoring_network(self) -> FeedForwardNetwork:
        """Give ``</s>`` and ``<s>`` the mean of all embedding rows, where not trained on."""
        if self.sentence_start:
            return self.network_
        table = self.network_.embedding
        mean = table.mean(axis=0, keepdims=True)
        return replace(self.network_, embedding=np.concatenate([table, mean, mean]))
