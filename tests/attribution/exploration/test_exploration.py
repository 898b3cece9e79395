from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import squareform

from byline.array_types import Floats
from byline.attribution.exploration import (
    DISTANCES,
    TextMatrix,
    count_features,
    explore_features,
    frequent_features,
    relative_frequencies,
    text_distances,
)
from byline.attribution.exploration.consensus import majority_consensus
from byline.attribution.exploration.distances import z_scores
from byline.attribution.exploration.frequencies import unique_names
from byline.attribution.exploration.maps import multidimensional_scaling, principal_components
from byline.attribution.exploration.network import nearest_neighbours
from byline.attribution.exploration.trees import neighbour_joining_splits, ward_tree
from byline.errors import TrainingError, UsageError

TEXTS = st.text(st.sampled_from("abé ’-1A\n"), max_size=30)


def _table(values: Floats) -> TextMatrix:
    n_texts, n_features = values.shape
    return TextMatrix(
        tuple(f"Ada_{text}" for text in range(n_texts)),
        ("Ada",) * n_texts,
        tuple(f"w{feature}" for feature in range(n_features)),
        values,
        "words",
    )


def test_words_are_runs_of_letters_in_lower_case() -> None:
    counts = count_features("Don't re-read “Émile” in 1762; Don't!")
    assert counts == Counter(don=2, t=2, re=1, read=1, émile=1) + Counter({"in": 1})


def test_a_combining_accent_belongs_to_its_letter() -> None:
    assert count_features("e\u0301te\u0301") == Counter(["été"])


def test_word_ngrams_are_joined_by_a_sign_that_no_word_contains() -> None:
    assert count_features("The cat. The cat", ngram=2) == Counter({"the_cat": 2, "cat_the": 1})


@given(TEXTS, st.integers(1, 4))
def test_character_ngrams_are_those_of_a_plain_loop(text: str, n: int) -> None:
    joined = "_".join(count_features_in_order(text))
    expected = Counter(joined[start : start + n] for start in range(len(joined) - n + 1))
    assert count_features(text, "char", n) == expected


def count_features_in_order(text: str) -> list[str]:
    kept = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return kept.split()


def test_character_ngrams_of_a_large_alphabet() -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 6000)))
    assert count_features(text, "char", 6).total() == 6000 - 5
    assert sorted(count_features("讀本 a b", "char", 2)) == ["_a", "_b", "a_", "本_", "讀本"]


def test_culling_comes_before_the_choice_of_the_most_frequent() -> None:
    # "a" is the most frequent, but is in one of two texts; "b" and "c" are in both.
    counts = [Counter(a=9, b=2, c=1), Counter(b=1, c=1)]
    assert frequent_features(counts, at_most=2) == ["a", "b"]
    assert frequent_features(counts, at_most=2, culling=50) == ["a", "b"]
    assert frequent_features(counts, at_most=2, culling=51) == ["b", "c"]


def test_frequencies_are_percentages_of_all_tokens() -> None:
    # "a" is one token of four; the other text is empty.
    assert relative_frequencies([Counter(a=1, b=3), Counter()], ["a"]).tolist() == [[25.0], [0.0]]


@given(st.lists(st.sampled_from(["a", "a_2", "b"]), max_size=6))
def test_names_become_unique(names: list[str]) -> None:
    assert len(set(unique_names(names))) == len(names)


