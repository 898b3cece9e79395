"""Texts that stand, wholly or in part, word for word in another.

Not every pair is compared: texts that share fingerprints are, and these are found in one sorted
list of all (Broder 1997; Schleimer, Wilkerson & Aiken 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from byline.array_types import Integers
from byline.corpus.document import Document
from byline.corpus.fingerprints import (
    PASSAGE_WORDS,
    Hashes,
    WordHasher,
    hash_passages,
    select_fingerprints,
)
from byline.progress import Progress

# Shares of the shorter text's words that stand in the longer one: of twins, and of texts of which
# none should be questioned while the other is known.
NEAR_DUPLICATE = 0.8
OVERLAP = 0.3
# Fewer words may be the same by chance, or are a greeting.
FEWEST_WORDS = 40
_MOST_PAIRED = 32  # texts with one fingerprint; of more, each is paired with the longest alone
# Of the share sought, in fingerprints: how many two texts share varies, and none of 189 pairs of
# real texts is missed at this, where 8 are at twice as much.
_CANDIDATE = 0.3
_PAIRS_AT_ONCE = 1 << 22

# Where a text stands in the corpus -> the hashes of its passages.
Passages = Callable[[int], Hashes]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much of one text stands in another.

    Attributes
    ----------
    text, source : int
        Places in the corpus; ``text`` is the shorter one, or the later of equals.
    n_words : int
        Words of ``text``.
    n_copied : int
        Those of them that stand in ``source``, in runs of `PASSAGE_WORDS` words or more.
    """

    text: int
    source: int
    n_words: int
    n_copied: int

    @property
    def share(self) -> float:
        """Share of the shorter text's words that stand in the other."""
        return self.n_copied / self.n_words


@dataclass(frozen=True, slots=True)
class Overlaps:
    """What texts have of each other's words.

    Attributes
    ----------
    n_words : tuple of int
        Of each text; in scripts without spaces, of signs.
    pairs : tuple of Overlap
        Greatest share first.
    """

    n_words: tuple[int, ...]
    pairs: tuple[Overlap, ...]


def find_overlaps(documents: Sequence[Document], progress: Progress | None = None) -> Overlaps:
    """Find pairs of texts of which the longer one has `OVERLAP` of the shorter one's words.

    Texts of fewer than `FEWEST_WORDS` words are passed over.
    """
    hasher = WordHasher()
    fingerprints: list[Hashes] = []
    lengths: list[int] = []
    for number, document in enumerate(documents, start=1):
        words = hasher.hash_words(document.text)
        lengths.append(len(words))
        fingerprints.append(np.unique(select_fingerprints(words)))
        if progress is not None:
            progress(number, len(documents), document.path)

    @lru_cache(maxsize=32)
    def passages(place: int) -> Hashes:
        return hash_passages(hasher.hash_words(documents[place].text))

    overlaps = (
        _compare(first, second, lengths, passages) for first, second in _candidates(fingerprints)
    )
    found = [each for each in overlaps if each.n_words >= FEWEST_WORDS and each.share >= OVERLAP]
    found.sort(key=lambda each: (-each.share, each.source, each.text))
    return Overlaps(tuple(lengths), tuple(found))


def choose_duplicates(overlaps: Iterable[Overlap]) -> dict[int, int]:
    """Choose which texts to leave out, so that of twins the longest stays.

    Returns
    -------
    dict of int to int
        Of each text left out, the one kept that has `NEAR_DUPLICATE` of its words.
    """
    twins = sorted(
        (each for each in overlaps if each.share >= NEAR_DUPLICATE),
        key=lambda each: (-each.n_words, each.text, each.source),
    )
    excluded: dict[int, int] = {}
    for each in twins:  # whether the longer one stays is decided before
        if each.source not in excluded:
            excluded.setdefault(each.text, each.source)
    return excluded


def _candidates(fingerprints: Sequence[Hashes]) -> Iterator[tuple[int, int]]:
    """Yield pairs that share enough fingerprints to be compared."""
    counts = np.array([len(each) for each in fingerprints], dtype=np.int64)
    pairs, shared = _count_shared(fingerprints, counts)
    first, second = np.divmod(pairs, max(len(fingerprints), 1))
    enough = shared >= _CANDIDATE * OVERLAP * np.minimum(counts[first], counts[second])
    yield from zip(first[enough].tolist(), second[enough].tolist(), strict=True)


def _count_shared(fingerprints: Sequence[Hashes], counts: Integers) -> tuple[Integers, Integers]:
    """Count the fingerprints of each pair of texts that shares one.

    Returns
    -------
    pairs, shared : (n_pairs,)
        ``first * n_texts + second``, ascending, and how many these share.
    """
    nothing = np.zeros(0, dtype=np.int64)
    totals, waiting, n_waiting = (nothing, nothing), [nothing], 0
    for pairs in _pairs(fingerprints, counts):
        waiting.append(pairs)
        n_waiting += len(pairs)
        if n_waiting > _PAIRS_AT_ONCE:
            totals, waiting, n_waiting = _add(totals, waiting), [nothing], 0
    return _add(totals, waiting)


def _add(totals: tuple[Integers, Integers], pairs: list[Integers]) -> tuple[Integers, Integers]:
    new, numbers = np.unique(np.concatenate(pairs), return_counts=True)
    keys, places = np.unique(np.concatenate([totals[0], new]), return_inverse=True)
    sums = np.bincount(places, np.concatenate([totals[1], numbers]), minlength=len(keys))
    return keys, sums.astype(np.int64)


def _pairs(fingerprints: Sequence[Hashes], counts: Integers) -> Iterator[Integers]:
    """Yield the pairs of texts that have each fingerprint, the groups of one size at a time."""
    hashes = np.concatenate([*fingerprints, np.zeros(0, dtype=np.uint64)])
    order = np.argsort(hashes, kind="stable")
    owners = np.repeat(np.arange(len(counts)), counts)[order]
    ends = np.flatnonzero(np.diff(hashes[order])) + 1
    begins = np.r_[0, ends] if hashes.size else ends
    sizes = np.diff(np.r_[begins, hashes.size])
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = owners[begins[sizes == size][:, None] + np.arange(size)]  # (n_groups, size)
        yield from _pairs_of(groups, counts)


def _pairs_of(groups: Integers, counts: Integers) -> Iterator[Integers]:
    n_texts, size = len(counts), groups.shape[1]
    if size <= _MOST_PAIRED:
        for i, j in combinations(range(size), 2):
            yield groups[:, i] * n_texts + groups[:, j]
    else:
        longest = np.take_along_axis(groups, counts[groups].argmax(axis=1)[:, None], axis=1)
        low, high = np.minimum(groups, longest), np.maximum(groups, longest)
        yield (low * n_texts + high)[low < high]


def _compare(first: int, second: int, lengths: Sequence[int], passages: Passages) -> Overlap:
    shorter, longer = (second, first) if lengths[second] <= lengths[first] else (first, second)
    shared = np.isin(passages(shorter), passages(longer))
    copied = np.convolve(shared, np.ones(PASSAGE_WORDS, dtype=np.int64)) > 0
    return Overlap(shorter, longer, lengths[shorter], int(copied.sum()))
