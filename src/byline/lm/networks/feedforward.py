"""The neural language model of Ge & Sun (2016), section 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.constraints import BOOLEAN, SEQUENCE, Constraints, check_elements, whole
from byline.errors import TrainingError, UsageError
from byline.lm.base import Sentence
from byline.lm.inputs import SIZE
from byline.lm.networks.arrays import NetworkArray, arrays_for_device
from byline.lm.networks.feedforward_network import (
    FeedForwardNetwork,
    Workspace,
    feedforward_network_shapes,
)
from byline.lm.networks.feedforward_training import (
    EVALUATION_BLOCK,
    FeedForwardTrainer,
    FeedForwardTraining,
    forward_block,
    ngram_costs,
)
from byline.lm.networks.layers import check_weights
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.networks.ngram_windows import NgramWindows, ngram_windows
from byline.lm.networks.shortlist import WarmStart
from byline.lm.registry import register_language_model

MAX_LAYERS = 100
MAX_WEIGHTS = 2**28  # a gibibyte of float32, without the weights that depend on the vocabulary


@register_language_model
class FeedForwardLM(NetworkLM):
    """A feed-forward neural network that predicts a word from the words around it.

    It has embeddings of the context words, logistic hidden layers, and a softmax over the frequent
    words of the training text (see `Shortlist` for the other words). It is trained by mini-batch
    gradient descent with momentum, with NumPy or, on a GPU, with PyTorch. Matrix products use one
    thread, unless the environment variable ``BYLINE_THREADS`` says otherwise. Several models are
    trained fastest with one process per core.

    Parameters
    ----------
    context : int
        Number of words from which a word is predicted: the paper's N - 1.
    target_position : int, optional
        Position t of the predicted word among the ``context + 1`` words, from 1; by default the
        last. In any other position, the probability of a word depends on the words on both sides.
        The score of a text is then a pseudo-log-likelihood, and the model has neither
        `log_distribution` nor `sample`.
    embedding_dim : int
        N_emb.
    hidden_dims : sequence of int
        N_hid of each hidden layer.
    shortcut : bool
        Whether the embedding of the word before the predicted one (after it, if that is the first)
        is added to the output of the last hidden layer. If one of the two has more dimensions, only
        its first ones take part.
    min_count, min_frequency : int, float
        Words that occur fewer than ``min_count`` times, or whose relative frequency (end marks
        included) is not above ``min_frequency``, become the author's own ``<unk>``.
    sentence_start : bool
        If true, ``<s>`` precedes a sentence (and ``</s>`` follows it, if the context extends that
        far), and the network is trained on every token. If false, it is trained only on n-grams
        that lie within a sentence; in scoring, the mean of all embeddings replaces missing words.
    sentence_end : bool
        Whether ``</s>`` is predicted and scored.
    training : FeedForwardTraining, optional
        The settings of the training. Its parameters can be set and searched by names such as
        ``training__learning_rate``.
    random_state : int
        Seed of the held-out sentences, the initial weights, the order of the n-grams and dropout.

    Attributes
    ----------
    vocabulary_size_ : int
    event_counts_ : (vocabulary_size + 1,) int32
        Counts of each id, and then of ``</s>``, in the training text.
    shortlist_ : Shortlist
    network_ : FeedForwardNetwork
        float32.
    history_ : tuple of EpochRecord

    See Also
    --------
    FeedForwardTraining : the settings of the training
    RecurrentLM : a network that predicts from all preceding words of the sentence
    NgramLM : n-gram models, which take a fraction of the time

    References
    ----------
    Ge, Z., and Sun, Y. (2016). Domain specific author attribution based on feedforward neural
    network language models. ICPRAM.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.lm import FeedForwardLM, FeedForwardTraining
    >>> sentences = [np.array([1, 2, 3, 1, 2, 3], dtype=np.int32)] * 20
    >>> training = FeedForwardTraining(batch_size=10, warm_up=10)
    >>> model = FeedForwardLM(embedding_dim=8, hidden_dims=(8,), training=training)
    >>> model = model.set_params(training__epochs=15).fit(sentences, vocabulary_size=4)
    >>> log_probs = model.log_distribution(np.array([1, 2], dtype=np.int32))
    >>> int(log_probs.argmax())  # 3 follows 1 and 2
    3
    """

    kind: ClassVar[str] = "feedforward"
    training_class = FeedForwardTraining
    training: FeedForwardTraining
    network_: FeedForwardNetwork
    _parameter_constraints: ClassVar[Constraints] = {
        **NetworkLM._parameter_constraints,
        "context": [SIZE],
        "target_position": [whole(1), None],
        "embedding_dim": [SIZE],
        "hidden_dims": SEQUENCE,
        "shortcut": [BOOLEAN],
        "sentence_start": [BOOLEAN],
        "training": [FeedForwardTraining],
    }
    _background_parameters: ClassVar[Mapping[str, Any]] = {
        "min_count": 5,
        "min_frequency": 0.0,
        "training__epochs": 3,
        "training__learning_rate": 0.5,
        "training__batch_size": 200,
        "training__dropout": 0.1,
    }

    def __init__(
        self,
        *,
        context: int = 3,
        target_position: int | None = None,
        embedding_dim: int = 100,
        hidden_dims: Sequence[int] = (100,),
        shortcut: bool = True,
        min_count: int = 2,
        min_frequency: float = 1e-5,
        sentence_start: bool = True,
        sentence_end: bool = True,
        training: FeedForwardTraining | None = None,
        random_state: int = 0,
    ) -> None:
        self.context = context
        self.target_position = target_position
        self.embedding_dim = embedding_dim
        self.hidden_dims = hidden_dims
        self.shortcut = shortcut
        self.sentence_start = sentence_start
        super().__init__(
            min_count=min_count,
            min_frequency=min_frequency,
            sentence_end=sentence_end,
            training=training,
            random_state=random_state,
        )

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Return the paper's production setting, and its program's where the paper says nothing.

        Examples
        --------
        >>> FeedForwardLM.like_ge_sun_2016().training.learning_rate
        0.2
        """
        return cls(
            context=3,
            embedding_dim=100,
            hidden_dims=(100,),
            shortcut=False,
            sentence_start=False,
            sentence_end=False,
            training=FeedForwardTraining(
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
            ),
        )

    @classmethod
    def for_adaptation(cls) -> Self:
        """Return a setting for a few epochs from a background: a larger network, more dropout.

        Examples
        --------
        >>> FeedForwardLM.for_adaptation().training.epochs
        6
        """
        return cls(
            context=4,
            embedding_dim=128,
            hidden_dims=(128,),
            training=FeedForwardTraining(learning_rate=0.4, epochs=6, dropout=0.3),
        )

    def _training_run(
        self, sentences: list[Sentence], validation: list[Sentence], rng: np.random.Generator
    ) -> FeedForwardTrainer:
        arrays = arrays_for_device(self.training.device)
        training, held_out = self._training_windows(sentences), self._training_windows(validation)
        if not len(training):
            raise TrainingError(
                f"no sentence is longer than the context of {self.context}; use a smaller context, "
                "or sentence_start=True, which trains on short sentences too"
            )
        network = FeedForwardNetwork.random(
            rng, self._shapes(), self.training.init_scale, shortcut=self._shortcut()
        )
        return FeedForwardTrainer(network, training, held_out, self.training, rng, arrays)

    @property
    def context_window(self) -> tuple[int, int]:
        """Number of tokens before and after the predicted one that its probability depends on."""
        before = self._position() - 1
        return before, self.context - before

    def _class_costs(self, sentences: Sequence[Sentence]) -> Floats:
        return ngram_costs(self._scoring_network(), self._windows(sentences))

    def _class_log_probs(self, context: Sentence) -> Floats:
        if self._position() != self.context + 1:
            raise UsageError(
                f"with target_position={self.target_position} of {self.context + 1} words, the "
                "network needs the words after the predicted one; fit it with "
                "target_position=None to predict what follows a context"
            )
        # The token that is appended here is the target; it does not influence the prediction.
        windows = self._windows([np.append(context, np.int32(0))])
        contexts = windows.contexts[len(context), None]
        network = self._scoring_network()
        z_out = forward_block(network, contexts, Workspace(network, EVALUATION_BLOCK))
        return np.asarray(log_softmax(z_out[0].astype(np.float64)))

    def _check_parameters(self, vocabulary_size: Any) -> None:
        super()._check_parameters(vocabulary_size)
        check_elements(self, "hidden_dims", SIZE, MAX_LAYERS)
        self._check_size()
        position, last = self.target_position, self.context + 1
        if position is not None and position > last:
            raise UsageError(
                f"target_position must be from 1 to {last} (context + 1), or None for the last; it "
                f"is {position!r}"
            )
        if self.sentence_end and not self.sentence_start and position not in (None, last):
            raise UsageError(
                f"target_position={position} with sentence_end=True needs sentence_start=True: "
                "</s> never stands within a sentence, so the network would not be trained on it"
            )

    def _check_size(self) -> None:
        """Raise UsageError if the network is too large for the memory, before it is allocated."""
        shapes = self._shapes_for(n_inputs=1, n_outputs=1)
        n_weights = sum(int(n_in) * int(n_out) for n_in, n_out in shapes)
        if n_weights > MAX_WEIGHTS:
            raise UsageError(
                f"context, embedding_dim and hidden_dims give {n_weights:,} weights, and at most "
                f"{MAX_WEIGHTS:,} are allowed; make one of them smaller"
            )

    def _form(self) -> dict[str, Any]:
        names = ("embedding_dim", "hidden_dims", "shortcut", "sentence_start", "sentence_end")
        form = {"context": self.context, "target_position": self._position()}
        return form | {name: getattr(self, name) for name in names}

    def _copied_weights(self, network: FeedForwardNetwork, start: WarmStart) -> list[NetworkArray]:
        *hidden, out = network.layers
        columns, biases = start.rows(out[:-1].T).T, start.biases(out[-1])
        return [start.rows(network.embedding), *hidden, np.vstack([columns, biases])]

    def _weight_names(self) -> list[str]:
        return ["embedding", *(f"layer_{i}" for i in range(len(self.hidden_dims) + 1))]

    def _network_of(self, arrays: list[NetworkArray]) -> FeedForwardNetwork:
        check_weights(arrays, self._shapes())
        return FeedForwardNetwork(arrays[0], tuple(arrays[1:]), self._shortcut())

    def _shapes(self) -> list[tuple[int, int]]:
        """Return the shapes of the network; ``</s>`` and ``<s>`` are embedded if they are used."""
        n_classes = self.shortlist_.n_classes
        return self._shapes_for(
            n_inputs=n_classes + 2 * int(self.sentence_start),
            n_outputs=n_classes + int(self.sentence_end),
        )

    def _shapes_for(self, n_inputs: int, n_outputs: int) -> list[tuple[int, int]]:
        return feedforward_network_shapes(
            n_inputs=n_inputs,
            context=self.context,
            embedding_dim=self.embedding_dim,
            hidden_dims=self.hidden_dims,
            n_outputs=n_outputs,
        )

    def _position(self) -> int:
        return self.context + 1 if self.target_position is None else self.target_position

    def _shortcut(self) -> int | None:
        """Return the position of the word next to the predicted one, among the context words."""
        return max(self._position() - 2, 0) if self.shortcut else None

    def _windows(self, sentences: Sequence[Sentence]) -> NgramWindows:
        """Return all scored events with their contexts, as classes; the marks' ids come after."""
        return ngram_windows(
            [self.shortlist_.class_of[sentence] for sentence in sentences],
            context=self.context,
            target_position=self._position(),
            end=self.shortlist_.n_classes,
            predict_end=self.sentence_end,
        )

    def _training_windows(self, sentences: Sequence[Sentence]) -> NgramWindows:
        """Return all n-grams, or those within sentences if ``<s>`` is not used."""
        data = self._windows(sentences)
        return data if self.sentence_start else data.within_sentences(self.shortlist_.n_classes)

    def _scoring_network(self) -> FeedForwardNetwork:
        """Give ``</s>`` and ``<s>`` the mean of all embeddings if they have none of their own."""
        if self.sentence_start:
            return self.network_
        table = self.network_.embedding
        mean = table.mean(axis=0, keepdims=True)
        return replace(self.network_, embedding=np.concatenate([table, mean, mean]))