# Frequencies of two words in two texts, in percent. The z-scores of two values are always
# (1, -1) / sqrt(2), because the sample standard deviation is half the difference times sqrt(2).
TWO = np.array([[4.0, 1.0], [2.0, 2.0]])
KNOWN = {
    "burrows": math.sqrt(2),  # mean of sqrt(2) and sqrt(2)
    "eder": math.sqrt(2) * (3 / 2 + 2 / 2),  # weights (n + 1) / n and 2 / n
    "argamon": 2 / 2,  # the root of 2 + 2, divided by the number of words
    "simple": (2 - math.sqrt(2)) + (math.sqrt(2) - 1),
    "cosine": 1 - 10 / math.sqrt(17 * 8),
    "wurzburg": 2.0,  # opposite directions
    "minmax": 1 - (2 + 1) / (4 + 2),
    "manhattan": 3.0,
    # Shares 0.8, 0.2 and 0.5, 0.5, with the mean 0.65, 0.35.
    "js": math.sqrt(
        (0.8 * math.log(0.8 / 0.65) + 0.2 * math.log(0.2 / 0.35)) / 2
        + (0.5 * math.log(0.5 / 0.65) + 0.5 * math.log(0.5 / 0.35)) / 2
    ),
    # The entropies of (5/8, 3/8) and (2/5, 3/5), with 1 added to each frequency.
    "entropy": math.log(6 / 4) / -(5 / 8 * math.log(5 / 8) + 3 / 8 * math.log(3 / 8))
    + math.log(4 / 3) / -(2 / 5 * math.log(2 / 5) + 3 / 5 * math.log(3 / 5)),
    "char-ngrams": 2.0,
}


@pytest.mark.parametrize("distance", DISTANCES)
def test_known_distances(distance: str) -> None:
    assert text_distances(_table(TWO), distance)[0, 1] == pytest.approx(KNOWN[distance])


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=20)
@given(arrays(np.float64, (4, 3), elements=st.floats(0.1, 10)))
@example(np.array([[1, 0.1, 0.1], *[[0.1, 0.1, 0.1]] * 3]))  # three equal texts
def test_distances_are_symmetric_and_do_not_depend_on_the_order(
    distance: str, values: Floats
) -> None:
    if (np.abs(z_scores(values)).max(axis=1) == 0).any():
        return  # a text whose z-scores are all 0 has no direction
    found = text_distances(_table(values), distance)
    assert (found == found.T).all()
    assert not np.diag(found).any()
    turned = text_distances(_table(values[::-1]), distance)[::-1, ::-1]
    assert found == pytest.approx(turned, abs=1e-6)


def test_a_text_without_any_feature_is_refused() -> None:
    with pytest.raises(UsageError, match="none of the 2 words occurs in Ada_1"):
        text_distances(_table(np.array([[1.0, 2.0], [0.0, 0.0]])), "cosine")


def test_negative_values_need_a_distance_that_allows_them() -> None:
    with pytest.raises(UsageError, match="negative values"):
        text_distances(_table(-TWO), "minmax")
    assert text_distances(_table(-TWO), "manhattan")[0, 1] == 3


def test_an_unknown_distance_is_refused() -> None:
    with pytest.raises(UsageError, match="it must be 'burrows' or 'eder'"):
        text_distances(_table(TWO), "euclid")


def test_scaling_of_points_in_a_plane_gives_their_distances() -> None:
    # The corners of a rectangle of 3 by 4: the diagonal is 5.
    corners = squareform([3.0, 5.0, 4.0, 4.0, 5.0, 3.0])
    found = multidimensional_scaling(corners)
    between = found.coordinates[:, np.newaxis] - found.coordinates
    assert np.sqrt((between**2).sum(axis=2)) == pytest.approx(corners)
    assert sum(found.shares) == pytest.approx(1)


def test_loadings_have_length_one() -> None:
    found = principal_components(np.random.default_rng(0).random((5, 4)))
    assert found.loadings is not None
    assert (found.loadings**2).sum(axis=0) == pytest.approx(1)


def test_the_tree_is_cut_into_clusters() -> None:
    points = np.array([0.0, 0.1, 5.0, 5.1, 9.0])
    tree = ward_tree("abcde", np.abs(points[:, np.newaxis] - points))
    labels = tree.clusters(3)
    assert labels[0] == labels[1] and labels[2] == labels[3] and len(set(labels)) == 3
    assert tree.clusters(5) == [0, 1, 2, 3, 4]
    assert sorted(tree.order) == [0, 1, 2, 3, 4]


def test_neighbour_joining_finds_the_tree_of_additive_distances() -> None:
    # ((a, b), c, (d, e)): each outer branch is 1 long, each inner one 2.
    distances = squareform([2.0, 4, 6, 6, 4, 6, 6, 4, 4, 2])
    assert set(neighbour_joining_splits(distances)) == {frozenset({3, 4}), frozenset({2, 3, 4})}


