"""N-gram models of authors, each a background model over all authors adapted to one of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats
from byline.errors import BylineWarning, ModelFileError, TrainingError, UsageError
from byline.lm.base import LanguageModel, ModelState, Sentence
from byline.lm.inputs import is_whole, json_value
from byline.lm.ngrams.adapted_terms import (
    SMOOTHINGS,
    BackgroundScores,
    by_order,
    describe_fallback,
    discounted_shares,
    values_per_order,
)
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries, count_ngrams
from byline.lm.ngrams.model import MAX_ORDER, NgramLM
from byline.lm.ngrams.tree import NgramTree
from byline.progress import Progress

_ARRAYS = ("keys", "log_probs", "backoffs")
_BACKGROUND = "background_"


class AdaptedNgramLM(LanguageModel):
    """N-gram model whose counts are smoothed towards a background model of many authors.

    Every order n has a prior ``q`` for what the counts leave open, mixed of what the background
    says after the same context ``h`` and what this model says after the shorter one ``h'``::

        p_n(w|h) = [max(c(hw) - D_n, 0) + (D mass + strength_n) q_n(w|h)] / (c(h) + strength_n)
        q_n(w|h) = share_n background_n(w|h) + (1 - share_n) p_(n-1)(w|h')

    and ``p_0`` is uniform (Wood & Teh 2009, the doubly hierarchical Pitman-Yor model, whose
    inference is replaced by Kneser-Ney's counts and discounts). A context that was never seen by
    the author leaves all to ``q``; one that the background has not seen either says nothing:
    ``p_n = p_(n-1)``.

    Parameters
    ----------
    order : int, default 4
        Longest n-gram: the context is ``order - 1`` tokens.
    smoothing : {"modified-kneser-ney", "dirichlet"}
        How the author's counts are taken: with the author's own modified Kneser-Ney discounts, and
        below the highest order as numbers of distinct left neighbours; or as they stand, without
        discount (MacKay & Peto 1995), which needs a ``strength`` above 0 in every order.
    strength : float or sequence of float
        Tokens that the prior counts for in a context; one number for orders from 2 (order 1: 0), or
        one an order from 1, of which the last goes on. The default suits words; characters do best
        with 0.
    background_share : float or sequence of float
        How much of the prior is the background's after the same context, from 0 to 1; one number
        for orders from 2 (order 1: 1, as all other words come from there), or one an order. In
        n-grams of words large shares keep authors with little text from losing to those with much;
        in those of characters they lessen that, but equal samples are needed all the same. Where
        all authors have about as much, 0.01 parts them by words a little better.
    sentence_start : bool, default True
        Whether ``<s>`` is context.
    sentence_end : bool, default True
        Whether ``</s>`` is an event.

    Attributes
    ----------
    vocabulary_size_ : int
    background_ : NgramLM
        The object handed to ``fit``.
    tree_ : NgramTree
        The author's n-grams. Its ``log_probs`` are what an n-gram has of its own, without the
        prior's part, and its ``backoffs`` what a context leaves to the prior, in nats.

    Warns
    -----
    BylineWarning
        On fitting, where the counts of counts of some order allow no modified discounts.
    """

    kind: ClassVar[str] = "adapted-ngram"
    background_: NgramLM

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
        """Return the background that suits, not fitted: of the same order and sentence marks."""
        return NgramLM(
            order=self.order, sentence_start=self.sentence_start, sentence_end=self.sentence_end
        )

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        progress: Progress | None = None,
        background: NgramLM | None = None,
    ) -> Self:
        """Count the author's n-grams.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : ignored
        progress : Progress, optional
        background : NgramLM
            Fitted over the same vocabulary, open, with the same sentence marks; best to a text that
            these sentences are part of.

        Raises
        ------
        TrainingError
            The sentences hold no token, or there is no background.
        UsageError
            A parameter, or a token id, is out of its range, or the background does not suit.

        Warns
        -----
        BylineWarning
            The text is too small or too repetitive for the discounts of some order.
        """
        self._check_params(vocabulary_size)
        if background is None:
            raise TrainingError(
                "an adapted n-gram model adapts a background model, and there is none; hand over "
                "background=background_model().fit(...) fitted to the texts of all authors"
            )
        background = self._check_background(background, vocabulary_size)
        if not any(map(len, sentences)):
            raise TrainingError("there is no token to learn an n-gram model from; add text")
        self.vocabulary_size_ = int(vocabulary_size)
        self.background_ = background
        levels = count_ngrams(
            add_sentence_boundaries(sentences, vocabulary_size, sentence_end=self.sentence_end),
            self.order,
            vocabulary_size,
            sentence_start=self.sentence_start,
        )
        shares = discounted_shares(levels, self.smoothing, self.strengths, self.n_events)
        self.tree_ = NgramTree.from_levels(levels, shares, self.vocabulary_size_)
        if shares.fallback_orders:
            warnings.warn(describe_fallback(shares.fallback_orders), BylineWarning, stacklevel=2)
        if progress:
            progress(1, 1, "n-grams counted")
        return self

    @property
    def strengths(self) -> Floats:
        """Strength of every order, (order,)."""
        return values_per_order("strength", self.strength, 0.0, self.order, np.inf)

    @property
    def background_shares(self) -> Floats:
        """The background's share in the prior of every order, (order,)."""
        return values_per_order("background_share", self.background_share, 1.0, self.order, 1.0)

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all tokens of all sentences, end to end.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)

        Returns
        -------
        (sum of ``n_scored(sentence)``,) float64

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        check_is_fitted(self)
        return self.log_probs_with_background(self.score_background(sentences))

    def score_background(self, sentences: Sequence[Sentence]) -> BackgroundScores:
        """Score sentences under the background, once for all models that adapt it."""
        return BackgroundScores.of(self.background_, sentences, self.order)

    def log_probs_with_background(self, scores: BackgroundScores) -> NDArray[np.float64]:
        """As ``batch_log_probs``, of sentences that `score_background` was told.

        Returns
        -------
        (n_scored,) float64, nats
        """
        tree, stream = self.tree_, scores.stream
        walk = tree.ngrams_ending_at_each(stream, self.order, sentence_start=self.sentence_start)
        probs = np.full(len(stream), 1.0 / self.n_events)
        for n, (share, (positions, contexts, nodes)) in enumerate(
            zip(self.background_shares, by_order(walk, self.order), strict=True)
        ):
            prior = share * scores.probs[n] + (1 - share) * probs
            own = np.where(nodes != NOT_FOUND, np.exp(tree.log_probs[nodes]), 0.0)
            is_known = scores.is_known[n].copy()
            is_known[positions] = True
            prior[positions] = own + np.exp(tree.backoffs[contexts]) * prior[positions]
            probs = np.where(is_known, prior, probs)
        log_probs: NDArray[np.float64] = np.log(probs[scores.is_event])
        return log_probs

    def log_distribution(self, context: Sentence) -> NDArray[np.float64]:
        """Log-probabilities (nats) of every event after ``context``.

        Parameters
        ----------
        context : (n,) int32
            The tokens of the sentence so far; the last ``order - 1`` of them matter.

        Returns
        -------
        (n_events,) float64

        Raises
        ------
        UsageError
            A token id is outside the vocabulary.
        """
        recent = np.asarray(context, dtype=np.int32)[-self.order :]
        words = np.arange(self.vocabulary_size_, dtype=np.int32)
        sentences = np.column_stack([np.tile(recent, (len(words), 1)), words])
        log_probs = self.batch_log_probs(list(sentences)).reshape(len(words), -1)[:, len(recent)]
        if not self.sentence_end:
            return log_probs
        return np.append(log_probs, self.batch_log_probs([recent])[-1])

    def get_state(self) -> ModelState:
        """Return the author's part and all of the background."""
        own, background = self.get_state_without_background(), self.background_.get_state()
        params = {**own.params, "background": dict(background.params)}
        arrays = {f"{_BACKGROUND}{name}": array for name, array in background.arrays.items()}
        return ModelState(params, {**own.arrays, **arrays})

    def get_state_without_background(self) -> ModelState:
        """Return the author's part alone, for a background that is stored once for many."""
        check_is_fitted(self)
        params = {
            "order": int(self.order),
            "smoothing": self.smoothing,
            "strength": json_value(self.strength),
            "background_share": json_value(self.background_share),
            "sentence_start": bool(self.sentence_start),
            "sentence_end": bool(self.sentence_end),
            "vocabulary_size": self.vocabulary_size_,
        }
        return ModelState(params, {name: getattr(self.tree_, name) for name in _ARRAYS})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model and its background from ``get_state``'s result.

        Raises
        ------
        ModelFileError
            A parameter or an array is missing, or contradicts the others.
        """
        params, arrays = dict(state.params), state.arrays
        background = params.pop("background", None)
        if not isinstance(background, dict):
            raise ModelFileError("the adapted n-gram model has no background; fit it again")
        of_background = {
            name.removeprefix(_BACKGROUND): array
            for name, array in arrays.items()
            if name.startswith(_BACKGROUND)
        }
        return cls.from_state_and_background(
            ModelState(params, arrays), NgramLM.from_state(ModelState(background, of_background))
        )

    @classmethod
    def from_state_and_background(cls, state: ModelState, background: LanguageModel) -> Self:
        """Rebuild a model from its state without the background, and its background."""
        params = dict(state.params)
        try:
            vocabulary_size = params.pop("vocabulary_size")
            keys, log_probs, backoffs = (state.arrays[name] for name in _ARRAYS)
            model = cls(**params)
            model._check_params(vocabulary_size)
            model.background_ = model._check_background(background, vocabulary_size)
        except KeyError as error:
            raise ModelFileError(f"the adapted n-gram model has no {error}; fit it again") from None
        except (TypeError, UsageError) as error:
            raise ModelFileError(f"the adapted n-gram model cannot be rebuilt: {error}") from None
        model.vocabulary_size_ = vocabulary_size
        model.tree_ = NgramTree(keys, log_probs, backoffs, vocabulary_size)
        if flaw := model.tree_.flaw(model.order, model.n_events):
            raise ModelFileError(f"the adapted n-gram model is damaged: {flaw}; fit it again")
        return model

    @property
    def context_window(self) -> tuple[int, int]:
        """The ``order - 1`` tokens before the predicted one."""
        return self.order - 1, 0

    def _check_params(self, vocabulary_size: Any) -> None:
        if not is_whole(self.order, 1) or self.order > MAX_ORDER:
            raise UsageError(f"order={self.order!r}: it must be a whole number, 1 to {MAX_ORDER}")
        if not is_whole(vocabulary_size, 1):
            raise UsageError(f"vocabulary_size={vocabulary_size!r}: it must be 1 or more")
        if self.smoothing not in SMOOTHINGS:
            names = " or ".join(map(repr, SMOOTHINGS))
            raise UsageError(f"smoothing={self.smoothing!r}: it must be {names}")
        for name in ("sentence_start", "sentence_end"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")
        values_per_order("background_share", self.background_share, 1.0, self.order, 1.0)
        strengths = values_per_order("strength", self.strength, 0.0, self.order, np.inf)
        if self.smoothing == "dirichlet" and not strengths.all():
            raise UsageError(
                f"strength={self.strength!r}: without discounts, nothing but a strength above 0 "
                "leaves probability to words that the author has not used; give one for every order"
            )

    def _check_background(self, background: LanguageModel, vocabulary_size: int) -> NgramLM:
        if not isinstance(background, NgramLM) or not background.open_vocabulary:
            raise UsageError("the background must be an NgramLM with an open vocabulary")
        check_is_fitted(background)
        for name, needed in (
            ("vocabulary_size_", vocabulary_size),
            ("sentence_start", self.sentence_start),
            ("sentence_end", self.sentence_end),
        ):
            value = getattr(background, name)
            if value != needed:
                raise UsageError(
                    f"the background has {name.rstrip('_')} {value}, and the model {needed}; fit "
                    "both over one vocabulary and with the same sentence marks"
                )
        return background
