"""The n-gram language model."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from byline.errors import BylineWarning, ModelFileError, TrainingError, UsageError
from byline.lm.base import UNK, LanguageModel, ModelState, Sentence
from byline.lm.inputs import is_whole
from byline.lm.ngrams.counts import NOT_FOUND, add_sentence_boundaries, sentence_start_id
from byline.lm.ngrams.estimation import MinCounts, count, estimate, resolve_min_counts
from byline.lm.ngrams.smoothing import Smoothing
from byline.lm.ngrams.tree import ROOT, NgramTree
from byline.lm.scoring import Scoring, TokenScores
from byline.progress import Progress

_ARRAYS = ("keys", "log_probs", "backoffs")

MAX_ORDER = 1000


class NgramLM(LanguageModel):
    """N-gram model with back-off weights.

    Parameters
    ----------
    order : int, default 4
        Longest n-gram: the context is ``order - 1`` tokens.
    smoothing : {"modified-kneser-ney", "kneser-ney", "absolute", "witten-bell", "good-turing"}
        By default as KenLM's lmplz has it (Chen & Goodman 1998, section 4.1).
    interpolate : bool, optional
        Whether the order below adds to the probabilities of n-grams that were seen, or is only
        backed off to for others. By default it adds, except with Good-Turing (Katz's back-off),
        for which that is not defined.
    discount_fallback : {"one-discount", "fixed"}
        For an order whose counts of counts allow no modified discounts, as in little or repetitive
        text: Kneser-Ney's one discount; or 0.5, 1 and 1.5, as lmplz has it.
    discount : float, optional
        The constant of absolute discounting, between 0 and 1; by default estimated for each order.
    min_counts : mapping of order to count, or sequence of counts from order 1 on, optional
        N-grams that stand in the text less often are left out (unigrams: treated as unseen). An
        order not named has that of the order below, the lowest 1; they must not fall.
    open_vocabulary : bool, default True
        Whether ``<unk>`` is a word, and every id of the vocabulary has a probability, seen or not.
        Where not, as in SRILM without ``-unk``, the events are the words of the text alone, others
        have probability zero, and ``<unk>`` is neither event nor context.
    sentence_start : bool, default True
        Whether ``<s>`` is context; where not, a sentence's first words have shorter contexts.
    sentence_end : bool, default True
        Whether ``</s>`` is an event.

    Attributes
    ----------
    vocabulary_size_ : int
    tree_ : NgramTree
        N-grams, log-probabilities and back-off weights, in nats.

    Warns
    -----
    BylineWarning
        On fitting, where the counts of counts of some order allow no discounts. Modified
        Kneser-Ney then has ``discount_fallback``; Kneser-Ney and absolute discounting the discount
        0.5; Good-Turing leaves a count whole whose coefficient is out of range, and divides by the
        total plus one where a context would have nothing left for unseen words.

    Notes
    -----
    A model takes 24 bytes an n-gram, 16 in the highest order. Fitting takes time linear in the
    text; while counting at most 50 bytes a token beside 20 an n-gram, 16 in the highest order. On
    2.4 million tokens and their 3.0 million n-grams of order 1 to 4 that is 183 MiB at its peak,
    and 211 MiB where the smoothing backs off.

    Good-Turing, Kneser-Ney and modified Kneser-Ney print what SRILM prints, to its last digits,
    where it does not refuse the text; Witten-Bell and absolute discounting follow the formulas. Two
    things are not copied. SRILM's probability of an ``<unk>`` that was never seen, under
    interpolation, is one less a sum in single precision and so off by some 1e-4 (log10); here it is
    its share of the uniform distribution. And a context that every event follows is interpolated
    when backing off has nobody to give its mass to, where SRILM scales its probabilities.
    """

    kind: ClassVar[str] = "ngram"

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
            Katz's back-off by default; ``-kndiscount`` is "modified-kneser-ney", ``-ukndiscount``
            "kneser-ney", ``-wbdiscount`` "witten-bell", ``-cdiscount`` "absolute".
        interpolate : bool
            ``-interpolate``.
        open_vocabulary : bool
            ``-unk``.
        min_counts : mapping or sequence, optional
            By default ``-gt3min 2``, ``-gt4min 2`` and so on, whatever the smoothing. They are
            minima of the counts in the text under Kneser-Ney, too.
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
        """Return interpolated modified Kneser-Ney as KenLM's ``lmplz`` estimates it.

        Parameters
        ----------
        order : int
            ``-o``.
        discount_fallback : {"fixed", "one-discount"}
            "fixed" is ``--discount_fallback``; without that lmplz refuses texts whose counts of
            counts allow no discounts, where this warns.
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
        TrainingError
            The sentences hold no token.
        UsageError
            A parameter, or a token id, is out of its range.

        Warns
        -----
        BylineWarning
            The text is too small or too repetitive for the discounts of some order.
        """
        self._check_params(vocabulary_size)
        smoothing = self._smoothing()
        min_counts = resolve_min_counts(self.min_counts, self.order)
        if not any(map(len, sentences)):
            raise TrainingError("there is no token to learn an n-gram model from; add text")
        self.vocabulary_size_ = int(vocabulary_size)
        levels = count(
            add_sentence_boundaries(sentences, vocabulary_size, sentence_end=self.sentence_end),
            self.order,
            vocabulary_size,
            sentence_start=self.sentence_start,
            open_vocabulary=self.open_vocabulary,
        )
        if progress:
            progress(1, 2, "n-grams counted")
        self.tree_, fallback_orders = estimate(
            levels,
            smoothing,
            min_counts,
            vocabulary_size=self.vocabulary_size_,
            n_events=self.n_events if self.open_vocabulary else None,
        )
        if fallback_orders:
            message = smoothing.describe_fallback(fallback_orders)
            warnings.warn(message, BylineWarning, stacklevel=2)
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
            "interpolate": None if self.interpolate is None else bool(self.interpolate),
            "discount_fallback": self.discount_fallback,
            "discount": None if self.discount is None else float(self.discount),
            "min_counts": None
            if self.min_counts is None
            else resolve_min_counts(self.min_counts, self.order),
            "open_vocabulary": bool(self.open_vocabulary),
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
            resolve_min_counts(model.min_counts, model.order)
        except KeyError as error:
            raise ModelFileError(f"the n-gram model has no {error}; fit it again") from None
        except (TypeError, UsageError) as error:
            raise ModelFileError(f"the n-gram model cannot be rebuilt: {error}") from None
        model.vocabulary_size_ = vocabulary_size
        model.tree_ = NgramTree(keys, log_probs, backoffs, vocabulary_size)
        if flaw := model.tree_.flaw(model.order, model.n_events):
            raise ModelFileError(f"the n-gram model is damaged: {flaw}; fit it again")
        return model

    @property
    def scoring(self) -> Scoring:
        """As it was fitted; ``<unk>`` is skipped where it is not in the vocabulary."""
        return Scoring(
            sentence_start=self.sentence_start,
            sentence_end=self.sentence_end,
            unknown="score" if self.open_vocabulary else "skip",
        )

    @property
    def context_window(self) -> tuple[int, int]:
        """The ``order - 1`` tokens before the predicted one."""
        return self.order - 1, 0

    def _context_nodes(self, context: Sentence) -> Iterator[int]:
        """Yield the nodes of the last 0, 1, ... ``order - 1`` words of a sentence so far."""
        recent = [context[-self.order :]]
        stream = add_sentence_boundaries(recent, self.vocabulary_size_, sentence_end=False)
        yield ROOT
        for positions, _, nodes in self.tree_.ngrams_ending_at_each(stream, self.order - 1):
            last = nodes[positions == len(stream) - 1]
            yield from last[last != NOT_FOUND].tolist()

    def _smoothing(self) -> Smoothing:
        interpolate = self.interpolate
        return Smoothing(
            name=self.smoothing,
            interpolate=self.smoothing != "good-turing" if interpolate is None else interpolate,
            fallback=self.discount_fallback,
            discount=self.discount,
        )

    def _check_params(self, vocabulary_size: int) -> None:
        if not is_whole(self.order, 1) or self.order > MAX_ORDER:
            raise UsageError(f"order={self.order!r}: it must be a whole number, 1 to {MAX_ORDER}")
        if not is_whole(vocabulary_size, 1):
            raise UsageError(f"vocabulary_size={vocabulary_size!r}: it must be 1 or more")
        for name in ("interpolate", "open_vocabulary", "sentence_start", "sentence_end"):
            value = getattr(self, name)
            if not isinstance(value, (bool, np.bool_)) and (name, value) != ("interpolate", None):
                raise UsageError(f"{name}={value!r}: it must be True or False")