@given(st.integers(4, 24), st.integers(0, 10**6))
@settings(deadline=None)
def test_neighbour_joining_finds_every_tree_from_its_additive_distances(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = [({text}, np.eye(n)[text] * 0) for text in range(n)]  # texts, and distances to the node
    distances, splits = np.zeros((n, n)), set()
    while len(nodes) > 1:
        first, second = (nodes.pop(int(rng.integers(len(nodes)))) for _ in range(2))
        branches = rng.uniform(0.5, 2.0, size=2)
        for texts, depths in (first, second):
            depths[list(texts)] += branches[0 if texts is first[0] else 1]
        for one in first[0]:
            for other in second[0]:
                distances[one, other] = distances[other, one] = first[1][one] + second[1][other]
        texts = first[0] | second[0]
        nodes.append((texts, first[1] + second[1]))
        if 1 < len(texts) < n - 1:
            side = texts if 0 not in texts else set(range(n)) - texts
            splits.add(frozenset(side))
    assert set(neighbour_joining_splits(distances)) == splits


def test_a_consensus_has_the_groups_of_more_than_half_of_the_trees() -> None:
    pair, half = frozenset({0, 1}), frozenset({4, 5})
    tree = majority_consensus("abcdef", [[pair, half], [frozenset({2, 3, 4, 5})]])
    # {0, 1} and {2, 3, 4, 5} are two sides of one split; {4, 5} is in just half of the trees.
    assert tree.to_newick() == "((a,b)1,c,d,e,f)1;"


def test_groups_of_a_consensus_are_nested() -> None:
    splits = [frozenset({5, 6}), frozenset({4, 5, 6}), frozenset({0, 1})]
    tree = majority_consensus("abcdefg", [splits, splits, []])
    assert tree.to_newick() == "((a,b)0.667,((f,g)0.667,e)0.667,c,d)1;"


def test_edges_have_the_weights_of_both_texts() -> None:
    points = np.array([0.0, 1.0, 3.0, 7.0])
    distances = np.abs(points[:, np.newaxis] - points)
    edges = {(edge.first, edge.second): edge.weight for edge in nearest_neighbours([distances] * 2)}
    # Nearest first: 0: 1 2 3; 1: 0 2 3; 2: 1 0 3; 3: 2 1 0. Both matrices are the same.
    assert edges == {
        (0, 1): 2 * (3 + 3),
        (0, 2): 2 * (2 + 2),
        (0, 3): 2 * (1 + 1),
        (1, 2): 2 * (2 + 3),
        (1, 3): 2 * (1 + 2),
        (2, 3): 2 * (1 + 3),
    }


def _groups() -> TextMatrix:
    """Return two texts by each of two authors, and a questioned one near the first author."""
    values = np.array([[5.0, 1, 2], [5.1, 1.1, 2], [1, 5, 2.1], [1, 5.1, 2], [4.9, 1.2, 2.1]])
    return TextMatrix(
        ("Ada_1", "Ada_2", "Ben_1", "Ben_2", "Questioned_1"),
        ("Ada", "Ada", "Ben", "Ben", ""),
        ("the", "of", "and"),
        values,
        "words",
    )


def test_the_quality_of_clusters_is_about_known_texts() -> None:
    found = explore_features(_groups(), distance="manhattan")
    assert found.quality.adjusted_rand == 1
    assert (found.quality.nearest_same, found.quality.nearest_total) == (4, 4)
    assert [each.method for each in found.maps] == ["PCA", "MDS"]


def test_the_consensus_uses_the_sizes_that_the_table_has() -> None:
    found = explore_features(_groups(), sizes=(2, 3, 4), distance="manhattan", linkage="ward")
    assert found.sizes == (2, 3)
    assert found.consensus is not None and found.consensus.n_trees == 2
    assert explore_features(_groups(), sizes=(3, 4)).consensus is None


def test_two_texts_are_too_few() -> None:
    with pytest.raises(TrainingError, match="there are 2 texts"):
        explore_features(_table(TWO))
