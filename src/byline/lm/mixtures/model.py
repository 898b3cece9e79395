"""`MixtureLM`: a linear interpolation of several language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.constraints import (
    SEQUENCE,
    Constraints,
    check_parameters,
    one_of,
    whole,
    within,
)
from byline.errors import ModelFileError, UsageError
from byline.lm.base import BackgroundUse, LanguageModel, Sentence
from byline.lm.inputs import check_sentences, hold_out_sentences, json_value
from byline.lm.mixtures.components import (
    background_argument,
    clone_with_seeds,
    fit_weights,
    join_states,
    normalized_weights,
    progress_of_component,
    split_states,
)
from byline.lm.model_state import ModelState
from byline.lm.registry import register_language_model
from byline.lm.scoring import Scoring, score_distinct_sentences
from byline.progress import Progress

NEEDS: Sequence[BackgroundUse] = ("required", "optional")


@register_language_model
class MixtureLM(LanguageModel):
    """A linear interpolation of several language models: the components of the mixture.

    The probability of each token is the weighted mean of the probabilities under the components,
    ``p(w | h) = sum_k weights[k] p_k(w | h)`` (Jelinek & Mercer 1980). Models that fail at
    different tokens, as n-gram models and networks do, are better together than the best of them.

    Parameters
    ----------
    components : sequence of LanguageModel
        Prototypes, which `fit` clones. All need the same sentence boundaries and open vocabularies.
        A ``random_state`` of a component is replaced by a seed that is derived from the
        ``random_state`` of the mixture and the index of the component. Parameters of components
        have names such as ``component_0__order``.
    weights : sequence of float or "em", optional
        One number per component, not negative, with a sum of 1. By default, all weights are equal.
        "em" fits the weights to held-out sentences by expectation maximisation.
    validation_fraction : float
        With ``weights="em"``, the proportion of the sentences that are held out at random if `fit`
        receives no validation sentences.
    random_state : int
        Seed of the held-out sentences and of the components.

    Attributes
    ----------
    vocabulary_size_ : int
    components_ : tuple of LanguageModel
        The fitted components.
    weights_ : (n_components,) float64

    See Also
    --------
    NgramLM, FeedForwardLM, RecurrentLM : Models that can be components.

    Examples
    --------
    >>> from byline.lm import NgramLM
    >>> text = [np.array([1, 2, 3, 1, 2], dtype=np.int32), np.array([3, 1, 2], dtype=np.int32)]
    >>> mixture = MixtureLM([NgramLM(order=1), NgramLM(order=2)], weights=(0.25, 0.75))
    >>> mixture = mixture.fit(text, vocabulary_size=5)
    >>> unigrams, bigrams = [model.perplexity([text]) for model in mixture.components_]
    >>> bigrams < mixture.perplexity([text]) < unigrams
    True
    """

    kind: ClassVar[str] = "mixture"
    components_: tuple[LanguageModel, ...]
    weights_: Floats

    _parameter_constraints: ClassVar[Constraints] = {
        "components": [list, tuple],
        "weights": [one_of("em"), *SEQUENCE, None],
        "validation_fraction": [within(0, 1, closed="left")],
        "random_state": [whole(0)],
    }

    def __init__(
        self,
        components: Sequence[LanguageModel],
        *,
        weights: Sequence[float] | Literal["em"] | None = None,
        validation_fraction: float = 0.1,
        random_state: int = 0,
    ) -> None:
        self.components = components
        self.weights = weights
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        If ``deep`` is true, they include the components as ``component_0`` and so on, and their
        parameters.
        """
        params: dict[str, Any] = super().get_params(deep=False)
        for name, component in self._named_components() if deep else []:
            own = component.get_params().items()
            params |= {name: component} | {f"{name}__{key}": value for key, value in own}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, including those of the components."""
        if "components" in params:
            self.components = params.pop("components")
        named = self._named_components()
        if any(name in params for name, _ in named):
            self.components = tuple(params.pop(name, component) for name, component in named)
        super().set_params(**params)
        return self

    @property
    def sentence_start(self) -> bool:  # type: ignore[override]
        """Whether ``<s>`` is context in all components."""
        return self.components[0].sentence_start

    @property
    def sentence_end(self) -> bool:  # type: ignore[override]
        """Whether ``</s>`` is predicted and scored by all components."""
        return self.components[0].sentence_end

    @property
    def context_window(self) -> tuple[int, int] | None:
        """The largest context window of all components."""
        windows = [component.context_window for component in self.components]
        limited = [window for window in windows if window is not None]
        if len(limited) < len(windows):
            return None
        return max(before for before, _ in limited), max(after for _, after in limited)

    @property
    def background_use(self) -> BackgroundUse:  # type: ignore[override]
        """The highest need of all components."""
        uses = {component.background_use for component in self.components}
        return next((use for use in NEEDS if use in uses), "none")

    def set_background(self, background: LanguageModel | None) -> None:
        """Replace the background models to which the components refer; None removes them."""
        backgrounds = self._backgrounds(background)
        for component, own in zip(self.components_, backgrounds, strict=True):
            component.set_background(own)

    def background_model(self) -> MixtureLM:
        """Make a suitable unfitted background model: a mixture of the components' backgrounds."""
        components = tuple(component.background_model() for component in self.components)
        return MixtureLM(components, random_state=self.random_state)

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Fit all components and, if requested, the weights.

        If it fails, the mixture does not change.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : sequence of int32 arrays, optional
            Held-out sentences for early stopping and for the weights. By default, they are selected
            at random from ``sentences`` and are not used for training: with ``weights="em"`` once
            for all components, otherwise by each component that needs them.
        background : MixtureLM, optional
            A fitted mixture with the same number of components. Each component that adapts a
            background model uses the corresponding one.
        progress : Progress, optional
            Receives the steps of the components.

        Raises
        ------
        TrainingError
            A component cannot be trained, or no token is held out for the weights.
        UsageError
            A parameter or an id is out of range, components have different sentence boundaries, one
            has a closed vocabulary, or the background model is not suitable.
        """
        self._check_parameters()
        backgrounds = self._backgrounds(background)
        sentences = check_sentences(sentences, vocabulary_size)
        if validation is None and self.weights == "em":
            rng = np.random.default_rng(self.random_state)
            sentences, validation = hold_out_sentences(sentences, self.validation_fraction, rng)
        components = tuple(
            component.fit(
                sentences,
                vocabulary_size=vocabulary_size,
                validation=validation,
                progress=progress_of_component(progress, index, len(self.components)),
                **background_argument(component, backgrounds[index]),
            )
            for index, component in enumerate(clone_with_seeds(self.components, self.random_state))
        )
        self.weights_ = self._weights_of(components, validation or [])
        self.components_, self.vocabulary_size_ = components, int(vocabulary_size)
        return self

    @property
    def scoring(self) -> Scoring:
        """The default scoring options, which are those of all components."""
        return self.components[0].scoring

    def event_log_probs(self, sentences: Sequence[Sentence], scoring: Scoring) -> Floats:
        """Compute the log-probabilities (nats) of all events.

        See `LanguageModel.event_log_probs`.
        """
        check_is_fitted(self)
        return score_distinct_sentences(
            lambda distinct: self._mix(
                [component.event_log_probs(distinct, scoring) for component in self.components_]
            ),
            sentences,
            int(scoring.sentence_end),
        )

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences, concatenated.

        See `LanguageModel.batch_log_probs`.
        """
        return self.event_log_probs(sentences, self.scoring)

    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``.

        See `LanguageModel.log_distribution`.

        Raises
        ------
        UsageError
            A component also uses words after the predicted one.
        """
        check_is_fitted(self)
        return self._mix([component.log_distribution(context) for component in self.components_])

    def get_state(self) -> ModelState:
        """Return the parameters, the weights, and the states of the components."""
        return self._state(with_background=True)

    def get_state_without_background(self) -> ModelState:
        """Return the same as `get_state` without the background models of the components."""
        return self._state(with_background=False)

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a mixture from the result of `get_state`.

        Raises
        ------
        ModelFileError
            This is not the state of a mixture, or its parts contradict each other.
        """
        return cls._from_state(state, None)

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: LanguageModel) -> Self:
        """Rebuild a mixture from `get_state_without_background` and its background model.

        Raises
        ------
        ModelFileError
            As in `from_state`, or the background model is not suitable.
        """
        if not isinstance(background, MixtureLM):
            raise ModelFileError(f"the background of a mixture has the kind {background.kind!r}")
        return cls._from_state(state, background)

    def _state(self, *, with_background: bool) -> ModelState:
        check_is_fitted(self)
        descriptions, arrays = join_states(self.components_, with_background=with_background)
        names = ("weights", "validation_fraction", "random_state")
        parameters = {name: json_value(getattr(self, name)) for name in names}
        return ModelState(
            {"parameters": parameters, "components": descriptions},
            {"weights": self.weights_, **arrays},
        )

    @classmethod
    def _from_state(cls, state: ModelState, background: MixtureLM | None) -> Self:
        backgrounds = None if background is None else background.components_
        try:
            components = split_states(state.params["components"], state.arrays, backgrounds)
            return cls._from_components(components, state)
        except (AttributeError, KeyError, TypeError, ValueError, UsageError) as error:
            if isinstance(error, ModelFileError):
                raise
            raise ModelFileError(
                f"this is not the state of a mixture ({type(error).__name__}: {error}); train the "
                "model again"
            ) from error

    @classmethod
    def _from_components(cls, components: tuple[LanguageModel, ...], state: ModelState) -> Self:
        mixture = cls(tuple(map(clone, components)), **state.params["parameters"])
        mixture._check_parameters()
        sizes = {component.vocabulary_size_ for component in components}
        if len(sizes) > 1:
            raise ValueError(f"its components have vocabularies of {sorted(sizes)} words")
        mixture.weights_ = normalized_weights(state.arrays["weights"].tolist(), len(components))
        mixture.components_, mixture.vocabulary_size_ = components, sizes.pop()
        return mixture

    def _mix(self, log_probs: Sequence[Floats]) -> Floats:
        return np.asarray(logsumexp(np.array(log_probs), axis=0, b=self.weights_[:, None]))

    def _weights_of(
        self, components: Sequence[LanguageModel], held_out: Sequence[Sentence]
    ) -> Floats:
        if self.weights == "em":
            log_probs = [component.batch_log_probs(held_out) for component in components]
            return fit_weights(np.array(log_probs))[0]
        return normalized_weights(self.weights, len(components))

    def _named_components(self) -> list[tuple[str, LanguageModel]]:
        return [
            (f"component_{index}", component) for index, component in enumerate(self.components)
        ]

    def _check_parameters(self) -> None:
        check_parameters(self)
        if not self.components or not all(
            isinstance(component, LanguageModel) for component in self.components
        ):
            raise UsageError(
                f"components must be one or more language models; they are {self.components}"
            )
        if self.weights != "em":
            normalized_weights(self.weights, len(self.components))
        scorings = {component.scoring for component in self.components}
        if len(scorings) > 1:
            raise UsageError(
                "the components of a mixture must score the same events; set the same "
                "sentence_start and sentence_end; these have: "
                + "; ".join(sorted(map(str, scorings)))
            )
        if scorings.pop().unknown != "score":
            raise UsageError(
                "models with a closed vocabulary cannot be mixed; set open_vocabulary=True"
            )

    def _backgrounds(self, background: LanguageModel | None) -> Sequence[LanguageModel | None]:
        """Return the background model of each component."""
        if background is None:
            return [None] * len(self.components)
        if not isinstance(background, MixtureLM):
            kind = type(background).__name__
            raise UsageError(
                f"the background model of a MixtureLM must be a MixtureLM, not a {kind}"
            )
        check_is_fitted(background)
        if len(background.components_) != len(self.components):
            raise UsageError(
                f"the background model has {len(background.components_)} components, but this "
                f"mixture has {len(self.components)}; the numbers must be equal"
            )
        return background.components_
