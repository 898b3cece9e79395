"""The n-gram language model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.errors import BylineWarning, LearningError, ModelFileError, UsageError
from byline.lm.base import UNK, LanguageModel, ModelState, Sentence
from byline.lm.counts import NONE, Level, count_ngrams, mark_sentences, start_mark
from byline.lm.scoring import Scoring, TokenScores
from byline.lm.smoothing import Smoothed, find_smoothing
from byline.lm.tree import ROOT, NgramTree
from byline.progress import Progress

_ARRAYS = ("keys", "log_probs", "backoffs")


class NgramLM(LanguageModel):
    """N-gram model with back-off weights.

    Parameters
    ----------
    order : int, default 4
        Longest n-gram: the context is ``order - 1`` tokens.
    smoothing : {"modified-kneser-ney"}
        As KenLM's lmplz has it (Chen & Goodman 1998, section 4.1).
    interpolate : bool, default True
        Whether the order below adds to the probabilities of n-grams that were seen.
    discount_fallback : {"one-discount", "fixed"}
        For an order whose counts of counts allow no modified discounts, as in little or repetitive
        text: Kneser-Ney's one discount; or 0.5, 1 and 1.5, as lmplz has it.
    sentence_start : bool, default True
        Whether ``<s>`` is context; where not, a sentence's first words have shorter contexts.
    sentence_end : bool, default True
        Whether ``</s>`` is an event.

    Attributes
    ----------
    vocabulary_size_ : int
    tree_ : NgramTree
        N-grams, log-probabilities and back-off weights, in nats.
    """

    kind: ClassVar[str] = "ngram"

    def __init__(
        self,
        *,
        order: int = 4,
        smoothing: str = "modified-kneser-ney",
        interpolate: bool = True,
        discount_fallback: str = "one-discount",
        sentence_start: bool = True,
        sentence_end: bool = True,
    ) -> None:
        self.order = order
        self.smoothing = smoothing
        self.interpolate = interpolate
        self.discount_fallback = discount_fallback
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end

    def fit(
        self,
        sentences: Sequence[Sentence],
        *,
        vocabulary_size: int,
        validation: Sequence[Sentence] | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Count n-grams and estimate their probabilities.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : ignored
        progress : Progress, optional

        Raises
        ------
        LearningError
            The sentences hold no token.
        UsageError
            A parameter, or a token id, is out of its range.

        Warns
        -----
        BylineWarning
            The text is too small or too repetitive for the discounts of some order.
        """
        self._check_params(vocabulary_size)
        smooth = self._smoothing()
        if not any(map(len, sentences)):
            raise LearningError("there is no token to learn an n-gram model from; add text")
        self.vocabulary_size_ = int(vocabulary_size)
        levels = count_ngrams(
            self._mark(sentences), self.order, vocabulary_size, sentence_start=self.sentence_start
        )
        if progress:
            progress(1, 2, "n-grams counted")
        smoothed = smooth(levels, self.n_events)
        if smoothed.fallback_orders:
            message = _fallback_message(smoothed.fallback_orders, self.discount_fallback)
            warnings.warn(message, BylineWarning, stacklevel=2)
        self.tree_ = NgramTree.from_levels(levels, smoothed, self.vocabulary_size_)
        if progress:
            progress(2, 2, "probabilities estimated")
        return self

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
        return self.score_tokens(sentences).log_probs

    def event_log_probs(
        self, sentences: Sequence[Sentence], scoring: Scoring
    ) -> NDArray[np.float64]:
        """Log-probabilities (nats) of all events; as ``score_tokens`` has them."""
        return self.score_tokens(sentences, scoring).log_probs

    def score_tokens(
        self, sentences: Sequence[Sentence], scoring: Scoring | None = None
    ) -> TokenScores:
        """Score every token, and say how long an n-gram was found for it.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        scoring : Scoring, optional
            By default as the model was fitted. Without ``<s>`` a sentence's first word has no
            context, even where the model knows n-grams that start with ``<s>``.

        Returns
        -------
        TokenScores

        Raises
        ------
        UsageError
            A token id is outside the vocabulary, or ``</s>`` is no event of this model.
        """
        check_is_fitted(self)
        scoring = scoring or self.scoring
        self._check_sentence_end(scoring)
        tree, start = self.tree_, start_mark(self.vocabulary_size_)
        stream = mark_sentences(sentences, self.vocabulary_size_, sentence_end=scoring.sentence_end)
        log_probs = np.full(len(stream), tree.log_probs[ROOT])
        orders = np.zeros(len(stream), dtype=np.int32)
        found = tree.ngrams_ending_at_each(
            stream, self.order, sentence_start=scoring.sentence_start
        )
        for n, (positions, contexts, nodes) in enumerate(found, start=1):
            is_known = nodes != NONE
            backed_off = log_probs[positions] + tree.backoffs[contexts]
            log_probs[positions] = np.where(is_known, tree.log_probs[nodes], backed_off)
            orders[positions[is_known]] = n
        is_event = stream != start
        return TokenScores(log_probs[is_event], orders[is_event], stream[is_event] == UNK)

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
        check_is_fitted(self)
        log_probs = np.full(self.n_events, self.tree_.log_probs[ROOT])
        for node in self._context_nodes(context):
            words, nodes = self.tree_.children(node)
            is_event = words < self.n_events
            log_probs += self.tree_.backoffs[node]
            log_probs[words[is_event]] = self.tree_.log_probs[nodes[is_event]]
        return log_probs

    def get_state(self) -> ModelState:
        """Return the parameters, the size of the vocabulary, and the three arrays of the tree."""
        check_is_fitted(self)
        params = {
            "order": int(self.order),
            "smoothing": self.smoothing,
            "interpolate": bool(self.interpolate),
            "discount_fallback": self.discount_fallback,
            "sentence_start": bool(self.sentence_start),
            "sentence_end": bool(self.sentence_end),
            "vocabulary_size": self.vocabulary_size_,
        }
        return ModelState(params, {name: getattr(self.tree_, name) for name in _ARRAYS})

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from ``get_state``'s result.

        Raises
        ------
        ModelFileError
            A parameter or an array is missing, or contradicts the others.
        """
        params = dict(state.params)
        try:
            vocabulary_size = params.pop("vocabulary_size")
            keys, log_probs, backoffs = (state.arrays[name] for name in _ARRAYS)
            model = cls(**params)
            model._check_params(vocabulary_size)
            model._smoothing()
        except KeyError as error:
            raise ModelFileError(f"the n-gram model has no {error}; fit it again") from None
        except (TypeError, UsageError) as error:
            raise ModelFileError(f"the n-gram model cannot be rebuilt: {error}") from None
        model.vocabulary_size_ = vocabulary_size
        model.tree_ = NgramTree(keys, log_probs, backoffs, vocabulary_size)
        if flaw := model.tree_.flaw(model.order, model.n_events):
            raise ModelFileError(f"the n-gram model is damaged: {flaw}; fit it again")
        return model

    def _mark(self, sentences: Sequence[Sentence]) -> Sentence:
        return mark_sentences(sentences, self.vocabulary_size_, sentence_end=self.sentence_end)

    def _context_nodes(self, context: Sentence) -> Iterator[int]:
        """Yield the nodes of the last 0, 1, ... ``order - 1`` words of a sentence so far."""
        recent = [context[-self.order :]]
        stream = mark_sentences(recent, self.vocabulary_size_, sentence_end=False)
        yield ROOT
        for positions, _, nodes in self.tree_.ngrams_ending_at_each(stream, self.order - 1):
            last = nodes[positions == len(stream) - 1]
            yield from last[last != NONE].tolist()

    def _smoothing(self) -> Callable[[Sequence[Level], int], Smoothed]:
        return find_smoothing(
            self.smoothing, interpolate=self.interpolate, fallback=self.discount_fallback
        )

    def _check_params(self, vocabulary_size: int) -> None:
        for name, number in (("order", self.order), ("vocabulary_size", vocabulary_size)):
            if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
                raise UsageError(f"{name}={number!r}: it must be a whole number, 1 or more")
        for name in ("interpolate", "sentence_start", "sentence_end"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")


def _fallback_message(orders: Sequence[int], fallback: str) -> str:
    return (
        f"the counts of counts of order{'s' if len(orders) > 1 else ''} "
        f"{', '.join(map(str, orders))} allow no modified Kneser-Ney discounts, as the text is "
        f"short or repetitive; the fallback {fallback!r} gives them"
    )
