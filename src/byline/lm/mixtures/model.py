"""Language models mixed token by token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from byline.errors import ModelFileError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.inputs import RULES, json_value
from byline.lm.mixtures.components import (
    background_argument,
    clone_with_seeds,
    join_states,
    make_background,
    progress_of_component,
    split_states,
)
from byline.lm.mixtures.weights import fit_weights, normalized_weights
from byline.lm.networks.feedforward import FeedForwardLM
from byline.lm.networks.ngram_windows import check_sentences, hold_out_sentences
from byline.lm.networks.recurrent import RecurrentLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.lm.ngrams.model import NgramLM
from byline.lm.scoring import Scoring, score_distinct_sentences
from byline.progress import Progress

COMPONENT_KINDS: Mapping[str, type[LanguageModel]] = {
    model.kind: model for model in (NgramLM, AdaptedNgramLM, FeedForwardLM, RecurrentLM)
}


class MixtureLM(LanguageModel):
    """A weighted mean of the probabilities that several language models give each token.

    ``p(w | h) = sum_k weights[k] p_k(w | h)``, linear interpolation (Jelinek & Mercer 1980). Models
    that err at different tokens, as n-grams and networks do, are better together than the better
    one of them.

    Parameters
    ----------
    models : sequence of LanguageModel
        Prototypes, which `fit` clones; all with the same sentence marks, and open vocabularies. The
        ``random_state`` of those that have one is replaced by a seed derived from the mixture's and
        the place. Their parameters are set as ``model_0__order``.
    weights : sequence of float or "em", optional
        One a model, from 0, with a sum of 1; by default all alike. "em": those under which held-out
        sentences are most likely (see `fit_weights`).
    validation_fraction : float
        With ``weights="em"``, the share of the sentences held out at random where `fit` is given no
        validation.
    random_state : int
        Seed of the held-out sentences, and of the models.

    Attributes
    ----------
    vocabulary_size_ : int
    models_ : tuple of LanguageModel
        Fitted.
    weights_ : (n_models,) float64
    """

    kind: ClassVar[str] = "mixture"
    models_: tuple[LanguageModel, ...]
    weights_: NDArray[np.float64]

    def __init__(
        self,
        models: Sequence[LanguageModel],
        *,
        weights: Sequence[float] | Literal["em"] | None = None,
        validation_fraction: float = 0.1,
        random_state: int = 0,
    ) -> None:
        self.models = models
        self.weights = weights
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; with ``deep``, each model as ``model_0`` and so on, and its own."""
        params: dict[str, Any] = super().get_params(deep=False)
        for name, model in self._named_models() if deep else []:
            own = model.get_params().items()
            params |= {name: model} | {f"{name}__{key}": value for key, value in own}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, those of the models too."""
        if "models" in params:
            self.models = params.pop("models")
        named = self._named_models()
        if any(name in params for name, _ in named):
            self.models = tuple(params.pop(name, model) for name, model in named)
        super().set_params(**params)
        return self

    @property
    def sentence_start(self) -> bool:  # type: ignore[override]
        """Whether ``<s>`` is context, in all models."""
        return self.models[0].sentence_start

    @property
    def sentence_end(self) -> bool:  # type: ignore[override]
        """Whether ``</s>`` is predicted and scored, in all models."""
        return self.models[0].sentence_end

    @property
    def context_window(self) -> tuple[int, int] | None:
        """The most that any of the models looks at."""
        reaches = [model.context_window for model in self.models]
        bounded = [context_window for context_window in reaches if context_window is not None]
        if len(bounded) < len(reaches):
            return None
        return max(before for before, _ in bounded), max(after for _, after in bounded)

    def background_model(self) -> MixtureLM:
        """Return the background that suits, not fitted: of the models' backgrounds."""
        models = tuple(map(make_background, self.models))
        return MixtureLM(models, random_state=self.random_state)

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: MixtureLM | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Fit every model and, if asked to, learn the weights.

        A fit that comes to nothing leaves the mixture as it was.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out sentences for the models that stop early, and for the weights; by default drawn
            from ``sentences``, which then are not trained on, by each model that needs some, or,
            with ``weights="em"``, once for all.
        background : MixtureLM, optional
            Fitted, of as many models; each model that adapts a background is given its counterpart.
        progress : Progress, optional
            Told of the models' steps.

        Raises
        ------
        TrainingError
            A model cannot be learnt, or no token is held out for the weights.
        UsageError
            A parameter or an id is out of its range, models have different sentence marks, one has
            a closed vocabulary, or the background does not suit.
        """
        self._check_parameters()
        self._check_background(background)
        backgrounds = [None] * len(self.models) if background is None else background.models_
        sentences = check_sentences(sentences, vocabulary_size)
        if validation is None and self.weights == "em":
            rng = np.random.default_rng(self.random_state)
            sentences, validation = hold_out_sentences(sentences, self.validation_fraction, rng)
        models = tuple(
            model.fit(
                sentences,
                vocabulary_size=vocabulary_size,
                validation=validation,
                progress=progress_of_component(progress, place, len(self.models)),
                **background_argument(model, backgrounds[place]),
            )
            for place, model in enumerate(clone_with_seeds(self.models, self.random_state))
        )
        self.weights_ = self._weights_of(models, validation or [])
        self.models_, self.vocabulary_size_ = models, int(vocabulary_size)
        return self

    @property
    def scoring(self) -> Scoring:
        """As all models score."""
        return self.models[0].scoring

    def event_log_probs(
        self, sentences: Sequence[Sentence], scoring: Scoring
    ) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all events; UsageError where a model cannot score so."""
        check_is_fitted(self)
        return score_distinct_sentences(
            lambda distinct: self._mix(
                [model.event_log_probs(distinct, scoring) for model in self.models_]
            ),
            sentences,
            int(scoring.sentence_end),
        )

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all tokens of all sentences, end to end.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64
        """
        return self.event_log_probs(sentences, self.scoring)

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
            A model predicts from both sides.
        """
        check_is_fitted(self)
        return self._mix([model.log_distribution(context) for model in self.models_])

    def get_state(self) -> ModelState:
        """Parameters, weights, and the states of the models."""
        return self._state(own=False)

    def get_state_without_background(self) -> ModelState:
        """As `get_state`, but for the models' background, which is stored once for many."""
        return self._state(own=True)

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a mixture from `get_state`'s result.

        Raises
        ------
        ModelFileError
            The state is not one of a mixture, or its parts do not fit together.
        """
        return cls._from_state(state, None)

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: MixtureLM) -> Self:
        """Rebuild a mixture from its state without the background, and its background."""
        return cls._from_state(state, background)

    def _state(self, *, own: bool) -> ModelState:
        check_is_fitted(self)
        descriptions, arrays = join_states(self.models_, own=own)
        names = ("weights", "validation_fraction", "random_state")
        parameters = {name: json_value(getattr(self, name)) for name in names}
        return ModelState(
            {"parameters": parameters, "models": descriptions},
            {"weights": self.weights_, **arrays},
        )

    @classmethod
    def _from_state(cls, state: ModelState, background: MixtureLM | None) -> Self:
        backgrounds = None if background is None else background.models_
        try:
            kinds: dict[str, type[LanguageModel]] = {**COMPONENT_KINDS, cls.kind: cls}
            models = split_states(state.params["models"], state.arrays, kinds, backgrounds)
            return cls._of(models, state)
        except (AttributeError, KeyError, TypeError, ValueError, UsageError) as error:
            if isinstance(error, ModelFileError):
                raise
            raise ModelFileError(
                f"this is not the state of a mixture ({type(error).__name__}: {error}); train the "
                "model again"
            ) from error

    @classmethod
    def _of(cls, models: tuple[LanguageModel, ...], state: ModelState) -> Self:
        mixture = cls(tuple(map(clone, models)), **state.params["parameters"])
        mixture._check_parameters()
        sizes = {model.vocabulary_size_ for model in models}
        if len(sizes) > 1:
            raise ValueError(f"its models have vocabularies of {sorted(sizes)} words")
        mixture.weights_ = normalized_weights(state.arrays["weights"].tolist(), len(models))
        mixture.models_, mixture.vocabulary_size_ = models, sizes.pop()
        return mixture

    def _mix(self, log_probs: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.asarray(logsumexp(np.array(log_probs), axis=0, b=self.weights_[:, None]))

    def _weights_of(
        self, models: Sequence[LanguageModel], held_out: Sequence[Sentence]
    ) -> NDArray[np.float64]:
        if self.weights == "em":
            return fit_weights(np.array([model.batch_log_probs(held_out) for model in models]))[0]
        return normalized_weights(self.weights, len(models))

    def _named_models(self) -> list[tuple[str, LanguageModel]]:
        return [(f"model_{place}", model) for place, model in enumerate(self.models)]

    def _check_parameters(self) -> None:
        for name in ("validation_fraction", "random_state"):
            rule, need = RULES[name]
            if not rule(getattr(self, name)):
                raise UsageError(f"{name} must be {need}; it is {getattr(self, name)!r}")
        if not self.models or not all(isinstance(model, LanguageModel) for model in self.models):
            raise UsageError(f"models must be one or more language models; they are {self.models}")
        if self.weights != "em":
            normalized_weights(self.weights, len(self.models))
        scorings = {model.scoring for model in self.models}
        if len(scorings) > 1:
            raise UsageError(
                "models of a mixture must score the same events; these score: "
                + "; ".join(sorted(map(str, scorings)))
            )
        if scorings.pop().unknown != "score":
            raise UsageError("models of closed vocabularies cannot be mixed; open them")

    def _check_background(self, background: MixtureLM | None) -> None:
        if background is None:
            return
        if not isinstance(background, MixtureLM):
            kind = type(background).__name__
            raise UsageError(f"the background of a MixtureLM must be one, too; it is a {kind}")
        check_is_fitted(background)
        if len(background.models_) != len(self.models):
            raise UsageError(
                f"the background is a mixture of {len(background.models_)} models, this one of "
                f"{len(self.models)}; they must be as many"
            )
