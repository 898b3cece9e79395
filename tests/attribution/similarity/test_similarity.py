"""The cross-perplexity matrix and its tree: known values, laws, and synthetic authors."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution import AuthorshipAttributor
from byline.attribution.similarity import CrossPerplexity, author_tree, cross_perplexity
from byline.errors import BylineWarning, UsageError
from byline.lm import NgramLM
from byline.text import TextEncoder

WriteText = Callable[[str, int, int], str]


def _crossed() -> CrossPerplexity:
    """Two texts by a, one by b and one by c: nats, and numbers of tokens."""
    log_likelihoods = np.array([[-20, -30, -40], [-10, -30, -20], [-40, -20, -30], [-9, -6, -3.0]])
    return CrossPerplexity.pooled(
        "abc", np.array([0, 0, 1, 2]), log_likelihoods, np.array([20, 10, 10, 3])
    )


def test_the_texts_of_an_author_are_pooled() -> None:
    crossed = _crossed()
    assert crossed.authors == ("a", "b", "c")
    assert crossed.n_tokens.tolist() == [30, 10, 3]
    # a under b: 60 nats for 30 tokens.
    assert crossed.cross_entropy.tolist() == [[1, 2, 2], [4, 2, 3], [3, 2, 1]]
    assert crossed.perplexity[2, 0] == pytest.approx(math.exp(3))


def test_excess_and_distances() -> None:
    crossed = _crossed()
    assert crossed.excess.tolist() == [[0, 1, 1], [2, 0, 1], [2, 1, 0]]
    # a and b: (2 - 1 + 4 - 2) / 2.
    assert crossed.distances.tolist() == [[0, 1.5, 1.5], [1.5, 0, 1], [1.5, 1, 0]]
    assert crossed.nearest("c", 5) == ["b", "a"]
    assert crossed.nearest("b", 1) == ["c"]


def test_distances_are_not_negative() -> None:
    better = np.array([[-2.0, -1.0], [-1.0, -2.0]])
    crossed = CrossPerplexity.pooled("ab", np.arange(2), better, np.ones(2, dtype=np.int64))
    assert crossed.excess[0, 1] == -1
    assert crossed.distances.tolist() == [[0, 0], [0, 0]]


def test_the_tree_joins_clusters_by_mean_distance() -> None:
    tree = author_tree("abc", np.array([[0, 1.0, 4.0], [1.0, 0, 6.0], [4.0, 6.0, 0]]))
    first, second = tree.joins
    assert {first.first, first.second} == {0, 1}
    assert first.height == 1
    assert {second.first, second.second} == {2, 3}
    assert second.height == 5  # (4 + 6) / 2
    assert tree.order in ([2, 0, 1], [1, 0, 2])  # c is nearer to a than to b


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_permuting_the_authors_permutes_rows_and_columns(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n), rng.integers(n, size=5)])
    scores, sizes = -50 * rng.random((n + 5, n)), rng.integers(1, 30, size=n + 5)
    scores[np.arange(n + 5), labels] = 0.0  # own models are best, so no distance is zero
    names = [f"author-{place}" for place in range(n)]
    crossed = CrossPerplexity.pooled(names, labels, scores, sizes)
    order = rng.permutation(n)
    permuted = CrossPerplexity.pooled(
        [names[place] for place in order], np.argsort(order)[labels], scores[:, order], sizes
    )
    assert np.allclose(permuted.cross_entropy, crossed.cross_entropy[np.ix_(order, order)])
    assert np.allclose(permuted.distances, permuted.distances.T)
    tree = author_tree(permuted.authors, permuted.distances)
    assert sorted(tree.order) == list(range(n))
    heights = [join.height for join in tree.joins]
    assert np.allclose(
        heights, [join.height for join in author_tree(names, crossed.distances).joins]
    )
    assert heights == sorted(heights)


def _attributor() -> AuthorshipAttributor:
    return AuthorshipAttributor(NgramLM(order=2), TextEncoder(min_count=1), n_samples=1)


@pytest.fixture(scope="module")
def texts(write: WriteText) -> tuple[list[str], list[str]]:
    """Two similar authors and a third one, with three texts each."""
    authors = ["east/ann", "east/bob", "west/cat"]
    return [write(a, 120, seed) for a in authors for seed in range(3)], np.repeat(
        authors, 3
    ).tolist()


def test_own_models_are_best_and_similar_authors_are_joined_first(
    texts: tuple[list[str], list[str]],
) -> None:
    reported: list[tuple[int, int]] = []
    crossed = cross_perplexity(
        _attributor(),
        *texts,
        folds=3,
        progress=lambda done, total, what: reported.append((done, total)),
    )
    assert crossed.authors == ("east/ann", "east/bob", "west/cat")
    assert (crossed.excess >= 0).all()
    assert crossed.perplexity.argmin(axis=1).tolist() == [0, 1, 2]
    first = author_tree(crossed.authors, crossed.distances).joins[0]
    assert {first.first, first.second} == {0, 1}
    assert reported == [(1000 * n // 3, 3000) for n in range(1, 10)]


def test_every_text_is_scored_once_by_models_not_trained_on_it(
    texts: tuple[list[str], list[str]],
) -> None:
    crossed = cross_perplexity(_attributor(), *texts, folds=3)
    scores = _attributor().fit(*texts).score_texts(texts[0])
    labels = np.repeat(np.arange(3), 3)
    trained_on_it = CrossPerplexity.pooled(
        crossed.authors, labels, scores.log_likelihoods, scores.n_scored
    )
    assert crossed.n_tokens.tolist() == trained_on_it.n_tokens.tolist()
    assert (np.diag(crossed.perplexity) > 2 * np.diag(trained_on_it.perplexity)).all()


def test_the_order_of_texts_does_not_matter(texts: tuple[list[str], list[str]]) -> None:
    forth = cross_perplexity(_attributor(), *texts, folds=3)
    back = cross_perplexity(_attributor(), texts[0][::-1], texts[1][::-1], folds=3)
    assert back.cross_entropy.tolist() == forth.cross_entropy.tolist()


def test_invalid_arguments_are_rejected(texts: tuple[list[str], list[str]]) -> None:
    with pytest.raises(UsageError, match="folds is 1"):
        cross_perplexity(_attributor(), *texts, folds=1)
    with pytest.raises(UsageError, match="there are 9 texts and 1 groups"):
        cross_perplexity(_attributor(), *texts, groups=["one"])


def test_authors_with_a_single_work_are_listed(texts: tuple[list[str], list[str]]) -> None:
    groups = ["one"] * 3 + list("abcdef")
    with pytest.warns(BylineWarning, match="single work"):
        crossed = cross_perplexity(_attributor(), *texts, groups=groups, folds=3)
    assert crossed.single_work_authors == ("east/ann",)
    assert cross_perplexity(_attributor(), *texts, folds=3).single_work_authors == ()
