"""The two score rules, with the arithmetic written out."""

from __future__ import annotations

import math

import numpy as np

from byline.attribution.language_models.scoring import (
    negative_sum_of_perplexities,
    total_log_likelihood,
)

# Two samples, three sentences of 1, 2 and 2 scored tokens; three documents of 2, 0 and 1 sentences.
LOG_PROBS = np.log([[1 / 2, 1 / 16, 1 / 4], [1 / 8, 1 / 4, 1 / 4]])
LENGTHS = np.array([1, 2, 2])
SIZES = np.array([2, 0, 1])


def test_log_likelihood() -> None:
    """Sample 1: ln(1/2 * 1/16) = -ln 32; sample 2: ln(1/8 * 1/4) = -ln 32; the mean is -ln 32."""
    scores = total_log_likelihood(LOG_PROBS, LENGTHS, SIZES)
    np.testing.assert_allclose(scores, [-math.log(32), 0, -math.log(4)])


def test_sum_of_perplexities() -> None:
    """Sample 1: 2 + sqrt(16) = 6; sample 2: 8 + sqrt(4) = 10; mean 8. Last document: sqrt(4)."""
    scores = negative_sum_of_perplexities(LOG_PROBS, LENGTHS, SIZES)
    np.testing.assert_allclose(scores, [-8, 0, -2])


def test_one_unusual_short_sentence_outweighs_ten_good_ones() -> None:
    """Author 1 is 1 nat better in each of ten sentences of 10 tokens.

    In the eleventh, of one token, author 1 gives 1/1000 and author 2 gives 1/100: a loss of
    ln 10 = 2.3 nats against a gain of 10. The sums of perplexities are 10 e^2 + 1000 and
    10 e^2.1 + 100, in favour of author 2. Therefore the rule is not the default.
    """
    lengths, size = np.array([10] * 10 + [1]), np.array([11])
    first = np.array([[-20.0] * 10 + [math.log(1 / 1000)]])
    second = np.array([[-21.0] * 10 + [math.log(1 / 100)]])
    assert total_log_likelihood(first, lengths, size) > total_log_likelihood(second, lengths, size)
    rule = negative_sum_of_perplexities
    assert rule(first, lengths, size) < rule(second, lengths, size)
