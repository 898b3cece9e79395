"""What of a text is scored, and after which context; apart from how a model was trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError

UnknownWords = Literal["score", "skip", "ge-sun-2016"]
Positions = Literal["every", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Switches of scoring.

    Parameters
    ----------
    sentence_start : bool, default True
        Whether ``<s>`` is context of a sentence's first words; where not, its first word is scored
        without any context, as with SRILM's ``-no-sos``.
    sentence_end : bool, default True
        Whether ``</s>`` is scored; SRILM's ``-no-eos`` is False.
    unknown : {"score", "skip", "ge-sun-2016"}
        Whether ``<unk>`` is scored like any other token; or left out of the sum and of the number
        of scored tokens, as SRILM does without ``-unk``; or, as the program of Ge & Sun (2016) does
        for its network, in the sum but not in the number. It counts as OOV all the same.
    positions : {"every", "full"}
        Whether every token is scored, or only those whose whole context lies within the sentence:
        full n-grams. ``</s>`` then is scored where the words before it are enough, and never by a
        model that looks at words after the one it predicts.

    Raises
    ------
    UsageError
        A switch has none of its values.
    """

    sentence_start: bool = True
    sentence_end: bool = True
    unknown: UnknownWords = "score"
    positions: Positions = "every"

    def __post_init__(self) -> None:
        """Refuse values that a switch does not have."""
        for name in ("sentence_start", "sentence_end"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")
        for name, known in (("unknown", UnknownWords), ("positions", Positions)):
            _check_choice(name, getattr(self, name), get_args(known))

    @classmethod
    def like_ge_sun_2016(cls, kind: str = "ngram") -> Self:
        """Score as the paper's program does: every word, and no sentence mark.

        Parameters
        ----------
        kind : {"ngram", "feedforward"}
            Its n-grams are SRILM's, which leaves ``<unk>`` out of sum and number; its network has
            them in the sum alone, which makes every perplexity higher.

        Raises
        ------
        UsageError
            There is no such kind of model in the paper.
        """
        _check_choice("kind", kind, ("ngram", "feedforward"))
        unknown: UnknownWords = "skip" if kind == "ngram" else "ge-sun-2016"
        return cls(sentence_start=False, sentence_end=False, unknown=unknown)


@dataclass(frozen=True, slots=True)
class EventSelection:
    """Which events of a text are scored: its tokens, and ``</s>`` where it is one, end to end.

    Attributes
    ----------
    in_sum : (n,) bool
        Whether the log-probability is in the text's.
    in_count : (n,) bool
        Whether perplexity divides by it.
    is_oov : (n,) bool
        Whether it is ``<unk>``, in the sum, the count or neither; at a position that is scored.
    """

    in_sum: NDArray[np.bool_]
    in_count: NDArray[np.bool_]
    is_oov: NDArray[np.bool_]

    @classmethod
    def among(
        cls, is_position: NDArray[np.bool_], is_oov: NDArray[np.bool_], scoring: Scoring
    ) -> Self:
        """Treat unknown words as ``scoring`` says, at the positions that are scored: (n,) bool."""
        known = is_position & ~is_oov
        return cls(
            in_sum=known if scoring.unknown == "skip" else is_position,
            in_count=is_position if scoring.unknown == "score" else known,
            is_oov=is_position & is_oov,
        )


@dataclass(frozen=True, slots=True)
class TokenScores:
    """What an n-gram model says of each token of a text, end to end.

    Attributes
    ----------
    log_probs : (n,) float64
        In nats; of each sentence's tokens, then of ``</s>`` where it is scored.
    orders : (n,) int32
        Order of the longest n-gram found, with which backing off ends; 0 where the model has not
        even the unigram.
    is_oov : (n,) bool
        Whether the token is ``<unk>``.
    in_sum : (n,) bool
        Whether the log-probability is in the text's sum: where not, the token is left out, as
        unknown or for want of a full context.
    """

    log_probs: NDArray[np.float64]
    orders: NDArray[np.int32]
    is_oov: NDArray[np.bool_]
    in_sum: NDArray[np.bool_]


def has_full_context(
    lengths: Sequence[int], context_window: tuple[int, int], *, sentence_end: bool
) -> NDArray[np.bool_]:
    """Whether each event's whole context lies within its sentence, end to end.

    Parameters
    ----------
    lengths : sequence of int
        Tokens of each sentence.
    reach : (int, int)
        Tokens that are looked at before the event, and after it.
    sentence_end : bool
        Whether ``</s>`` is an event of each sentence, after its tokens.

    Returns
    -------
    (n_events,) bool
    """
    before, after = context_window
    n_tokens = np.array(lengths, dtype=np.int64)
    n_events = n_tokens + int(sentence_end)
    first = np.repeat(np.cumsum(n_events) - n_events, n_events)
    place = np.arange(len(first)) - first  # (n_events,), from 0 in each sentence
    return (place >= before) & (
        place + after < np.repeat(n_tokens if after else n_events, n_events)
    )


def _check_choice(name: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        *others, last = map(repr, known)
        raise UsageError(f"{name}={value!r}: it must be {', '.join(others)} or {last}")
