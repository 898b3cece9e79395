"""Scoring options: which tokens of a text are scored, and after which context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

import numpy as np

from byline.array_types import Booleans, Floats, Ids, Integers
from byline.errors import UsageError

UnknownWords = Literal["score", "skip", "ge-sun-2016"]
Positions = Literal["every", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Options for scoring a text; they are independent of how a model was trained.

    Parameters
    ----------
    sentence_start : bool, default True
        Whether ``<s>`` is the context of the first word of a sentence. Otherwise the first word is
        scored without any context, as with SRILM's ``-no-sos``.
    sentence_end : bool, default True
        Whether ``</s>`` is scored. False corresponds to SRILM's ``-no-eos``.
    unknown : {"score", "skip", "ge-sun-2016"}
        How ``<unk>`` is treated. "score": like any other token. "skip": excluded from the sum of
        log-probabilities and from the number of scored tokens, as in SRILM without ``-unk``.
        "ge-sun-2016": included in the sum but not in the number, as the program of Ge & Sun (2016)
        does for its network. In all three cases ``<unk>`` counts as out of vocabulary.
    positions : {"every", "full"}
        Whether every token is scored, or only full n-grams: tokens whose whole context lies within
        the sentence. With "full", ``</s>`` is scored if enough words precede it. A model that uses
        words after the predicted one never scores it.

    Raises
    ------
    UsageError
        An option has an invalid value.

    See Also
    --------
    LanguageModel.measure : Measure the fit of a model to documents.

    Examples
    --------
    >>> Scoring(unknown="skip").sentence_end
    True
    >>> Scoring.like_ge_sun_2016("feedforward").unknown
    'ge-sun-2016'
    """

    sentence_start: bool = True
    sentence_end: bool = True
    unknown: UnknownWords = "score"
    positions: Positions = "every"

    def __post_init__(self) -> None:
        """Reject invalid values."""
        for name in ("sentence_start", "sentence_end"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")
        for name, choices in (("unknown", UnknownWords), ("positions", Positions)):
            _check_choice(name, getattr(self, name), get_args(choices))

    @classmethod
    def like_ge_sun_2016(cls, kind: str = "ngram") -> Self:
        """Return the options of the program of Ge & Sun (2016): all words, no boundary symbols.

        Parameters
        ----------
        kind : {"ngram", "feedforward"}
            Its n-gram models are SRILM's, which exclude ``<unk>`` from the sum and the number of
            tokens. Its network includes ``<unk>`` in the sum only, which increases every
            perplexity.

        Raises
        ------
        UsageError
            The paper has no model of this kind.
        """
        _check_choice("kind", kind, ("ngram", "feedforward"))
        unknown: UnknownWords = "skip" if kind == "ngram" else "ge-sun-2016"
        return cls(sentence_start=False, sentence_end=False, unknown=unknown)


@dataclass(frozen=True, slots=True)
class EventSelection:
    """Which events of a text are scored: its tokens, and ``</s>`` if it is an event.

    Attributes
    ----------
    in_sum : (n,) bool
        Whether the log-probability is added to that of the text.
    in_count : (n,) bool
        Whether the event is counted in the number by which perplexity divides.
    is_oov : (n,) bool
        Whether the event is ``<unk>`` at a scored position; it may be excluded from the sum and
        from the count.
    """

    in_sum: Booleans
    in_count: Booleans
    is_oov: Booleans

    @classmethod
    def at_positions(cls, is_scored: Booleans, is_oov: Booleans, scoring: Scoring) -> Self:
        """Select the events at scored positions, with unknown words treated as in ``scoring``.

        Parameters
        ----------
        is_scored : (n,) bool
        is_oov : (n,) bool
        scoring : Scoring
        """
        known = is_scored & ~is_oov
        return cls(
            in_sum=known if scoring.unknown == "skip" else is_scored,
            in_count=is_scored if scoring.unknown == "score" else known,
            is_oov=is_scored & is_oov,
        )


@dataclass(frozen=True, slots=True)
class TokenScores:
    """The scores that an n-gram model gives each token of a text.

    Attributes
    ----------
    log_probs : (n,) float64
        Log-probabilities in nats: of the tokens of each sentence, then of ``</s>`` if it is scored.
    orders : (n,) int32
        Order of the longest n-gram that the model contains; 0 if it does not contain the unigram.
    is_oov : (n,) bool
        Whether the token is ``<unk>``.
    in_sum : (n,) bool
        Whether the log-probability is added to that of the text. It is not added if the token is
        unknown and unknown words are skipped, or if its context is not full and only full contexts
        are scored.

    See Also
    --------
    NgramLM.score_tokens : Compute these scores.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.lm import NgramLM
    >>> sentences = [np.array([1, 2], dtype=np.int32), np.array([1, 3], dtype=np.int32)]
    >>> model = NgramLM(order=2).fit(sentences, vocabulary_size=4)
    >>> scores = model.score_tokens([np.array([1, 0], dtype=np.int32)])
    >>> scores.orders.tolist(), scores.is_oov.tolist()  # <s> 1; <unk>; </s> after <unk>
    ([2, 0, 1], [False, True, False])
    """

    log_probs: Floats
    orders: Ids
    is_oov: Booleans
    in_sum: Booleans


def has_full_context(
    lengths: Sequence[int], context_window: tuple[int, int], *, sentence_end: bool
) -> Booleans:
    """Find the events whose whole context lies within their sentence.

    Parameters
    ----------
    lengths : sequence of int
        Number of tokens per sentence.
    context_window : (int, int)
        Number of context tokens before and after the event.
    sentence_end : bool
        Whether ``</s>`` is an event of each sentence, after its tokens.

    Returns
    -------
    (n_events,) bool

    Examples
    --------
    The events of a trigram model in a sentence of three tokens, and ``</s>``:

    >>> has_full_context([3], (2, 0), sentence_end=True).tolist()
    [False, False, True, True]
    """
    before, after = context_window
    n_tokens = np.array(lengths, dtype=np.int64)
    n_events = n_tokens + int(sentence_end)
    first = np.repeat(np.cumsum(n_events) - n_events, n_events)
    position = np.arange(len(first)) - first  # (n_events,), from 0 in each sentence
    return (position >= before) & (
        position + after < np.repeat(n_tokens if after else n_events, n_events)
    )


def score_distinct_sentences(
    score: Callable[[Sequence[Ids]], Floats], sentences: Sequence[Ids], n_more: int
) -> Floats:
    """Score each distinct sentence once, with a model that scores sentences independently.

    Short sentences are repeated in most texts. If one text is a part of another, all sentences of
    the part are repeated.

    Parameters
    ----------
    score : callable
        Returns the scores of all events of the given sentences, concatenated.
    sentences : sequence of int32 arrays, each (n_tokens,)
    n_more : int
        Number of events per sentence in addition to its tokens.

    Returns
    -------
    (n_events,) float64
        The same values as ``score(sentences)``.

    Examples
    --------
    >>> sentences = [np.array([3, 1], dtype=np.int32), np.array([2], dtype=np.int32)]
    >>> def score(sentences):
    ...     print(len(sentences), "sentences are scored")
    ...     return np.concatenate(sentences) / 10
    >>> score_distinct_sentences(score, [*sentences, sentences[0]], n_more=0).tolist()
    2 sentences are scored
    [0.3, 0.1, 0.2, 0.3, 0.1]
    """
    numbers: dict[tuple[str, bytes], int] = {}
    keys = ((sentence.dtype.char, sentence.tobytes()) for sentence in sentences)
    indices = [numbers.setdefault(key, len(numbers)) for key in keys]
    if len(numbers) == len(sentences):
        return score(sentences)
    _, firsts = np.unique(indices, return_index=True)
    distinct = [sentences[first] for first in firsts.tolist()]
    lengths = np.array(list(map(len, distinct)), dtype=np.int64) + n_more
    starts = np.cumsum(lengths) - lengths
    return score(distinct)[_segments(starts[indices], lengths[indices])]


def _segments(starts: Integers, lengths: Integers) -> Integers:
    """List the indices of all segments, concatenated: (sum of lengths,)."""
    ends = np.cumsum(lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    return np.asarray(np.repeat(starts, lengths) + within)


def _check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        *others, last = map(repr, choices)
        raise UsageError(f"{name}={value!r}: it must be {', '.join(others)} or {last}")
