"""`AdaptedNgramLM`: the n-gram model of one author, adapted from a model of many authors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.constraints import SEQUENCE, Constraints, one_of
from byline.errors import ModelFileError, TrainingError, UsageError
from byline.lm.base import BackgroundUse, LanguageModel, Sentence
from byline.lm.model_state import ModelState
from byline.lm.ngrams.adapted_terms import (
    ADAPTED_SMOOTHINGS,
    KNESER_NEY,
    BackgroundScores,
    discounted_shares,
    padded_to_order,
    values_per_order,
)
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries, count_ngrams
from byline.lm.ngrams.estimation import NgramTreeLM
from byline.lm.ngrams.model import NgramLM
from byline.lm.ngrams.tree import NgramTree
from byline.lm.registry import register_language_model
from byline.progress import Progress

_BACKGROUND_PREFIX = "background_"


@register_language_model
class AdaptedNgramLM(NgramTreeLM):
    """N-gram model whose counts are smoothed towards a background model of many authors.

    In every order n, the probability that remains after discounting is given to a prior ``q``. The
    prior mixes the probability of the background model after the same context ``h`` with the
    probability of this model after the next shorter context ``h'``::

        p_n(w|h) = [max(c(hw) - D_n, 0) + (D mass + strength_n) q_n(w|h)] / (c(h) + strength_n)
        q_n(w|h) = share_n background_n(w|h) + (1 - share_n) p_(n-1)(w|h')

    ``p_0`` is the uniform distribution. This is the doubly hierarchical Pitman-Yor model of Wood &
    Teh (2009), with the counts and discounts of Kneser-Ney in place of their inference. A context
    that the author never used has ``p_n = q_n``. If the background model did not observe the
    context either, ``p_n = p_(n-1)``.

    Parameters
    ----------
    order : int, default 4
        Length of the longest n-grams. The context is ``order - 1`` tokens.
    smoothing : {"modified-kneser-ney", "dirichlet"}
        "modified-kneser-ney" uses the modified Kneser-Ney discounts of the author's text, and
        numbers of distinct left neighbours below the highest order. "dirichlet" uses the counts
        without discounts (MacKay & Peto 1995); it requires a ``strength`` above 0 in every order.
    strength : float or sequence of float
        Weight of the prior, in tokens per context. A number is used for all orders from 2, with 0
        for order 1. A sequence has one number per order from 1; the last one is used for all
        further orders. The default is suitable for words; 0 is best for characters.
    background_share : float or sequence of float
        Proportion of the background model in the prior, from 0 to 1. A number is used for all
        orders from 2, with 1 for order 1, because the background is the only source of words that
        the author did not use. With n-grams of words, large values prevent that authors with few
        texts lose against authors with many. With n-grams of characters they reduce the problem,
        but samples of equal size are still necessary. If all authors have similar amounts of text,
        0.01 discriminates slightly better between them with n-grams of words.
    sentence_start : bool, default True
        Whether ``<s>`` is context.
    sentence_end : bool, default True
        Whether ``</s>`` is an event.

    Attributes
    ----------
    vocabulary_size_ : int
    background_ : NgramLM
        The background model that was passed to ``fit``.
    tree_ : NgramTree
        N-grams of the author. Its ``log_probs`` are the first terms of ``p_n``, without the prior.
        Its ``backoffs`` are the weights of the prior. Both are in nats.

    See Also
    --------
    NgramLM : The same without a background model.

    Notes
    -----
    If the counts of counts of an order do not determine the modified Kneser-Ney discounts, the
    single discount of Kneser-Ney is used. This is logged at debug level.

    Examples
    --------
    >>> import numpy as np
    >>> author = [np.array([1, 2, 3, 2], dtype=np.int32), np.array([1, 2, 2], dtype=np.int32)]
    >>> others = [np.array([3, 1, 4], dtype=np.int32), np.array([4, 1, 4, 3], dtype=np.int32)]
    >>> model = AdaptedNgramLM(order=2)
    >>> background = model.background_model().fit(author + others, vocabulary_size=5)
    >>> model = model.fit(author, vocabulary_size=5, background=background)
    >>> model.perplexity([author]) < background.perplexity([author])
    True
    >>> model.perplexity([others]) > background.perplexity([others])
    True
    """

    kind: ClassVar[str] = "adapted-ngram"
    background_use: BackgroundUse = "required"
    _name: ClassVar[str] = "adapted n-gram model"
    background_: NgramLM

    _parameter_constraints: ClassVar[Constraints] = {
        **NgramTreeLM._parameter_constraints,
        "smoothing": [one_of(*ADAPTED_SMOOTHINGS)],
        "strength": [Real, *SEQUENCE],
        "background_share": [Real, *SEQUENCE],
    }

    def __init__(
        self,
        *,
        order: int = 4,
        smoothing: str = "modified-kneser-ney",
        strength: float | Sequence[float] = (0.0, 2.5, 5.0),
        background_share: float | Sequence[float] = (1.0, 0.7, 0.3),
        sentence_start: bool = True,
        sentence_end: bool = True,
    ) -> None:
        self.order = order
        self.smoothing = smoothing
        self.strength = strength
        self.background_share = background_share
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end

    def background_model(self) -> NgramLM:
        """Make a suitable unfitted background model, of the same order and sentence boundaries."""
        return NgramLM(
            order=self.order, sentence_start=self.sentence_start, sentence_end=self.sentence_end
        )

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        background: LanguageModel | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Count the n-grams of the author.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : ignored
        background : NgramLM
            Required. A model that was fitted with the same vocabulary, which must be open, and the
            same sentence boundaries. Its training texts should include these sentences.
        progress : Progress, optional

        Raises
        ------
        TrainingError
            The sentences contain no token, or the background model is missing.
        UsageError
            A parameter or a token id is out of range, or the background model is not suitable.
        """
        self._check_params(vocabulary_size)
        if background is None:
            raise TrainingError(
                "an adapted n-gram model needs a background model; pass "
                "background=background_model().fit(...), fitted to the texts of all authors"
            )
        checked = self._check_background(background, vocabulary_size)
        self._check_sentences(sentences)
        self.vocabulary_size_ = int(vocabulary_size)
        self.background_ = checked
        levels = count_ngrams(
            add_sentence_boundaries(sentences, vocabulary_size, sentence_end=self.sentence_end),
            self.order,
            vocabulary_size,
            sentence_start=self.sentence_start,
        )
        shares = discounted_shares(levels, self.smoothing, self.strengths, self.n_events)
        self.tree_ = NgramTree.from_levels(levels, shares, self.vocabulary_size_)
        self._log_fallback(KNESER_NEY, shares)
        if progress:
            progress(1, 1, "n-grams counted")
        return self

    @property
    def strengths(self) -> Floats:
        """Strength per order, (order,)."""
        return values_per_order("strength", self.strength, 0.0, self.order, np.inf)

    @property
    def background_shares(self) -> Floats:
        """Proportion of the background model in the prior per order, (order,)."""
        return values_per_order("background_share", self.background_share, 1.0, self.order, 1.0)

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences, concatenated.

        See `LanguageModel.batch_log_probs`.
        """
        check_is_fitted(self)
        return self.log_probs_with_background(self.score_background(sentences))

    @classmethod
    def log_probs_of_all(
        cls, models: Sequence[Any], sentences: Sequence[Sentence]
    ) -> Iterator[Floats]:
        """Compute `batch_log_probs` under several models, which share their background's scores.

        See `LanguageModel.log_probs_of_all`.
        """
        scored: dict[tuple[int, int], BackgroundScores] = {}
        for model in models:
            key = id(model.background_), model.order
            if key not in scored:
                scored = {key: model.score_background(sentences)}
            yield model.log_probs_with_background(scored[key])

    def score_background(self, sentences: Sequence[Sentence]) -> BackgroundScores:
        """Score sentences with the background model, once for all models that adapt it."""
        return BackgroundScores.from_model(self.background_, sentences, self.order)

    def log_probs_with_background(self, scores: BackgroundScores) -> Floats:
        """Compute the same as `batch_log_probs` from the result of `score_background`.

        Returns
        -------
        (n_scored,) float64, nats
        """
        tree, stream = self.tree_, scores.stream
        found = tree.ngrams_ending_at_each(stream, self.order, sentence_start=self.sentence_start)
        probs = np.full(len(stream), 1.0 / self.n_events)
        for n, (share, (positions, contexts, nodes)) in enumerate(
            zip(self.background_shares, padded_to_order(found, self.order), strict=True)
        ):
            prior = share * scores.probs[n] + (1 - share) * probs
            own = np.where(nodes != NOT_FOUND, np.exp(tree.log_probs[nodes]), 0.0)
            is_known = scores.is_known[n].copy()
            is_known[positions] = True
            prior[positions] = own + np.exp(tree.backoffs[contexts]) * prior[positions]
            probs = np.where(is_known, prior, probs)
        log_probs: Floats = np.log(probs[scores.is_event])
        return log_probs

    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``.

        See `LanguageModel.log_distribution`. Only the last ``order - 1`` tokens matter.
        """
        recent = np.asarray(context, dtype=np.int32)[-self.order :]
        words = np.arange(self.vocabulary_size_, dtype=np.int32)
        sentences = np.column_stack([np.tile(recent, (len(words), 1)), words])
        log_probs = self.batch_log_probs(list(sentences)).reshape(len(words), -1)[:, len(recent)]
        if not self.sentence_end:
            return log_probs
        return np.append(log_probs, self.batch_log_probs([recent])[-1])

    def get_state(self) -> ModelState:
        """Return the state of this model and of its background model."""
        own, background = self.get_state_without_background(), self.background_.get_state()
        params = {**own.params, "background": dict(background.params)}
        arrays = {f"{_BACKGROUND_PREFIX}{name}": array for name, array in background.arrays.items()}
        return ModelState(params, {**own.arrays, **arrays})

    def get_state_without_background(self) -> ModelState:
        """Return the state of this model only, if many models share a background model."""
        check_is_fitted(self)
        return self._tree_state()

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model and its background model from the result of `get_state`.

        Raises
        ------
        ModelFileError
            A parameter or an array is missing, or they contradict each other.
        """
        params, arrays = dict(state.params), state.arrays
        background = params.pop("background", None)
        if not isinstance(background, dict):
            raise ModelFileError("the adapted n-gram model has no background model; train it again")
        background_arrays = {
            name.removeprefix(_BACKGROUND_PREFIX): array
            for name, array in arrays.items()
            if name.startswith(_BACKGROUND_PREFIX)
        }
        return cls.from_state_and_background(
            ModelState(params, arrays),
            NgramLM.from_state(ModelState(background, background_arrays)),
        )

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: LanguageModel) -> Self:
        """Rebuild a model from `get_state_without_background` and its background model.

        Raises
        ------
        ModelFileError
            As in `from_state`, or the background model is not suitable.
        """
        with cls._rejecting_invalid_states():
            model = cls._from_params(state.params)
            model.background_ = model._check_background(background, model.vocabulary_size_)
            model._set_tree(state.arrays)
        return model

    def _check_params(self, vocabulary_size: Any) -> None:
        super()._check_params(vocabulary_size)
        _, strengths = self.background_shares, self.strengths  # each of them checks its values
        if self.smoothing == "dirichlet" and not strengths.all():
            raise UsageError(
                f"strength={self.strength!r}: without discounts, words that the author did not use "
                "receive probability only from a strength above 0; set one for every order"
            )

    def _check_background(self, background: LanguageModel, vocabulary_size: int) -> NgramLM:
        if not isinstance(background, NgramLM) or not background.open_vocabulary:
            raise UsageError("the background model must be an NgramLM with an open vocabulary")
        check_is_fitted(background)
        for name, required in (
            ("vocabulary_size_", vocabulary_size),
            ("sentence_start", self.sentence_start),
            ("sentence_end", self.sentence_end),
        ):
            value = getattr(background, name)
            if value != required:
                raise UsageError(
                    f"the background model has {name.rstrip('_')} {value}, but this model has "
                    f"{required}; fit both with the same vocabulary and the same sentence "
                    "boundaries"
                )
        return background
