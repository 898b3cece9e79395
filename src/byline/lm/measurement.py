"""`Measurement`: how well a language model predicts a text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Measurement:
    """How well a model predicts a text.

    Measurements of several texts are added up with ``+``.

    Attributes
    ----------
    log_prob : float
        Sum of the log-probabilities of all scored tokens, in nats.
    n_tokens : int
        Number of scored tokens. It includes ``</s>`` if ``</s>`` is scored, and ``<unk>`` if
        ``<unk>`` is counted.
    n_oov : int
        Number of out-of-vocabulary tokens (``<unk>``), whether or not they are counted in
        ``n_tokens``. If only full n-grams are scored, only their last tokens are considered.

    See Also
    --------
    LanguageModel.measure : Measure the fit of a model to documents.

    Examples
    --------
    >>> import math
    >>> first = Measurement(log_prob=4 * math.log(0.5), n_tokens=4, n_oov=1)
    >>> second = Measurement(log_prob=2 * math.log(0.125), n_tokens=2, n_oov=0)
    >>> total = first + second
    >>> total.n_tokens, total.n_oov, round(total.perplexity, 3)
    (6, 1, 3.175)
    """

    log_prob: float
    n_tokens: int
    n_oov: int

    @property
    def perplexity(self) -> float:
        """``exp(-log_prob / n_tokens)`` (Ge & Sun 2016, Eq. ppl2); NaN if no token was scored."""
        return float(np.exp(-self.log_prob / self.n_tokens)) if self.n_tokens else float("nan")

    def __add__(self, other: Measurement) -> Measurement:
        """Return the measurement of both texts together."""
        return Measurement(
            self.log_prob + other.log_prob,
            self.n_tokens + other.n_tokens,
            self.n_oov + other.n_oov,
        )
