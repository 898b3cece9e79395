"""Find pairs of texts that share most or many of their words.

Only texts that share fingerprints are compared, not every pair. All fingerprints are sorted once to
find these texts (Broder 1997; Schleimer, Wilkerson & Aiken 2003).
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

# Shares of the shorter text's words that the longer text contains. Above the first value, two texts
# are near-duplicates. Above the second, neither may be tested while the other is known.
NEAR_DUPLICATE = 0.8
MIN_OVERLAP = 0.3
# Shorter texts may be equal by chance, or may be greetings.
MIN_WORDS = 40
# If more texts share a fingerprint, each of them is paired with the longest one only.
_MAX_PAIRED = 32
# Two texts are compared if they share this fraction of the fingerprints that `MIN_OVERLAP` implies.
# The number of shared fingerprints varies. Of 189 pairs of real texts, this value misses none, and
# twice this value misses 8.
_CANDIDATE = 0.3
_PAIRS_AT_ONCE = 1 << 22

# Maps the index of a text in the corpus to the hashes of its passages.
Passages = Callable[[int], Hashes]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many words of one text another text contains.

    Attributes
    ----------
    text, source : int
        Indices in the corpus. ``text`` is the shorter text, or the later one of equal length.
    n_words : int
        The number of words in ``text``.
    n_copied : int
        How many of these words ``source`` contains, in runs of at least `PASSAGE_WORDS` words.
    """

    text: int
    source: int
    n_words: int
    n_copied: int

    @property
    def share(self) -> float:
        """The share of the shorter text's words that the other text contains."""
        return self.n_copied / self.n_words


@dataclass(frozen=True, slots=True)
class Overlaps:
    """The pairs of texts that share many words.

    Attributes
    ----------
    n_words : tuple of int
        The number of words in each text. In scripts without spaces, characters are counted.
    pairs : tuple of Overlap
        The pairs, sorted by decreasing share.
    """

    n_words: tuple[int, ...]
    pairs: tuple[Overlap, ...]


def find_overlaps(documents: Sequence[Document], progress: Progress | None = None) -> Overlaps:
    """Find pairs of texts in which the longer one contains many of the shorter one's words.

    The share of these words is at least `MIN_OVERLAP`. Texts with fewer than `MIN_WORDS` words are
    ignored.

    Examples
    --------
    >>> from byline.corpus import Document
    >>> from byline.corpus.checking.near_duplicates import find_overlaps
    >>> text = " ".join(f"word{number}" for number in range(50))
    >>> documents = [Document("Ada", text, "1.txt"), Document("Ben", f"{text} more", "2.txt")]
    >>> [pair] = find_overlaps(documents).pairs
    >>> pair.text, pair.source, pair.share
    (0, 1, 1.0)
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
    def passages(index: int) -> Hashes:
        return hash_passages(hasher.hash_words(documents[index].text))

    overlaps = (
        _compare(first, second, lengths, passages) for first, second in _candidates(fingerprints)
    )
    found = [each for each in overlaps if each.n_words >= MIN_WORDS and each.share >= MIN_OVERLAP]
    found.sort(key=lambda each: (-each.share, each.source, each.text))
    return Overlaps(tuple(lengths), tuple(found))


def choose_duplicates(overlaps: Iterable[Overlap]) -> dict[int, int]:
    """Choose which texts to remove, so that the longest of each group of near-duplicates stays.

    Returns
    -------
    dict of int to int
        Maps each text to remove to a text that stays and is a near-duplicate of it.
    """
    duplicates = sorted(
        (each for each in overlaps if each.share >= NEAR_DUPLICATE),
        key=lambda each: (-each.n_words, each.text, each.source),
    )
    removed: dict[int, int] = {}
    for each in duplicates:  # the decision about the longer text has been made before
        if each.source not in removed:
            removed.setdefault(each.text, each.source)
    return removed


def _candidates(fingerprints: Sequence[Hashes]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that share enough fingerprints to be compared."""
    counts = np.array([len(each) for each in fingerprints], dtype=np.int64)
    pairs, shared = _count_shared(fingerprints, counts)
    first, second = np.divmod(pairs, max(len(fingerprints), 1))
    enough = shared >= _CANDIDATE * MIN_OVERLAP * np.minimum(counts[first], counts[second])
    yield from zip(first[enough].tolist(), second[enough].tolist(), strict=True)


def _count_shared(fingerprints: Sequence[Hashes], counts: Integers) -> tuple[Integers, Integers]:
    """Count the shared fingerprints of each pair of texts that shares any.

    Returns
    -------
    pairs, shared : (n_pairs,)
        Each pair as ``first * n_texts + second``, ascending, and its number of shared
        fingerprints.
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
    """Yield the pairs of texts that share a fingerprint, for groups of each size in turn."""
    hashes = np.concatenate([*fingerprints, np.zeros(0, dtype=np.uint64)])
    order = np.argsort(hashes, kind="stable")
    owners = np.repeat(np.arange(len(counts)), counts)[order]
    ends = np.flatnonzero(np.diff(hashes[order])) + 1
    starts = np.r_[0, ends] if hashes.size else ends
    sizes = np.diff(np.r_[starts, hashes.size])
    for size in np.unique(sizes[sizes > 1]).tolist():
        groups = owners[starts[sizes == size][:, None] + np.arange(size)]  # (n_groups, size)
        yield from _pairs_of(groups, counts)


def _pairs_of(groups: Integers, counts: Integers) -> Iterator[Integers]:
    n_texts, size = len(counts), groups.shape[1]
    if size <= _MAX_PAIRED:
        for i, j in combinations(range(size), 2):
            yield groups[:, i] * n_texts + groups[:, j]
    else:
        longest = np.take_along_axis(groups, counts[groups].argmax(axis=1)[:, None], axis=1)
        low, high = np.minimum(groups, longest), np.maximum(groups, longest)
        yield (low * n_texts + high)[low < high]


def _compare(first: int, second: int, lengths: Sequence[int], passages: Passages) -> Overlap:
    shorter, longer = (second, first) if lengths[second] <= lengths[first] else (first, second)
    # By sorting: NumPy 2.0 overflows in its table of unsigned integers if all hashes are equal.
    shared = np.isin(passages(shorter), passages(longer), kind="sort")
    copied = np.convolve(shared, np.ones(PASSAGE_WORDS, dtype=np.int64)) > 0
    return Overlap(shorter, longer, lengths[shorter], int(copied.sum()))
