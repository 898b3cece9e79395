"""Values that stylo 0.7.7 computed for the novels of `corpora/british_fiction`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from byline.array_types import Floats
from byline.attribution.exploration import (
    TextMatrix,
    count_features,
    explore_features,
    frequent_features,
    relative_frequencies,
    text_distances,
)
from byline.attribution.exploration.consensus import Clade, ConsensusTree, majority_consensus
from byline.attribution.exploration.maps import multidimensional_scaling, principal_components
from byline.attribution.exploration.trees import neighbour_joining_splits, ward_tree

TOLERANCE = 1e-6
STYLO = {
    "burrows": "delta",
    "eder": "eder",
    "argamon": "argamon",
    "simple": "simple",
    "cosine": "cosine",
    "wurzburg": "wurzburg",
    "entropy": "entropy",
    "minmax": "minmax",
    "manhattan": "manhattan",
}


@dataclass(frozen=True)
class Novels:
    folder: Path
    names: tuple[str, ...]
    n_tokens: list[int]
    words: list[str]
    features: TextMatrix


@pytest.fixture(scope="module")
def novels(shared: Path) -> Novels:
    paths = sorted((shared / "corpora" / "british_fiction").glob("*/*.txt"))
    counts = [count_features(path.read_text("utf-8")) for path in paths]
    words = frequent_features(counts, at_most=1000)
    names = tuple(f"{path.parent.name}_{path.stem}" for path in paths)
    authors = tuple(path.parent.name for path in paths)
    values = relative_frequencies(counts, words)
    return Novels(
        shared / "oracles" / "stylo",
        names,
        [sum(each.values()) for each in counts],
        words,
        TextMatrix(names, authors, tuple(words), values, "words"),
    )


def test_words_are_counted_as_in_stylo(novels: Novels) -> None:
    lines = (novels.folder / "tokens.tsv").read_text("utf-8").splitlines()
    assert [f"{name}\t{n}" for name, n in zip(novels.names, novels.n_tokens, strict=True)] == lines
    assert novels.words == (novels.folder / "mfw1000.txt").read_text("utf-8").split()
    expected = _matrix(novels.folder / "frequencies200.tsv")
    assert np.abs(novels.features.first(200).values - expected).max() < TOLERANCE


@pytest.mark.parametrize("distance", STYLO)
def test_distances(novels: Novels, distance: str) -> None:
    expected = _matrix(novels.folder / f"distance500-{STYLO[distance]}.tsv")
    assert np.abs(text_distances(novels.features.first(500), distance) - expected).max() < TOLERANCE


def test_multidimensional_scaling(novels: Novels) -> None:
    distances = text_distances(novels.features.first(500), "wurzburg")
    expected = _matrix(novels.folder / "mds-wurzburg500.tsv")
    assert _difference(multidimensional_scaling(distances).coordinates, expected) < TOLERANCE


def test_principal_components(novels: Novels) -> None:
    found = principal_components(novels.features.first(100).values)
    expected = _matrix(novels.folder / "pca100-correlation.tsv")
    assert _difference(found.coordinates, expected[:, :2]) < TOLERANCE
    shares = (novels.folder / "pca100-variance.txt").read_text("utf-8").split()
    # The file has five decimal places.
    assert found.shares == pytest.approx([float(share) for share in shares[:2]], abs=1e-5)


def test_ward_tree(novels: Novels) -> None:
    tree = ward_tree(novels.names, text_distances(novels.features.first(500), "wurzburg"))
    lines = (novels.folder / "tree-wurzburg500-ward.txt").read_text("utf-8").splitlines()[1:]
    heights = [float(line.split()[-1]) for line in lines]
    assert [join.height for join in tree.joins] == pytest.approx(heights, abs=TOLERANCE)
    written = (novels.folder / "tree-wurzburg500-ward.nwk").read_text("utf-8")
    assert set(_clades(tree.to_newick())) == set(_clades(written))


@pytest.mark.parametrize("linkage", ["nj", "ward"])
def test_consensus_trees(novels: Novels, linkage: str) -> None:
    sizes = range(100, 1001, 100)
    found = explore_features(novels.features, sizes=sizes, linkage=linkage).consensus
    assert found is not None
    written = novels.folder / f"consensus-wurzburg100-1000-{linkage}-p50.nwk"
    expected = _clades(written.read_text("utf-8"))
    own = {_split(novels, clade): clade.share for clade in _inner(found.root)}
    assert own == pytest.approx(
        {_unrooted(novels, names): share for names, share in expected.items()}
    )


def test_the_order_of_texts_has_no_effect_on_the_consensus(novels: Novels) -> None:
    order = np.random.default_rng(0).permutation(len(novels.names))
    splits = [
        list(neighbour_joining_splits(text_distances(novels.features.first(size), "wurzburg")))
        for size in (100, 200, 300)
    ]
    place = np.argsort(order)
    moved = [[frozenset(int(place[text]) for text in side) for side in each] for each in splits]
    first = majority_consensus(novels.names, splits)
    second = majority_consensus([novels.names[text] for text in order], moved)
    assert {_named(first, clade) for clade in _inner(first.root)} == {
        _named(second, clade) for clade in _inner(second.root)
    }


def _matrix(path: Path) -> Floats:
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return np.array([[float(cell) for cell in line[1:]] for line in lines[1:]])


def _difference(found: Floats, expected: Floats) -> float:
    """Return the largest difference; the signs of columns are arbitrary."""
    either = np.minimum(np.abs(found - expected).max(axis=0), np.abs(found + expected).max(axis=0))
    return float(either.max())


def _inner(clade: Clade) -> Iterator[Clade]:
    for child in clade.children:
        yield child
        yield from _inner(child)


def _clades(newick: str) -> dict[frozenset[str], float]:
    """Return the groups of a tree, without the one of all texts, and their labels."""
    open_groups: list[set[str]] = [set()]
    found: dict[frozenset[str], float] = {}
    for part in re.findall(r"\(|\)[\d.]*|\w[^,():;]*", re.sub(r":[\d.]+", "", newick)):
        if part == "(":
            open_groups.append(set())
        elif part.startswith(")"):
            group = open_groups.pop()
            open_groups[-1] |= group
            found[frozenset(group)] = float(part[1:] or 1)
        else:
            open_groups[-1].add(part)
    found.pop(frozenset(open_groups[0]))
    return found


def _named(tree: ConsensusTree, clade: Clade) -> frozenset[str]:
    return frozenset(tree.names[text] for text in clade.texts)


def _split(novels: Novels, clade: Clade) -> frozenset[str]:
    return _unrooted(novels, frozenset(novels.names[text] for text in clade.texts))


def _unrooted(novels: Novels, group: frozenset[str]) -> frozenset[str]:
    """Return the side of a split that does not contain the first text."""
    return group if novels.names[0] not in group else frozenset(novels.names) - group
