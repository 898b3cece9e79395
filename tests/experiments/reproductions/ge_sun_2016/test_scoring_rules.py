from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.experiments.reproductions.ge_sun_2016.scoring_rules import (
    RULES,
    SentenceScores,
    count_tied_or_better,
    shares_attributed,
)

# Two candidates and three sentences. Author 1 counts no word of the second sentence, and no author
# counts a word of the third.
SCORES = SentenceScores(
    log_prob=np.array([[-6.0, -4.0, 0.0], [-8.0, -1.0, -2.0]]),
    n_counted=np.array([[3, 2, 0], [4, 0, 0]]),
    n_unknown=np.array([[0, 1, 2], [2, 2, 2]]),
    n_unk_types=np.array([1, 10]),
    author=np.array([0, 1, 1]),
    sentence=np.array([5, 11, 12]),
)


def test_costs_by_hand() -> None:
    # exp(6 / 3), exp(4 / 2); exp(8 / 4); without a counted word, perplexity is infinite.
    perplexities = [[np.exp(2), np.exp(2), np.inf], [np.exp(2), np.inf, np.inf]]
    assert RULES["sum-of-perplexities"](SCORES) == pytest.approx(np.array(perplexities))
    assert RULES["log-likelihood"](SCORES).tolist() == [[6.0, 4.0, 0.0], [8.0, 1.0, 2.0]]
    # Author 0's <unk> stands for one type: log 1 = 0. Author 1's unknown words cost log 10 each.
    shared = [[6.0, 4.0, 0.0], [8 + 2 * np.log(10), 1 + 2 * np.log(10), 2 + 2 * np.log(10)]]
    assert RULES["log-likelihood-shared"](SCORES) == pytest.approx(np.array(shared))


def test_a_perplexity_that_overflows_is_infinite() -> None:
    scores = SentenceScores(
        log_prob=np.array([[-5000.0, -np.inf]]),
        n_counted=np.array([[1, 2]]),
        n_unknown=np.zeros((1, 2), dtype=int),
        n_unk_types=np.array([1]),
        author=np.array([0, 0]),
        sentence=np.array([0, 1]),
    )
    assert RULES["sum-of-perplexities"](scores).tolist() == [[np.inf, np.inf]]


def test_a_tie_is_an_error() -> None:
    costs = np.array([[1.0, 1.0, 2.0, np.inf], [1.0, 2.0, 1.0, np.inf], [3.0, 2.0, 1.0, np.inf]])
    author = np.zeros(4, dtype=np.int64)
    assert count_tied_or_better(costs, costs[0]).tolist() == [1, 0, 2, 2]
    # A rival that ties with the true author wins; rivals that tie with each other share.
    assert shares_attributed(costs, author).T.tolist() == [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0.5, 0.5],
        [0, 0.5, 0.5],
    ]


# Few values, so that many are equal; some are infinite.
COSTS = st.integers(2, 5).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf]), min_size=n, max_size=n),
            st.integers(0, n - 1),
        ),
        min_size=1,
        max_size=8,
    )
)


@settings(deadline=None, max_examples=60)
@given(COSTS, st.randoms(use_true_random=False))
def test_each_sentence_counts_once_and_the_order_of_authors_does_not_matter(
    sentences: list[tuple[list[float], int]], random: Random
) -> None:
    costs = np.array([column for column, _ in sentences]).T
    author = np.array([true for _, true in sentences])
    attributed_to = shares_attributed(costs, author)
    at = np.arange(len(author))
    assert attributed_to.sum(axis=0) == pytest.approx(np.ones(len(author)))
    correct = count_tied_or_better(costs, costs[author, at]) == 0
    assert attributed_to[author, at].tolist() == correct.astype(float).tolist()
    order = list(range(len(costs)))
    random.shuffle(order)
    assert np.array_equal(
        shares_attributed(costs[order], np.argsort(order)[author]), attributed_to[order]
    )
