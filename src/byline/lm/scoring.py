"""What of a text is scored, and after which context; apart from how a model was trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError

UnknownWords = Literal["score", "skip"]


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
    unknown : {"score", "skip"}
        Whether ``<unk>`` is scored like any other token, or left out of the sum and of the number
        of scored tokens, as SRILM does without ``-unk``. Skipped tokens count as OOV all the same.

    Raises
    ------
    UsageError
        A switch has none of its values.
    """

    sentence_start: bool = True
    sentence_end: bool = True
    unknown: UnknownWords = "score"

    def __post_init__(self) -> None:
        """Refuse values that a switch does not have."""
        for name in ("sentence_start", "sentence_end"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise UsageError(f"{name}={getattr(self, name)!r}: it must be True or False")
        if self.unknown not in get_args(UnknownWords):
            raise UsageError(f"unknown={self.unknown!r}: it must be 'score' or 'skip'")

    @classmethod
    def like_ge_sun_2016(cls) -> Self:
        """Score as the paper's program does: words alone, ``<unk>`` left out."""
        return cls(sentence_start=False, sentence_end=False, unknown="skip")


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
        Whether the token is ``<unk>``, and so left out where unknown words are skipped.
    """

    log_probs: NDArray[np.float64]
    orders: NDArray[np.int32]
    is_oov: NDArray[np.bool_]
