"""`NgramLM`: an n-gram language model with back-off weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.array_types import Floats, Ids
from byline.constraints import BOOLEAN, SEQUENCE, Constraints
from byline.errors import UsageError
from byline.lm.base import UNK, LanguageModel, Sentence
from byline.lm.inputs import json_value
from byline.lm.model_state import ModelState
from byline.lm.ngrams.counts import NOT_FOUND, Level, add_sentence_boundaries, sentence_start_id
from byline.lm.ngrams.estimation import (
    MinCounts,
    count_for_vocabulary,
    resolve_min_counts,
    smooth_counts,
)
from byline.lm.ngrams.shared_counts import SharedNgramLM
from byline.lm.ngrams.smoothing import Smoothing
from byline.lm.ngrams.tree import ROOT, NgramTree
from byline.lm.registry import register_language_model
from byline.lm.scoring import Scoring, TokenScores
from byline.progress import Progress


@register_language_model
class NgramLM(SharedNgramLM):
    """An n-gram language model with back-off weights.

    Parameters
    ----------
    order : int, default 4
        Length of the longest n-grams. The context is ``order - 1`` tokens.
    smoothing : {"modified-kneser-ney", "kneser-ney", "absolute", "witten-bell", "good-turing"}
        Smoothing method. The default follows KenLM's lmplz (Chen & Goodman 1998, section 4.1).
    interpolate : bool, optional
        Whether the probabilities of observed n-grams are interpolated with those of the order
        below. If False, the model backs off: the order below is used for unobserved n-grams only.
        The default is True, except for Good-Turing (Katz back-off), which has no interpolated form.
    discount_fallback : {"one-discount", "fixed"}
        Discounts of modified Kneser-Ney for an order whose counts of counts do not determine them,
        as in short or repetitive texts. "one-discount": the single discount of Kneser-Ney.
        "fixed": 0.5, 1 and 1.5, as in lmplz.
    discount : float, optional
        Constant of absolute discounting, between 0 and 1. By default, it is estimated per order.
    min_counts : mapping of order to count, or sequence of counts from order 1 on, optional
        N-grams with fewer occurrences in the text are removed; such unigrams are treated as
        unobserved. An order without a value has that of the order below, and order 1 has 1. The
        counts must not decrease from one order to the next.
    open_vocabulary : bool, default True
        Whether ``<unk>`` is a word and every id of the vocabulary has a probability, observed or
        not. If False, as in SRILM without ``-unk``, only the words of the training text are events.
        All others have probability zero, and ``<unk>`` is neither an event nor a context.
    sentence_start : bool, default True
        Whether ``<s>`` is context. If not, the first words of a sentence have shorter contexts.
    sentence_end : bool, default True
        Whether ``</s>`` is an event.

    Attributes
    ----------
    vocabulary_size_ : int
    tree_ : NgramTree
        N-grams, log-probabilities and back-off weights, in nats.

    See Also
    --------
    AdaptedNgramLM : N-gram model of an author that is adapted from a background model.
    read_arpa, write_arpa : Exchange models with SRILM and KenLM.

    Notes
    -----
    A model takes 24 bytes per n-gram, and 16 in the highest order. Fitting takes time linear in the
    length of the text. Counting needs at most 50 bytes per token, 20 bytes per n-gram, and 16 per
    n-gram in the highest order. For 2.4 million tokens with 3.0 million n-grams of orders 1 to 4,
    the peak is 183 MiB, and 211 MiB with back-off.

    If the counts of counts of an order do not determine the discounts, modified Kneser-Ney uses
    ``discount_fallback``, and Kneser-Ney and absolute discounting use 0.5. Good-Turing does not
    discount a count whose coefficient is out of range. If a context would have no probability left
    for unobserved words, Good-Turing divides by the total plus one. These cases are logged at debug
    level.

    Good-Turing, Kneser-Ney and modified Kneser-Ney give the numbers that SRILM prints, to the last
    digit, if SRILM accepts the text. Witten-Bell and absolute discounting follow the formulas.
    There are two differences. With interpolation, SRILM computes the probability of an unobserved
    ``<unk>`` as one minus a sum in single precision, which is inexact by some 1e-4 (log10). Here it
    is its part of the uniform distribution. Secondly, if all events have been observed after a
    context, back-off has no unobserved event to give probability to. SRILM then scales the
    probabilities; here they are interpolated.

    Examples
    --------
    >>> import numpy as np
    >>> river = [np.array([1, 2, 3, 4], dtype=np.int32), np.array([1, 2, 4], dtype=np.int32)]
    >>> model = NgramLM(order=3).fit(river, vocabulary_size=6)
    >>> similar, different = river[:1], [np.array([4, 5, 1], dtype=np.int32)]
    >>> model.perplexity([similar]) < model.perplexity([different])
    True
    >>> bool(np.isclose(np.exp(model.log_distribution(river[0][:2])).sum(), 1))
    True
    """

    kind: ClassVar[str] = "ngram"
    _name: ClassVar[str] = "n-gram model"
    _parameter_constraints: ClassVar[Constraints] = {
        **SharedNgramLM._parameter_constraints,
        "smoothing": [str],
        "interpolate": [BOOLEAN, None],
        "discount_fallback": [str],
        "discount": [Real, None],
        "min_counts": [*SEQUENCE, Mapping, None],
        "open_vocabulary": [BOOLEAN],
    }

    def __init__(
        self,
        *,
        order: int = 4,
        smoothing: str = "modified-kneser-ney",
        interpolate: bool | None = None,
        discount_fallback: str = "one-discount",
        discount: float | None = None,
        min_counts: MinCounts | None = None,
        open_vocabulary: bool = True,
        sentence_start: bool = True,
        sentence_end: bool = True,
    ) -> None:
        self.order = order
        self.smoothing = smoothing
        self.interpolate = interpolate
        self.discount_fallback = discount_fallback
        self.discount = discount
        self.min_counts = min_counts
        self.open_vocabulary = open_vocabulary
        self.sentence_start = sentence_start
        self.sentence_end = sentence_end

    @classmethod
    def like_srilm(
        cls,
        order: int = 3,
        *,
        smoothing: str = "good-turing",
        interpolate: bool = False,
        open_vocabulary: bool = False,
        min_counts: MinCounts | None = (1, 1, 2),
    ) -> Self:
        """Return a model with the defaults of SRILM's ``ngram-count``.

        Parameters
        ----------
        order : int
            ``-order``.
        smoothing : str
            Katz back-off by default. ``-kndiscount`` is "modified-kneser-ney", ``-ukndiscount``
            "kneser-ney", ``-wbdiscount`` "witten-bell", ``-cdiscount`` "absolute".
        interpolate : bool
            ``-interpolate``.
        open_vocabulary : bool
            ``-unk``.
        min_counts : mapping or sequence, optional
            By default ``-gt3min 2``, ``-gt4min 2`` and so on, whatever the smoothing. They are
            minima of the counts in the text, also with Kneser-Ney.
        """
        return cls(
            order=order,
            smoothing=smoothing,
            interpolate=interpolate,
            open_vocabulary=open_vocabulary,
            min_counts=min_counts,
        )

    @classmethod
    def like_kenlm(cls, order: int, *, discount_fallback: str = "fixed") -> Self:
        """Return interpolated modified Kneser-Ney as estimated by KenLM's ``lmplz``.

        Parameters
        ----------
        order : int
            ``-o``.
        discount_fallback : {"fixed", "one-discount"}
            "fixed" is ``--discount_fallback``. Without that option, lmplz rejects texts whose
            counts of counts do not determine the discounts; Byline does not.
        """
        return cls(
            order=order,
            smoothing="modified-kneser-ney",
            interpolate=True,
            discount_fallback=discount_fallback,
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
        """Count n-grams and estimate their probabilities.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        vocabulary_size : int
        validation : ignored
        background : None
            An `AdaptedNgramLM` adapts a background model; this model does not.
        progress : Progress, optional

        Raises
        ------
        TrainingError
            The sentences contain no token.
        UsageError
            A parameter or a token id is out of range, or there is a background model.
        """
        self._check_params(vocabulary_size)
        if background is not None:
            raise UsageError("an NgramLM cannot adapt a background model; use an AdaptedNgramLM")
        self._check_sentences(sentences)
        self.vocabulary_size_, self._shared = int(vocabulary_size), None
        levels = count_for_vocabulary(
            add_sentence_boundaries(sentences, vocabulary_size, sentence_end=self.sentence_end),
            self.order,
            vocabulary_size,
            sentence_start=self.sentence_start,
            open_vocabulary=self.open_vocabulary,
        )
        if progress:
            progress(1, 2, "n-grams counted")
        smoothing = self.make_smoothing()
        levels, smoothed = smooth_counts(
            levels,
            smoothing,
            resolve_min_counts(self.min_counts, self.order),
            n_events=self.n_events if self.open_vocabulary else None,
        )
        counts = self._counts_that_determine(levels, smoothing)
        self.tree_ = NgramTree.from_levels(levels, smoothed, self.vocabulary_size_, counts)
        self._log_fallback(smoothing, smoothed)
        if progress:
            progress(2, 2, "probabilities estimated")
        return self

    def batch_log_probs(self, sentences: Sequence[Sentence]) -> Floats:
        """Compute the log-probabilities (nats) of all events of all sentences, concatenated.

        See `LanguageModel.batch_log_probs`.
        """
        return self.score_tokens(sentences).log_probs

    def event_log_probs(self, sentences: Sequence[Sentence], scoring: Scoring) -> Floats:
        """Compute the log-probabilities (nats) of all events; see `score_tokens`."""
        return self.score_tokens(sentences, scoring).log_probs

    def score_tokens(
        self, sentences: Sequence[Sentence], scoring: Scoring | None = None
    ) -> TokenScores:
        """Score every token, and report the order of the longest n-gram found for it.

        Parameters
        ----------
        sentences : sequence of int32 arrays, each (n_tokens,)
        scoring : Scoring, optional
            By default, the options with which the model was fitted. If ``<s>`` is no context, the
            first word of a sentence has no context, even if the model contains n-grams that start
            with ``<s>``.

        Returns
        -------
        TokenScores

        Raises
        ------
        UsageError
            A token id is outside the vocabulary, or ``</s>`` is not an event of this model.
        """
        check_is_fitted(self)
        scoring = scoring or self.scoring
        self._check_sentence_end(scoring)
        tree, start = self.tree_, sentence_start_id(self.vocabulary_size_)
        stream = add_sentence_boundaries(
            sentences, self.vocabulary_size_, sentence_end=scoring.sentence_end
        )
        log_probs = np.full(len(stream), tree.log_probs[ROOT])
        orders = np.zeros(len(stream), dtype=np.int32)
        found = tree.ngrams_ending_at_each(
            stream, self.order, sentence_start=scoring.sentence_start
        )
        for n, (positions, contexts, nodes) in enumerate(found, start=1):
            is_known = nodes != NOT_FOUND
            backed_off = log_probs[positions] + tree.backoffs[contexts]
            log_probs[positions] = np.where(is_known, tree.log_probs[nodes], backed_off)
            orders[positions[is_known]] = n
        is_event = stream != start
        in_sum = self.select_events(sentences, scoring).in_sum
        return TokenScores(log_probs[is_event], orders[is_event], stream[is_event] == UNK, in_sum)

    def log_distribution(self, context: Sentence) -> Floats:
        """Compute the log-probabilities (nats) of all events after ``context``.

        See `LanguageModel.log_distribution`. Only the last ``order - 1`` tokens matter.
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
        return self._tree_state()

    def state_params(self) -> dict[str, Any]:
        """Return the parameters and the size of the vocabulary, as in the state of a model."""
        params = super().state_params()
        if self.min_counts is None:
            return params
        min_counts = json_value(resolve_min_counts(self.min_counts, self.order))
        return params | {"min_counts": min_counts}

    @classmethod
    def from_state(cls, state: ModelState) -> Self:
        """Rebuild a model from the result of `get_state`.

        Raises
        ------
        ModelFileError
            A parameter or an array is missing, or they contradict each other.
        """
        with cls._rejecting_invalid_states():
            model = cls._from_params(state.params)
            model._set_tree(state.arrays)
        return model

    @property
    def scoring(self) -> Scoring:
        """The default scoring options: as fitted; a closed vocabulary skips ``<unk>``."""
        return Scoring(
            sentence_start=self.sentence_start,
            sentence_end=self.sentence_end,
            unknown="score" if self.open_vocabulary else "skip",
        )

    def _context_nodes(self, context: Sentence) -> Iterator[int]:
        """Yield the nodes of the last 0, 1, ... ``order - 1`` words of a sentence so far."""
        recent = [context[-self.order :]]
        stream = add_sentence_boundaries(recent, self.vocabulary_size_, sentence_end=False)
        yield ROOT
        for positions, _, nodes in self.tree_.ngrams_ending_at_each(stream, self.order - 1):
            last = nodes[positions == len(stream) - 1]
            yield from last[last != NOT_FOUND].tolist()

    def _counts_that_determine(
        self, levels: Sequence[Level], smoothing: Smoothing
    ) -> list[Ids] | None:
        """Return the smoothed counts of each order, if they determine all probabilities."""
        has_all = self.open_vocabulary and max(resolve_min_counts(self.min_counts, self.order)) == 1
        if not (has_all and smoothing.is_subtractive and smoothing.interpolate):
            return None
        return [
            smoothing.counts(level, n, highest=n == self.order)
            for n, level in enumerate(levels, start=1)
        ]

    def make_smoothing(self) -> Smoothing:
        """Return the smoothing method with its parameters."""
        interpolate = self.interpolate
        return Smoothing(
            name=self.smoothing,
            interpolate=self.smoothing != "good-turing" if interpolate is None else interpolate,
            fallback=self.discount_fallback,
            discount=self.discount,
        )

    def _check_params(self, vocabulary_size: Any) -> None:
        super()._check_params(vocabulary_size)
        self.make_smoothing()
        resolve_min_counts(self.min_counts, self.order)
